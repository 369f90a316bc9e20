package UnixBench::Compare::Why;

# Why one run is slower than another: divides the ratio of each test into factors, and finds the counts of a loop and
# the facts that differ. A fact that differs is not called a cause: it can cause a change of certain factors.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Result     qw(tests_by_title);
use UnixBench::Base::Text       qw(counted);
use UnixBench::Catalog          ();
use UnixBench::Compare::Facts   ();
use UnixBench::Compare::Rows    ();
use UnixBench::Score::Factors   ();
use UnixBench::Score::Work      ();
use UnixBench::Warnings::Causes qw(cause_title);

# A count of a loop has changed if it differs by more than this part, and by more than that per loop.
use constant { COUNT_PART => 0.05, COUNT_LEAST => 0.005 };

use constant COUNTS => qw(faults switches forced calls);

# The cycles of a step of the chain in src/clock.c, by the CPU's name: the latency of exclusive-or of two registers, as
# the makers' guides for software optimization have it. AMD's EPYC was measured.
my @CYCLES = ([qr/\bPOWER[89]\b/i => 2], [qr/\b(?:AMD|EPYC|Intel|Xeon|Neoverse|Cortex-A[0-9]+)\b/ => 1]);

# Which fact can cause what: patterns for labels of facts, see UnixBench::Host::FactList, and the factors.
#<<< a table
my @CAN_CAUSE = (
    [qr/\A(?:Mitigation .*|Kernel|Kernel command line|Preemption|Timer ticks)\z/       => qw(kernel)],
    [qr/\A(?:Checks for developers|Clock source|System call filter|Container)\z/       => qw(kernel)],
    [qr/huge pages\z/i                                                                 => qw(user kernel)],
    [qr/\A(?:Compiler|Compiler flags|Built for|Portable build|(?:Built with )?C library)\z/ => qw(user)],
    [qr/\A(?:Shell|sort|grep|Perl|Language|GLIBC_TUNABLES|Program .*|.* of execl)\z/   => qw(user)],
    [qr{\A(?:LD_.*|/etc/ld[.]so[.]preload)\z}                                          => qw(user kernel)],
    [qr/\A(?:Frequency.*|Turbo)\z/                                                     => qw(clock)],
    [qr/\A(?:CPU|Microcode|SMT|NUMA nodes|Hypervisor|.* cache)\z/                      => qw(clock user kernel)],
    [qr/\A(?:CPU time limit|CPUs allowed|CPUs it may use|Nice value)\z/                => qw(cpu)],
    [qr/\A(?:Scheduling class|Tracer|Other load)\z/                                    => qw(cpu)],
    [qr/\A(?:Memory|Memory limit|Swap|Swap limit)\z/                                   => qw(cpu kernel)],
    [qr/\A(?:File system|Mount options)\z/                                             => qw(cpu kernel)],
    [qr/\ACommand\z/                                                                   => qw(cpu clock user kernel)],
);
#>>>
my $OF_FILES = qr/\A(?:File system|Mount options)\z/;    # facts that matter to file tests only
my $FILES    = qr/\Afs/;                                 # the names of these tests

# The factors that several can't be told apart in.
my %PARTS = (work => [qw(user kernel)], clock_work => [qw(clock user kernel)]);

# Takes [sides], two of { letter, summary }; [runs], one of each; the least difference that matters, as a part of 1; and
# perhaps { name of a test => verdict }, see UnixBench::Compare::Rows; that of a test that other load leaves open is
# "unknown", because the factors may show what that load did. Returns
#   missing  [sentences on what is unknown]
#   tests    [row, ...] of the tests whose factors are known, in the order of reports
#   indexes  [row, ...] of the indexes all of whose tests are among these
#   apart    [{ label, first, second }] the facts that differ, but belong to no row
# A row has name (of a test), title, ratio (of the rates of a copy), level, factors (see UnixBench::Score::Factors), and
# of a test: counts [{ name, first, second }] of a loop; largest, the name of the largest factor if the test is slower
# or faster beyond its interval or, without a verdict, if the factor is beyond its own, else undef; differs [{ label,
# first, second }], the facts that differ and can cause that; and shares_core, whether there are more copies than cores.
sub of_runs {
    my ($sides, $runs, $min_effect, $verdicts) = @_;
    my @summaries = map { $_->{summary} } @$sides;
    my @differing = UnixBench::Compare::Facts::differences(@summaries);
    my @facts     = ((map { fact($_->{label}, @{ $_->{texts} }) } @differing), _commands(@summaries));
    my %with      = (
        summaries   => \@summaries,
        facts       => \@facts,
        cycles      => _cycles(@summaries),
        min_effect  => $min_effect,
        verdicts    => $verdicts || {},
        shares_core => scalar(grep { _shares_core($summaries[$_], $runs->[$_]) } 0, 1) ? 1 : 0,
    );
    my @common  = _common(@$runs);
    my %row     = map  { $_->{tests}[0]{name} => scalar _row($_, \%with) } @common;
    my @rows    = grep { $_ } map               { $row{ $_->{tests}[0]{name} } } @common;
    my %is_said = map  { $_->{label} => 1 } map { @{ $_->{differs} } } @rows;
    return {
        missing => [_missing($sides, \%with, @common)],
        tests   => \@rows,
        indexes => [map { _index($_, \%row) } @{ $runs->[0]{indexes} }],
        apart   => [grep { !$is_said{ $_->{label} } } @facts],
    };
}

