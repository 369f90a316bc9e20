use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Place       qw(write_program);
use LateModules qw(loads_nothing_late);
use LoadedRun;
use OwnTree qw(own_tree);
use TestRun ();

my %WORDS = (
    'as usual'      => [qw(-c 1 -c 2 -i 2 syscall hanoi pipe)],
    'quick'         => [qw(--quick --max-time 1 -c 1 syscall hanoi --precision 9)],
    'all outputs'   => [qw(-q -c 1 -i 1 syscall --details --json J --html H --markdown M)],
    'without names' => [qw(-q -c 1 -i 1 --no-identity syscall)],
    'a failure'     => [qw(-q -c 1 -i 1 whetstone-double index)],
);
loads_nothing_late($_, {}, @{ $WORDS{$_} }) for sort keys %WORDS;

sub program {
    my ($tree, $name, $text) = @_;
    unlink "$tree/pgms/$name";
    return write_program("$tree/pgms/$name", "#!/bin/sh\n$text\necho 'COUNT|5|1|lps' >&2\n");
}

# Words for a run of fake programs: Run would build or look for nothing.
my @WORDS = qw(-q -c 1 -i 2 syscall hanoi pipe);

# Returns the names of the files of results below a directory.
sub results {
    my ($directory) = @_;
    return map { s{.*/}{}r } glob "$directory/results/*";
}

subtest 'the library is moved' => sub {
    my $test = TestRun->new;
    my $tree = $test->place('tree');
    mkdir $tree or die "mkdir: $!\n";
    system('cp', '-R', (grep { -e } map { "$TestRun::HOME/$_" } qw(Run features lib share)), $tree) == 0
        or die "cp: $?\n";
    $test->{program} = "$tree/Run";
    unlink $test->place('bin', 'hanoi');
    chmod 0755,
        $test->write('bin', 'hanoi',
        "#!/bin/sh\nmv '$tree'/* '@{[$test->place('test')]}'\n" . "echo 'COUNT|5|1|lps' >&2\n");
    my $run = $test->run(qw(-q -c 1 -i 1 syscall hanoi pipe --details --json), $test->place('j'));
    ok(-d $test->place('test', 'lib'), 'the library is moved during the run');
    is($run->{status}, 0, 'the run ends normally') or diag $run->{said};
    unlike($run->{err}, qr/ line [0-9]+[.]$/m, 'Perl prints no warning');
    is_deeply([map { /([.][a-z]+)\z/ ? $1 : q{} } $test->reports], [q{}, qw(.html .log)], 'all reports are written');
    ok(-s $test->place('j'), 'other requested files are written');
};

subtest 'the tree is moved' => sub {
    my ($test, $tree) = own_tree();
    program($tree, hanoi => "[ ! -e '$tree/results' ] || mv '$tree' '$tree.moved'");
    my $run = $test->run(@WORDS);
    is($run->{status}, 1, 'a run whose tree is moved: exit status 1');
    like(
        $run->{err},
        qr{^Run: the directory \Q$tree\E/\w+ was removed or renamed while the run was under way$}m,
        'the message names the missing directory'
    );
    like(
        $run->{err},
        qr{^Run: \Q$tree\E/results/\S+[.]journal was moved or removed: find it, and resume the run from there$}m,
        'the message names the journal'
    );
    ok(!-e "$tree/results", 'no file is written to the old directory');
    my ($name) = map { /(.+)[.]journal\z/ ? $1 : () } results("$tree.moved");
    $test->{program} = "$tree.moved/Run";
    my $again = $test->run(qw(-q --resume), $name);
    is_deeply([@$again{qw(status err)}], [0, q{}], 'the run can be resumed in the new directory');
    is(scalar(grep { /journal/ } results("$tree.moved")), 0, 'the resumed run is complete');
    ok(!-e $tree, 'the resumed run makes no file in the old directory');
};

done_testing();
