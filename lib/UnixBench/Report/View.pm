package UnixBench::Report::View;

# The view of a result for reports. It computes each value that several reports need, once, on the first request.
# Reports and topics compute nothing.

use strict;
use warnings;

use UnixBench::Base::Arguments     qw(named);
use UnixBench::Base::Result        qw(is_measured tests_by_title unmeasured);
use UnixBench::Compare::Published  ();
use UnixBench::Features            qw(loaded);
use UnixBench::Noise::Disturbances ();
use UnixBench::Score::Estimate     ();
use UnixBench::Score::Scaling      ();
use UnixBench::Score::Score        ();
use UnixBench::Score::Spread       ();
use UnixBench::Store::Summary      ();
use UnixBench::Warnings::All       ();
use UnixBench::Warnings::Passes    ();
use UnixBench::Warnings::Trust     ();
use UnixBench::Warnings::Wording   ();

# What features compute for runs and for results.
my ($OF_RUNS, $OF_RESULTS) = map { UnixBench::Features::merged($_) } qw(of_runs of_results);

# Takes result, which must not change any more, and perhaps published, a list of published results (see
# UnixBench::Compare::Published).
sub new {
    my ($class, @given) = @_;
    return bless { published => [], %{ named(\@given, qw(result published)) }, known => {} }, $class;
}

# Takes a key and a function; returns the function's value. The function is called the first time only. The key has the
# name of the value and its object.
sub once {
    my ($self, $key, $of) = @_;
    $self->{known}{$key} = $of->() if !exists $self->{known}{$key};
    return $self->{known}{$key};
}

# Returns the result.
sub result { my ($self) = @_; return $self->{result} }

# Returns the runs, a list. All subs below that take a run take one of these.
sub runs { my ($self) = @_; return @{ $self->{result}{runs} } }

# Takes a run; returns its tests in the order of reports.
sub tests {
    my ($self, $run) = @_;
    return @{ $self->once("tests $run", sub { [tests_by_title($run->{tests})] }) };
}

# Takes a run; returns its tests with a score, in the same order.
sub measured {
    my ($self, $run) = @_;
    return grep { is_measured($_) } $self->tests($run);
}

# Takes a run and a test of it; returns the test's spread, see UnixBench::Score::Spread, or undef without a score.
sub spread {
    my ($self, $run, $test) = @_;
    return $self->spreads($run)->{ $test->{name} };
}

# Takes a run; returns { name => spread } of its measured tests.
sub spreads {
    my ($self, $run) = @_;
    return $self->once("spreads $run", sub { UnixBench::Score::Spread::of_run($run) });
}

# Takes a run and one of its indexes; returns { estimate, undisturbed } of this index, see UnixBench::Score::Spread.
sub of_index {
    my ($self, $run, $index) = @_;
    return $self->once("index $index", sub { UnixBench::Score::Spread::of_index($index, $run) });
}

# Takes a run and one of its indexes; returns the profile of the index, from all passes:
#   estimate  the estimate of the index
#   tests     [{ name, title, estimate (of its index), cv (or undef), is_noisy,
#               band => [low, high] of the indexes of most published machines, or undef,
#               modes => [{ index, share }, ...] or undef,
#               passes => [{ number, index, is_disturbed }, ...] }, ...], the strongest first
sub profile {
    my ($self, $run, $index) = @_;
    return $self->once("profile $index", sub { $self->_profile($run, $index) });
}

sub _profile {
    my ($self, $run, $index) = @_;
    my %test  = map { $_->{name} => $_ } @{ $run->{tests} };
    my @tests = map { $self->_of_row($run, $test{ $_->{name} }, 10 / $_->{baseline}) }
        grep { defined $_->{baseline} } @{ $index->{rows} };
    @tests = sort { $b->{estimate}{value} <=> $a->{estimate}{value} || $a->{title} cmp $b->{title} } @tests;
    return { estimate => $self->of_index($run, $index)->{estimate}, tests => \@tests };
}

