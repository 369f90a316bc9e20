use strict;
use warnings;

use File::Temp ();
use FindBin;
use POSIX ();
use Test::More;

use UnixBench::Process::Command;

my $PERL = $^X;
*output_of = \&UnixBench::Process::Command::output_of;

subtest 'output_of returns the output of a program' => sub {
    is(output_of(['/bin/echo', 'a  b', '$HOME']), "a  b \$HOME\n", 'words are not read by a shell');
    is(output_of([$PERL, '-e', 'print "x" x 1_000_000']), 'x' x 1_000_000, 'a megabyte of output is returned');
    is(output_of(['/bin/sh', '-c', 'cat; echo no >&2']), q{}, 'standard input is empty, and standard error is dropped');
    is(output_of(['/bin/sh', '-c', 'echo x; exit 1']),   undef, 'a program that fails has no output');
    is(output_of(['/no/such/program']), undef, 'a missing program has no output');
};

subtest 'run_ahead runs commands at the same time' => sub {
    my $dir = File::Temp->newdir;
    POSIX::mkfifo("$dir/pipe", 0600) or die "mkfifo: $!\n";
    my @wait = map { ['/bin/sh', '-c', $_] } "echo met >'$dir/pipe'; echo said >>'$dir/log'; cat '$dir/log'",
        "cat '$dir/pipe'";
    my @gone = ('/no/such/program');
    UnixBench::Process::Command::run_ahead(@wait, \@gone);
    is(output_of($wait[1]), "met\n",  'the second runs while the first does');
    is(output_of($wait[0]), "said\n", 'the output of the first is kept, too');
    is(output_of(\@gone),   undef,    'a missing program has none');
    my @count = ('/bin/sh', '-c', "echo x >>'$dir/count'; cat '$dir/count'");
    UnixBench::Process::Command::run_ahead(\@count);
    is(join(q{}, map { output_of(\@count) } 1, 2), "x\nx\nx\n", 'an output is used once');
};

subtest 'run_ahead where fewer processes are allowed' => sub {
    my @echo  = map { ['/bin/echo', $_] } qw(a b c);
    my $start = \&UnixBench::Process::Child::start;
    my $most  = 1;
    no warnings 'redefine';
    local *UnixBench::Process::Child::start = sub { $most-- > 0 ? $start->(@_) : die "can't start a process\n" };
    UnixBench::Process::Command::run_ahead(@echo);
    is(output_of($echo[0]),                "a\n",                     'the output of what could be started is kept');
    is(eval { output_of($echo[1]) } // $@, "can't start a process\n", 'if nothing can be started, that is an error');
    $most = 2;
    is(join(q{}, map { output_of($_) } @echo[1, 2]), "b\nc\n", 'the others are run when they are asked for');
};

subtest 'run_in_foreground with a standard output that can only be read' => sub {
    my $write = q{UnixBench::Process::Command::run_in_foreground(['/bin/sh', '-c', 'echo text']) >> 8};
    my $status =
        system qq('$^X' -I'$FindBin::Bin/../../../lib' -MUnixBench::Process::Command -e "exit $write" 1</dev/null);
    is($status >> 8, 0, 'a command that prints does not fail');
};

subtest 'run_in_foreground returns the wait status' => sub {
    is(UnixBench::Process::Command::run_in_foreground(['/bin/sh', '-c', "exit $_"]) >> 8, $_, "exit status $_")
        for 0, 3;
    is(UnixBench::Process::Command::run_in_foreground(['/no/such/program']) >> 8, 127, '127 if it is missing');
};

# Takes Perl code; runs it and returns the wait status. The exit status is 7 if the code returns.
sub ends_by {
    my ($code) = @_;
    return system($PERL, (map { "-I$_" } @INC), '-MUnixBench::Process::Command', '-e', "$code; exit 7");
}

subtest 'become replaces this program by another' => sub {
    is(ends_by(q{UnixBench::Process::Command::become(['/bin/sh', '-c', 'exit 3'])}) >> 8, 3, 'that of the other');
    is(eval { UnixBench::Process::Command::become(['/no/such/program']); 1 }, undef, 'a missing program is an error');
    is($@, "can't run /no/such/program: No such file or directory\n", 'the error names the program and the reason');
};

subtest 'die_as and die_of end this program by a signal' => sub {
    is(ends_by('UnixBench::Process::Command::die_as(15)') & 127,    15, 'the wait status of a signal ends the program');
    is(ends_by('UnixBench::Process::Command::die_as(1 << 8)') >> 8, 7,  'another wait status does not end the program');
    is(ends_by('$SIG{INT} = "IGNORE"; UnixBench::Process::Command::die_of("INT")') & 127, 2, 'an ignored signal');
};

done_testing;
