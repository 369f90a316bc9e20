package UnixBench::Report::Analysis::Meters;

# The two columns of an analysis: every meter that a side has.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Report::Analysis::Numbers   qw(amount money);
use UnixBench::Report::Block               qw(row table);
use UnixBench::Report::Comparison::Wording qw(interval ratio_text);

our @EXPORT_OK = qw(meter_table);

use constant {
    UNKNOWN  => q{-},
    LONG_S   => 600,    # from here on minutes
    IN_MIN_S => 60,
    IN_MB_KB => 1024,
    ROUNDING => 1e-9,
};

# In their order; what is not here was typed in and stands below them.
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

# Takes an analysis; returns the table of its meters: what is not known is UNKNOWN, and what has no ratio or interval
# has an empty text there.
sub meter_table {
    my ($analysis) = @_;
    my @columns = (text => 'Meter', map { (number => $_) } 'A', 'B', 'A/B', '95 % interval');
    return table(caption => 'A and B, and the one by the other', columns => \@columns, rows => [_rows($analysis)]);
}

sub _rows {
    my ($analysis) = @_;
    my $meters     = $analysis->{meters};
    my @others     = map { [$_ => _label($_)] } grep { !$IS_LABELLED{$_} } sort keys %$meters;
    my @rows       = map { _row($analysis, _in_unit($_->[1], $meters->{ $_->[0] })) }
        grep { $meters->{ $_->[0] } && !_is_told_twice($_->[0], $meters) } @LABELS, @others;
    return (@rows, map { _cost($_) } @{ $analysis->{costs} });
}

# The label of a class of lines, or the one that was typed in.
sub _label {
    my ($name) = @_;
    my ($class, $what) = $name =~ /\Aresponse_([a-z-]+)_(mean|p95)_s\z/ or return $name =~ /\S/ ? $name : 'unnamed';
    return "Response, $class, $what (s)";
}

# On a machine that was measured, the useful time is that of its users' programs, which has a row already.
sub _is_told_twice {
    my ($name, $meters) = @_;
    return $name eq 'useful_pct' && $meters->{time_user_pct};
}

# A label, by what values are divided, and the meter.
sub _in_unit {
    my ($label, $meter) = @_;
    return ($label, IN_MB_KB, $meter) if $label =~ /[(]MB[)]\z/;
    my $is_short = $label !~ /\AElapsed/ || grep { !$_ || $_->{value} < LONG_S } @{ $meter->{values} };
    return ($label,                      1,        $meter) if $is_short;
    return ($label =~ s/[(]s[)]/(min)/r, IN_MIN_S, $meter);
}

sub _row {
    my ($analysis, $label, $divisor, $meter) = @_;
    my $is_typed_in = $analysis->{sides}[0]{is_typed_in};
    my @texts;
    for my $place (0, 1) {
        my $value = $meter->{values}[$place];
        push @texts, $value ? amount($value->{value} / $divisor, $is_typed_in || _is_count($label, $value)) : UNKNOWN;
    }
    return row($label, [@texts, _ratio($meter->{ratio})]);
}

# Whether it is a whole number of something, but for what comes of logarithms.
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