# Takes a summary. Returns { copies => [number, number], and the keys of of_runs() } for each number of copies, compared
# with the fewest: why more copies do not do as many times the work.
sub of_copies {
    my ($summary) = @_;
    my %run       = map  { $_->{copies} => $_ } reverse @{ $summary->{runs} };
    my @copies    = sort { $a <=> $b } keys %run;
    my $fewest    = shift @copies;
    return map { +{ copies => [$fewest, $_], %{ _of_two($summary, @run{ $fewest, $_ }) } } } @copies;
}

sub _of_two {
    my ($summary, @runs) = @_;
    my @sides =
        map { +{ letter => 'the run with ' . counted($_->{copies}, 'copy', 'copies'), summary => $summary } } @runs;
    return of_runs(\@sides, \@runs, UnixBench::Compare::Rows::MIN_EFFECT());
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

# Returns the row of a test, or undef if its factors are unknown.
sub _row {
    my ($common, $with) = @_;
    my $tests = $common->{tests};
    my @works = map { _in_cycles($common->{works}[$_], ($with->{cycles} || [])->[$_]) } 0, 1;
    my $level = UnixBench::Score::Factors::level(@works, $with->{cycles} ? 1 : 0) // return;
    my %row   = (
        %{ UnixBench::Score::Factors::of_test($level, @works) },
        (map { $_ => $tests->[0]{$_} } qw(name title)),
        counts      => [map { _count($_, @works) } COUNTS],
        works       => \@works,
        shares_core => $with->{shares_core},
    );
    my $largest = _named_factor(\%row, $with->{verdicts}{ $row{name} }, $with->{min_effect});
    my @facts   = $largest ? (@{ $with->{facts} }, _own_facts($tests, $with->{summaries})) : ();
    return { %row, largest => $largest, differs => [grep { _can_cause($_, $largest, \%row) } @facts] };
}

# Returns what the copies of a test used, or undef.
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

# Returns the name of a count and its values a loop if it has changed, else nothing.
sub _count {
    my ($name, @works) = @_;
    my @values = map { $_->{per_loop}{$name} } @works;
    return if grep { !defined } @values;
    my $apart = abs $values[1] - $values[0];
    return if $apart < COUNT_LEAST || $apart < COUNT_PART * List::Util::max(@values);
    return { name => $name, first => $values[0], second => $values[1] };
}

# Returns the name of the largest factor of a test that is slower or faster, else undef. Without a verdict, the ratio
# has to differ by more than the least difference that matters, and the interval of the factor must not contain 1.
sub _named_factor {
    my ($row, $verdict, $min_effect) = @_;
    my $factors = $row->{factors};
    my ($largest) =
        sort { abs log $factors->{$b}{value} <=> abs log $factors->{$a}{value} || $a cmp $b } keys %$factors;
    $verdict //= 'unknown';
    return $verdict eq 'slower' || $verdict eq 'faster' ? $largest : undef if $verdict ne 'unknown';
    my ($low, $high) = @{ $factors->{$largest} }{qw(low high)};
    return if abs($row->{ratio} - 1) <= $min_effect || defined $low && $low <= 1 && $high >= 1;
    return $largest;
}

# Returns the facts about a test that differ: other load during its passes, and its program.
sub _own_facts {
    my ($tests, $summaries) = @_;
    my @loads    = map { _other_load($_) } @$tests;
    my $program  = (UnixBench::Catalog::test($tests->[0]{name}) || { command => [q{}] })->{command}[0];
    my @digests  = map { ($_->{files}{programs} || {})->{$program} } @$summaries;
    my $is_other = 2 == grep({ defined } @digests) && $digests[0] ne $digests[1];
    return (
        ((grep { defined } @loads) ? fact('Other load',       map { $_ // 'none' } @loads) : ()),
        ($is_other                 ? fact("Program $program", @digests)                    : ()),
    );
}

# Takes a label and the texts on both sides; returns the fact, { label, first, second }.
sub fact {
    my ($label, @texts) = @_;
    return { label => $label, first => $texts[0], second => $texts[1] };
}

sub _other_load {
    my ($test) = @_;
    my %causes =
        map { cause_title($_->{cause}) => 1 } map { @{ $_->{other_load} || [] } } @{ $test->{of_runs} || [$test] };
    return %causes ? join ', ', sort keys %causes : undef;
}

sub _can_cause {
    my ($fact, $factor, $row) = @_;
    return if $fact->{label} =~ $OF_FILES && $row->{name} !~ $FILES;
    my %is_part = map { $_ => 1 } @{ $PARTS{$factor} || [$factor] };
    return scalar grep { $is_part{$_} } map { @{$_}[1 .. $#$_] } grep { $fact->{label} =~ $_->[0] } @CAN_CAUSE;
}

# Returns the commands under which two states of one run were measured, as a fact.
sub _commands {
    my (@summaries) = @_;
    my @turns       = map { $_->{procedure}{turns} } @summaries;
    return if !grep { $_ } @turns;
    my @commands = map { $_ && $_->{state} ? $_->{commands}[$_->{state} - 1] : 'none' } @turns;
    return $commands[0] eq $commands[1] ? () : fact('Command', @commands);
}

# Returns [the cycles of a step on each side], or undef if the clocks can't be compared. On equal CPUs the cycles of a
# step are the same, whatever they are.
sub _cycles {
    my (@summaries) = @_;
    my @models = map { ($_->{facts}{CPU} // q{}) =~ s/\b[0-9]+ x //gr } @summaries;
    return [1, 1] if length $models[0] && $models[0] eq $models[1];
    my @cycles = map { _cycles_of($_) } @models;
    return @cycles == 2 ? \@cycles : undef;
}

sub _cycles_of {
    my ($model) = @_;
    my $row = List::Util::first { $model =~ $_->[0] } @CYCLES;
    return $row ? $row->[1] : ();
}

sub _shares_core {
    my ($summary, $run) = @_;
    my $cores = $summary->{facts}{Cores} // q{};
    return $cores =~ /\A[1-9][0-9]*\z/ && ($run->{copies} // 0) > $cores;
}

# Returns the row of an index, or nothing if the factors of one of its tests are unknown. Its tests have the factors
# that can be told apart in all of them.
sub _index {
    my ($index, $row_of) = @_;
    my @rows = map { $row_of->{$_} } @{ $index->{tests} };
    return if !@rows || $index->{lacking} || grep { !$_ } @rows;
    my $level = List::Util::min(map { $_->{level} } @rows);
    my @tests = map { UnixBench::Score::Factors::of_test($level, @{ $_->{works} }) } @rows;
    return { (map { $_ => $index->{$_} } qw(category title complete)), %{ UnixBench::Score::Factors::mean(@tests) } };
}

# Returns sentences on what is unknown of the tests that both sides have measured.
sub _missing {
    my ($sides, $with, @common) = @_;
    my @missing;
    for my $number (0, 1) {
        my ($letter, $summary) = @{ $sides->[$number] }{qw(letter summary)};
        my @works = map  { $_->{works}[$number] } @common;
        my $blind = grep { !$_ || !defined $_->{cpu} } @works;
        if ($summary->{source} eq 'text report') {
            push @missing, "\u$letter is a text report, which has no CPU times.";
        }
        elsif ($blind) {
            my $some  = $blind == @works ? q{} : ' of some tests';
            my $turns = $summary->{procedure}{turns};
            my $remedy =
                $turns && $turns->{state}
                ? 'its command has to pass on UB_USED, and programs have to report what they used'
                : 'version 8.0 notes them, where the kernel has them';
            push @missing, "\u$letter lacks CPU times$some; $remedy.";
        }
        elsif (grep { !defined $_->{clock_mhz} } @works) {
            push @missing, "The clock of $letter is unknown.";
        }
    }
    push @missing, 'The CPUs differ, and it is not known how many cycles a step of the clock takes on both.'
        if !$with->{cycles} && !@missing;
    return @missing;
}

1;
