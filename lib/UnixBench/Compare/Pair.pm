package UnixBench::Compare::Pair;

# A run against another one.

use strict;
use warnings;

use UnixBench::Base::Result     qw(is_measured tests_by_title);
use UnixBench::Compare::Verdict ();
use UnixBench::Score::Estimate  ();
use UnixBench::Score::Score     ();

# Takes two runs of summaries; min_effect, the least difference that matters, a part (0.02); is_quick, whether one of
# them is of a quick run. Returns what the second is compared with the first:
#   tests    [{ name, title, unit, is_trimmed, values => [estimate, estimate], ratio, verdict }, ...] measured in both,
#   lacking  [{ name, title, reasons => [text or undef, ...] }, ...] other tests: why each run has none to compare,
#   indexes  [{ category, title, complete, and the rest as of a test, or why_not }, ...],
#   mean     { ratio, verdict } of the geometric mean of the ratios of all these tests, or undef when there are none.
sub of {
    my ($first, $second, %with) = @_;
    my @tests = map { _with_ratio($_, $with{min_effect}) } _common($first, $second);
    return {
        tests   => \@tests,
        lacking => [_lacking($first, $second)],
        indexes => [map { _with_ratio($_, $with{min_effect}) } _indexes($first, $second)],
        mean    => scalar _mean(\@tests, %with),
    };
}

sub _with_ratio {
    my ($row, $min_effect) = @_;
    return $row if !$row->{values};
    my $ratio = UnixBench::Score::Estimate::ratio(reverse @{ $row->{values} });
    return { %$row, ratio => $ratio, verdict => UnixBench::Compare::Verdict::of($ratio, $min_effect) };
}

# In the order of the reports.
sub _common {
    my ($first, $second) = @_;
    my $others = _by_name($second);
    my @common = grep { is_measured($_) && _is_measured_in($others, $_) } tests_by_title($first->{tests});
    return map { +{ _named($_), unit => $_->{unit}, _values(score => $_, $others->{ $_->{name} }) } } @common;
}

sub _named {
    my ($test) = @_;
    return map { $_ => $test->{$_} } qw(name title);
}

sub _by_name {
    my ($run) = @_;
    return { map { $_->{name} => $_ } @{ $run->{tests} } };
}

# A capacity is no load.
sub _is_measured_in {
    my ($tests, $test) = @_;
    my $other = $tests->{ $test->{name} } or return;
    return is_measured($other) && !_is_other_unit($test, $other);
}

sub _is_other_unit {
    my (@tests) = @_;
    my @units = grep { defined } map { $_->{unit} } @tests;
    return @units == 2 && $units[0] ne $units[1];
}

# Scores without the worst third are never compared with such of all passes: where a side has only the former, so has
# the other, and the interval, which is of all passes, is not known.
sub _values {
    my ($key, @sides) = @_;
    my $is_trimmed = grep { !$_->{estimate} } @sides;
    my @values     = map  { $is_trimmed ? UnixBench::Score::Estimate::known($_->{$key}) : $_->{estimate} } @sides;
    return (is_trimmed => $is_trimmed ? 1 : 0, values => \@values);
}

sub _lacking {
    my (@runs)  = @_;
    my @of_runs = map { _by_name($_) } @runs;
    my %all     = map { %$_ } reverse @of_runs;
    my @tests   = map { +{ _named($_), reasons => _reasons($_->{name}, @of_runs) } } tests_by_title([values %all]);
    return grep { _is_any_defined(@{ $_->{reasons} }) } @tests;
}

sub _reasons {
    my ($name, @of_runs) = @_;
    my @tests   = map { $_->{$name} } @of_runs;
    my @reasons = map { scalar _why_lacking($_) } @tests;
    return \@reasons if _is_any_defined(@reasons) || !_is_other_unit(@tests);
    return [map { "in $_->{unit}" } @tests];
}

sub _is_any_defined {
    my (@values) = @_;
    return scalar grep { defined } @values;
}

sub _why_lacking {
    my ($test) = @_;
    return 'not run' if !$test;
    return if is_measured($test);
    return defined $test->{reason} && length $test->{reason} ? $test->{reason} : $test->{status};
}

sub _indexes {
    my ($first, $second) = @_;
    my %other = map { $_->{title} => $_ } @{ $second->{indexes} };
    my @pairs = map { [$_, delete $other{ $_->{title} }] } @{ $first->{indexes} };
    push @pairs, map { [undef, $_] } grep { $other{ $_->{title} } } @{ $second->{indexes} };
    return map { _index($first, $second, @$_) } @pairs;
}

sub _index {
    my ($first, $second, @indexes) = @_;
    my ($any) = sort { !!$a->{lacking} <=> !!$b->{lacking} } grep { defined } @indexes;
    my %index = map  { $_ => $any->{$_} } qw(category title complete);
    $index{complete} = $any->{lacking}{is_all_asked} if $any->{lacking};
    my $why_not = _why_not($first, $second, @indexes);
    return { %index, defined $why_not ? (why_not => $why_not) : _values(index => @indexes) };
}

# An index is a mean of certain tests against certain baselines.
sub _why_not {
    my ($first, $second, @indexes) = @_;
    my @none = grep { $_ && $_->{lacking} } @indexes;
    return 'a side has none (' . join('; ', map { UnixBench::Score::Score::lacking($_) } @none) . ')' if @none;
    return 'only one side has it' if grep { !defined } @indexes;
    my @tests = map { join "\n", sort @{ $_->{tests} } } @indexes;
    return 'it is of other tests' if $tests[0] ne $tests[1];
    my @of_runs = map { _by_name($_) } $first, $second;
    my @based = grep { defined $of_runs[0]{$_}{baseline} && defined $of_runs[1]{$_}{baseline} } @{ $indexes[0]{tests} };
    return 'its baselines differ' if grep { $of_runs[0]{$_}{baseline} != $of_runs[1]{$_}{baseline} } @based;
    return;
}

# The tests of a round of a quick run are disturbed together, so that their ratios do not tell how sure the mean is.
sub _mean {
    my ($tests, %with) = @_;
    return if !@$tests;
    my $ratio = UnixBench::Score::Estimate::geometric_mean(map { $_->{ratio} } @$tests);
    $ratio = UnixBench::Score::Estimate::known($ratio->{value}) if $with{is_quick};
    return { ratio => $ratio, verdict => UnixBench::Compare::Verdict::of($ratio, $with{min_effect}) };
}

1;
