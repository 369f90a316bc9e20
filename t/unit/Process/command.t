use strict;
use warnings;

use Test::More;

use UnixBench::Process::Command;

my $PERL = $^X;

subtest 'output_of' => sub {
    *output_of = \&UnixBench::Process::Command::output_of;
    is(output_of(['/bin/echo', 'a  b', '$HOME']), "a  b \$HOME\n", 'words are no text for a shell');
    is(output_of([$PERL, '-e', 'print "x" x 1_000_000']), 'x' x 1_000_000, 'a megabyte');
    is(output_of(['/bin/sh', '-c', 'cat; echo no >&2']), q{},   'no input, no standard error');
    is(output_of(['/bin/sh', '-c', 'echo x; exit 1']),   undef, 'none when it fails');
    is(output_of(['/no/such/program']), undef, 'nor when it is not there');
};

subtest 'run_in_foreground' => sub {
    is(UnixBench::Process::Command::run_in_foreground(['/bin/sh', '-c', "exit $_"]) >> 8, $_, "status $_") for 0, 3;
    is(UnixBench::Process::Command::run_in_foreground(['/no/such/program']) >> 8, 127, 'not there');
};

# How a program ends that goes on as that command, or ends as one did that had this wait status; undef when it goes on.
sub ends_by {
    my ($code) = @_;
    return system($PERL, (map { "-I$_" } @INC), '-MUnixBench::Process::Command', '-e', "$code; exit 7");
}

subtest 'become' => sub {
    is(ends_by(q{UnixBench::Process::Command::become(['/bin/sh', '-c', 'exit 3'])}) >> 8, 3, 'another program');
    is(eval { UnixBench::Process::Command::become(['/no/such/program']); 1 }, undef,         'one that is not there');
    is($@, "can't run /no/such/program: No such file or directory\n",                        'says so');
};

subtest 'die_as' => sub {
    is(ends_by('UnixBench::Process::Command::die_as(15)') & 127,    15, 'a signal');
    is(ends_by('UnixBench::Process::Command::die_as(1 << 8)') >> 8, 7,  'no signal');
    is(ends_by('$SIG{INT} = "IGNORE"; UnixBench::Process::Command::die_of("INT")') & 127,
        2, 'a signal that was ignored');
};

done_testing;
