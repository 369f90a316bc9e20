package UnixBench::Requirements;

# All that is required of a run: read, checked against what the run is asked for, and made into criteria.

use strict;
use warnings;

use UnixBench::Catalog          ();
use UnixBench::Comparison::Kind ();
use UnixBench::Criteria         ();
use UnixBench::ResultFile       ();

# Takes requirements (see UnixBench::Requirement) and what the run is asked for (see UnixBench::Criteria). Dies with one
# line when a file of theirs can't be read, or the run or the file lacks what one of them names.
sub new {
    my ($class, $requirements, $asked) = @_;
    UnixBench::Criteria::check($requirements, $asked);
    my @files    = grep { defined } map { $_->{file} } @$requirements;
    my %summary  = map  { $_ => UnixBench::ResultFile::summary($_) } @files;
    my @criteria = UnixBench::Criteria::of($requirements, $asked, \%summary);
    return bless { asked => $asked, summaries => \%summary, criteria => \@criteria }, $class;
}

# The criteria, see UnixBench::Criteria.
sub criteria { my ($self) = @_; return @{ $self->{criteria} } }

# Takes the summary of the result that they are for, which need not have runs yet; dies with one line when what is
# required comes from one that was measured in another way.
sub check_kind {
    my ($self, $summary) = @_;
    my $baseline = $self->{asked}{baseline};
    my @tests = map { { title => UnixBench::Catalog::test($_)->{title}, baseline => ($baseline->{$_} || {})->{score} } }
        @{ $self->{asked}{tests} };
    my %own = (label => 'this run', summary => { %$summary, runs => [{ tests => \@tests }] });
    for my $file (sort keys %{ $self->{summaries} }) {
        my %other     = (label => $file, summary => $self->{summaries}{$file});
        my @obstacles = UnixBench::Comparison::Kind::obstacles(\%own, \%other) or next;
        die "$file is no measure for this run (--force takes it all the same): " . join('; ', @obstacles) . "\n";
    }
    return;
}

1;
