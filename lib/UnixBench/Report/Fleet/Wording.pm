package UnixBench::Report::Fleet::Wording;

# The words of reports about a fleet.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Format    qw(counted fixed listed);
use UnixBench::Report::Wording qw(copies_title);

our @EXPORT_OK = qw(
    count_of finding headline kinds_of lacking legend machine_title measure_title unusual
);

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

# Takes a machine that stands out; returns how: one or more of "slow", "fast" and "noisy".
sub kinds_of {
    my ($machine) = @_;
    return grep { _is($_, $machine) } @KINDS;
}

# Takes a machine that stands out; returns its title: the label and the name of the host.
sub machine_title {
    my ($machine) = @_;
    my $name = $machine->{name};
    return defined $name && length $name ? "$machine->{label} ($name)" : $machine->{label};
}

# Takes a finding, returns it in words.
sub finding {
    my ($finding) = @_;
    my $what      = join ', ', measure_title($finding), copies_title($finding->{copies});
    my $how       = $finding->{is} eq 'noisy' ? _variation($finding) : _distance($finding);
    return sprintf '%s: %s: %s (z %.1f)', $finding->{is}, $what, $how, $finding->{z};
}

sub _variation {
    my ($finding) = @_;
    return sprintf 'passes vary by %.1f %%, the median is %.1f %%', map { 100 * $_ } @$finding{qw(value median)};
}

sub _distance {
    my ($finding) = @_;
    my ($value, $median) = @$finding{qw(value median)};
    return sprintf '%s, %.1f %% %s the median of %s', fixed($value), 100 * abs($value / $median - 1),
        $value < $median ? 'below' : 'above', fixed($median);
}

# Takes a machine that stands out; returns what else is unusual about it, in sentences.
sub unusual {
    my ($machine) = @_;
    my @facts = map { "$_->{label}: $_->{text}; most have $_->{usual}" } @{ $machine->{differences} };
    return (@facts, @{ $machine->{other_files} });
}

# Takes a measure or a finding; returns its name. This is not the line that scripts search for in reports.
sub measure_title {
    my ($measure) = @_;
    return $measure->{title} if $measure->{kind} ne 'index';
    return "$measure->{title} index" . ($measure->{is_partial} ? ' (partial)' : q{});
}

# Takes a kind ("slow", "fast" or "noisy") and a measure; returns the number of machines of this kind.
sub count_of {
    my ($kind, $measure) = @_;
    return scalar grep { $_->{is} eq $kind } @{ $measure->{outliers} };
}

# Takes a run; returns sentences about the measures that some machines do not have. Measures that are missing on the
# same machines share a sentence.
sub lacking {
    my ($run) = @_;
    my (@groups, %titles);
    for my $measure (@{ $run->{measures} }) {
        my $key = join "\n", $measure->{kind}, @{ $measure->{lacking} };
        push @groups, { kind => $measure->{kind}, labels => $measure->{lacking}, titles => $titles{$key} = [] }
            if !$titles{$key};
        push @{ $titles{$key} }, measure_title($measure);
    }
    return map { _missing($_) } { kind => 'run', labels => $run->{lacking}, titles => ['The run'] }, @groups;
}

sub _missing {
    my ($group) = @_;
    my ($labels, $titles) = @$group{qw(labels titles)};
    return if !@$labels;
    my $are      = @$titles == 1             ? 'is'                          : 'are';
    my $missing  = $group->{kind} eq 'index' ? 'missing, or of other tests,' : 'missing';
    my $machines = counted(scalar @$labels, 'machine', 'machines');
    return listed(@$titles) . " $are $missing on $machines: " . listed(@$labels);
}

# Takes a fleet; returns sentences that explain its report.
sub legend {
    my ($fleet) = @_;
    my @trimmed = grep { $_->{is_trimmed} } map { @{ $_->{measures} } } @{ $fleet->{runs} };
    return (
        'z: how far from the median, in standard deviations (robust: from the median absolute deviation).',
        'slow: z below -3.5 and more than 5 % (an index) or 10 % (a test) below the median.',
        'fast: z above 3.5 and as much above it. noisy: z of the logarithm of its variation above 3.5.',
        'Variation: the coefficient of variation of the passes; of an index the quadratic mean of its tests\'.',
        (@trimmed ? 'Some are text reports: classic scores, without the worst third of the passes, are compared.' : ()),
    );
}

1;
