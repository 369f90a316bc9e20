package UnixBench::Why::Reasons;

# Why one run is slower than another: divides the ratio of each test into factors, and finds the counts of a loop and
# the facts that differ. A fact that differs is not called a cause: it can cause a change of certain factors.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Result      qw(has_passes tests_by_title);
use UnixBench::Base::Text        qw(counted);
use UnixBench::Catalog           ();
use UnixBench::Compare::Facts    qw(fact_apart);
use UnixBench::Compare::Rows     ();
use UnixBench::Host::FactList    ();
use UnixBench::Score::Stats      qw(t_quantile);
use UnixBench::Score::Work       ();
use UnixBench::Warnings::Wording qw(cause_title);
use UnixBench::Why::Factors      ();

# A count of a loop has changed if it differs by more than this part, and by more than that per loop.
use constant { COUNT_PART => 0.05, COUNT_LEAST => 0.005 };

# With two equal runs, a factor is named in at most this part of the comparisons: the tests and their factors share it.
# A factor is about as large as the largest if its logarithm is at least this part of the other one.
use constant { WRONG_MOST => 0.05, AS_LARGE => 2 / 3 };

use constant COUNTS => qw(faults switches forced calls);

# Which fact can cause what: keys of facts, see UnixBench::Host::FactList, or their beginnings; and the factors.
#<<< a table
my @CAN_CAUSE = (
    ['user'                  => qw(build tools language programs process.glibc_tunables)],
    ['kernel'                => qw(host.release kernel process.seccomp virtualization.container)],
    ['clock'                 => qw(cpu.frequency cpu.governor cpu.driver cpu.turbo)],
    ['cpu'                   => qw(cgroup.cpus cgroup.cpuset process.cpus process.nice process.class other_load)],
    ['user kernel'           => qw(memory.huge_pages process.ld_preload process.ld_audit process.preload_file)],
    ['user kernel'           => qw(process.ld_library_path process.variables process.personality)],
    ['cpu kernel'            => qw(memory.total_kb memory.swap_kb cgroup.memory_kb process.tracer)],
    ['cpu kernel'            => qw(scratch.file_system scratch.mount_options)],
    ['clock user kernel'     => qw(cpu.models cpu.microcode cpu.smt cpu.numa_nodes cpu.caches)],
    ['clock user kernel'     => qw(virtualization.hypervisor)],
    ['cpu clock user kernel' => qw(command)],
);
#>>>
my %FACTORS_OF;
for my $row (@CAN_CAUSE) {
    my ($factors, @keys) = @$row;
    $FACTORS_OF{$_} = [split / /, $factors] for @keys;
}
my $OF_FILES = qr/\Ascratch[.]/;    # the keys of facts that matter to file tests only
my $FILES    = qr/\Afs/;            # the names of these tests

# The factors that several can't be told apart in.
my %PARTS = (work => [qw(user kernel)], clock_work => [qw(clock user kernel)]);

