package UnixBench::Exports::GithubAction;

# The form "customBiggerIsBetter" of github-action-benchmark:
# https://github.com/benchmark-action/github-action-benchmark

use strict;
use warnings;

use UnixBench::Base::JSON        ();
use UnixBench::Base::Text        qw(clean copies_text);
use UnixBench::Report::Cell      qw(cell cell_text);
use UnixBench::Exports::Measures qw(are_named figure measures procedure_word quality shown_host);

# Other programs know this form, with a blank before the number only.
use constant { PLUS_MINUS => "\xc2\xb1 ", MEDIUM => { blank => q{} } };

# Takes results, see UnixBench::Exports::measures; returns a JSON array with a line for each index and each test
# that has a value, and lines for how far the result can be trusted.
sub render {
    my (@results) = @_;
    my @entries   = map { _entry($_) } grep { $_->{kind} ne 'requirement' && defined $_->{value} } measures(@results);
    push @entries, map { _entries_of_quality($_, @results) } @results;
    return "[\n" . join(",\n", map { UnixBench::Base::JSON::encode($_) } @entries) . "\n]\n";
}

sub _entry {
    my ($measure) = @_;
    my ($host, $low, $high) = @$measure{qw(host low high)};
    my @interval = defined $low ? '95% ' . join q{-}, map { figure($_) } $low, $high : ();
    my @range    = defined $low ? (range => PLUS_MINUS . cell_text(cell(half => $measure), MEDIUM)) : ();
    return {
        name  => (defined $host ? "$host: " : q{}) . "$measure->{title} (" . copies_text($measure->{copies}) . ')',
        unit  => $measure->{unit},
        value => 0 + figure($measure->{value}),
        @range,
        extra => join('; ', @interval, _origin($measure->{result})),
    };
}

# Takes a result and all results; returns the entries of its quality, as far as it is known. Bigger is better, so the
# passes that were not disturbed have one.
sub _entries_of_quality {
    my ($result, @results) = @_;
    my $quality = quality($result);
    my $host    = are_named(@results) ? shown_host($result) . ': ' : q{};
    my @figures = (
        ['Trust', 'level', $quality->{trust}, "$quality->{level}; 3 good, 2 fair, 1 poor, 0 incomplete"],
        [
            'Undisturbed passes',
            '%',
            defined $quality->{disturbed} ? 100 - 100 * $quality->{disturbed} : undef,
            "of $quality->{of} passes"
        ],
    );
    my @entries;
    for my $figure (grep { defined $_->[2] } @figures) {
        my ($name, $unit, $value, $extra) = @$figure;
        push @entries, { name => "$host$name", unit => $unit, value => 0 + sprintf('%.1f', $value), extra => $extra };
    }
    return @entries;
}

# Returns the version and the procedure.
sub _origin {
    my ($result) = @_;
    my $version = $result->{summary}{version};
    return join q{ }, (defined $version ? clean($version) : ()), procedure_word($result);
}

1;
