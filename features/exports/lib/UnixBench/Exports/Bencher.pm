package UnixBench::Exports::Bencher;

# The Bencher Metric Format: https://bencher.dev/docs/reference/bencher-metric-format/

use strict;
use warnings;

use UnixBench::Base::JSON        ();
use UnixBench::Base::Number      qw(full_precision);
use UnixBench::Exports::Measures qw(are_named copies_word measures quality shown_host);

my %MEASURE_OF = (index  => 'index',        test         => 'throughput');
my %REPEAT     = (repeat => 'repeat_ratio', repeat_known => 'repeat_known');
my %QUALITY    = (
    trust     => 'trust',
    disturbed => 'disturbed_ratio',
    loaded    => 'disturbed_by_load_ratio',
    limited   => 'disturbed_by_limit_ratio',
);
my %KEY = (value => 'value', low => 'lower_value', high => 'upper_value');

# Takes results, see UnixBench::Exports::measures; returns a JSON object with a line for each index and each test
# that has a value, and one for how far the result can be trusted.
sub render {
    my (@results) = @_;
    my @known     = grep { $MEASURE_OF{ $_->{kind} } && defined $_->{value} } measures(@results);
    my @lines     = map  { UnixBench::Base::JSON::encode(_name($_)) . q{:} . _benchmark($_) } @known;
    push @lines, map { _quality($_, @results) } @results;
    return "{\n" . join(",\n", sort @lines) . "\n}\n";
}

# Takes a result and all results; returns the line of its quality, or nothing if that is unknown.
sub _quality {
    my ($result, @results) = @_;
    my $quality = quality($result);
    my %measure = _values($quality, \%QUALITY) or return;
    my $name    = join q{/}, are_named(@results) ? shown_host($result) : (), 'result';
    return UnixBench::Base::JSON::encode($name) . q{:} . UnixBench::Base::JSON::encode(\%measure);
}

# Takes a hash and { key => name }; returns (name => its measure, ...) of the numbers that are known.
sub _values {
    my ($of, $names) = @_;
    return map { $names->{$_} => { value => 0 + full_precision($of->{$_}) } } grep { defined $of->{$_} } keys %$names;
}

# Returns the name of the benchmark, such as "pipe/8".
sub _name {
    my ($measure) = @_;
    return join q{/}, grep({ defined } @$measure{qw(host name)}), copies_word($measure);
}

sub _benchmark {
    my ($measure) = @_;
    my %metric    = map { $KEY{$_} => 0 + full_precision($measure->{$_}) } grep { defined $measure->{$_} } keys %KEY;
    my %repeat    = $measure->{kind} eq 'index' ? _values($measure, \%REPEAT) : ();
    return UnixBench::Base::JSON::encode({ $MEASURE_OF{ $measure->{kind} } => \%metric, %repeat });
}

1;
