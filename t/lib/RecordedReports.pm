package RecordedReports;

# Reports of a feature's results, compared with recorded ones: see Golden.

use strict;
use warnings;

use Exporter 'import';

use Golden                 qw(is_golden);
use Rendered               qw(rendered);
use UnixBench::Report::Log ();

our @EXPORT_OK = qw(are_recorded);

# The suffix of each report, and how it is made.
my %REPORTS = (
    text    => ['txt',         sub { rendered(text    => @_) }],
    csv     => ['csv',         sub { rendered(csv     => @_) }],
    details => ['details.txt', sub { rendered(details => @_) }],
    json    => ['json',        sub { rendered(json    => @_) }],
    log     => ['log',         \&short_log],
);

# Takes a case, { name, result }, and the names of reports; tests that each is as recorded.
sub are_recorded {
    my ($case, @reports) = @_;
    for my $report (@reports) {
        my ($suffix, $make) = @{ $REPORTS{$report} };
        is_golden("$case->{name}.$suffix", $make->($case->{result}));
    }
    return;
}

# Takes a result; returns its log with the facts of each copy in one line, which is easier to read.
sub short_log {
    my ($result) = @_;
    return UnixBench::Report::Log::render($result) =~ s/\n(?=# )/  /gr;
}

1;
