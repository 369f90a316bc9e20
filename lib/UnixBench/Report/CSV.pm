package UnixBench::Report::CSV;

# The scores of a result as CSV, a line for each run.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Text   qw(clean fixed);
use UnixBench::Base::Result qw(is_measured titles);

our @EXPORT_OK = qw(line);

# Takes a view; returns a heading and one line for each run: the number of copies, then the score of each test, empty if
# there is none.
sub render {
    my ($view)  = @_;
    my @titles  = titles($view->summary);
    my @records = map { _record($_, @titles) } $view->runs;
    return join '', map { line(@{$_}) } ['Concurrency', @titles], @records;
}

sub _record {
    my ($run, @titles) = @_;
    my %score = map { $_->{title} => fixed($_->{score}) } grep { is_measured($_) } @{ $run->{tests} };
    return [$run->{copies}, map { defined $score{$_} ? $score{$_} : '' } @titles];
}

# Takes fields, texts of any origin; returns them as a line.
sub line {
    my (@fields) = @_;
    return join(',', map { _quoted($_) } @fields) . "\n";
}

# Takes a field; returns it printable, and quoted as in RFC 4180, section 2. If a spreadsheet would take it for a
# formula, which may start a program, it gets an apostrophe.
sub _quoted {
    my ($field) = @_;
    $field = clean($field);
    $field = "'$field" if $field =~ /\A[=+\-@]/ && $field !~ /\A-?[0-9.]+(?:e[-+]?[0-9]+)?\z/;
    return $field if $field !~ /[",]/;
    $field =~ s/"/""/g;
    return qq{"$field"};
}

1;
