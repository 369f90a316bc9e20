use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib", "$FindBin::Bin/../../lib";
use Needs              qw(need_built skip_without);
use ObservedRun        qw(counts loops_of real_run tests_of why_not_bpftrace);
use TestRun            qw(waited);
use UnixBench::Catalog ();

# What the real programs ask the kernel for, as a user of Run sees it.
need_built('dhry2reg');
my $why_not = why_not_bpftrace();
skip_without(@$why_not) if $why_not;

# Calls for each loop; fork and wait have several names. Beside them each program has calls of its start and end, and
# file tests read nothing at the end of a file, once in 2000 blocks.
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

# What part of their time tests last; on a busy machine a pass may be over before a loop is: then they last longer.
my ($PART, @LONGER) = (0.02, 0.1, 0.5);
my $ENOUGH = 100;    # loops, where calls of start and end must not matter

# All are started together: most of their time is waiting, until the kernel has attached the tracer.
my %begun = map { $_ => begun($_, $PART) } sort keys %WORDS;

sub begun {
    my ($name, $part) = @_;
    my $test = real_run(UB_TIME_FACTOR => $part);
    return { test => $test, run => $test->started(@{ $WORDS{$name} }) };
}

# The place of one of them, and the run that has ended, as long as it had to be.
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
    return $name eq 'index' || !grep { loops_of($_) < $ENOUGH } values %{ tests_of($test) };
}

subtest 'the index' => sub {
    my ($test, $run) = ended('index');
    is($run->{status}, 0,   'status');
    is($run->{err},    q{}, 'nothing to complain about');
    my $known = tests_of($test);
    is_deeply([sort keys %$known], [sort @INDEX], 'all tests');
    my ($html, $text) = map { $test->report($_) } '.html', q{};
    for my $name (@INDEX) {
        my $observed = $known->{$name}{observed};
        is($observed->{tracer}, 'bpftrace', "$name: by bpftrace");
        is($observed->{lost},   0,          'no process was lost');
        cmp_ok(scalar @{ $observed->{calls} }, '>=', 10, 'calls');
        cmp_ok($observed->{slowdown},          '>',  0,  'how much slower it was');
        like($text, qr/^ +\Q$known->{$name}{title}\E: .*, observed /m, 'the report tells of it');
    }
    for my $name (sort keys %MIX) {
        my $loops = loops_of($known->{$name});
        my %count = counts($known->{$name});
        for my $call (sort keys %{ $MIX{$name} }) {
            my ($count) = grep { defined } map { $count{$_} } split /[|]/, $call;
            my $wanted  = $MIX{$name}{$call} * $loops;
            ok($count >= $wanted && $count <= $wanted * (1 + $AT_ENDS) + $BESIDE, "$name: $call in each loop")
                or diag "$count in $loops loops";
            like($html,       qr/>\Q$call\E</,            'the page has it') if $call !~ /[|]/;
            like($run->{out}, qr/^ +\Q$call\E +[0-9]+ /m, 'and details') if $call     !~ /[|]/;
        }
    }
    $test->all_gone;
};

subtest 'several copies, and a row for each process' => sub {
    my ($test, $run) = ended('rows');
    is($run->{status}, 0, 'status');
    my $known     = tests_of($test);
    my %processes = (context1 => 4, pipe => 2);
    for my $name (sort keys %processes) {
        my $observed = $known->{$name}{observed};
        my @rows     = @{ $observed->{rows} };
        my %pids     = map { $_->{pid} => 1 } @rows;
        is(scalar keys %pids, $processes{$name}, "$name: a row for each process");
        my $in_rows = 0;
        $in_rows += $_->{count} for @rows;
        my %count = counts($known->{$name});
        my $all   = 0;
        $all += $_ for values %count;
        is($in_rows, $all, 'which have all of its calls');
        is_deeply([sort map { $_->{name} } @{ $rows[0]{top} }[0, 1]], [qw(read write)], 'most of them these');
        like($test->report(q{}), qr/^ *[0-9:]{8} +$_ +(?:\w+[(][0-9]+[)] +){3}[0-9]+ +[0-9]+ +[0-9]+$/m, "its row")
            for keys %pids;
    }
    my @columns = ('TIME', 'PID', '1st(num)', '2nd(num)', '3rd(num)', 'AVG_DELAY(ns)', 'MAX_DELAY(ns)', 'SYSCALLS');
    my $heading = join ' +', map { quotemeta } @columns;
    like($test->report(q{}), qr{^ +SYSCALL-+\n +$heading$}m, 'the headings');
    $test->all_gone;
};

subtest 'a quick run' => sub {
    my ($test, $run) = ended('quick');
    is($run->{status}, 0, 'status');
    my %count = counts(tests_of($test)->{pipe});
    cmp_ok($count{write}, '>=', 100, 'is observed, too');
};

done_testing;
