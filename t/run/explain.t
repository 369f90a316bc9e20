use strict;
use warnings;

use File::Copy ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use LoadedRun;
use TestRun;

# ./Run --explain, which measures nothing.

my $HOME = $TestRun::HOME;

# The names of the tests that it explains.
sub headings {
    my ($run) = @_;
    return [$run->{out} =~ /^(\S+): /mg];
}

subtest 'tests and aliases' => sub {
    my $test = TestRun->new;
    my $run  = $test->run(qw(--explain pipe fstime-w graphics));
    is_deeply([@$run{qw(status err)}], [0, q{}], 'status and standard error');
    is_deeply(
        headings($run),
        [qw(pipe fstime-w 2d-rects 2d-ellipse 2d-aashapes 2d-text 2d-blit 2d-window ubgears)],
        'in this order'
    );
    is_deeply([$test->reports, $test->left], [], 'nothing is measured');
    is(scalar @{ headings($test->run('--explain')) }, 12, 'without names: the tests of the index');
};

subtest 'an unknown test' => sub {
    my $run = TestRun->new->run(qw(--explain sycall));
    is_deeply(
        [@$run{qw(status out err)}],
        [2, q{}, qq{Run: unknown test "sycall"\nDid you mean "syscall"? See ./Run --list for the tests.\n}],
        'is refused, with one that is near'
    );
};

subtest 'the smallest Perl' => sub {
    my $small = TestRun->new(env => { PERL5LIB => "$HOME/t/lib", PERL5OPT => '-MPerlBase' });
    my $run   = $small->run(qw(--explain all));
    is_deeply([@$run{qw(status err)}], [0, q{}], 'will do');
    is($run->{out}, TestRun->new->run(qw(--explain all))->{out}, 'for the same text');
};

subtest 'the file is missing' => sub {
    my $test = TestRun->new;
    mkdir $test->place('tree') or die "mkdir: $!\n";
    symlink "$HOME/lib", $test->place('tree', 'lib') or die "symlink: $!\n";
    $test->{program} = $test->place('tree', 'Run');
    File::Copy::copy("$HOME/Run", $test->{program}) or die "Run: $!\n";
    my $run = $test->run(qw(--explain pipe));
    is_deeply([@$run{qw(status out)}], [1, q{}], 'status and standard output');
    like($run->{err}, qr{\ARun: can't read \S+/share/tests[.]md: No such file or directory; [^\n]+\n\z}, 'a line');
};

done_testing;
