package UnixBench::Store::Agreement;

# Checks that the values of a file make sense, and that its redundant parts agree: its passes with their copies, its
# scores with the passes, its indexes with the scores, and its summary with all of them. UnixBench::Base::Shape has
# already checked the kind of each value. All other modules rely on these checks.

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

# Limits of valid results. Even very many passes have fewer degrees of freedom than DF_MOST.
use constant { LOG_SE_MOST => 700, DF_MOST => 1e7, CV_MOST => 1e6 };

my @COUNTED  = qw(count time_s timebase unit);
my @MEASURED = qw(score unit time_s samples dropped kept);
my @SPREAD   = qw(low high log_se df);

my $NUMBER = qr/\A-?[0-9]+(?:[.][0-9]+)?(?:[eE][-+]?[0-9]{1,3})?\z/;

# Takes a result's document; dies with one line that names the first value that makes no sense, or the first
# contradiction.
sub check {
    my ($document) = @_;
    _summary_makes_sense($document->{summary});
    _result_makes_sense($document);
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

# Takes a summary; dies with one line if a value makes no sense, or if its indexes contradict its scores.
sub check_summary {
    my ($summary) = @_;
    _summary_makes_sense($summary);
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
    _pass_agrees("$where, pass $_->{number}", $run->{copies}, $_) for @{ $test->{passes} };
    return if !is_measured($test);
    my $score = defined $run->{rounds} ? \&UnixBench::Score::Score::test_of_rounds : \&UnixBench::Score::Score::test;
    my $made  = $score->($test->{passes});
    _agree("$where: $_", $test->{$_}, $made->{$_}, 'its passes say') for sort keys %$made;
    my %spread = %{ UnixBench::Score::Spread::of_test($test, $run->{rounds}) };
    delete $spread{modes};
    _agree("$where: spread.$_", $test->{spread}{$_}, $spread{$_}, 'its passes say') for sort keys %spread;
    return;
}

# Takes the run's number of copies and a pass of its journal; dies with one line if a value makes no sense, or if the
# pass contradicts its copies.
sub check_pass {
    my ($copies_of_run, $pass) = @_;
    _pass_makes_sense($pass);
    return _pass_agrees("pass $pass->{number}", $copies_of_run, $pass);
}

# Dies if a pass contradicts its copies. A pass that has failed has no values of its own.
sub _pass_agrees {
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

# Takes a pass; dies with one line unless it has either its counted values or an error, and if these or those of its
# copies make no sense.
sub _pass_makes_sense {
    my ($pass) = @_;
    my $wanted = defined $pass->{error} ? 0 : @COUNTED;
    die "a pass must have either a count or an error\n" if _known($pass, @COUNTED) != $wanted;
    _check_counted($pass) if !defined $pass->{error};
    die "a copy has no valid count\n" if grep { !_has_counted($_) } @{ $pass->{copies} };
    return;
}

# Takes a result; dies with one line if its values contradict each other.
sub _result_makes_sense {
    my ($result) = @_;
    for my $run (@{ $result->{runs} }) {
        _check_names($run);
        _test_makes_sense($_, _lost($result, $run, $_)) for @{ $run->{tests} };
        my %measured = map { $_->{name} => 1 } grep { is_measured($_) } @{ $run->{tests} };
        _index_makes_sense($_, \%measured) for @{ $run->{indexes} };
    }
    return;
}

# Takes a summary; dies with one line if its values contradict each other.
sub _summary_makes_sense {
    my ($summary) = @_;
    for my $run (@{ $summary->{runs} }) {
        _check_names($run);
        for my $test (grep { is_measured($_) } @{ $run->{tests} }) {
            die "$test->{name} is measured, but a value is missing\n"
                if _known($test, qw(score unit passes estimate)) != 4;
        }
        for my $test (@{ $run->{tests} }) {
            die "$test->{name}: the variation is out of range\n" if ($test->{cv} // 0) > CV_MOST;
            _check_estimate($test->{estimate}) if $test->{estimate};
        }
        _check_quiet($_) for grep { $_->{quiet} } @{ $run->{tests} }, @{ $run->{indexes} };
        _check_estimate($_) for map { $_->{lacking} ? () : $_->{estimate} // {} } @{ $run->{indexes} };
    }
    return;
}

# Takes a test or an index; dies with one line unless it has enough quiet passes where it says so.
sub _check_quiet {
    my ($item)  = @_;
    my $quiet   = $item->{quiet};
    my $is_loud = grep { $_->{badly} } @{ $item->{other_load} || [] };
    die "$item->{title}: more passes are quiet than there are\n" if $quiet->{passes} > $quiet->{of};
    die "$item->{title}: the value of the quiet passes is missing\n"
        if $is_loud && $quiet->{is_enough} && !$quiet->{estimate};
    _check_estimate($quiet->{estimate}) if $quiet->{estimate};
    return;
}

sub _check_names {
    my ($run) = @_;
    my %seen;
    for my $name (map { $_->{name} } @{ $run->{tests} }) {
        die "$name appears twice\n" if $seen{$name}++;
    }
    return;
}

# Returns the numbers of the passes of a test that the log of measure.sh has lost.
sub _lost {
    my ($result, $run, $test) = @_;
    my $runner = $result->{procedure}{runner} or return;
    return map { $_->{number} }
        grep { $_->{copies} == $run->{copies} && $_->{test} eq $test->{name} } @{ $runner->{lost} };
}

# Takes a test, and the numbers of its passes that were lost; dies with one line if its values contradict each other.
sub _test_makes_sense {
    my ($test, @lost) = @_;
    my @passes  = @{ $test->{passes} };
    my %is_lost = map { $_ => 1 } @lost;
    my $number  = 0;
    for my $pass (@passes) {
        do { $number++ } while $is_lost{$number};
        die "$test->{name}: the passes are out of order\n" if $pass->{number} != $number;
        die "$test->{name}: $@" if !eval { _pass_makes_sense($pass); 1 };
    }
    my $is_good = @passes && !grep { defined $_->{error} } @passes;
    my $wanted  = is_measured($test) ? @MEASURED : 0;
    die "$test->{name}: its status and its score contradict each other\n"
        if _known($test, @MEASURED) != $wanted || $wanted && !$is_good;
    die "$test->{name}: $@" if $test->{observed} && !eval { check_observed($test->{observed}); 1 };
    return;
}

# Takes the observation of a test; dies with one line unless it has either calls or an error, or if its slowdown is
# absurd.
sub check_observed {
    my ($observed) = @_;
    die "an observation must have either calls or an error\n" if _known($observed, qw(calls error)) != 1;
    die "the slowdown of an observation is out of range\n"
        if !UnixBench::Score::Score::is_sensible($observed->{slowdown} // 1);
    return;
}

sub _check_counted {
    my ($pass) = @_;
    my @copies = @{ $pass->{copies} } or die "a pass has no copies\n";
    die "a copy failed in a pass without an error\n" if grep { defined $_->{error} } @copies;
    die "a rate is out of range\n"
        if !UnixBench::Score::Score::is_sensible(UnixBench::Score::Score::rate($pass));
    return;
}

# Returns whether a copy has an error, or has all counted values and numbers in its lines COUNT and TIME.
sub _has_counted {
    my ($copy) = @_;
    return 1 if defined $copy->{error};
    return if _known($copy, @COUNTED) != @COUNTED;
    my ($lines, $count, $time_s) = $copy->{data};
    ($count)  = @{ $lines->{COUNT} || [] };
    ($time_s) = @{ $lines->{TIME}  || [0] };
    return !grep { $_ !~ $NUMBER } map { $_ // q{} } $count, $time_s;
}

sub _index_makes_sense {
    my ($index, $measured) = @_;
    my ($row) = grep { !$measured->{ $_->{name} } } @{ $index->{rows} };
    die "an index has the test $row->{name}, which was not measured\n" if $row;
    die "an index must have either a number or a reason\n"
        if _known($index, qw(index lacking)) != 1 || _known($index, qw(index mean_of_others)) != 1;
    my @baselines = grep { defined } map { $_->{baseline} } @{ $index->{rows} };
    die "an index has no baseline\n" if !@baselines;
    die "a baseline is out of range\n" if grep { !UnixBench::Score::Score::is_sensible($_) } @baselines;
    return;
}

sub _check_estimate {
    my ($estimate) = @_;
    my $known = _known($estimate, @SPREAD);
    my ($value, $low, $high, $log_se, $df) = @$estimate{qw(value low high log_se df)};
    return if defined $value && !$known;
    die "an interval does not contain its value\n"
        if !defined $value || $known != @SPREAD || $low > $value || $value > $high;
    die "an interval is out of range\n" if $log_se > LOG_SE_MOST || $df < 1 || $df > DF_MOST;
    return;
}

# Takes data and keys; returns how many of these keys have a value.
sub _known {
    my ($data, @keys) = @_;
    return scalar grep { defined $data->{$_} } @keys;
}

1;
