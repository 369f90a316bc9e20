package UnixBench::Store::Agreement;

# Checks that redundant parts of a result agree: its passes with their copies, its scores with the passes, its indexes
# with the scores, and its summary with all of them.

use strict;
use warnings;

use UnixBench::Base::Result         qw(is_measured tests_by_title);
use UnixBench::Base::ResultSchema   ();
use UnixBench::Base::Text           qw(clean counted);
use UnixBench::Score::Interactivity ();
use UnixBench::Score::MultiUser     ();
use UnixBench::Score::Scaling       ();
use UnixBench::Score::Score         ();
use UnixBench::Score::Spread        ();
use UnixBench::Score::Stats         qw(geometric_mean);
use UnixBench::Store::Summary       ();

# Another computer may round the last digits of a logarithm in another way.
use constant { TOLERANCE => 1e-9, SHOWN_MAX => 40 };

my $NUMBER = qr/\A-?[0-9]+(?:[.][0-9]+)?(?:[eE][-+]?[0-9]{1,3})?\z/;

# Takes a result's document that has passed UnixBench::Store::Sense; dies with one line that names the first
# contradiction.
sub check {
    my ($document) = @_;
    _check_run($_) for @{ $document->{runs} };
    _check_baselines($document->{runs});
    _check_whole_summary($document->{summary}, UnixBench::Store::Summary::of($document));
    my $scaling = _as_written(scalar UnixBench::Score::Scaling::of($document),
        UnixBench::Base::ResultSchema::shape('document')->{'gain?'});
    _agree('gain', $document->{gain}, $scaling, 'the runs say');
    return;
}

# Dies unless a summary agrees with that of the runs. The wording of facts may differ between versions.
sub _check_whole_summary {
    my ($summary, $of_runs) = @_;
    my %apart = map { $_ => undef } qw(facts program_facts files ended);
    _agree('summary', { %$summary, %apart }, { %$of_runs, %apart }, 'the runs say');
    return _agree('summary.ended', $summary->{ended}, $of_runs->{ended}, 'the runs say');
}

# Takes a summary that has passed UnixBench::Store::Sense; dies with one line if its indexes contradict its scores.
sub check_summary {
    my ($summary) = @_;
    for my $run (@{ $summary->{runs} }) {
        my %test = map { $_->{name} => $_ } grep { is_measured($_) && defined $_->{baseline} } @{ $run->{tests} };
        _check_index_in_summary($_, \%test) for @{ $run->{indexes} };
    }
    return;
}

sub _check_index_in_summary {
    my ($index, $test) = @_;
    my $title = clean($index->{title});
    my ($lacking) = grep { !$test->{$_} } @{ $index->{tests} };
    die "summary: $title needs the test " . _shown($lacking) . ", which has no score\n" if defined $lacking;
    die "summary: $title has no tests\n" if !@{ $index->{tests} };
    return if $index->{lacking};
    return _agree("summary: $title", $index->{index}, _index_of(@$test{ @{ $index->{tests} } }), 'its scores give');
}

sub _index_of {
    my (@rows) = @_;
    return 10 * geometric_mean(map { $_->{score} / $_->{baseline} } @rows);
}

sub _check_run {
    my ($run) = @_;
    my $where = counted($run->{copies}, 'copy', 'copies');
    _check_test($where, $run, $_) for @{ $run->{tests} };
    _check_index("$where, index $_->{title}", $run, $_) for @{ $run->{indexes} };
    _check_details($where, 'interactivity', $run, scalar UnixBench::Score::Interactivity::of_run($run));
    _check_details($where, 'multiuser',     $run, scalar UnixBench::Score::MultiUser::of_run($run));
    return;
}

sub _check_test {
    my ($where, $run, $test) = @_;
    $where .= ", $test->{name}";
    check_pass("$where, pass $_->{number}", $run->{copies}, $_) for @{ $test->{passes} };
    return if !is_measured($test);
    my $score = defined $run->{rounds} ? \&UnixBench::Score::Score::test_of_rounds : \&UnixBench::Score::Score::test;
    my $made  = $score->($test->{passes});
    _agree("$where: $_", $test->{$_}, $made->{$_}, 'its passes say') for sort keys %$made;
    my %spread = %{ UnixBench::Score::Spread::of_test($test, $run->{rounds}) };
    delete $spread{modes};
    _agree("$where: spread.$_", $test->{spread}{$_}, $spread{$_}, 'its passes say') for sort keys %spread;
    return;
}