sub _of_row {
    my ($self, $run, $test, $factor) = @_;
    my $spread = $self->spread($run, $test);
    my @passes =
        map { +{ number => $_->{number}, index => $self->rate($_) * $factor, is_disturbed => $self->is_disturbed($_) } }
        @{ $test->{passes} };
    return {
        name     => $test->{name},
        title    => $test->{title},
        estimate => UnixBench::Score::Estimate::multiple($spread->{estimate}, $factor),
        cv       => $spread->{cv},
        is_noisy => $self->is_noisy($run, $test),
        band     => scalar $self->band($run, $test->{name}, 10 / $factor),
        modes    => $spread->{modes}
            && [map { +{ index => $_->{rate} * $factor, share => $_->{share} } } @{ $spread->{modes} }],
        passes => \@passes,
    };
}

# Returns all values on the axis of indexes: those of all runs, so that their pictures have one scale.
sub indexes_on_axis {
    my ($self) = @_;
    return @{
        $self->once(
            axis => sub {
                [map { $self->_on_axis($_) } $self->runs]
            }
        )
    };
}

sub _on_axis {
    my ($self, $run) = @_;
    my @profiles = map { $self->profile($run, $_) } @{ $run->{indexes} };
    my @tests    = map { @{ $_->{tests} } } @profiles;
    return (
        (
            map {
                grep { defined }
                    @{ $_->{estimate} }{qw(value low high)}
            } @profiles,
            @tests
        ),
        (map { @{ $_->{band} || [] } } @tests),
        (map { $_->{index} } map { @{ $_->{passes} } } @tests),
    );
}

# Takes a run; returns the values of its tests, in the order of reports. Each is the spread of a test (see
# UnixBench::Score::Spread) with
#   name, title, unit, time_s, samples  those of the test
#   score, baseline, classic  the classic score, the baseline, and the classic index
#   value, index              the score of all passes, and the index from it
#   untrimmed                 the same score of an official run, whose classic score leaves out passes
#   lowest, highest           how far the lowest and the highest rate are from the score, if there are several passes
#   is_noisy                  whether the passes vary by more than 5 %
#   reason                    why the test was not measured: then it has only a name and a title
sub rows {
    my ($self, $run) = @_;
    return @{
        $self->once(
            "rows $run",
            sub {
                my %row_of = map { $_->{name} => $_ } map { @{ $_->{rows} } } @{ $run->{indexes} };
                return [map { $self->_values($run, $_, $row_of{ $_->{name} } || {}) } $self->tests($run)];
            }
        )
    };
}

sub _values {
    my ($self, $run, $test, $row) = @_;
    my %named  = map { $_ => $test->{$_} } qw(name title);
    my $spread = $self->spread($run, $test) or return { %named, reason => unmeasured($test) };
    my ($value, $baseline) = ($spread->{estimate}{value}, $row->{baseline});
    return {
        %$spread, %named,
        (map { $_ => $test->{$_} } qw(unit time_s samples score)),
        baseline  => $baseline,
        classic   => $row->{index},
        value     => $value,
        untrimmed => defined $run->{rounds} ? undef                   : $value,
        index     => defined $baseline      ? 10 * $value / $baseline : undef,
        is_noisy  => $self->is_noisy($run, $test),
        $spread->{passes} < 2
        ? ()
        : (lowest => $spread->{min} / $value - 1, highest => $spread->{max} / $value - 1),
    };
}

