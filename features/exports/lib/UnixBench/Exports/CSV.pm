package UnixBench::Exports::CSV;

# Tables as CSV, for spreadsheets and databases. That of results has a line for each test and number of copies.

use strict;
use warnings;

use Scalar::Util qw(looks_like_number);

use UnixBench::Base::Text        qw(significant);
use UnixBench::Base::Time        qw(iso_date);
use UnixBench::Report::CSV       qw(line);
use UnixBench::Exports::Measures qw(measures shown_host);

my @COLUMNS = qw(
    host begun test copies score unit index low high passes status cycles_per_loop_user cycles_per_loop_kernel
);
use constant DIGITS => 6;    # at least; all digits before the point, and one after it, are written anyway

# Takes results, see UnixBench::Exports::measures; returns the table of their tests. What a test does not have is empty.
# The interval is that of the score's rate over all passes of the run. Each label has a column at the end.
sub render {
    my (@results) = @_;
    my @tests     = grep { $_->{kind} eq 'test' } measures(@results);
    my %is_label  = map  { ("label_$_" => 1) } map { keys %{ $_->{summary}{labels} || {} } } @results;
    return table([@COLUMNS, sort keys %is_label], map { _row_of($_) } @tests);
}

sub _row_of {
    my ($test) = @_;
    my $result = $test->{result};
    my %labels = %{ $result->{summary}{labels} || {} };
    return {
        %$test,
        host  => shown_host($result),
        begun => scalar iso_date($result->{summary}{date} // q{}),
        test  => $test->{name},
        (map { ("cycles_per_loop_$_" => ($test->{cycles} || {})->{$_}) } qw(user kernel)),
        map { ("label_$_" => $labels{$_}) } keys %labels
    };
}

# Takes [keys of columns], and rows, { key => value } each; returns a heading and the lines. What is unknown is empty.
# Dates have the form of ISO 8601; a text report has no time zone.
sub table {
    my ($columns, @rows) = @_;
    return join q{}, line(@$columns), map { line(map { _field($_) } @$_{@$columns}) } @rows;
}

sub _field {
    my ($value) = @_;
    return !defined $value ? q{} : looks_like_number($value) && $value =~ /\A[0-9.e+-]+\z/ ? _number($value) : $value;
}

# Takes a number; returns it without an exponent, and without zeros at its end.
sub _number {
    my ($value) = @_;
    return q{-} . _number(-$value) if $value < 0;
    my $text = $value < 10**(DIGITS - 1) ? significant($value, DIGITS) : sprintf '%.1f', $value;
    return $text =~ /[.]/ ? $text =~ s/[.]?0+\z//r : $text;
}

1;