# Takes a place in words, the run's number of copies, and a pass that has passed UnixBench::Store::Sense. Dies with one
# line if the pass contradicts its copies. A pass that has failed has no values of its own.
sub check_pass {
    my ($where, $copies_of_run, $pass) = @_;
    return if defined $pass->{error};
    my @copies = @{ $pass->{copies} };
    _agree("$where: number of copies", scalar @copies, $copies_of_run, 'the run has');
    for my $copy (@copies) {
        my ($count, $timebase, $unit) = @{ $copy->{data}{COUNT} };
        my ($time_s) = @{ $copy->{data}{TIME} || [] };
        _agree("$where: count of a copy",    $copy->{count},    $count,                        'its program reported');
        _agree("$where: timebase of a copy", $copy->{timebase}, $timebase,                     'its program reported');
        _agree("$where: unit of a copy",     $copy->{unit},     $unit,                         'its program reported');
        _agree("$where: time_s of a copy",   $copy->{time_s},   $time_s // $copy->{elapsed_s}, 'it took');
    }
    my $made = UnixBench::Score::Score::pass(\@copies);
    _agree("$where: $_", $pass->{$_}, $made->{$_}, 'its copies say') for sort keys %$made;
    return;
}

sub _check_index {
    my ($where, $run, $index) = @_;
    my @tests = grep { is_measured($_) && $_->{category} eq $index->{category} } tests_by_title($run->{tests});
    _agree("$where: tests", _names(@{ $index->{rows} }), _names(@tests), 'the run has');
    _check_row("$where, $tests[$_]{name}", $index->{rows}[$_], $tests[$_]) for 0 .. $#tests;
    my @counted = grep { defined $_->{baseline} } @{ $index->{rows} };
    my $mean    = $index->{mean_of_others};
    _agree("$where: index",             $mean ? $mean->{value} : $index->{index}, _index_of(@counted), 'its rows give');
    _agree("$where: tests of the mean", $mean->{tests}, scalar @counted, 'it has rows') if $mean;
    my $spread = UnixBench::Score::Spread::of_index($index, $run);
    my $known  = $mean || $index;
    _agree("$where: $_", $known->{$_}, $spread->{$_}, 'the passes say') for sort keys %$spread;
    return;
}

sub _names {
    my (@items) = @_;
    return [map { $_->{name} } @items];
}

sub _check_row {
    my ($where, $row, $test) = @_;
    _agree("$where: $_", $row->{$_}, $test->{$_}, 'the test has') for qw(title score);
    my $made = defined $row->{baseline} ? $row->{score} / $row->{baseline} * 10 : undef;
    return _agree("$where: index", $row->{index}, $made, 'score and baseline give');
}

# Dies unless the baseline of a test is the same for all numbers of copies.
sub _check_baselines {
    my ($runs) = @_;
    my %baseline;
    for my $row (map { @{ $_->{rows} } } map { @{ $_->{indexes} } } @$runs) {
        my $first = $baseline{ $row->{name} } //= $row->{baseline};
        _agree("baseline of $row->{name}", $row->{baseline}, $first, 'another run has');
    }
    return;
}

# Compares the data under a key of a run with the computed data. Leaves out texts: those that programs have printed may
# have become longer when they were written.
sub _check_details {
    my ($where, $key, $run, $made) = @_;
    my $as_written = _as_written($made, UnixBench::Base::ResultSchema::shape('run')->{"$key?"});
    return _agree("$where, $key", _numbers($run->{$key}), _numbers($as_written), 'the passes say');
}

# Returns data without the keys that its shape does not have.
sub _as_written {
    my ($data, $shape) = @_;
    return $data if !ref $data || !ref $shape;
    return [map { _as_written($_, $shape->[0]) } @$data] if ref $data eq 'ARRAY';
    return $data if $shape->{'*'};
    my %shape_of = map { s/[?]\z//r => $shape->{$_} } keys %$shape;
    return { map { $_ => _as_written($data->{$_}, $shape_of{$_}) } grep { $shape_of{$_} } keys %$data };
}

sub _numbers {
    my ($data) = @_;
    return [map { _numbers($_) } @$data] if ref $data eq 'ARRAY';
    return { map { $_ => scalar _numbers($data->{$_}) } keys %$data } if ref $data eq 'HASH';
    return defined $data && $data =~ $NUMBER ? $data : undef;
}

# Takes a place, the data there, the data that was computed for it, and words for the source; dies at the first
# difference. A missing key is the same as undef.
sub _agree {
    my ($where, $given, $made, $source) = @_;
    return if !defined $given && !defined $made;
    if (ref $given eq 'HASH' && ref $made eq 'HASH') {
        my %keys = (%$given, %$made);
        _agree("$where.$_", $given->{$_}, $made->{$_}, $source) for sort keys %keys;
        return;
    }
    if (ref $given eq 'ARRAY' && ref $made eq 'ARRAY' && @$given == @$made) {
        _agree("$where\[$_]", $given->[$_], $made->[$_], $source) for 0 .. $#$made;
        return;
    }
    return if _is_same($given, $made);
    die "$where is " . _shown($given) . ", but $source " . _shown($made) . "\n";
}

sub _is_same {
    my ($first, $second) = @_;
    return if grep { !defined || ref } $first, $second;
    return 1 if $first eq $second;
    return if grep { $_ !~ $NUMBER } $first, $second;
    my ($size) = sort { $b <=> $a } map { abs } $first, $second;
    return abs($first - $second) <= TOLERANCE * $size;
}

sub _shown {
    my ($data) = @_;
    return 'missing' if !defined $data;
    return 'a list of ' . @$data if ref $data eq 'ARRAY';
    return 'given' if ref $data;
    return substr clean($data), 0, SHOWN_MAX;
}

1;
