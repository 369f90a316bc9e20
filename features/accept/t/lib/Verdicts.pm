package Verdicts;

# Results with verdicts, for the tests of their reports.

use strict;
use warnings;

use Exporter 'import';

use Fixture  qw(baseline);
use Outcomes qw(hostile_text outcomes);
use UnixBench::Accept::Acceptance;
use UnixBench::Accept::Requirement;
use UnixBench::Compare::Repeated;
use UnixBench::Plan::Baseline;
use UnixBench::Score::Estimate;
use UnixBench::Store::Summary;

our @EXPORT_OK = qw(judged judged_together verdicts);

# Takes a result, the numbers of copies that were asked for, and { requirement => the value in its file, or undef };
# returns the cases in the order of the requirements.
sub judged {
    my ($result, @required) = @_;
    my $summary = UnixBench::Store::Summary::of($result);
    return UnixBench::Accept::Acceptance::cases($result, $summary, _criteria(@required));
}

# Takes [results of one machine] and the same; returns the cases of all together. The results are named A1, A2 ...
sub judged_together {
    my ($results, @required) = @_;
    my @sides;
    for my $result (@$results) {
        my $summary = UnixBench::Store::Summary::of($result);
        push @sides, { label => 'A' . (1 + @sides), result => $result, summary => $summary };
    }
    my $together = UnixBench::Compare::Repeated::together(@sides);
    return UnixBench::Accept::Acceptance::cases_of_several($together, _criteria(@required));
}

sub _criteria {
    my ($copies, %reference) = @_;
    my @criteria;
    for my $text (sort keys %reference) {
        my $requirement = UnixBench::Accept::Requirement::parse($text);
        my $summary     = _summary($requirement, $copies, $reference{$text});
        my $asked       = { copies => $copies, baseline => UnixBench::Plan::Baseline::parse(baseline()) };
        push @criteria,
            UnixBench::Accept::Requirement::of([$requirement], $asked, { $requirement->{file} // q{} => $summary });
    }
    return @criteria;
}

# Takes a requirement, numbers of copies, and a value or [value, error of its logarithm, degrees of freedom]. Returns
# the summary of a file that has that value for each of these numbers of copies.
sub _summary {
    my ($requirement, $copies, $value) = @_;
    my $estimate = defined $value ? UnixBench::Score::Estimate::around(ref $value ? @$value : ($value, 0, 2)) : undef;
    my %found    = (%$requirement, complete => 1, estimate => $estimate);
    return {
        source => 'UnixBench',
        runs   => [map { { copies => $_, tests => [\%found], indexes => [\%found] } } @$copies]
    };
}

# The numbers of copies that were asked for, and the requirements, of each kind of result in Outcomes.
my $FILE     = hostile_text();
my %REQUIRED = (
    passed  => [[1], 'index>=1500' => undef, 'pipe >= 0.95 * last week.json' => 99_000],
    refused => [
        [1, 4],
        'pipe>=101.5'         => undef,
        '1:syscall>=1'        => undef,
        '1:2d-rects>=1'       => undef,
        '1:spawn>=1'          => undef,
        '1:index>=1'          => undef,
        'pipe >= 1*last.json' => 100,
    ],
    interrupted => [[1, 8], 'pipe>=1' => undef, '8:spawn>=1' => undef],
    skipped     => [[1]],
    hostile     => [[1], "pipe>=1*$FILE" => 9, "pipe>=2*$FILE" => 9e9, "spawn>=1*$FILE" => 1],
);

# Returns [name, result, cases ...] for each kind of result.
sub verdicts {
    my @verdicts;
    for my $outcome (outcomes()) {
        my ($name, $result) = @$outcome;
        push @verdicts, [$name, $result, $REQUIRED{$name} ? judged($result, @{ $REQUIRED{$name} }) : ()];
    }
    return @verdicts;
}

1;
