package UnixBench::Store::Measured;

# Checks that what was measured makes sense. Each result is checked before it is printed, judged or written, wherever it
# comes from: a run, a resumed run, or the log of another runner. What was read from a file is checked, too. All other
# modules rely on these checks. They compare nothing with a formula, except a new pass with its copies.

use strict;
use warnings;

use UnixBench::Base::Result       qw(is_measured);
use UnixBench::Base::ResultSchema ();
use UnixBench::Base::Shape        ();
use UnixBench::Base::Text         qw(clean counted);
use UnixBench::Features           qw(loaded);
use UnixBench::Score::Score       ();

use constant { TOLERANCE => 1e-9, SHOWN_MAX => 40 };

# Limits of valid results. Even very many passes have fewer degrees of freedom than DF_MOST. The clock of a machine may
# go back by CLOCK_BACK_S in a run without being noticed.
use constant { LOG_SE_MOST => 700, DF_MOST => 1e7, CV_MOST => 1e6, CLOCK_BACK_S => 5 };

my @COUNTED  = qw(count time_s timebase unit);
my @MEASURED = qw(score unit time_s samples dropped kept);
my @SPREAD   = qw(low high log_se df);

# What is computed for files, by the types that have it. It is computed again when it is read.
my %COMPUTED = (
    run            => [keys %{ UnixBench::Features::merged('values') }],
    test           => ['spread'],
    index          => ['estimate'],
    mean_of_others => ['estimate'],
);

# What features add to tests.
my $VALUES = UnixBench::Features::merged('values');

my $NUMBER = qr/\A-?[0-9]+(?:[.][0-9]+)?(?:[eE][-+]?[0-9]{1,3})?\z/;

# Takes a result that was made in this process; dies with one line that names the first value that has another kind than
# UnixBench::Base::ResultSchema says, that makes no sense, or that contradicts another one.
sub check {
    my ($result) = @_;
    check_read($result);
    for my $run (@{ $result->{runs} }) {
        my $where = counted($run->{copies}, 'copy', 'copies');
        for my $test (@{ $run->{tests} }) {
            _pass_agrees("$where, $test->{name}, pass $_->{number}", $run->{copies}, $_) for @{ $test->{passes} };
        }
    }
    return;
}

# Takes a result that was read from a file; dies with one line if a value has another kind, or makes no sense. Unlike
# check(), computes nothing from passes, so it says the same in each version. Keys that the schema does not have are
# ignored.
sub check_read {
    my ($result) = @_;
    my $difference = UnixBench::Base::Shape::misfit($result, shape());
    die "$difference\n" if defined $difference;
    my $kind = $result->{procedure}{kind} // q{};
    for my $run (@{ $result->{runs} }) {
        _check_names($run);
        _check_times($run);
        die "a run has rounds, but the procedure is not quick\n" if defined $run->{rounds} && $kind eq 'official';
        die "a run of a quick procedure has no rounds\n" if !defined $run->{rounds}        && $kind eq 'quick';
        _test_makes_sense($_) for @{ $run->{tests} };
        my %measured = map { $_->{name} => 1 } grep { is_measured($_) } @{ $run->{tests} };
        _index_makes_sense($_, \%measured) for @{ $run->{indexes} };
    }
    return;
}

my $shape;    # what shape() returns, after the first call

# Returns the shape of a result without what is computed for its file, see UnixBench::Base::Shape.
sub shape {
    return $shape if $shape;
    my %run   = %{ _measured_shape('run') };
    my $index = _measured_shape('index');
    $index->{'mean_of_others?'} = _measured_shape('mean_of_others');
    $run{tests}                 = [_measured_shape('test')];
    $run{indexes}               = [$index];
    return $shape = { %{ UnixBench::Base::ResultSchema::shape('head') }, runs => [\%run] };
}

sub _measured_shape {
    my ($type) = @_;
    my %shape = %{ UnixBench::Base::ResultSchema::shape($type) };
    delete @shape{ map { "$_?" } @{ $COMPUTED{$type} } };
    return \%shape;
}

# Takes a document that was read from a file; removes what was computed for the file.
sub strip {
    my ($document) = @_;
    my %is_kept    = map { $_->{key} => 1 } UnixBench::Base::ResultSchema::keys_of('head');
    my @keys       = map { $_->{key} } UnixBench::Base::ResultSchema::keys_of('document');
    delete @$document{ grep { !$is_kept{$_} && $_ ne 'runs' } @keys };
    for my $run (@{ $document->{runs} }) {
        delete @$run{ @{ $COMPUTED{run} } };
        delete @$_{ @{ $COMPUTED{test} } } for @{ $run->{tests} };
        for my $index (@{ $run->{indexes} }) {
            delete @$index{ @{ $COMPUTED{index} } };
            delete @{ $index->{mean_of_others} }{ @{ $COMPUTED{mean_of_others} } } if $index->{mean_of_others};
        }
    }
    return;
}

# Takes the number of copies of a run and a pass of its journal; dies with one line if a value makes no sense, or if the
# pass contradicts its copies.
sub check_pass {
    my ($copies_of_run, $pass) = @_;
    _pass_makes_sense($pass);
    return _pass_agrees("pass $pass->{number}", $copies_of_run, $pass);
}

# Takes a summary, see UnixBench::Store::Summary; dies with one line if a value makes no sense.
sub check_summary {
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
        _check_index_of_summary($_, $run) for @{ $run->{indexes} };
    }
    return;
}

sub _check_index_of_summary {
    my ($index, $run) = @_;
    my $title       = clean($index->{title});
    my %is_measured = map  { $_->{name} => 1 } grep { is_measured($_) && defined $_->{baseline} } @{ $run->{tests} };
    my ($lacking)   = grep { !$is_measured{$_} } @{ $index->{tests} };
    die "$title needs the test " . _shown($lacking) . ", which has no score\n" if defined $lacking;
    die "$title has no tests\n" if !@{ $index->{tests} };
    _check_estimate($index->{estimate} // {}) if !$index->{lacking};
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

sub _check_times {
    my ($run) = @_;
    die "a run ends before it begins\n" if $run->{ended} < $run->{started} - CLOCK_BACK_S && !$run->{clock_set_s};
    return;
}

# Takes a test; dies with one line if its values contradict each other.
sub _test_makes_sense {
    my ($test) = @_;
    my @passes = @{ $test->{passes} };
    my $number = 0;
    for my $pass (@passes) {
        die "$test->{name}: the passes are out of order\n" if $pass->{number} != ++$number;
        die "$test->{name}: $@" if !eval { _pass_makes_sense($pass); 1 };
    }
    my $is_good = @passes && !grep { defined $_->{error} } @passes;
    my $wanted  = is_measured($test) ? @MEASURED : 0;
    die "$test->{name}: its status and its score contradict each other\n"
        if _known($test, @MEASURED) != $wanted || $wanted && !$is_good;
    for my $key (grep { $test->{$_} } keys %$VALUES) {
        die "$test->{name}: $@" if !eval { loaded($VALUES->{$key})->check($test->{$key}); 1 };
    }
    return;
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

# Takes a place, the value there, the value that it should be, and words for the source of that; dies if they differ.
# Another computer may round the last digits in another way.
sub _agree {
    my ($where, $given, $made, $source) = @_;
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
    return defined $data ? substr clean($data), 0, SHOWN_MAX : 'missing';
}

# Takes an index of a run, and { the name of each measured test => 1 }; dies with one line if its values contradict each
# other.
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

# Takes a test or an index of a summary; dies with one line unless it has enough quiet passes where it says so.
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
