package UnixBench::Report::Analysis;

# The report of an analysis: the compared systems, the table of their meters, and the argument.

use strict;
use warnings;

use UnixBench::Base::Format               qw(counted);
use UnixBench::Plan::UserLoad             ();
use UnixBench::Report::Analysis::Formulas qw(cost_formulas effect_formulas);
use UnixBench::Report::Analysis::Numbers  qw(amount money);
use UnixBench::Report::Block              qw(
    card cards document in_brief in_detail in_full list name not_in_full notices paragraphs quiet row said section
    strong table
);
use UnixBench::Report::Comparison::Wording qw(forced interval ratio_text side_facts);

use constant {
    MEANS => 'Values of several passes are geometric means, or arithmetic means if one of them is 0.',
    ALONE => 'One pass has no interval. ./Run -i 3 multiuser makes three.',
    EXACT => 'Everything is computed with full precision and rounded for printing.',
    TYPED => 'The argument takes it that both did the same work. Useful time is other_pct of the file, and time that '
        . 'was not idle 100 - idle_zero_pct.',
    MEASURED => 'Good is the user time of the users\' processes; virtual their system time, too; total with that of '
        . 'the driver. Useful is user time of the machine, non-idle its time that is neither idle nor waiting for '
        . 'disks: these are of /proc/stat, so that the product may fail to agree. Most kernels tell the CPU time of '
        . 'commands that end within a tick of the clock as user time, all of it: then good is too large, and the '
        . 'effect of the processor too near to the total one. Virtual and total are exact.',
    EXTRAPOLATED => 'CPU times, page faults and context switches of its users are those of the users that finished, '
        . 'times all users by those that finished. All else is as it was measured.',
};

use constant {
    UNKNOWN  => q{-},
    LONG_S   => 600,    # from here on, times are printed in minutes
    IN_MIN_S => 60,
    IN_MB_KB => 1024,
    ROUNDING => 1e-9,
};

# The labels of meters, in their order. All other meters were typed in; they come last.
my @LABELS = (
    [elapsed_s        => 'Elapsed time (s)'],
    [lines_per_minute => 'Lines per minute'],
    [stretch          => 'Stretch'],
    [cpu_total_s      => 'CPU, total (s)'],
    [cpu_virtual_s    => 'CPU, virtual (s)'],
    [cpu_good_s       => 'CPU, good (s)'],
    [driver_cpu_s     => 'CPU, driver (s)'],
    [page_faults      => 'Page faults'],
    (map { _of_processes($_) } qw(users group machine)),
    [machine_switches   => 'Machine: context switches'],
    [machine_forks      => 'Machine: forks'],
    [machine_interrupts => 'Machine: interrupts'],
    (map { ["machine_pressure_${_}_s" => "Machine: tasks waited for $_ (s)"] } qw(cpu io memory)),
    [time_user_pct   => 'Time: user (%)'],
    [time_system_pct => 'Time: system (%)'],
    [time_irq_pct    => 'Time: interrupts (%)'],
    [time_steal_pct  => 'Time: stolen (%)'],
    [time_iowait_pct => 'Time: waiting for disks (%)'],
    [time_idle_pct   => 'Time: idle (%)'],
    [useful_pct      => 'Time: useful (%)'],
    [idle_pct        => 'Time: idle (%)'],
    [not_idle_pct    => 'Time: not idle (%)'],
    (map { ["response_${_}_s" => "Response, $_ (s)"] } qw(mean p50 p90 p95 p99 max)),
);
my %IS_LABELLED = map { $_->[0] => 1 } @LABELS;

# Takes an analysis, see UnixBench::Compare::Analysis, that was not refused; returns its report.
sub report_of {
    my ($analysis) = @_;
    my @effects    = effect_formulas($analysis);
    my @sides      = @{ $analysis->{sides} };
    my @forced     = grep { defined } forced($analysis);
    my @legend     = quiet(_legend($analysis));
    return document(
        { title => 'Analysis: ' . join(' and ', map { $_->{label} } @sides), is_folded => 1 },
        in_detail(list(undef, @forced)),
        in_brief(notices(@forced)),
        paragraphs(_compared($analysis)),
        in_full(notices(@forced, _notices($analysis)), cards(_cards(@effects))),
        not_in_full(notices(_notices($analysis))),
        in_detail(map { list("$_->{letter}: $_->{label}", _facts_of($_)) } @sides),
        in_brief(list(undef, map { _side($_) } @sides)),
        section('The meters',   _meters($analysis), in_full(@legend)),
        section('The argument', @effects,           cost_formulas($analysis)),
        not_in_full(@legend),
        in_full(_sides(@sides)),
    );
}

