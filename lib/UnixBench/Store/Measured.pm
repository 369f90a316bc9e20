package UnixBench::Store::Measured;

# Checks that what was measured makes sense. Each result is checked before it is printed, judged or written, wherever it
# comes from: a run, a resumed run, or the log of another runner. What was read from a file is checked, too. All other
# modules rely on these checks. They compare nothing with a formula, so they say the same in each version.

use strict;
use warnings;

use UnixBench::Base::Result       qw(is_measured);
use UnixBench::Base::ResultSchema ();
use UnixBench::Base::Shape        ();
use UnixBench::Catalog            ();
use UnixBench::Features           ();
use UnixBench::Score              ();

use constant CLOCK_BACK_S => 5;    # the clock of a machine may go back by this in a run without being noticed

my @COUNTED  = qw(count time_s timebase unit);
my @MEASURED = qw(score unit time_s samples dropped kept);

# What is computed for files, by the types that have it. It is computed again when it is read.
my %COMPUTED = (
    run            => [keys %{ UnixBench::Features::merged('of_results') }],
    test           => ['spread'],
    index          => ['estimate'],
    mean_of_others => ['estimate'],
);

my $NUMBER = qr/\A-?[0-9]+(?:[.][0-9]+)?(?:[eE][-+]?[0-9]{1,3})?\z/;

# Takes a result; dies with one line that names the first value that has another kind than
# UnixBench::Base::ResultSchema says, or that makes no sense. Keys that the schema does not have are ignored.
sub check {
    my ($result) = @_;
    my $difference = UnixBench::Base::Shape::misfit($result, shape());
    die "$difference\n" if defined $difference;
    my $kind = $result->{procedure}{kind} // q{};
    for my $run (@{ $result->{runs} }) {
        _check_names($run);
        die "a run ends before it begins\n" if $run->{ended} < $run->{started} - CLOCK_BACK_S && !$run->{clock_set_s};
        die "a run has rounds, but the procedure is not quick\n" if defined $run->{rounds}    && $kind eq 'official';
        die "a run of a quick procedure has no rounds\n" if !defined $run->{rounds}           && $kind eq 'quick';
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

sub _check_names {
    my ($run) = @_;
    my %seen;
    for my $name (map { $_->{name} } @{ $run->{tests} }) {
        die "$name appears twice\n" if $seen{$name}++;
    }
    return;
}

sub _test_makes_sense {
    my ($test) = @_;
    my @passes = @{ $test->{passes} };
    my $number = 0;
    for my $pass (@passes) {
        die "$test->{name}: the passes are out of order\n" if $pass->{number} != ++$number;
        die "$test->{name}: $@" if !eval { check_pass($pass); 1 };
    }
    my $is_good = @passes && !grep { defined $_->{error} } @passes;
    my $wanted  = is_measured($test) ? @MEASURED : 0;
    die "$test->{name}: its status and its score contradict each other\n"
        if _known($test, @MEASURED) != $wanted || $wanted && !$is_good;
    die "$test->{name}: $@" if !eval { UnixBench::Catalog::of_measured(check => $test); 1 };
    return;
}

# Takes a pass; dies with one line unless it has either its counted values or an error, and if these or those of its
# copies make no sense.
sub check_pass {
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
        if !UnixBench::Score::is_sensible(UnixBench::Score::rate($pass));
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

# Dies with one line if the values of an index contradict each other.
sub _index_makes_sense {
    my ($index, $measured) = @_;
    my ($row) = grep { !$measured->{ $_->{name} } } @{ $index->{rows} };
    die "an index has the test $row->{name}, which was not measured\n" if $row;
    die "an index must have either a number or a reason\n"
        if _known($index, qw(index lacking)) != 1 || _known($index, qw(index mean_of_others)) != 1;
    my @baselines = grep { defined } map { $_->{baseline} } @{ $index->{rows} };
    die "an index has no baseline\n" if !@baselines;
    die "a baseline is out of range\n" if grep { !UnixBench::Score::is_sensible($_) } @baselines;
    return;
}

sub _known {
    my ($data, @keys) = @_;
    return scalar grep { defined $data->{$_} } @keys;
}

1;
