package UnixBench::Exports::GithubAction;

# The form "customBiggerIsBetter" of github-action-benchmark:
# https://github.com/benchmark-action/github-action-benchmark

use strict;
use warnings;

use UnixBench::Base::JSON        ();
use UnixBench::Base::Text        qw(clean copies_text);
use UnixBench::Report::Cell      qw(cell cell_text);
use UnixBench::Exports::Measures qw(figure measures procedure_word);

# Other programs know this form, with a blank before the number only.
use constant { PLUS_MINUS => "\xc2\xb1 ", MEDIUM => { blank => q{} } };

# Takes results, see UnixBench::Exports::measures; returns a JSON array with a line for each index and each test
# that has a value.
sub render {
    my (@results) = @_;
    my @entries = map { _entry($_) } grep { $_->{kind} ne 'requirement' && defined $_->{value} } measures(@results);
    return "[\n" . join(",\n", map { UnixBench::Base::JSON::encode($_) } @entries) . "\n]\n";
}

sub _entry {
    my ($measure) = @_;
    my ($host, $low, $high, $result) = @$measure{qw(host low high result)};
    my @version  = map { clean($_) } $result->{summary}{version} // ();
    my @interval = defined $low ? '95% ' . join q{-}, map { figure($_) } $low, $high : ();
    my @range    = defined $low ? (range => PLUS_MINUS . cell_text(cell(half => $measure), MEDIUM)) : ();
    return {
        name  => (defined $host ? "$host: " : q{}) . "$measure->{title} (" . copies_text($measure->{copies}) . ')',
        unit  => $measure->{unit},
        value => 0 + figure($measure->{value}),
        @range,
        extra => join('; ', @interval, join q{ }, @version, procedure_word($result)),
    };
}

1;
