package UnixBench::Exports::CSV;

# The tests of results as CSV, for spreadsheets and databases: a line for each test and number of copies.

use strict;
use warnings;

use UnixBench::Base::Text        qw(significant);
use UnixBench::Base::Time        qw(iso_date);
use UnixBench::Report::CSV       qw(line);
use UnixBench::Exports::Measures qw(measures shown_host);

my @COLUMNS = qw(host begun test copies score unit index low high passes status);
use constant DIGITS => 6;    # at least; all digits before the point, and one after it, are written anyway

my %IS_TEXT = map { $_ => 1 } qw(host begun test unit status);

# Takes results, see UnixBench::Exports::measures; returns a heading and the lines. What a test does not have is empty.
# Dates have the form of ISO 8601; a text report has no time zone. The interval is that of the score's rate over all
# passes of the run. Each label has a column at the end.
sub render {
    my (@results) = @_;
    my @tests     = grep { $_->{kind} eq 'test' } measures(@results);
    my %is_label  = map  { $_ => 1 } map { keys %{ $_->{summary}{labels} || {} } } @results;
    my @labels    = sort keys %is_label;
    return join q{}, line(@COLUMNS, map { "label_$_" } @labels), map { _line_of($_, @labels) } @tests;
}

sub _line_of {
    my ($test, @labels) = @_;
    my $result = $test->{result};
    my %field  = (
        %$test,
        host  => shown_host($result),
        begun => scalar iso_date($result->{summary}{date} // q{}),
        test  => $test->{name}
    );
    my %label = %{ $result->{summary}{labels} || {} };
    return line((map { _field($field{$_}, $IS_TEXT{$_}) } @COLUMNS), @label{@labels});
}

sub _field {
    my ($value, $is_text) = @_;
    return q{} if !defined $value;
    return $is_text ? $value : _number($value);
}

# Takes a number, at least 0; returns it without an exponent, and without zeros at its end.
sub _number {
    my ($value) = @_;
    my $text    = $value < 10**(DIGITS - 1) ? significant($value, DIGITS) : sprintf '%.1f', $value;
    return $text =~ /[.]/ ? $text =~ s/[.]?0+\z//r : $text;
}

1;
