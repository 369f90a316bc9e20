package UnixBench::Report::DelayChart;

# How long system calls took, as pictures: for each call a bar for each doubling of the time, as high as it is frequent.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Format          qw(counted);
use UnixBench::Report::PageTable     qw(drawing number row table);
use UnixBench::Report::Picture       qw(axis bar dot picture rule);
use UnixBench::Report::Scale         ();
use UnixBench::Report::SyscallTables qw(call_texts);

use constant LEGEND =>
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

# Takes calls; returns the scale of nanoseconds on which all of them can be drawn, or undef
# where there is nothing to draw.
sub scale_of {
    my (@calls) = @_;
    my @values = map { _values($_) } @calls or return;
    return UnixBench::Report::Scale::logarithmic(@values);
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

# Takes a scale, a caption and calls; returns the picture of these, a table with a drawing in each row.
sub of_calls {
    my ($scale, $caption, @calls) = @_;
    my @headings = ('Call', ['delay in ns', axis($scale)], map { "*$_" } @NUMBERS);
    return table($caption, \@headings, [map { _row($_, $scale) } @calls]);
}

sub _row {
    my ($call, $scale) = @_;
    my %text = call_texts($call);
    return row($text{Call}, drawing(_picture($call, \%text, $scale)), map { number($_) } @text{@NUMBERS});
}

sub _picture {
    my ($call, $text, $scale) = @_;
    my @buckets = _buckets($call);
    my $most    = List::Util::max(map { $_->{count} } @buckets);
    my ($mean, $max) = @$call{qw(mean_ns max_ns)};
    my @parts = ((map { rule('grid', $scale, $_) } @{ $scale->{ticks} }), (map { _bar($scale, $_, $most) } @buckets),);
    push @parts, map { rule($_, $scale, $mean) } qw(halo mean) if @buckets           && _is_drawn($mean);
    push @parts, dot('longest', $scale, $max, GROUND, "longest $max ns") if @buckets && _is_drawn($max);
    return picture(_words($text, @buckets), HEIGHT, @parts);
}

# Even the rarest can be seen.
sub _bar {
    my ($scale, $bucket, $most)  = @_;
    my ($from,  $to,     $count) = @$bucket{qw(from to count)};
    my $height = List::Util::max(LOWEST, sprintf '%.1f', HIGHEST * $count / $most);
    return bar('delay', $scale, $from, $to, GROUND - $height, $height, "$bucket->{words}: $count");
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

# Returns how to read the pictures.
sub legend { return LEGEND }

1;
