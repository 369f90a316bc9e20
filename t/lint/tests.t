use strict;
use warnings;

use File::Find ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Tree qw(text);

# Rules that hold for the files of tests.
my @tests = found(qr/[.]t\z/,        't');
my @files = found(qr/[.](?:t|pm)\z/, 't');

is_deeply([grep { !-e test_of($_) } found(qr/./, 't/golden')],
    [], 'every file of t/golden lies in the folder of a test');

for my $test (grep { text($_) =~ /^use Golden\b.*\bis_golden\b/m } @tests) {
    ok(text($test) =~ /^no_golden_left_over[(][)];$/m, "$test looks for recorded texts that it does not ask for");
}

for my $file (grep { $_ ne 't/lib/Needs.pm' } @files) {
    ok(text($file) !~ /\bskip_all *=>|\bskip[ (]+["'\$]/, "$file skips by Needs only");
}

done_testing;

# The files below a folder whose paths match.
sub found {
    my ($pattern, $folder) = @_;
    my @found;
    File::Find::find({ wanted => sub { push @found, $_ if -f && /$pattern/ }, no_chdir => 1 }, $folder);
    return sort @found;
}

# The test that owns a file of t/golden.
sub test_of {
    my ($path) = @_;
    return $path =~ s{\At/golden/(.*)/[^/]*\z}{t/$1.t}r;
}
