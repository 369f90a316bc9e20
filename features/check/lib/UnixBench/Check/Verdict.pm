package UnixBench::Check::Verdict;

# The verdict on a result, as a block of a verdict file.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Accept::Verdict    qw(cause_of reason_of);
use UnixBench::Base::Text         qw(counted fixed);
use UnixBench::Check::VerdictFile ();
use UnixBench::Summary            qw(ended);
use UnixBench::Summary::Cases     ();

our @EXPORT_OK = qw(indexes_of);

# The verdicts that are not a pass, the worst one first, and their states. A test that was not measured tells nothing
# about the machine.
my @BAD = ([FAIL => 'fail'], [ERROR => 'unknown'], [INCONCLUSIVE => 'inconclusive']);

my %INDEX_NAME = (system => 'index', '2d' => '2d-index', '3d' => '3d-index');

# Takes the view of a result, or [views] of several that are judged together, and the cases. Returns the text of the
# verdict file. A result that was interrupted never passes.
sub render {
    my ($given, @cases) = @_;
    my @results = map { $_->summary } ref $given eq 'ARRAY' ? @$given : $given;
    my ($newest) = sort { (ended($b) // 0) <=> (ended($a) // 0) } @results;
    return UnixBench::Check::VerdictFile::text({
        host    => $newest->{name} // 'unknown',
        ended   => int(ended($newest) // time),
        indexes => [map { indexes_of($_) } @{ $newest->{runs} }],
        _state((map { _interruption($_) } @results), @cases),
    });
}

sub _interruption {
    my ($summary)    = @_;
    my $interruption = $summary->{procedure}{interruption} or return;
    my $signal       = $interruption->{signal};
    return UnixBench::Summary::Cases::doubt(
        defined $signal ? "the run was interrupted by SIG$signal" : $interruption->{problem});
}

# Returns state, reason, and cause of a block: what other hosts with the same reason have in common with this one.
sub _state {
    my (@cases) = @_;
    for my $bad (@BAD) {
        my ($verdict, $state) = @$bad;
        my @found = grep { $_->{verdict} eq $verdict } @cases or next;
        return (state => $state, reason => reason_of(@found), cause => cause_of(@found));
    }
    my @met = grep { $_->{kind} eq 'requirement' } @cases
        or return (state => 'unknown', reason => 'there is no requirement');
    my $by = $met[0]{results} ? " by $met[0]{results} runs" : q{};
    return (state => 'pass', reason => counted(scalar @met, 'requirement is', 'requirements are') . " met$by");
}

# Takes a run of a summary; returns [name, value] for each of its complete indexes. There is none if a
# text report does not say the number of copies.
sub indexes_of {
    my ($run) = @_;
    return if !defined $run->{copies};
    return map { ["$INDEX_NAME{$_->{category}}_$run->{copies}", fixed($_->{index})] }
        grep { $_->{complete} && defined $_->{index} && $INDEX_NAME{ $_->{category} } } @{ $run->{indexes} };
}

1;
