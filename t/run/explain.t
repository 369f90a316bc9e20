use strict;
use warnings;

use File::Copy ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use LoadedRun;
use TestRun;

# ./Run explain: the texts on tests, without measuring.

my $HOME = $TestRun::HOME;

# Returns the names of the tests that are explained.
sub headings {
    my ($run) = @_;
    return [$run->{out} =~ /^(\S+): /mg];
}

subtest 'tests and aliases' => sub {
    my $test = TestRun->new;
    my $run  = $test->run(qw(explain pipe fstime-w graphics));
    is_deeply([@$run{qw(status err)}], [0, q{}], 'explain succeeds');
    is_deeply(
        headings($run),
        [qw(pipe fstime-w 2d-rects 2d-ellipse 2d-aashapes 2d-text 2d-blit 2d-window ubgears)],
        'tests are explained in the given order'
    );
    is_deeply([$test->reports, $test->left], [], 'explain writes no report and no scratch file');
};

subtest 'an unknown test' => sub {
    my $run = TestRun->new->run(qw(explain sycall));
    is_deeply(
        [@$run{qw(status out err)}],
        [2, q{}, qq{Run: unknown test "sycall"; did you mean syscall?\nSee ./Run --list for the tests.\n}],
        'an unknown test is refused, with a suggestion'
    );
};

subtest 'the smallest Perl' => sub {
    my $small = TestRun->new(env => { PERL5LIB => "$HOME/t/lib", PERL5OPT => '-MPerlBase' });
    my $run   = $small->run(qw(explain all));
    is_deeply([@$run{qw(status err)}], [0, q{}], 'explain succeeds with the smallest Perl');
    is($run->{out}, TestRun->new->run(qw(explain all))->{out}, 'explain prints the same text with the smallest Perl');
};

subtest 'the file of the texts is missing' => sub {
    my $test = TestRun->new;
    mkdir $test->place('tree') or die "mkdir: $!\n";
    symlink "$HOME/$_", $test->place('tree', $_) or die "symlink: $!\n" for grep { -e "$HOME/$_" } qw(features lib);
    $test->{program} = $test->place('tree', 'Run');
    File::Copy::copy("$HOME/Run", $test->{program}) or die "Run: $!\n";
    my $run = $test->run(qw(explain pipe));
    is_deeply([@$run{qw(status out)}], [1, q{}], 'a missing file: exit status 1 and no output');
    like(
        $run->{err},
        qr{\ARun: can't read \S+/share/tests[.]md: No such file or directory; [^\n]+\n\z},
        'a missing file: one line of message'
    );
};

done_testing;
