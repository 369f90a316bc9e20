use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use CallCounts                     qw(plain_name);
use Needs                          qw(need_built skip_without);
use ObservedRun                    qw(why_not_bpftrace why_not_strace);
use TestProgram                    qw(command);
use Traced                         qw(traced);

# Tests the counts of programs with a known number of loops: they are exact, or the tracer counts wrongly.
need_built(qw(syscall pipe spawn execl));
my $why_not = why_not_bpftrace();
skip_without(@$why_not) if $why_not;

# [words of a command, number of loops, calls in each loop].
my @LOOPS = (
    [[qw(syscall mix)],    1000, { map { $_ => 1 } qw(dup close getpid getuid umask) }],
    [[qw(syscall close)],  1000, { dup    => 1, close => 1 }],
    [[qw(syscall getpid)], 1000, { getpid => 1 }],
    [[qw(pipe)],           1000, { write  => 1, read => 1 }],
    [[qw(syscall exec)],   1000, { fork   => 1, wait => 1, execve     => 1, exit_group => 1 }],
    [[qw(spawn)],          1000, { fork   => 1, wait => 1, execve     => 0, exit_group => 1 }],
    [[qw(execl)],          1000, { execve => 1, fork => 0, exit_group => 0 }],
);

# Takes a command and options of traced; returns how often the command makes each call.
sub counted {
    my ($command, %how) = @_;
    my $traced = traced($command, %how);
    is($traced->{lost} // 0, 0, 'no process is lost');
    my %count;
    $count{ plain_name($_->{name}) } += $_->{count} for @{ $traced->{calls} };
    return \%count;
}

for my $case (@LOOPS) {
    my ($words, $loops, $of_loop) = @$case;
    my ($program, @arguments) = @$words;
    subtest "@$words makes the known calls in each loop" => sub {
        my ($one, $many) = map { counted(command($program, '-n', $_, @arguments)) } 1, $loops + 1;
        my %more = map { $_ => ($many->{$_} // 0) - ($one->{$_} // 0) } keys %$of_loop;
        is_deeply(\%more, { map { $_ => $loops * $of_loop->{$_} } keys %$of_loop }, "$loops more loops");
        my @wrong = grep { (($many->{$_} // 0) - ($one->{$_} // 0)) % $loops } keys %$many;
        is_deeply(\@wrong, [], 'other calls are made as often in each loop');
    };
}

subtest 'bpftrace and strace count the same calls' => sub {
    my $why_no_strace = why_not_strace();
    skip_without(@$why_no_strace) if $why_no_strace;
    for my $words ([qw(syscall -n 1000 mix)], [qw(pipe -n 1000)], [qw(context1 -n 100)], [qw(spawn -n 100)],
        [qw(execl -n 100)])
    {
        my ($by_us, $by_strace) = map { counted(command(@$words), by => $_) } qw(bpftrace strace);
        delete $by_us->{exit_group};    # it never returns, and strace counts only calls that return
        is_deeply($by_us, $by_strace, "@$words has the same counts");
    }
};

done_testing;
