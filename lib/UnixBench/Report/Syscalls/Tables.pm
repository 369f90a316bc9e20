package UnixBench::Report::Syscalls::Tables;

# The numbers of observed system calls as tables.

use strict;
use warnings;

use Exporter 'import';
use List::Util ();

use UnixBench::Base::Format  qw(clean clock_time counted significant);
use UnixBench::Report::Block qw(row table);

our @EXPORT_OK = qw(call_table call_texts main_table others_text process_table);

use constant { DASH => q{-}, TOP => 3, NAME_MOST => 28 };    # as long as names of calls are

# What part of the delays a percentile is, and of how many it is said: ten of them have to lie above it.
use constant { P50 => [0.5, 20], P99 => [0.99, 1000] };

# Heading and form of each column of calls.
my @CALL = (
    ['Call'        => sub { _name($_[0]) }],
    ['Count'       => sub { $_[0]{count} }],
    ['Per loop'    => sub { _known($_[0]{per_loop}, \&_thousandths) }],
    ['Mean ns'     => sub { _known($_[0]{mean_ns},  \&_three_digits) }],
    ['p50 ns'      => sub { _percentile($_[0], @{ +P50 }) }],
    ['p99 ns'      => sub { _percentile($_[0], @{ +P99 }) }],
    ['Max ns'      => sub { _known($_[0]{max_ns}) }],
    ['Kernel time' => sub { _known($_[0]{share}, \&_percent) }],
);
my @MAIN = grep { $_->[0] !~ /\Ap[0-9]/ } @CALL;

my @PROCESS = (
    word => 'TIME',
    number => 'PID',
    (map { (word => "$_(num)") } qw(1st 2nd 3rd)),
    (map { (number => $_) } 'AVG_DELAY(ns)', 'MAX_DELAY(ns)', 'SYSCALLS'),
);

# Takes what is known of an observed test, see UnixBench::Trace::Syscalls, and perhaps title or caption; returns the
# table, see UnixBench::Report::Block, of its loop's calls, and of all others in one row.
sub main_table {
    my ($known, @title) = @_;
    my @rows   = map { _row($_, @MAIN) } @{ $known->{main} };
    my $others = $known->{others};
    push @rows, row(others_text($known), [$others->{count}, (q{}) x 3, _known($others->{share}, \&_percent)])
        if $others;
    return _table(\@MAIN, \@rows, @title);
}

# The same; returns what its other calls are, as "23 rarer calls".
sub others_text {
    my ($known) = @_;
    my $others  = $known->{others};
    my $other   = $known->{loops} && $others->{is_beside} ? 'rarer' : 'other';
    return counted($others->{calls}, "$other call", "$other calls");
}

# Takes calls, see there, and perhaps title or caption; returns the table of all that is known of each.
sub call_table {
    my ($calls, @title) = @_;
    my @columns = _columns(@$calls);
    return _table(\@columns, [map { _row($_, @columns) } @$calls], @title);
}

# Without percentiles where the tracer tells of none.
sub _columns {
    my (@calls) = @_;
    return (grep { $_->{delays} } @calls) ? @CALL : @MAIN;
}

# Takes a call; returns { heading => text } of all that is known of it.
sub call_texts {
    my ($call) = @_;
    return map { $_->[0] => $_->[1]->($call) } @CALL;
}

# Takes what is known of an observed test, what the zone is ahead of UTC in seconds, and perhaps title or caption;
# returns the table of its processes.
sub process_table {
    my ($known, $utc_offset_s, @title) = @_;
    return table(@title, columns => \@PROCESS, rows => [map { _process($_, $utc_offset_s) } @{ $known->{rows} }]);
}

sub _process {
    my ($process, $utc_offset_s) = @_;
    my ($returned, $total_ns)    = @$process{qw(returned total_ns)};
    my @top  = map { _name($_) . "($_->{count})" } @{ $process->{top} };
    my $mean = $returned ? _three_digits($total_ns / $returned) : DASH;
    my @top3 = map { $_ // DASH } @top[0 .. TOP - 1];
    my @cells = ($process->{pid}, @top3, $mean, _known($process->{max_ns}), $process->{count});
    return row(clock_time($process->{at}, $utc_offset_s), \@cells);
}

# The names of calls may be of any origin.
sub _table {
    my ($columns, $rows, @title) = @_;
    my ($first, @others) = map { $_->[0] } @$columns;
    return table(@title, columns => [text => $first, map { (number => $_) } @others], rows => $rows);
}

sub _row {
    my ($call, @columns) = @_;
    my ($name, @cells) = map { $_->[1]->($call) } @columns;
    return row($name, \@cells);
}

# The bound below which at least that part of the delays lies: the end of a bucket, or the longest delay.
sub _percentile {
    my ($call, $part, $least) = @_;
    my @buckets = sort { $a->{from_ns} <=> $b->{from_ns} } @{ $call->{delays} || [] };
    my $all     = List::Util::sum(0, map { $_->{count} } @buckets);
    return DASH if $all < $least;
    my $below  = 0;
    my $bucket = List::Util::first { ($below += $_->{count}) >= $part * $all } @buckets;
    my ($end, $max) = (2 * $bucket->{from_ns} || 1, $call->{max_ns});
    return defined $max && $max < $end ? "<=$max" : "<$end";
}

sub _name {
    my ($call) = @_;
    my $name = clean($call->{name});
    return length $name ? $name : DASH if length $name <= NAME_MOST;
    return substr($name, 0, NAME_MOST - length '...') =~ s/[\xc0-\xff][\x80-\xbf]*\z//r . '...';
}

sub _known {
    my ($value, $form) = @_;
    return DASH if !defined $value;
    return $form ? $form->($value) : $value;
}

sub _thousandths { my ($number) = @_; return sprintf '%.3f', $number }

sub _three_digits { my ($number) = @_; return significant($number, 3) }

sub _percent { my ($part) = @_; return sprintf '%.1f %%', 100 * $part }

1;
