package UnixBench::Command::Requirements;

# All that is required of a run: read, checked against what the run is asked for, and made into criteria.

use strict;
use warnings;

use UnixBench::Accept::Acceptance ();
use UnixBench::Accept::Criteria   ();
use UnixBench::Base::Format       qw(clean);
use UnixBench::Base::Result       ();
use UnixBench::Catalog            ();
use UnixBench::Compare::Kind      ();
use UnixBench::Store::ResultFile  ();
use UnixBench::Store::Summary     ();

# Takes a survey of what will be measured and, for requirements of a result that is there, that. Dies with one line when
# a file of theirs can't be read, or the run or the file lacks what one of them names.
sub new {
    my ($class, $survey, $result) = @_;
    my $requirements = $survey->{options}{requirements};
    my $asked        = $result ? _of_result($result, $survey->baseline) : _of_run($survey);
    UnixBench::Accept::Criteria::check($requirements, $asked);
    my @files    = grep { defined } map { $_->{file} } @$requirements;
    my %summary  = map  { $_ => UnixBench::Store::ResultFile::summary($_) } @files;
    my @criteria = UnixBench::Accept::Criteria::of($requirements, $asked, \%summary);
    return bless { asked => $asked, summaries => \%summary, criteria => \@criteria }, $class;
}

sub _of_run {
    my ($survey) = @_;
    return { tests => $survey->{options}{tests}, copies => $survey->plan->{copies}, baseline => $survey->baseline };
}

# A test that failed has no place in the result's indexes: that it belongs there, the usual baseline tells.
sub _of_result {
    my ($result, $usual) = @_;
    return {
        is_result => 1,
        tests     => [UnixBench::Base::Result::names($result)],
        copies    => [map { $_->{copies} } @{ $result->{runs} }],
        baseline  => { %$usual, %{ UnixBench::Base::Result::baseline($result) } },
    };
}

# The criteria, see UnixBench::Accept::Criteria.
sub criteria { my ($self) = @_; return @{ $self->{criteria} } }

# Takes the result that they are for and a run of it that is under way; tells whether more passes of that would change
# no verdict: whatever is required of it is met, or missed, for sure. What has no value is not there, and stays so.
sub is_decided {
    my ($self, $result, $run) = @_;
    my $so_far  = { %$result, runs => [$run] };
    my @own     = grep { $_->{copies} == $run->{copies} } $self->criteria or return 1;
    my $summary = UnixBench::Store::Summary::of($so_far);
    my @valued  = grep { defined $_->{value} } UnixBench::Accept::Acceptance::cases($so_far, $summary, @own);
    return !UnixBench::Accept::Acceptance::has_open_requirement(@valued);
}

# Takes the result that they are for, which need not have runs yet; dies with one line when what is required comes from
# one that was measured in another way.
sub check_kind {
    my ($self, $result) = @_;
    my %own = (label => $self->{asked}{is_result} ? 'this result' : 'this run', summary => $self->_summary($result));
    for my $file (sort keys %{ $self->{summaries} }) {
        my %other     = (label => $file, summary => $self->{summaries}{$file});
        my @obstacles = UnixBench::Compare::Kind::obstacles(\%own, \%other) or next;
        die clean($file)
            . " is no measure for $own{label} (--force takes it all the same): "
            . join('; ', @obstacles) . "\n";
    }
    return;
}

# The summary of a result; in that of one without runs there are the tests and their baselines.
sub _summary {
    my ($self, $result) = @_;
    my $summary = UnixBench::Store::Summary::of($result);
    return $summary if @{ $summary->{runs} };
    my $baseline = $self->{asked}{baseline};
    my @tests = map { { title => UnixBench::Catalog::test($_)->{title}, baseline => ($baseline->{$_} || {})->{score} } }
        @{ $self->{asked}{tests} };
    return { %$summary, runs => [{ tests => \@tests }] };
}

1;
