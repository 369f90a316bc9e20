package UnixBench::Score::Work;

# What the copies of a test used: CPU time, clock, page faults, switches. Plain data, so that summaries have it, too:
# its keys are those of the type work of UnixBench::Base::ResultSchema.

use strict;
use warnings;

use Exporter 'import';
use List::Util ();

use UnixBench::Base::Result    qw(copies_in);
use UnixBench::Catalog         ();
use UnixBench::Host::FactList  ();
use UnixBench::Noise::Causes   ();
use UnixBench::Score           ();
use UnixBench::Score::Estimate ();
use UnixBench::Score::Stats    qw(geometric_mean mean median);

our @EXPORT_OK = qw(changed_by_load is_by_work);

# CPU times are rounded to ticks, and those of children have more than the time of the work. What is greater than that
# is impossible: a debugger or another supervisor has been counted, or the clock was wrong.
use constant { EXCESS_PART => 0.05, EXCESS_S => 0.03 };

# A clock that differs from that of other passes by more than this part was not that of the pass; hertz in a megahertz.
use constant { CLOCK_APART => 0.05, MEGA => 1e6 };

use constant PASSES_LEAST  => 3;    # whose cycles of a loop show how much these vary
use constant MODES_LEAST_S => 1;    # CPU seconds, with fewer of which modes can't be told apart

# The cycles of a step of the chain in src/clock.c, by the CPU's name: the latency of exclusive-or of two registers, as
# the makers' guides for software optimization have it. AMD's EPYC was measured.
my @CYCLES = ([qr/\bPOWER[89]\b/i => 2], [qr/\b(?:AMD|EPYC|Intel|Xeon|Neoverse|Cortex-A[0-9]+)\b/ => 1]);

# The counts of the process of a copy, without its children: their names in per_loop and in a copy.
my %ALONE = (switches => 'switches', forced => 'forced_switches');

# The factor by which other load changes the cycles of a loop at most, either way: what lab/work-beside-load measured,
# and a margin, see lab/settled.md.
my %CHANGED = (
    dhry2reg           => 1.03,
    'whetstone-double' => 1.05,
    syscall            => 1.04,
    pipe               => 1.04,
    fsbuffer           => 1.05,
    execl              => 1.07,
    shell8             => 1.25,
);

# Takes the name of a test; returns that factor, or undef if load changes its cycles by more than a verdict can bear.
sub changed_by_load { my ($name) = @_; return $CHANGED{$name} }

# Takes what is compared, perhaps with the key work; returns whether the cycles of a loop decide it.
sub is_by_work { my ($compared) = @_; return ($compared->{work} || {})->{decides} ? 1 : 0 }

# The hypervisors whose guests are told which time was stolen. In the guests of others, it counts as CPU time.
my $TELLS_STOLEN = qr/\A(?:none|kvm|amazon|google|xen|powervm|zvm)\z/;

# Takes the name of a hypervisor, "none" of a bare machine; returns whether stolen time is known there.
sub is_stolen_known { my ($hypervisor) = @_; return $hypervisor =~ $TELLS_STOLEN ? 1 : 0 }