# Returns a card for each effect, without the product of the effects, which only confirms the total.
sub _cards {
    my (@formulas) = @_;
    return map { _card($_) } grep { !defined $_->{left_out} } @formulas[0 .. $#formulas - 1];
}

sub _card {
    my ($formula) = @_;
    my $sure   = length $formula->{interval} ? "95 % interval: $formula->{interval}" : 'Nothing tells how sure that is';
    my @blocks = (said('words', $formula->{result}), said('sure', $sure));
    return card(title => $formula->{title}, class => 'same', blocks => \@blocks);
}

sub _side {
    my ($side) = @_;
    my @facts = _facts_of($side) or return;
    return [strong("$side->{letter}:"), q{ }, name($side->{label}), ', ' . join '; ', @facts];
}

sub _sides {
    my (@sides) = @_;
    my @rows    = map { _row($_) } @sides or return;
    my @columns = (word => 'Side', text => 'File and result');
    return section('What was compared', table(caption => 'Sides', columns => \@columns, rows => \@rows));
}

sub _row {
    my ($side) = @_;
    my @facts = _facts_of($side) or return;
    return row($side->{letter}, ["$side->{label}: " . join '; ', @facts]);
}

# Returns a sentence or two that name the compared systems.
sub _compared {
    my ($analysis) = @_;
    my ($first, $second) = map { $_->{label} } @{ $analysis->{sides} };
    my $who = "A is $first, B, taken for the new one, is $second.";
    return "The meters of two systems, as they were typed in: $who" if $analysis->{sides}[0]{is_typed_in};
    my @loads = map { _load($_) } @{ $analysis->{sides} };
    return 'Two loads, ' . join(' and ', @loads) . ": $who"
        if $loads[0] ne $loads[1] || @{ $analysis->{obstacles} };
    return "Two systems under the same load, $loads[0]: $who";
}

sub _load {
    my ($side) = @_;
    my $load = $side->{summary}{procedure}{multiuser} or return 'of which nothing is known';
    return
          UnixBench::Plan::UserLoad::counted_users(@{ $load->{users} })
        . ' with pauses of '
        . UnixBench::Plan::UserLoad::pace(@$load{qw(think_min_s think_max_s scale)});
}

# Returns the facts about a side, each a sentence or a part of one. Returns nothing if the side was typed in.
sub _facts_of {
    my ($side) = @_;
    return if $side->{is_typed_in};
    my $script = ($side->{summary}{procedure}{multiuser} || {})->{script};
    my $passes = counted(scalar @{ $side->{passes} }, 'pass', 'passes') . ' of the load';
    return (
        side_facts($side),
        $passes . (defined $script ? ', script ' . UnixBench::Plan::UserLoad::short_digest($script) : q{}),
        map { "Note: $_" } @{ $side->{summary}{notes} }
    );
}

# Returns warnings about the comparison, in sentences.
sub _notices {
    my ($analysis) = @_;
    my @sides      = @{ $analysis->{sides} };
    my @cpus       = map { $_->{cpu_count} // () } @sides;
    my @notices    = map { _shortfall($_) } @sides;
    push @notices,
          'A has '
        . counted($cpus[0], 'CPU', 'CPUs')
        . ", B $cpus[1]: effects are of CPU time, which does not "
        . 'tell how many there are.'
        if @cpus == 2 && $cpus[0] != $cpus[1];
    return @notices;
}

sub _shortfall {
    my ($side) = @_;
    return if !defined $side->{shortfall};
    return "$side->{letter}: $side->{shortfall}. "
        . ($side->{has_unfinished} ? EXTRAPOLATED : 'Its work was not all done.');
}

# Returns sentences that explain the numbers.
sub _legend {
    my ($analysis) = @_;
    my @sides = @{ $analysis->{sides} };
    return (TYPED, EXACT) if $sides[0]{is_typed_in};
    my @counts = map { scalar @{ $_->{passes} } } @sides;
    return (MEASURED, (grep({ $_ > 1 } @counts) ? MEANS : ()), (grep({ $_ == 1 } @counts) ? ALONE : ()), EXACT);
}

sub _of_processes {
    my ($scope) = @_;
    my $who = ucfirst $scope;
    return (
        ["${scope}_cpu_user_s"         => "$who: CPU, user (s)"],
        ["${scope}_cpu_system_s"       => "$who: CPU, system (s)"],
        ["${scope}_faults_minor"       => "$who: page faults, minor"],
        ["${scope}_faults_major"       => "$who: page faults, major"],
        ["${scope}_switches_voluntary" => "$who: context switches, voluntary"],
        ["${scope}_switches_forced"    => "$who: context switches, forced"],
        ["${scope}_memory_most_kb"     => "$who: memory, most at once (MB)"],
        ["${scope}_rss_most_kb"        => "$who: memory of the largest process (MB)"],
    );
}

# Returns the table of the meters. An unknown value is UNKNOWN, a missing ratio or interval is an empty text.
sub _meters {
    my ($analysis) = @_;
    my @columns = (text => 'Meter', map { (number => $_) } 'A', 'B', 'A/B', '95 % interval');
    return table(caption => 'A and B, and the one by the other', columns => \@columns, rows => [_rows($analysis)]);
}

sub _rows {
    my ($analysis) = @_;
    my $meters     = $analysis->{meters};
    my @others     = map { [$_ => _label($_)] } grep { !$IS_LABELLED{$_} } sort keys %$meters;
    my @rows       = map { _meter($analysis, _in_unit($_->[1], $meters->{ $_->[0] })) }
        grep { $meters->{ $_->[0] } && !_is_told_twice($_->[0], $meters) } @LABELS, @others;
    return (@rows, map { _cost($_) } @{ $analysis->{costs} });
}

# Takes the name of a meter; returns the label of a class of lines, or the name if it was typed in.
sub _label {
    my ($name) = @_;
    my ($class, $what) = $name =~ /\Aresponse_([a-z-]+)_(mean|p95)_s\z/ or return $name =~ /\S/ ? $name : 'unnamed';
    return "Response, $class, $what (s)";
}

# Returns whether another row has the same value. In a measured system, the useful time is the user time.
sub _is_told_twice {
    my ($name, $meters) = @_;
    return $name eq 'useful_pct' && $meters->{time_user_pct};
}

# Takes a label and a meter; returns the label with its unit, the divisor for this unit, and the meter.
sub _in_unit {
    my ($label, $meter) = @_;
    return ($label, IN_MB_KB, $meter) if $label =~ /[(]MB[)]\z/;
    my $is_short = $label !~ /\AElapsed/ || grep { !$_ || $_->{value} < LONG_S } @{ $meter->{values} };
    return ($label,                      1,        $meter) if $is_short;
    return ($label =~ s/[(]s[)]/(min)/r, IN_MIN_S, $meter);
}

sub _meter {
    my ($analysis, $label, $divisor, $meter) = @_;
    my $is_typed_in = $analysis->{sides}[0]{is_typed_in};
    my @texts;
    for my $place (0, 1) {
        my $value = $meter->{values}[$place];
        push @texts, $value ? amount($value->{value} / $divisor, $is_typed_in || _is_count($label, $value)) : UNKNOWN;
    }
    return row($label, [@texts, _ratio($meter->{ratio})]);
}

# Returns whether a meter is a count: a whole number, except for the rounding errors of logarithms.
sub _is_count {
    my ($label, $estimate) = @_;
    my $value = $estimate->{value};
    return $label !~ /[)]\z/ && abs($value - sprintf '%.0f', $value) < ROUNDING * $value;
}

sub _ratio {
    my ($ratio) = @_;
    return $ratio ? (ratio_text($ratio->{value}), interval($ratio)) : (q{}, q{});
}

sub _cost {
    my ($cost) = @_;
    my @texts = map { defined $_ ? money($_) : UNKNOWN } @{ $cost->{amounts} };
    return row("Cost: $cost->{label}", [@texts, _ratio($cost->{ratio})]);
}

1;
