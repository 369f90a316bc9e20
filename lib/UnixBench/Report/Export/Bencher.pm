package UnixBench::Report::Export::Bencher;

# The Bencher Metric Format: https://bencher.dev/docs/reference/bencher-metric-format/

use strict;
use warnings;

use UnixBench::Base::JSON     ();
use UnixBench::Base::Number   qw(full_precision);
use UnixBench::Report::Export qw(measures);

my %MEASURE_OF = (index => 'index', test => 'throughput');
my %KEY        = (value => 'value', low  => 'lower_value', high => 'upper_value');

# Takes results, see UnixBench::Report::Export::measures; returns a JSON object with a line for each index and each test
# that has a value.
sub render {
    my (@results) = @_;
    my @known     = grep { $MEASURE_OF{ $_->{kind} } && defined $_->{value} } measures(@results);
    my @lines     = map  { UnixBench::Base::JSON::encode(_name($_)) . q{:} . _benchmark($_) } @known;
    return "{\n" . join(",\n", sort @lines) . "\n}\n";
}

# Returns the name of the benchmark, such as "pipe/8".
sub _name {
    my ($measure) = @_;
    return join q{/}, grep { defined } @$measure{qw(host name copies)};
}

sub _benchmark {
    my ($measure) = @_;
    my %metric = map { $KEY{$_} => 0 + full_precision($measure->{$_}) } grep { defined $measure->{$_} } keys %KEY;
    return UnixBench::Base::JSON::encode({ $MEASURE_OF{ $measure->{kind} } => \%metric });
}

1;
