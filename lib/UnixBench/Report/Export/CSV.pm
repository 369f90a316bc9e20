package UnixBench::Report::Export::CSV;

# The tests of results as CSV, for spreadsheets and databases: a line for each test and number of copies.

use strict;
use warnings;

use UnixBench::Base::Number   qw(full_precision);
use UnixBench::Report::CSV    qw(harmless line);
use UnixBench::Report::Export qw(measures shown_host);

my @COLUMNS = qw(host begun test copies score unit index low high passes status);
my %IS_TEXT = map { $_ => 1 } qw(host begun test unit status);

# Takes results, see UnixBench::Report::Export::measures; returns a heading and the lines. What a test does not have is
# empty. The interval is that of the score's rate over all passes.
sub render {
    my (@results) = @_;
    my @tests     = grep { $_->{kind} eq 'test' } measures(@results);
    return join q{}, line(@COLUMNS), map { _line_of($_) } @tests;
}

sub _line_of {
    my ($test) = @_;
    my $result = $test->{result};
    my %field  = (%$test, host => shown_host($result), begun => $result->{summary}{date}, test => $test->{name});
    return line(map { _field($field{$_}, $IS_TEXT{$_}) } @COLUMNS);
}

sub _field {
    my ($value, $is_text) = @_;
    return q{} if !defined $value;
    return $is_text ? harmless($value) : full_precision($value);
}

1;