# Takes [sides], two of { letter, summary }; [runs], one of each; the least difference that matters, as a part of 1; and
# perhaps { name of a test => verdict }, see UnixBench::Compare::Rows; that of a test that other load leaves open is
# "unknown", because the factors may show what that load did, and "changed" is that of a test that has another speed for
# certain. Returns the keys of the type "why" of UnixBench::Why, whose rows of tests also have level and works, see
# UnixBench::Why::Factors.
#
# A factor is sure if it is beyond its interval. All factors of all tests share 5 % of wrong intervals, whatever the
# verdicts: two equal runs differ in one of 24 tests, too. A test without a verdict has to differ by more than the least
# difference that matters.
sub of_runs {
    my ($sides, $runs, $min_effect, $verdicts) = @_;
    my @summaries = map { $_->{summary} } @$sides;
    my @facts     = (UnixBench::Compare::Facts::apart(@summaries), _commands(@summaries));
    my %with      = (
        summaries => \@summaries,
        facts     => \@facts,
        _cycles(@summaries),
        min_effect  => $min_effect,
        verdicts    => $verdicts || {},
        shares_core => scalar(grep { _shares_core($summaries[$_], $runs->[$_]) } 0, 1) ? 1 : 0,
    );
    my @common = _common(@$runs);
    my @rows   = map { _row($_, \%with) // () } @common;
    my %tests  = map { $_->{tests}[0]{name} => $_->{tests} } @common;

    # The factors that may be named. Kernel and user work are judged together, too.
    $with{hypotheses} = List::Util::sum(0, map { keys(%$_) + ($_->{user} ? 1 : 0) } map { $_->{factors} } @rows);
    @rows = map { +{ %$_, _named($_, $tests{ $_->{name} }, \%with) } } @rows;
    my %row = map { $_->{name} => $_ } @rows;
    return {
        missing => [_missing($sides, \%with, @common)],
        tests   => \@rows,
        indexes => [map { _index($_, \%row) } @{ $runs->[0]{indexes} }],
    };
}

# Takes a summary. Returns [{ copies => [number, number], and the keys of of_runs() }, ...] for each number of copies,
# compared with the fewest: why more copies do not do as many times the work.
sub of_summary {
    my ($summary) = @_;
    my %run       = map  { $_->{copies} => $_ } reverse @{ $summary->{runs} };
    my @copies    = sort { $a <=> $b } keys %run;
    my $fewest    = shift @copies;
    my %side =
        map { $_ => { letter => 'the run with ' . counted($_, 'copy', 'copies'), summary => $summary } } keys %run;
    my $why = sub { return of_runs([@side{@_}], [@run{@_}], UnixBench::Compare::Rows::MIN_EFFECT()) };
    return [map { +{ copies => [$fewest, $_], %{ $why->($fewest, $_) } } } @copies];
}

# Returns { tests, works } for each test that was measured in both runs: two of both, see _work().
sub _common {
    my ($first, $second) = @_;
    my %other = map  { $_->{name} => $_ } @{ $second->{tests} };
    my @tests = grep { $other{ $_->{name} } && UnixBench::Score::Work::has_loops($_) } tests_by_title($first->{tests});
    my @common;
    for my $pair (map { [$_, $other{ $_->{name} }] } @tests) {
        next if grep { $_->{status} ne 'measured' } @$pair;
        push @common, { tests => $pair, works => [map { scalar _work($_) } @$pair] };
    }
    return @common;
}

sub _row {
    my ($common, $with) = @_;
    my $tests = $common->{tests};
    my @works = map { _in_cycles($common->{works}[$_], ($with->{cycles} || [])->[$_]) } 0, 1;
    my $level = UnixBench::Why::Factors::level(@works, $with->{cycles} ? 1 : 0) // return;
    return {
        %{ UnixBench::Why::Factors::of_test($level, @works) },
        (map { $_ => $tests->[0]{$_} } qw(name title)),
        counts      => [map { _count($_, @works) } COUNTS],
        cycles      => [$with->{is_step_known} ? UnixBench::Why::Factors::cycles($level, @works) : ()],
        works       => \@works,
        shares_core => $with->{shares_core},
    };
}

# Takes a row, its test on both sides, and what is the same for all rows. Returns largest, others, unnamed, and differs.
sub _named {
    my ($row, $tests, $with) = @_;
    my $verdict = $with->{verdicts}{ $row->{name} } // 'unknown';
    my ($largest, @others) = _named_factors($row, $verdict, $with);
    my @facts = $largest ? (@{ $with->{facts} }, _own_facts($tests, $with->{summaries})) : ();
    return (
        largest => $largest,
        others  => \@others,
        unnamed => !$largest && grep({ $verdict eq $_ } qw(slower faster)) ? 1 : undef,
        differs => [grep { _can_cause($_, $row, $largest, @others) } @facts],
    );
}

sub _work {
    my ($test) = @_;
    my @works  = map { $_->{work} } @{ $test->{of_runs} || [$test] };
    return if grep { !$_ } @works;
    return UnixBench::Score::Work::together(@works);
}

# Takes what copies used, or undef, and the cycles of a step, or undef; returns it with the clock in cycles, not steps.
sub _in_cycles {
    my ($work, $cycles) = @_;
    my $mhz = $work && $work->{clock_mhz};
    return $work && { %$work, clock_mhz => defined $mhz && $cycles ? $mhz * $cycles : undef };
}

sub _count {
    my ($name, @works) = @_;
    my @values = map { $_->{per_loop}{$name} } @works;
    return if grep { !defined } @values;
    my $apart = abs $values[1] - $values[0];
    return if $apart < COUNT_LEAST || $apart < COUNT_PART * List::Util::max(@values);
    return { name => $name, first => $values[0], second => $values[1] };
}

# Returns the names of the largest factor that makes the test slower or faster, and of the others that are about as
# large; nothing if the test is neither, or if no such factor is sure.
sub _named_factors {
    my ($row, $verdict, $with) = @_;
    return if $verdict eq 'equal' || $verdict eq 'inconclusive';
    return if $verdict eq 'unknown' && abs($row->{ratio} - 1) <= $with->{min_effect};
    my $sign    = $row->{ratio} < 1 ? -1 : 1;
    my %log     = map  { $_ => log $row->{factors}{$_}{value} } keys %{ $row->{factors} };
    my @names   = sort { abs $log{$b} <=> abs $log{$a} || $a cmp $b } keys %log;
    my ($most)  = grep { $sign * $log{$_} > 0 } @names or return;
    my $is_sure = sub { _is_sure($_[0], $verdict, $with->{hypotheses}) };
    my @large   = grep { abs $log{$_} >= AS_LARGE * abs $log{$most} } @names;
    my @sure    = grep { $is_sure->($row->{factors}{$_}) } @large;
    @sure = _with_all_work($row, $sign, $is_sure, \@large, \@sure) if !grep { $_ eq $most } @sure;
    my ($largest) = grep { $sign * $log{$_} > 0 } @sure;
    return $largest ? ($largest, grep { $_ ne $largest } @sure) : ();
}

# Kernel and user work are each less certain than both together. So if the largest one is among them, and both together
# are sure, returns it and the other one, too, if that is large.
sub _with_all_work {
    my ($row, $sign, $is_sure, $large, $sure) = @_;
    my %is_part  = map { $_ => 1 } @{ $PARTS{work} };
    my ($most)   = grep { $sign * log $row->{factors}{$_}{value} > 0 } @$large;
    my $all_work = $is_part{$most} && UnixBench::Why::Factors::of_test(1, @{ $row->{works} })->{factors}{work};
    return @$sure if !$all_work || $sign * log $all_work->{value} <= 0 || !$is_sure->($all_work);
    my %is_named = (%is_part, map { $_ => 1 } @$sure);
    return grep { $is_named{$_} } @$large;
}

# If a single pass gives no interval, the verdict decides.
sub _is_sure {
    my ($factor, $verdict, $hypotheses) = @_;
    return 1 if $verdict eq 'changed';
    return $verdict ne 'unknown' if !defined $factor->{log_se};
    my $times = t_quantile(1 - WRONG_MOST / (2 * $hypotheses), $factor->{df});
    return abs log $factor->{value} > $factor->{log_se} * $times;
}

sub _own_facts {
    my ($tests, $summaries) = @_;
    my $program  = (UnixBench::Catalog::test($tests->[0]{name}) || { command => [q{}] })->{command}[0];
    my @digests  = map { ($_->{files}{programs} || {})->{$program} } @$summaries;
    my $is_other = 2 == grep({ defined } @digests) && $digests[0] ne $digests[1];
    return (_other_load(@$tests), $is_other ? fact_apart("programs.$program", "Program $program", @digests) : ());
}

# A cause that both had does not differ.
sub _other_load {
    my (@tests) = @_;
    my @causes;
    for my $test (@tests) {
        push @causes, { map { $_->{cause} => 1 } map { @{ $_->{other_load} || [] } } @{ $test->{of_runs} || [$test] } };
    }
    my @only;
    for my $side (0, 1) {
        my @names = grep { !$causes[1 - $side]{$_} } keys %{ $causes[$side] };
        push @only, join ', ', sort map { cause_title($_) } @names;
    }
    return if !grep { length } @only;
    return fact_apart(other_load => 'Other load', map { length $_ ? $_ : 'none' } @only);
}

sub _can_cause {
    my ($fact, $row, @factors) = @_;
    return if $fact->{key} =~ $OF_FILES && $row->{name} !~ $FILES;
    my %is_part = map { $_ => 1 } map { @{ $PARTS{$_} || [$_] } } @factors;
    return scalar grep { $is_part{$_} } factors_of($fact->{key});
}

# Takes the key of a fact, see UnixBench::Host::FactList::conditions; returns the names of the factors that it can
# cause.
sub factors_of {
    my ($key)   = @_;
    my @parts   = split /[.]/, $key;
    my ($known) = grep { $FACTORS_OF{$_} } map { join q{.}, @parts[0 .. $_] } reverse 0 .. $#parts;
    return defined $known ? @{ $FACTORS_OF{$known} } : ();
}

sub _commands {
    my (@summaries) = @_;
    my @turns       = map { $_->{procedure}{turns} } @summaries;
    return if !grep { $_ } @turns;
    my @commands = map { $_ && $_->{state} ? $_->{commands}[$_->{state} - 1] : ($_ || {})->{off} // 'none' } @turns;
    return $commands[0] eq $commands[1] ? () : fact_apart(command => 'Command', @commands);
}

# Returns cycles, [the cycles of a step on each side], or undef if the clocks can't be compared; and is_step_known. On
# equal CPUs the cycles of a step are the same, whatever they are.
sub _cycles {
    my (@summaries) = @_;
    my @models      = map  { UnixBench::Score::Work::cpu_model($_) } @summaries;
    my @cycles      = grep { defined } map { UnixBench::Score::Work::cycles_of_step($_) } @summaries;
    return (cycles => \@cycles, is_step_known => 1) if @cycles == 2;
    return (cycles => length $models[0] && $models[0] eq $models[1] ? [1, 1] : undef, is_step_known => 0);
}

sub _shares_core {
    my ($summary, $run) = @_;
    my $cores = UnixBench::Host::FactList::text_of($summary, 'cpu.cores') // q{};
    return $cores =~ /\A[1-9][0-9]*\z/ && ($run->{copies} // 0) > $cores;
}

# Returns the row of an index, or nothing if the factors of one of its tests are unknown. Its tests have the factors
# that can be told apart in all of them.
sub _index {
    my ($index, $row_of) = @_;
    my @rows = map { $row_of->{$_} } @{ $index->{tests} };
    return if !@rows || $index->{lacking} || grep { !$_ } @rows;
    my $level = List::Util::min(map { $_->{level} } @rows);
    my @tests = map { UnixBench::Why::Factors::of_test($level, @{ $_->{works} }) } @rows;
    return { (map { $_ => $index->{$_} } qw(category title complete)), %{ UnixBench::Why::Factors::mean(@tests) } };
}

sub _missing {
    my ($sides, $with, @common) = @_;
    my @missing;
    for my $side (0, 1) {
        push @missing, _lacking(@{ $sides->[$side] }{qw(letter summary)}, map { $_->{works}[$side] } @common);
    }
    return @missing if @missing || $with->{cycles};
    return 'The CPUs differ, and it is not known how many cycles a step of the clock takes on both.';
}

# Takes the letter of a side, its summary, and what its copies used; returns a sentence on what is unknown, or nothing.
sub _lacking {
    my ($letter, $summary, @works) = @_;
    return "\u$letter is a text report, which has no CPU times." if !has_passes($summary);
    my $blind = grep { !$_ || !defined $_->{cpu} } @works;
    my $some  = $blind < @works ? ' of some tests' : q{};
    my $remedy =
        ($summary->{procedure}{turns} || {})->{state} ? 'its command has to pass on UB_USED' : 'a run notes them';
    return "\u$letter lacks CPU times$some; $remedy." if $blind;
    return grep({ !defined $_->{clock_mhz} } @works) ? "The clock of $letter is unknown." : ();
}

1;