# Takes a run and a test of it; returns whether its passes vary by more than 5 %.
sub is_noisy {
    my ($self, $run, $test) = @_;
    my $spread = $self->spread($run, $test) or return 0;
    return ($spread->{cv} // 0) > UnixBench::Warnings::Passes::CV_MOST ? 1 : 0;
}

# Takes a pass; returns its rate.
sub rate { my (undef, $pass) = @_; return UnixBench::Score::Score::rate($pass) }

# Takes a pass; returns whether something disturbed it.
sub is_disturbed { my (undef, $pass) = @_; return UnixBench::Noise::Disturbances::is_disturbed($pass) ? 1 : 0 }

# Takes a run; returns the disturbances of its tests in the order of reports, see
# UnixBench::Noise::Disturbances::of_test.
sub disturbances {
    my ($self, $run) = @_;
    return map { UnixBench::Noise::Disturbances::of_test($_) } $self->tests($run);
}

# Takes the key of a value that a feature computes for each run, and a run; returns the value, or undef.
sub of_run {
    my ($self, $key, $run) = @_;
    return $self->once(
        "$key $run",
        sub {
            my $module = $self->_module(of_runs => $key) // return;
            return scalar $module->can('of_run')->($run);
        }
    );
}

# Takes a run; returns { key => value } of all that features compute for it.
sub all_of_run {
    my ($self, $run) = @_;
    return { map { $_ => $self->of_run($_, $run) } keys %$OF_RUNS };
}

# Returns the scaling over several copies, see UnixBench::Score::Scaling, or undef.
sub scaling {
    my ($self) = @_;
    return $self->once(scaling => sub { scalar UnixBench::Score::Scaling::of($self->{result}) });
}

# Takes the key of a list that a feature computes for the result; returns the list. It is empty if the feature takes no
# part.
sub of_result {
    my ($self, $key) = @_;
    return $self->once(
        "result $key",
        sub {
            my $module = $self->_module(of_results => $key) // return [];
            return scalar $module->can('of_summary')->($self->summary);
        }
    );
}

# Takes a key of declarations, and a key of its values. Returns the package of the module, or undef if its feature takes
# no part.
sub _module {
    my ($self, $of, $key) = @_;
    my $module = UnixBench::Features::merged($of, scalar $self->parts)->{$key};
    return defined $module ? loaded($module) : undef;
}

# Returns the parts of the result, see UnixBench::Base::Result.
sub parts {
    my ($self) = @_;
    return $self->once(parts => sub { UnixBench::Base::Result::parts($self->{result}) });
}

# Takes the parts of a plan; loads what features compute for its result.
sub load {
    my ($parts) = @_;
    loaded($_) for map { values %{ UnixBench::Features::merged($_, $parts) } } qw(of_runs of_results);
    return;
}

# Returns { key => value } of all that features compute for the result.
sub all_of_result {
    my ($self) = @_;
    return { map { $_ => $self->of_result($_) } keys %$OF_RESULTS };
}

# Returns the warnings about the numbers, see UnixBench::Warnings::All, a list.
sub warnings {
    my ($self) = @_;
    return @{ $self->once(warnings => sub { [UnixBench::Warnings::All::of($self->{result})] }) };
}

# Returns the same in words: { seen => [sentence, ...], why, advice }. Warnings with the same reason and advice are one.
sub gathered_warnings {
    my ($self) = @_;
    return @{ $self->once(gathered => sub { [UnixBench::Warnings::Wording::gathered($self->warnings)] }) };
}

# Returns the warnings for the end of a run, see UnixBench::Warnings::Wording::merged.
sub merged_warnings {
    my ($self) = @_;
    return UnixBench::Warnings::Wording::merged($self->warnings);
}

# Returns how far the result can be trusted as a whole, see UnixBench::Warnings::Trust.
sub trust {
    my ($self) = @_;
    return $self->once(trust => sub { UnixBench::Warnings::Trust::of($self->result) });
}

# Returns whether the trust is so poor that numbers are only rough.
sub is_poor { my ($self) = @_; return $self->trust->{level} eq 'poor' ? 1 : 0 }

# Returns the summary of the result, see UnixBench::Store::Summary.
sub summary {
    my ($self) = @_;
    return $self->once(summary => sub { UnixBench::Store::Summary::of($self->result) });
}

# Returns the published results.
sub published { my ($self) = @_; return @{ $self->{published} } }

# Returns the place of the result among published ones, see UnixBench::Compare::Published, or undef if it has none.
sub rank {
    my ($self) = @_;
    return $self->once(rank => sub { scalar UnixBench::Compare::Published::rank($self->summary, $self->published) });
}

# Takes a run and a test of it with an index; returns [low, high], the indexes between which 80 % of the published
# machines lie, or undef if they are unknown. Published scores are of one copy.
sub band {
    my ($self, $run, $name, $baseline) = @_;
    return if $run->{copies} != 1;
    my $bands = $self->once(bands => sub { return { UnixBench::Compare::Published::bands($self->published) } });
    my $band  = $bands->{$name} or return;
    return [map { 10 * $_ / $baseline } @$band];
}

1;
