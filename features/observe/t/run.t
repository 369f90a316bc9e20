use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Needs                          qw(need_built skip_without);
use ObservedRun                    qw(@PARTS counts have_enough_loops loops_of real_run tests_of why_not_bpftrace);
use TestRun                        qw(waited);
use UnixBench::Catalog             ();

# Whole runs that observe the system calls of the real programs.
need_built('dhry2reg');
my $why_not = why_not_bpftrace();
skip_without(@$why_not) if $why_not;

# Calls in each loop; fork and wait have several names. In addition, each program makes calls at its start and end.
# File tests read nothing at the end of a file, once in 2000 blocks.
my %MIX = (
    syscall  => { map { $_ => 1 } qw(dup close getpid getuid|getuid32 umask) },
    pipe     => { write                     => 1, read           => 1 },
    context1 => { write                     => 2, read           => 2 },
    fstime   => { write                     => 1, read           => 1 },
    fsbuffer => { write                     => 1, read           => 1 },
    fsdisk   => { write                     => 1, read           => 1 },
    spawn    => { 'clone|clone3|fork|vfork' => 1, 'wait4|waitid' => 1 },
    execl    => { execve                    => 1 },
);
my $BESIDE  = 60;
my $AT_ENDS = 0.002;

my @INDEX = UnixBench::Catalog::expand('index');

my %WORDS = (
    index => [qw(-q -i 1 -c 1 --details --observe syscalls index)],
    rows  => [qw(-q -i 1 -c 2 --observe syscalls --rows context1 pipe)],
    quick => [qw(-q --quick --max-time 2s -c 1 --observe syscalls pipe)],
);

# All runs are started together: most of their time they wait until the kernel has attached the tracer.
my ($PART, @LONGER) = @PARTS;
my %begun = map { $_ => begun($_, $PART) } sort keys %WORDS;

sub begun {
    my ($name, $part) = @_;
    my $test = real_run(UB_TIME_FACTOR => $part);
    return { test => $test, run => $test->started(@{ $WORDS{$name} }) };
}

# Takes the name of a run; returns its place and the ended run, repeated with a longer time if necessary.
sub ended {
    my ($name) = @_;
    my ($test, $run);
    for my $longer (@LONGER, undef) {
        ($test, $run) = ($begun{$name}{test}, waited($begun{$name}{run}));
        last if !defined $longer || is_long_enough($name, $test, $run);
        $begun{$name} = begun($name, $longer);
    }
    return ($test, $run);
}

sub is_long_enough {
    my ($name, $test, $run) = @_;
    return if $run->{err} =~ /a count of 0/;
    return $name eq 'index' || have_enough_loops(values %{ tests_of($test) });
}

subtest 'the index' => sub {
    my ($test, $run) = ended('index');
    is($run->{status}, 0,   'the index: exit status 0');
    is($run->{err},    q{}, 'the index: no message');
    my $known = tests_of($test);
    is_deeply([sort keys %$known], [sort @INDEX], 'the index: all tests are in the JSON');
    my ($html, $text) = map { $test->report($_) } '.html', q{};
    for my $name (@INDEX) {
        my $observed = $known->{$name}{observed};
        is($observed->{tracer}, 'bpftrace', "$name: observed by bpftrace");
        is($observed->{lost},   0,          "$name: no process was lost");
        cmp_ok(scalar @{ $observed->{calls} }, '>=', 10, "$name: at least 10 different calls");
        cmp_ok($observed->{slowdown},          '>',  0,  "$name: the slowdown is known");
        like($text, qr/^ +\Q$known->{$name}{title}\E: .*, observed /m, "$name: the report has a line");
    }
    for my $name (sort keys %MIX) {
        my $loops = loops_of($known->{$name});
        my %count = counts($known->{$name});
        for my $call (sort keys %{ $MIX{$name} }) {
            my ($count) = grep { defined } map { $count{$_} } split /[|]/, $call;
            my $wanted  = $MIX{$name}{$call} * $loops;
            ok($count >= $wanted && $count <= $wanted * (1 + $AT_ENDS) + $BESIDE, "$name: $call in each loop")
                or diag "$count in $loops loops";
            like($html,       qr/>\Q$call\E</,            "$name: the page has $call") if $call     !~ /[|]/;
            like($run->{out}, qr/^ +\Q$call\E +[0-9]+ /m, "$name: the details have $call") if $call !~ /[|]/;
        }
    }
    $test->all_gone;
};

subtest 'several copies, and a row for each process' => sub {
    my ($test, $run) = ended('rows');
    is($run->{status}, 0, 'several copies: exit status 0');
    my $known     = tests_of($test);
    my %processes = (context1 => 4, pipe => 2);
    for my $name (sort keys %processes) {
        my $observed = $known->{$name}{observed};
        my @rows     = @{ $observed->{rows} };
        my %pids     = map { $_->{pid} => 1 } @rows;
        is(scalar keys %pids, $processes{$name}, "$name: each process has a row");
        my $in_rows = 0;
        $in_rows += $_->{count} for @rows;
        my %count = counts($known->{$name});
        my $all   = 0;
        $all += $_ for values %count;
        is($in_rows, $all, "$name: the rows have all calls");
        my ($busiest) = sort { $b->{count} <=> $a->{count} } @rows;
        is_deeply([sort map { $_->{name} } @{ $busiest->{top} }[0, 1]],
            [qw(read write)], "$name: most calls in the largest row are read and write");
        like(
            $test->report(q{}),
            qr/^ *[0-9:]{8} +$_ +(?:\w+[(][0-9]+[)] +){3}[0-9]+ +[0-9]+ +[0-9]+$/m,
            "$name: the report has the row of each process"
        ) for keys %pids;
    }
    my @columns = ('TIME', 'PID', '1st(num)', '2nd(num)', '3rd(num)', 'AVG_DELAY(ns)', 'MAX_DELAY(ns)', 'SYSCALLS');
    my $heading = join ' +', map { quotemeta } @columns;
    like($test->report(q{}), qr{^ +SYSCALL-+\n +$heading$}m, 'the report has the headings of the rows');
    $test->all_gone;
};

subtest 'a quick run' => sub {
    my ($test, $run) = ended('quick');
    is($run->{status}, 0, 'a quick run: exit status 0');
    my %count = counts(tests_of($test)->{pipe});
    cmp_ok($count{write}, '>=', 100, 'a quick run is observed');
};

done_testing;
