package UnixBench::Report::Topic::SystemCalls::Chart;

# How long system calls took, as charts: for each call a bar for each doubling of the time, as high as it is frequent.

use strict;
use warnings;

use Exporter 'import';
use List::Util ();

use UnixBench::Base::Format             qw(counted);
use UnixBench::Report::Block            qw(bar chart dot drawn grid rule);
use UnixBench::Report::Syscalls::Tables qw(call_texts);

our @EXPORT_OK = qw(DELAY_LEGEND delay_chart delay_values has_delays);

# How to read the charts.
use constant DELAY_LEGEND =>
    'Each bar stands for the delays from one power of two of ns to the next; the highest bar of a call is '
    . 'where most of its delays are. The line is the mean, the dot the longest. Equal steps on the scale '
    . 'are equal multiples.';
use constant { HEIGHT => 30, GROUND => 26, HIGHEST => 22, LOWEST => 1, BELOW_ONE_NS => 0.5 };

my @NUMBERS = ('Count', 'Per loop', 'Mean ns', 'Max ns', 'Kernel time');

# Takes calls, see UnixBench::Trace::Syscalls; returns whether it is known of any how its delays spread.
sub has_delays {
    my (@calls) = @_;
    return grep { _buckets($_) } @calls;
}

# Takes calls; returns the nanoseconds that a scale needs on which all of them can be drawn.
sub delay_values {
    my (@calls) = @_;
    return map { _values($_) } @calls;
}

sub _values {
    my ($call) = @_;
    my @buckets = _buckets($call) or return;
    return ((map { @$_{qw(from to)} } @buckets), grep { _is_drawn($_) } @$call{qw(mean_ns max_ns)});
}

sub _is_drawn {
    my ($delay_ns) = @_;
    return defined $delay_ns && $delay_ns >= BELOW_ONE_NS;
}

sub _buckets {
    my ($call)  = @_;
    my @counted = grep { $_->{count} } @{ $call->{delays} || [] };
    return map { _bucket(@$_{qw(from_ns count)}) } sort { $a->{from_ns} <=> $b->{from_ns} } @counted;
}

sub _bucket {
    my ($from, $count) = @_;
    my $to = 2 * $from || 1;
    return { from => $from || BELOW_ONE_NS, to => $to, count => $count, words => "$from to $to ns" };
}

# Takes a title, values for the scale, and calls; returns their chart.
sub delay_chart {
    my ($title, $values, @calls) = @_;
    return chart(
        title   => $title,
        axis    => 'delay in ns',
        values  => $values,
        height  => HEIGHT,
        columns => [text => 'Call', map { (number => $_) } @NUMBERS],
        rows    => [map { _row($_) } @calls],
    );
}

sub _row {
    my ($call)  = @_;
    my %text    = call_texts($call);
    my @buckets = _buckets($call);
    my $most    = List::Util::max(map { $_->{count} } @buckets);
    my ($mean, $max) = @$call{qw(mean_ns max_ns)};
    my @shapes = (grid(), map { _bar($_, $most) } @buckets);
    push @shapes, map { rule($_, $mean) } qw(halo mean) if @buckets           && _is_drawn($mean);
    push @shapes, dot('longest', $max, GROUND, "longest $max ns") if @buckets && _is_drawn($max);
    return drawn($text{Call}, \@shapes, _words(\%text, @buckets), [@text{@NUMBERS}]);
}

# Even the rarest can be seen.
sub _bar {
    my ($bucket, $most)  = @_;
    my ($from,   $to, $count) = @$bucket{qw(from to count)};
    my $height = List::Util::max(LOWEST, sprintf '%.1f', HIGHEST * $count / $most);
    return bar('delay', $from, $to, GROUND - $height, $height, "$bucket->{words}: $count");
}

sub _words {
    my ($text, @buckets) = @_;
    return 'no delays' if !@buckets;
    my ($most) = sort { $b->{count} <=> $a->{count} } @buckets;
    return
          counted(scalar @buckets, 'bar', 'bars')
        . ", the highest from $most->{words}, mean $text->{'Mean ns'} ns, "
        . "longest $text->{'Max ns'} ns";
}

1;
