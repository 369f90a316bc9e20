package UnixBench::Report::FleetWording;

# The words in which text and page speak of a fleet.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Comparison::Kind qw(named);
use UnixBench::Format           qw(counted fixed);

our @EXPORT_OK = qw(copies_title count_of finding headline lacking legend machine_title measure_title unusual);

my @KINDS = qw(slow fast noisy);

# Takes a fleet; returns how many machines of it stand out, in a sentence.
sub headline {
    my ($fleet) = @_;
    my @found;
    for my $kind (@KINDS) {
        my @machines = grep { _is($kind, $_) } @{ $fleet->{named} };
        push @found, @machines . " $kind" if @machines;
    }
    return "$fleet->{count} machines: " . (@found ? join ', ', @found : 'nothing stands out');
}

sub _is {
    my ($kind, $machine) = @_;
    return scalar grep { $_->{is} eq $kind } @{ $machine->{findings} };
}

# Takes a machine that stands out, returns what it is called.
sub machine_title {
    my ($machine) = @_;
    my $name = $machine->{name};
    return defined $name && length $name ? "$machine->{label} ($name)" : $machine->{label};
}

# Takes a finding, returns it in words.
sub finding {
    my ($finding) = @_;
    my ($value, $median) = @$finding{qw(value median)};
    my $what = measure_title($finding) . ', ' . copies_title($finding);
    my $z    = sprintf 'z %.1f', $finding->{z};
    return sprintf '%s: %s: %s by %.1f %%, the median is %.1f %% (%s)', $finding->{is}, $what,
        $finding->{kind} eq 'index' ? 'uncertain' : 'passes vary', 100 * $value, 100 * $median, $z
        if $finding->{is} eq 'noisy';
    return sprintf '%s: %s: %s, %.1f %% %s the median of %s (%s)', $finding->{is}, $what, fixed($value),
        100 * abs($value / $median - 1), $value < $median ? 'below' : 'above', fixed($median), $z;
}

# Takes a difference of a machine from most others, returns it in words.
sub unusual {
    my ($difference) = @_;
    return "$difference->{label}: $difference->{text}; most have $difference->{usual}";
}

# Takes a run or a finding, returns with how many copies it was.
sub copies_title {
    my ($run) = @_;
    return counted($run->{copies}, 'copy', 'copies');
}

# Takes a measure or a finding, returns its name, which is not the line that scripts search reports for.
sub measure_title {
    my ($measure) = @_;
    return $measure->{title} . ($measure->{kind} eq 'index' ? ' index' : q{});
}

# Takes a kind and a measure, returns how many machines are so in it.
sub count_of {
    my ($kind, $measure) = @_;
    return scalar grep { $_->{is} eq $kind } @{ $measure->{outliers} };
}

# Takes a run; returns what some machines lack, a sentence for each.
sub lacking {
    my ($run)    = @_;
    my @measures = map { [measure_title($_), $_->{lacking}] } @{ $run->{measures} };
    return map { _missing(@$_) } ['The run', $run->{lacking}], @measures;
}

sub _missing {
    my ($what, $labels) = @_;
    return if !@$labels;
    return "$what is missing on " . counted(scalar @$labels, 'machine', 'machines') . ': ' . named(@$labels);
}

# Takes a fleet; returns what its reader has to know.
sub legend {
    my ($fleet) = @_;
    my @trimmed = grep { $_->{is_trimmed} } map { @{ $_->{measures} } } @{ $fleet->{runs} };
    return (
        'z: how far from the median, in standard deviations (robust: from the median absolute deviation).',
        'slow: z below -3.5 and more than 5 % (an index) or 10 % (a test) below the median.',
        'fast: z above 3.5 and more than 5 % above. noisy: z of the logarithm of its variation above 3.5.',
        (@trimmed ? 'Some are text reports: classic scores, without the worst third of the passes, are compared.' : ()),
    );
}

1;
