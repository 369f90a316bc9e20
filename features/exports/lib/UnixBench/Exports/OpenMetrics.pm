package UnixBench::Exports::OpenMetrics;

# OpenMetrics text for the textfile collector of Prometheus' node_exporter: https://prometheus.io/docs/specs/om/
# Samples have no times, because that collector refuses them: the time of the run is a metric of its own.

use strict;
use warnings;

use UnixBench::Base::Text        qw(clean full_precision);
use UnixBench::Exports::Measures qw(copies_word measures name_of_host procedure_word);

my %BOUND = (value => 'estimate', low => 'lower', high => 'upper');
my %TRUST = (good  => 3, fair => 2, poor => 1, incomplete => 0);

# The metrics, sorted by name: [name, help, function that takes all results and returns [value, label => text, ...] for
# each sample].
my @METRICS = (
    [cycles_per_loop           => 'Cycles of a loop of a test, in user mode and in the kernel.', \&_cycles],
    [disturbed_by_limit_ratio  => 'Part of the passes that steal or a quota disturbed.',         _part('limited')],
    [disturbed_by_load_ratio   => 'Part of the passes that other load disturbed.',               _part('loaded')],
    [index                     => 'Index over all passes, with its 95 % interval.',              \&_indexes],
    [rate                      => 'Rate of a test over all passes, in its unit.',                \&_rates],
    [run_end_timestamp_seconds => 'When the run ended, in seconds since 1970.',                  \&_ends],
    [run_info                  => 'Version and procedure of the run.',                           \&_infos],
    [trust   => '3 good, 2 fair, 1 poor, 0 incomplete.', _of_trust(sub { $TRUST{ $_[0]{level} // q{} } })],
    [verdict => '1 for the verdict on a requirement, 0 for the others.', \&_verdicts],
);

# Takes results, see UnixBench::Exports::measures; returns the text. A metric without samples is left out.
sub render {
    my (@results) = @_;
    return join q{}, map({ _metric(@$_, @results) } @METRICS), "# EOF\n";
}

sub _metric {
    my ($short, $help, $samples_of, @results) = @_;
    my $name    = "unixbench_$short";
    my @samples = map { _sample($name, @$_) } $samples_of->(@results) or return;
    return ("# HELP $name $help\n", "# TYPE $name gauge\n", @samples);
}

sub _sample {
    my ($name, $value, @labels) = @_;
    my @pairs;
    while (my ($label, $text) = splice @labels, 0, 2) {
        push @pairs, $label . q{="} . (clean($text) =~ s/(["\\])/\\$1/gr) . q{"};
    }
    my $labels = @pairs ? '{' . join(q{,}, @pairs) . '}' : q{};
    return "$name$labels " . full_precision($value) . "\n";
}

sub _indexes {
    my (@results) = @_;
    my @samples;
    for my $index (grep { $_->{kind} eq 'index' } measures(@results)) {
        my @labels = (_host($index->{host}), category => $index->{name}, copies => copies_word($index));
        push @samples,
            map { [$index->{$_}, @labels, bound => $BOUND{$_}] } grep { defined $index->{$_} } qw(value low high);
    }
    return @samples;
}

sub _rates {
    my (@results) = @_;
    my @tests = grep { $_->{kind} eq 'test' && defined $_->{value} } measures(@results);
    return
        map { [$_->{value}, _host($_->{host}), test => $_->{name}, copies => copies_word($_), unit => $_->{unit}] }
        @tests;
}

sub _cycles {
    my (@results) = @_;
    my @samples;
    for my $test (grep { $_->{cycles} } measures(@results)) {
        my @labels = (_host($test->{host}), test => $test->{name}, copies => copies_word($test));
        push @samples, map { [$test->{cycles}{$_}, @labels, mode => $_] } qw(user kernel);
    }
    return @samples;
}

# Takes a function that takes the trust of a result; returns the function for its samples. An unknown figure has none.
sub _of_trust {
    my ($figure_of) = @_;
    return sub {
        my (@results) = @_;
        my @figures   = map { [$figure_of->($_->{summary}{trust} || {}), _host_among($_, @results)] } @results;
        return grep { defined $_->[0] } @figures;
    };
}

sub _part {
    my ($key) = @_;
    return _of_trust(sub {
        my ($trust) = @_;
        return $trust->{passes} && defined $trust->{$key} ? $trust->{$key} / $trust->{passes} : undef;
    });
}

sub _verdicts {
    my (@results) = @_;
    my (@samples, %seen);
    for my $case (grep { $_->{kind} eq 'requirement' } measures(@results)) {
        my @labels = (
            _host($case->{host}),
            requirement => $case->{title},
            defined $case->{copies} ? (copies => $case->{copies}) : ()
        );
        my $verdict = $case->{is_open} ? 'inconclusive' : $case->{verdict};
        next if $seen{"@labels"}++;
        push @samples, map { [$_ eq $verdict ? 1 : 0, @labels, verdict => $_] } qw(fail inconclusive pass);
    }
    return @samples;
}

sub _ends {
    my (@results) = @_;
    my @ended     = grep { defined $_->{summary}{ended} } @results;
    return map { [$_->{summary}{ended}, _host_among($_, @results)] } @ended;
}

sub _infos {
    my (@results) = @_;
    return
        map { [1, _host_among($_, @results), version => $_->{summary}{version}, procedure => procedure_word($_)] }
        @results;
}

sub _host_among {
    my ($result, @results) = @_;
    return _host(name_of_host($result, @results));
}

sub _host {
    my ($host) = @_;
    return defined $host ? (host => $host) : ();
}

1;