# Takes a summary; returns the model of its CPUs, an empty text if it is unknown.
sub cpu_model {
    my ($summary) = @_;
    return (UnixBench::Host::FactList::text_of($summary, 'cpu.models') // q{}) =~ s/\b[0-9]+ x //gr;
}

# Takes a summary; returns the cycles of a step of the clock program on its CPUs, or undef.
sub cycles_of_step {
    my ($summary) = @_;
    my $model     = cpu_model($summary);
    my ($known)   = grep { $model =~ $_->[0] } @CYCLES;
    return $known && $known->[1];
}

# Takes a summary and one of its tests. Returns the estimate of the cycles of a loop, or undef.
sub cycles_of_loop {
    my ($summary, $test) = @_;
    my $step   = cycles_of_step($summary) // return;
    my $cycles = ($test->{work} || {})->{cycles};
    return $cycles && UnixBench::Score::Estimate::multiple($cycles, $step);
}

# Takes a summary and one of its tests. Returns the cycles of a loop by mode, { user, kernel }, each an estimate, see
# UnixBench::Score::Estimate, or undef if they are not known: 100 ticks tell the modes apart.
sub cycles_by_mode {
    my ($summary, $test) = @_;
    my $cycles = cycles_of_loop($summary, $test) // return;
    my $work   = $test->{work};
    return if ($work->{cpu_s} // 0) < MODES_LEAST_S;
    my $part = sub { UnixBench::Score::Estimate::multiple($cycles, $_[0]) };
    return { user => $part->($work->{user}), kernel => $part->(1 - $work->{user}) };
}

# Takes a test; returns whether its score counts loops of fixed work. Those of interactive tests and of the multi-user
# test do not.
sub has_loops {
    my ($test) = @_;
    my $category = UnixBench::Catalog::category($test->{category}) or return 0;
    return !$category->{is_apart};
}

# Takes a measured test, and perhaps whether a command stood in front of its copies. Returns what they used, or undef if
# nothing is known of a pass, or if the test has no loops. What is unknown of a pass is unknown of the test. Under a
# command, only what the programs reported is known.
sub of_test {
    my ($test, $is_under) = @_;
    return if !has_loops($test);
    my @passes = cpu_times($test, $is_under);
    return if !@passes || grep { !defined $_->{cpu_s} && !@{ $_->{alone} } } @passes;
    my $is_own = grep({ !defined $_->{used}{span_s} } @passes) ? 0 : 1;
    my @cycles = grep { defined } cycles_of_passes($test, $is_under);
    return {
        %{ _of_units(@passes) },
        cycles => 2 * @cycles < @passes
            || @cycles < PASSES_LEAST ? undef : UnixBench::Score::Estimate::of_rates(@cycles),
        own      => $is_own,
        waited   => scalar _waited(@passes),
        per_loop => _counts($test, @passes),
    };
}

# Takes a measured test, and perhaps whether a command stood in front of its copies. Returns for each pass { lived_s,
# cpu_s, copies, used }: the seconds of its copies, their CPU seconds with those of their children, their number, and
# the key of the pass. cpu_s is undef if it is unknown.
sub cpu_times {
    my ($test, $is_under) = @_;
    return map { _possible($test, _pass($_, $is_under)) } @{ $test->{passes} };
}

# Takes the same as of_test(). Returns for each pass the cycles of a loop, in steps of the clock program, or undef where
# they are not known: without CPU times or a clock, if its clock is apart from that of the others, or if the host took
# time, which may count as CPU time.
sub cycles_of_passes {
    my ($test, $is_under) = @_;
    my @units  = has_loops($test) ? cpu_times($test, $is_under) : ();
    my @clocks = grep { defined } map { $_->{mhz} } @units or return map { undef } @{ $test->{passes} };
    my $clock  = median(@clocks);
    return map { _is_vague($units[$_], $test->{passes}[$_], $clock) ? undef : cycles($units[$_]) } 0 .. $#units;
}

sub _is_vague {
    my ($unit, $pass, $clock) = @_;
    return 1 if !$unit->{cpu_s} || !defined $unit->{mhz} || abs log($unit->{mhz} / $clock) > CLOCK_APART;
    return scalar grep { UnixBench::Noise::Causes::has($_->{cause}, 'in_cpu_time') } @{ $pass->{tags} || [] };
}

# Takes a pass as cpu_times() has it; returns its cycles a loop, of which CPU time and clock are known.
sub cycles {
    my ($unit) = @_;
    return MEGA * $unit->{mhz} * $unit->{cpu_s} / $unit->{lived_s} / $unit->{rate};
}

# Takes what the copies of a test used in several runs of one state; returns their mean, in the same form. Its errors
# are those between the runs.
sub together {
    my (@works) = @_;
    return $works[0] if @works == 1;
    my @units  = map { _unit($_) } @works;
    my @waited = map { $_->{waited} } @works;
    my %per_loop;
    for my $name (keys %{ $works[0]{per_loop} }) {
        $per_loop{$name} = [grep { defined } map { $_->{per_loop}{$name} } @works];
    }
    return {
        %{ _of_units(@units) },
        own      => (grep { !$_->{own} } @works) ? 0     : 1,
        waited   => (grep { !defined } @waited)  ? undef : mean(@waited),
        per_loop => { map { $_ => mean(@{ $per_loop{$_} }) } grep { @{ $per_loop{$_} } == @works } keys %per_loop },
    };
}

sub _unit {
    my ($work) = @_;
    my $is_known = defined $work->{cpu};
    return {
        rate    => $work->{rate},
        copy_s  => 1,
        lived_s => $work->{cpu} ? $work->{cpu_s} / $work->{cpu} : 1,
        cpu_s   => $work->{cpu_s},
        user_s  => $is_known ? $work->{cpu_s} * ($work->{user} // 0) : undef,
        mhz     => $work->{clock_mhz},
    };
}

# Takes passes, or runs in the same form; returns rate, cpu, cpu_s, user, clock_mhz and errors.
sub _of_units {
    my (@units) = @_;
    my $copy_s  = List::Util::sum(map { $_->{copy_s} } @units);
    my %work    = (rate => _loops(@units) / $copy_s, map { $_ => undef } qw(cpu cpu_s user clock_mhz errors));
    return \%work if grep { !defined $_->{cpu_s} } @units;
    my $cpu_s = List::Util::sum(map { $_->{cpu_s} } @units);
    my $clock = (grep { !defined $_->{mhz} } @units) ? undef : geometric_mean(map { $_->{mhz} } @units);
    @work{qw(cpu cpu_s clock_mhz)} = ($cpu_s / List::Util::sum(map { $_->{lived_s} } @units), $cpu_s, $clock);
    return \%work if $cpu_s <= 0;
    $work{user}   = List::Util::sum(map { $_->{user_s} } @units) / $cpu_s;
    $work{errors} = _errors(\%work, @units) if @units > 1;
    return \%work;
}

sub _loops {
    my (@units) = @_;
    return List::Util::sum(map { $_->{rate} * $_->{copy_s} } @units);
}

# Takes a pass, and whether a command stood in front of its copies. Returns
#   rate     loops a second of a copy
#   copy_s   the seconds of its copies for which they counted
#   lived_s  the seconds of its copies for which they used the rest: those of their work, or else from start to end
#   cpu_s, user_s, mhz, used   as far as they are known
#   copies   their number
#   alone    [what the process of each copy used], or [] if that of one is unknown
sub _pass {
    my ($pass, $is_under) = @_;
    my $copies    = copies_in($pass);
    my $used      = $pass->{used} || {};
    my $is_usable = !$is_under    || defined $used->{span_s};
    $used = {} if !$is_usable;
    my @alone = $is_usable ? map { $_->{used} || () } @{ $pass->{copies} } : ();
    my ($sum_s) =
        $pass->{all} ? $pass->{all}{elapsed_s} : List::Util::sum(map { $_->{elapsed_s} } @{ $pass->{copies} });
    my $lived_s      = $used->{span_s} || $sum_s;
    my $is_cpu_known = defined $used->{user_s} && defined $used->{kernel_s};
    return {
        rate    => UnixBench::Score::rate($pass) / ($pass->{timebase} || 1) / $copies,
        copy_s  => $copies * $pass->{time_s},
        lived_s => $lived_s,
        used    => $used,
        user_s  => $used->{user_s},
        cpu_s   => $is_cpu_known ? $used->{user_s} + $used->{kernel_s} : undef,
        mhz     => $used->{clock_mhz},
        alone   => @alone == $copies ? \@alone : [],
        copies  => $copies,
    };
}

# Takes a test and what _pass() returns. Returns that, without what is impossible: more CPU time than the processes of
# the copies have had, or more time of waiting than that of the copies.
sub _possible {
    my ($test, $pass) = @_;
    my $processes = (UnixBench::Catalog::test($test->{name} // q{}) || { needs => {} })->{needs}{processes};
    my $most_s    = $pass->{lived_s} * (1 + EXCESS_PART) + EXCESS_S * $pass->{copies};
    my %known     = %$pass;
    @known{qw(cpu_s user_s used)} = (undef, undef, {}) if $processes && ($pass->{cpu_s} // 0) > $processes * $most_s;
    $known{alone} = [] if List::Util::sum(0, map { $_->{waited_s} } @{ $pass->{alone} }) > $most_s;
    return \%known;
}

sub _counts {
    my ($test, @passes) = @_;
    my $loops  = _loops(@passes);
    my %values = (faults => [map { @{ $_->{used} }{qw(minor_faults major_faults)} } @passes]);
    my @alone  = _is_alone_known(@passes) ? map { @{ $_->{alone} } } @passes : ();
    for my $name (@alone ? keys %ALONE : ()) {
        $values{$name} = [map { $_->{ $ALONE{$name} } } @alone];
    }
    my @known = grep {
        !grep { !defined }
            @{ $values{$_} }
    } keys %values;
    my %count = map { $_ => List::Util::sum(@{ $values{$_} }) / $loops } @known;
    return { map { %$_ } \%count, UnixBench::Catalog::of_measured(counts => $test) };
}

sub _is_alone_known {
    my (@passes) = @_;
    return !grep { !@{ $_->{alone} } } @passes;
}

sub _waited {
    my (@passes) = @_;
    return if !_is_alone_known(@passes);
    my $lived_s = List::Util::sum(map { $_->{lived_s} } @passes);
    return List::Util::sum(map { $_->{waited_s} } map { @{ $_->{alone} } } @passes) / $lived_s;
}

# Takes the means and at least two passes; returns errors. Each is the relative variance of a mean. In user mode and in
# the kernel, the cycles of a loop are compared with all cycles of a loop, because one of them may be 0.
sub _errors {
    my ($work, @units) = @_;
    my $has_clock = defined $work->{clock_mhz};
    my %parts;
    for my $unit (@units) {
        my $cpu    = $unit->{cpu_s} / $unit->{lived_s};
        my $loop   = $cpu / $unit->{rate};
        my $cycles = $loop * ($unit->{mhz} // 1);
        my $user   = $unit->{cpu_s} > 0 ? $unit->{user_s} / $unit->{cpu_s} : 0;
        push @{ $parts{cpu} },  $cpu / $work->{cpu};
        push @{ $parts{loop} }, $loop * $work->{rate} / $work->{cpu};
        next if !$has_clock;
        my $all = $work->{cpu} / $work->{rate} * $work->{clock_mhz};
        push @{ $parts{clock} },  $unit->{mhz} / $work->{clock_mhz};
        push @{ $parts{user} },   $cycles * $user / $all;
        push @{ $parts{kernel} }, $cycles * (1 - $user) / $all;
    }
    my %errors = map { $_ => _covariance(@parts{ $_, $_ }) } keys %parts;
    $errors{both} = _covariance(@parts{qw(user kernel)}) if $has_clock;
    return { %errors, df => @units - 1 };
}

sub _covariance {
    my ($first, $second) = @_;
    my ($mean_of_first, $mean_of_second) = map { mean(@$_) } $first, $second;
    my $count = @$first;
    my @parts = map { ($first->[$_] - $mean_of_first) * ($second->[$_] - $mean_of_second) } 0 .. $count - 1;
    return List::Util::sum(@parts) / ($count - 1) / $count;
}

1;
