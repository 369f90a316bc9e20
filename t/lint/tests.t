use strict;
use warnings;

use File::Find ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Tree qw(test_folders text_of);

# Rules for the files of the tests: recorded texts and skipped tests.
my @tests = found(qr/[.]t\z/,        test_folders());
my @files = found(qr/[.](?:t|pm)\z/, test_folders());

is_deeply([grep { !-e test_of($_) } found(qr/./, 't/golden')],
    [], 'every file of t/golden lies in the folder of a test');

for my $test (grep { text_of($_) =~ /^use Golden\b.*\bis_golden\b/m } @tests) {
    ok(text_of($test) =~ /^no_golden_left_over[(][)];$/m, "$test finds recorded texts that it does not ask for");
}

for my $file (grep { $_ ne 't/lib/Needs.pm' } @files) {
    ok(text_of($file) !~ /\bskip_all *=>|\bskip[ (]+["'\$]/, "$file skips tests only through Needs");
}

for my $file (grep { $_ ne 't/lib/Needs.pm' } @files) {
    my ($imported) = text_of($file) =~ /use Needs +qw[(]([^)]*)[)]/;
    my %has        = map  { $_ => 1 } split q{ }, $imported // q{};
    my @lacking    = grep { !$has{$_} } text_of($file) =~ /(?<![\w:>])(skip_without|need_\w+)[(]/g;
    is("@lacking", q{}, "$file imports what it calls of Needs");
}

done_testing;

# Takes a pattern and folders; returns the paths of the files below them that match, sorted.
sub found {
    my ($pattern, @folders) = @_;
    my @found;
    File::Find::find({ wanted => sub { push @found, $_ if -f && /$pattern/ }, no_chdir => 1 }, @folders);
    return sort @found;
}

# Takes the path of a file of t/golden; returns the path of the test that owns it.
sub test_of {
    my ($path) = @_;
    return $path =~ s{\At/golden/(.*)/[^/]*\z}{t/$1.t}r;
}
