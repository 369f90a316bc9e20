package UnixBench::Interactive::Results;

# The results of interactive tests besides their scores: the latencies of each task under each load, and the trials of
# the search for the capacity.

use strict;
use warnings;

use List::Util ();

use UnixBench::Score::Stats qw(median medians);

# The fields of a cell (a task under a load), in the order in which the program prints them. A dash is an unknown value.
my @COUNTS  = qw(frames on_time late dropped);
my @MEDIANS = qw(
    work_percent wake_p50_us wake_p99_us staleness_p50_us staleness_p95_us staleness_p99_us staleness_p999_us
);
my @FIELDS = (@COUNTS, @MEDIANS, qw(staleness_max_us staleness_sd_us throughput_percent noisy));

# Lines of copies: "cell.LOAD.TASK" with the fields, and "trial.STREAMS" with the percentage of frames on time.
my $NAME   = qr/[A-Za-z](?:[A-Za-z0-9_-]{0,30}[A-Za-z_-])?/;
my $CELL   = qr/\Acell[.]($NAME)[.]($NAME)\z/;
my $TRIAL  = qr/\Atrial[.]([1-9][0-9]{0,8})\z/;
my $COUNT  = qr/\A[0-9]{1,9}\z/;
my $NUMBER = qr/\A[0-9]{1,14}(?:[.][0-9]{1,4})?\z/;

# The order of tasks and of loads in tables. Other names follow, sorted by name.
my @TASKS = qw(Audio Video X Probe);
my @LOADS = qw(None Burn Compile Hack);

# Takes a run; returns { cells, trials } of its interactive tests, or undef if there are no cells and no trials. Failed
# copies are ignored, and so are cells whose numbers of frames do not add up.
# The keys of cells and trials are those of the types that the feature declares; an unknown value is undef.
sub of_run {
    my (undef, $run) = @_;
    my @tests  = grep { $_->{category} eq 'interactive' } @{ $run->{tests} };
    my @copies = grep { !defined $_->{error} } map { @{ $_->{copies} } } map { @{ $_->{passes} } } @tests;
    my @data   = map  { $_->{data} } @copies;
    my %known  = (cells => [_cells(@data)], trials => [_trials(@data)]);
    return @{ $known{cells} } || @{ $known{trials} } ? \%known : undef;
}

sub _cells {
    my (@data) = @_;
    my %of;
    push @{ $of{ $_->{load} }{ $_->{task} } }, $_ for map { _cells_of_copy($_) } @data;
    my @cells = map { _over_passes(@$_) } map { values %$_ } values %of;
    my ($task_at, $load_at) = map { _places(@$_) } \@TASKS, \@LOADS;
    my @sorted =
        sort { $task_at->($a->{task}) cmp $task_at->($b->{task}) || $load_at->($a->{load}) cmp $load_at->($b->{load}) }
        @cells;
    return @sorted;
}

sub _places {
    my (@names) = @_;
    my %at = map { $names[$_] => $_ } 0 .. $#names;
    return sub { my ($name) = @_; return $at{$name} // "a $name" };
}

sub _cells_of_copy {
    my ($data) = @_;
    my @cells;
    for my $name (keys %$data) {
        my ($load, $task) = $name =~ $CELL or next;
        push @cells, _cell($load, $task, @{ $data->{$name} });
    }
    return @cells;
}

# Takes a load, a task and the fields as texts; returns the cell, or nothing if its numbers of frames do not add up.
sub _cell {
    my ($load, $task, @values) = @_;
    my %cell = (task => $task, load => $load);
    for my $field (@FIELDS) {
        my $is   = (grep { $_ eq $field } @COUNTS) ? $COUNT : $NUMBER;
        my $text = shift @values // q{};
        $cell{$field} = $text =~ $is ? 0 + $text : undef;
    }
    my ($frames, @parts) = @cell{@COUNTS};
    return if grep { !defined } $frames, @parts;
    return $frames && $frames == List::Util::sum(@parts) ? \%cell : ();
}

sub _over_passes {
    my (@cells) = @_;
    my %known;
    for my $field (@FIELDS) {
        $known{$field} = [grep { defined } map { $_->{$field} } @cells];
    }
    my %sum    = map { $_ => List::Util::sum(@{ $known{$_} }) } @COUNTS;
    my %part   = map { ("${_}_percent" => 100 * $sum{$_} / $sum{frames}) } qw(on_time late dropped);
    my %median = medians(\@cells, @MEDIANS, qw(staleness_sd_us throughput_percent));
    my @p99    = @{ $known{staleness_p99_us} };
    return {
        (map { $_ => $cells[0]{$_} } qw(task load)),
        passes => scalar @cells,
        %sum, %part, %median,
        staleness_max_us       => List::Util::max(@{ $known{staleness_max_us} }),
        staleness_p99_least_us => List::Util::min(@p99),
        staleness_p99_most_us  => List::Util::max(@p99),
        noisy                  => (grep { $_ == 1 } @{ $known{noisy} }) ? 1 : 0,
    };
}

sub _trials {
    my (@data) = @_;
    my %on_time;
    for my $data (@data) {
        for my $name (keys %$data) {
            my ($streams) = $name =~ $TRIAL or next;
            my ($percent, @others) = @{ $data->{$name} };
            push @{ $on_time{$streams} }, $percent if !@others && $percent =~ $NUMBER;
        }
    }
    return map { +{ streams => $_, passes => scalar @{ $on_time{$_} }, on_time_percent => median(@{ $on_time{$_} }) } }
        sort { $a <=> $b } keys %on_time;
}

1;
