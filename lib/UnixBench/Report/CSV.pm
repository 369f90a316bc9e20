package UnixBench::Report::CSV;

# The scores of a result as CSV, a line for each run.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Number qw(fixed);
use UnixBench::Base::Result qw(is_measured titles);
use UnixBench::Base::Text   qw(clean);

our @EXPORT_OK = qw(harmless line);

# Takes a view; returns a heading and one line for each run: the number of copies, then the score of each test, empty if
# there is none.
sub render {
    my ($view)  = @_;
    my @titles  = titles($view->result);
    my @records = map { _record($_, @titles) } $view->runs;
    return join '', map { line(@{$_}) } ['Concurrency', map { harmless(clean($_)) } @titles], @records;
}

sub _record {
    my ($run, @titles) = @_;
    my %score = map { $_->{title} => fixed($_->{score}) } grep { is_measured($_) } @{ $run->{tests} };
    return [$run->{copies}, map { defined $score{$_} ? $score{$_} : '' } @titles];
}

# Takes fields; returns them as a line.
sub line {
    my (@fields) = @_;
    return join(',', map { _quoted($_) } @fields) . "\n";
}

# Takes a text; adds an apostrophe if a spreadsheet would take it for a formula, which may start a program.
sub harmless {
    my ($text) = @_;
    return $text =~ /\A[=+\-@\t\r]/ ? "'$text" : $text;
}

# Takes a field; returns it quoted as in RFC 4180, section 2.
sub _quoted {
    my ($field) = @_;
    return $field if $field !~ /[",\r\n]/;
    $field =~ s/"/""/g;
    return qq{"$field"};
}

1;
