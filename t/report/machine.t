# The facts about a machine that a user sees.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Fixture  qw(host measured result run);
use Rendered qw(rendered);

# Takes a platform, as uname -i reports it; returns the page and the text report of a result.
sub reports {
    my ($platform) = @_;
    my $result = result([run(1, measured('pipe', 1, 5, 6))], host => host(platform => $platform));
    return (rendered(html => $result) =~ s{<script.*?</script>}{}gsr, rendered(text => $result));
}

my ($page, $text) = reports('unknown');
like($page, qr{>x86_64<}, 'the page has the kind of machine');
unlike($page, qr/x86_64 [(]/, 'a platform that is not known is left out');
like($text, qr/^   Machine: x86_64 [(]unknown[)]$/m, 'the classic line stays');
($page, $text) = reports('pc98');
like($_, qr/x86_64 [(]pc98[)]/, 'a known platform is shown') for $page, $text;

done_testing;
