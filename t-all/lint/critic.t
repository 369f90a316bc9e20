use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/../../$_" } qw(t/lint/lib t-all/lib t/lib);
use Needs qw(skip_without);
use Passed;
use Tree qw(perl_part text_of);

# Perl::Critic finds nothing with the rules of .perlcriticrc.
skip_without(tool => 'Perl::Critic') if !eval { require Perl::Critic };

my $critic = Perl::Critic->new(-profile => '.perlcriticrc');
my $passed = Passed->new(critic => $Perl::Critic::VERSION, text_of('.perlcriticrc'));
for my $path ('Run', 'pgms/gfx-x11', split /\n/, qx(find lib -name '*.pm' | sort)) {
    my $perl   = perl_part($path);
    my $source = $perl eq text_of($path)      ? $path : \$perl;
    my @said   = $passed->has("$path\n$perl") ? ()    : $critic->critique($source);
    is(join(q{}, @said), q{}, $path) or next;
    $passed->add("$path\n$perl");
}
$passed->keep;

done_testing;
