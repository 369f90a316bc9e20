package Verdicts;

# Cases of requirements on results that are made for a test.

use strict;
use warnings;

use Exporter 'import';

use Fixture   qw(baseline measured run steady_result);
use QuickRun  qw(in_rounds run_of_rounds);
use Requested qw(context);
use UnixBench::Accept::Acceptance;
use UnixBench::Accept::Requirement;
use UnixBench::Compare::Repeated;
use UnixBench::Plan::Baseline;
use UnixBench::Score::Estimate;
use UnixBench::Summary;

our @EXPORT_OK = qw(@RATES case_of certainty judged judged_together of_requirements official outcome quick required);

our @RATES = (1000, 1010, 990, 1005, 995);    # the mean is 1000, and its 95 % interval 9.9 wide

# Returns a quick run in which pipe has these rates in each round.
sub quick { my (@rates) = @_; return run_of_rounds(in_rounds(pipe => @rates)) }

# Returns an official run in which pipe has twice those rates.
sub official { return run(1, measured('pipe', 1, map { 10 * $_ } (@RATES) x 2)) }

# Takes a result, the numbers of copies that were asked for, and { requirement => the value in its file, or its summary,
# or undef }; returns the cases in the order of the requirements.
sub judged {
    my ($result, @required) = @_;
    my $summary = UnixBench::Summary::of($result);
    return UnixBench::Accept::Acceptance::cases($summary, $result, _criteria(@required));
}

# Takes [tests] of a steady run with one copy, or a result, and such a requirement; returns its case.
sub required {
    my ($given, $requirement, $reference) = @_;
    my $result = ref $given eq 'ARRAY' ? steady_result([run(1, @$given)], asked => ['all']) : $given;
    return (of_requirements(judged($result, [1], $requirement => $reference)))[0];
}

# Takes a result, and a requirement without a file; returns its case. Dies if it is refused.
sub case_of {
    my ($result, $text) = @_;
    my $summary     = UnixBench::Summary::of($result);
    my $asked       = UnixBench::Accept::Requirement::request_of($summary, _baseline());
    my $requirement = UnixBench::Accept::Requirement::of_word($text);
    UnixBench::Accept::Requirement::check([$requirement], $asked);
    my @criteria = UnixBench::Accept::Requirement::of([$requirement], $asked, {});
    return (of_requirements(UnixBench::Accept::Acceptance::cases($summary, $result, @criteria)))[0];
}

# Takes cases; returns those of requirements.
sub of_requirements { return grep { $_->{kind} eq 'requirement' } @_ }

# Takes the case of a requirement; returns its verdict and, if there is one, the reason.
sub outcome { my ($case) = @_; return join ': ', grep { defined } @$case{qw(verdict reason)} }

# Takes words, a run and requirements; returns the verdicts, and whether the stop rule takes them for certain.
sub certainty {
    my ($words, $run, @requirements) = @_;
    my $request = context(join q{ }, '-c 1', $words, map { "--require $_" } @requirements);
    my $result  = steady_result([$run], asked => [map { $_->{name} } @{ $run->{tests} }]);
    my @cases =
        of_requirements($request->judge->cases({ summary => UnixBench::Summary::of($result), result => $result }));
    return join q{ }, (map { $_->{verdict} } @cases), $request->judge->is_decided($result, $run) ? 'certain' : 'open';
}

# Takes [results of one machine] and the arguments of judged(); returns the cases of all together. The results are named
# A1, A2 ...
sub judged_together {
    my ($results, @required) = @_;
    my @sides;
    for my $result (@$results) {
        my $summary = UnixBench::Summary::of($result);
        push @sides, { label => 'A' . (1 + @sides), result => $result, summary => $summary };
    }
    my $together = UnixBench::Compare::Repeated::together(@sides);
    return UnixBench::Accept::Acceptance::cases_of_several($together, _criteria(@required));
}

sub _baseline { return UnixBench::Plan::Baseline::parse(baseline()) }

sub _criteria {
    my ($copies, %reference) = @_;
    my $asked = { copies => $copies, baseline => _baseline() };
    my @criteria;
    for my $text (sort keys %reference) {
        my $requirement = UnixBench::Accept::Requirement::of_word($text);
        my $summary     = _summary($requirement, $copies, $reference{$text});
        push @criteria,
            UnixBench::Accept::Requirement::of([$requirement], $asked, { $requirement->{file} // q{} => $summary });
    }
    return @criteria;
}

# Takes a requirement, numbers of copies, and a value or [value, error of its logarithm, degrees of freedom]. Returns
# the summary of a file that has that value for each of these numbers of copies.
sub _summary {
    my ($requirement, $copies, $value) = @_;
    return $value if ref $value eq 'HASH';
    my $estimate = defined $value ? UnixBench::Score::Estimate::around(ref $value ? @$value : ($value, 0, 2)) : undef;
    my %found    = (%$requirement, complete => 1, estimate => $estimate);
    return { has_passes => 1, runs => [map { { copies => $_, tests => [\%found], indexes => [\%found] } } @$copies] };
}

1;
