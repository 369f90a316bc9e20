use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use LoadedRun;
use TestRun qw(waited);

# Runs Run and says what it has loaded since measuring began.
my $LATE = <<'PERL';
use UnixBench::App;
use UnixBench::Measure::Session;
my ($measure, %before) = \&UnixBench::Measure::Session::measure;
{
    no warnings 'redefine';
    *UnixBench::Measure::Session::measure = sub { %before = %INC; return $measure->(@_) };
}
my $status = UnixBench::App->new(home => $ENV{UB_HOME})->run(@ARGV);
print STDERR "late: $_\n" for grep { !$before{$_} } sort keys %INC;
print STDERR "begun\n" if %before;
exit $status;
PERL

my %WORDS = (
    'as usual'    => [qw(-c 1 -c 2 -i 2 syscall hanoi pipe)],
    'quick'       => [qw(--quick --max-time 1 -c 1 syscall hanoi --precision 9)],
    'all outputs' =>
        [qw(-q -c 1 -i 1 syscall --details --tap --json J --html H --junit U --markdown M --require), 'syscall>=1'],
    'without names' => [qw(-q -c 1 -i 1 --no-identity syscall)],
    'a failure'     => [qw(-q -c 1 -i 1 whetstone-double index)],
    'users'         => [qw(-q -c 1 -i 1 --users 2 --script S multiuser)],
);
for my $what (sort keys %WORDS) {
    my $test = TestRun->new(programs => { 'whetstone-double' => 'exit3', multiuser => 'like-multiuser' });
    my $here = $test->place('test');
    $test->write('test', 'S', "true\n");
    $test->{env} = { UB_HOME => $TestRun::HOME, UB_OUTPUT_CSV => 'true' };
    my @words = map { /\A[JHUMS]\z/ ? "$here/$_" : $_ } @{ $WORDS{$what} };
    my $run   = waited($test->started_by($^X, "-I$TestRun::HOME/lib", '-e', $LATE, '--', @words));
    like($run->{said}, qr/^begun$/m, "$what: measured");
    is(join(q{ }, $run->{said} =~ /^late: (.+)$/mg), q{}, 'and nothing is loaded any more');
}

# A tree with a library and Run of its own.
sub own_tree {
    my $test = TestRun->new(@_);
    my $tree = $test->place('tree');
    mkdir $tree                                                                     or die "mkdir: $!\n";
    system('cp', '-R', (map { "$TestRun::HOME/$_" } qw(Run lib share)), $tree) == 0 or die "cp: $?\n";
    rename $test->place('bin'), "$tree/pgms" or die "rename: $!\n";
    mkdir "$tree/testdir" or die "mkdir: $!\n";
    my %own = map { ("UB_$_" => q{}) } qw(BINDIR TESTDIR TMPDIR RESULTDIR);
    $test->{env}     = { %own, %{ $test->{env} } };
    $test->{program} = "$tree/Run";
    return ($test, $tree);
}

sub program {
    my ($tree, $name, $text) = @_;
    unlink "$tree/pgms/$name";
    open my $file, '>', "$tree/pgms/$name" or die "$name: $!\n";
    print {$file} "#!/bin/sh\n$text\necho 'COUNT|5|1|lps' >&2\n";
    close $file;
    return chmod 0755, "$tree/pgms/$name";
}

# Without what Run would build or look for.
my @WORDS = qw(-q -c 1 -i 2 syscall hanoi pipe);

# The names of the files of results in a directory.
sub results {
    my ($directory) = @_;
    return map { s{.*/}{}r } glob "$directory/results/*";
}

subtest 'the library is moved' => sub {
    my $test = TestRun->new;
    my $tree = $test->place('tree');
    mkdir $tree                                                                     or die "mkdir: $!\n";
    system('cp', '-R', (map { "$TestRun::HOME/$_" } qw(Run lib share)), $tree) == 0 or die "cp: $?\n";
    $test->{program} = "$tree/Run";
    unlink $test->place('bin', 'hanoi');
    chmod 0755,
        $test->write('bin', 'hanoi',
              "#!/bin/sh\nmv '$tree/lib' '$tree/share' '$tree/Run' '@{[$test->place('test')]}'\n"
            . "echo 'COUNT|5|1|lps' >&2\n");
    my $run =
        $test->run(qw(-q -c 1 -i 1 syscall hanoi pipe --details --json), $test->place('j'), '--require', 'pipe>=1');
    ok(-d $test->place('test', 'lib'), 'meanwhile');
    is($run->{status}, 4, 'the run ends as ever') or diag $run->{said};
    unlike($run->{err}, qr/ line [0-9]+[.]$/m, 'no complaint of Perl');
    is_deeply([map { /([.][a-z]+)\z/ ? $1 : q{} } $test->reports], [q{}, qw(.html .json .log)], 'with all reports');
    ok(-s $test->place('j'), 'and what else was asked for');
};

subtest 'the tree is moved' => sub {
    my ($test, $tree) = own_tree();
    program($tree, hanoi => "[ ! -e '$tree/results' ] || mv '$tree' '$tree.moved'");
    my $run = $test->run(@WORDS);
    is($run->{status}, 1, 'the run ends');
    like($run->{err}, qr{^Run: the directory \Q$tree\E/\w+ was removed or renamed while the run was under way$}m,
        'why');
    like($run->{err}, qr{^Run: the files of \Q$tree\E/results/\S+ were moved during the run: }m, 'what was done');
    like($run->{err}, qr{^Run: what was measured is kept; to go on: [.]/Run --resume \Q$tree\E[.]moved/results/}m,
        'what to do');
    ok(!-e "$tree/results", 'nothing is written where it was');
    is_deeply([glob "$tree.moved/tmp/*"], [], 'no scratch files are left') if -e '/proc/self/fd';
    my ($name) = map { /(.+)[.]journal\z/ ? $1 : () } results("$tree.moved");
    $test->{program} = "$tree.moved/Run";
    my $again = $test->run(qw(-q --resume), $name);
    is_deeply([@$again{qw(status err)}], [0, q{}], 'it can be resumed there');
    is(scalar(grep { /journal/ } results("$tree.moved")), 0, 'and is whole');
    ok(!-e $tree, 'and nothing is made where it was');
};

done_testing();
