package UnixBench::Accept::VerdictBlock;

# The verdict on a result, as a block of a verdict file: UnixBench::Accept::VerdictFile.

use strict;
use warnings;

use Exporter 'import';
use UnixBench::Accept::VerdictFile ();
use UnixBench::Base::Number        qw(fixed);
use UnixBench::Base::Result        qw(end_s offset_at);
use UnixBench::Base::Text          qw(counted);
use UnixBench::Base::Time          qw(iso_time);
use UnixBench::Accept::Verdict     qw(cause_of reason_of);
use UnixBench::Score::Cases        ();

our @EXPORT_OK = qw(indexes_of);

# The verdicts that are not a pass, the worst one first, and their states. A test that was not measured tells nothing
# about the machine.
my @BAD = ([FAIL => 'fail'], [ERROR => 'unknown'], [INCONCLUSIVE => 'inconclusive']);

my %INDEX_NAME = (system => 'index', '2d' => '2d-index', '3d' => '3d-index');

# Takes the view of a result, or [views] of several that are judged together, and the cases, see
# UnixBench::Accept::Acceptance; returns the text of the file.
sub render {
    my ($given, @cases) = @_;
    my @results = map { $_->result } ref $given eq 'ARRAY' ? @$given : $given;
    return UnixBench::Accept::VerdictFile::text(of(\@results, @cases));
}

# Takes [results], one or several that are judged together, and their cases; returns their block, which has time,
# version and indexes of the newest. A result that was interrupted never passes. Without requirements, the state is
# "unknown".
sub of {
    my ($results, @cases) = @_;
    my ($result) = sort { (end_s($b) // 0) <=> (end_s($a) // 0) } @$results;
    my ($state, $reason, $cause) = _verdict((map { _interruption($_) } @$results), @cases);
    my $ended = int(end_s($result) // time);
    return {
        host    => $result->{host}{name},
        state   => $state,
        reason  => $reason,
        cause   => $cause,
        ended   => $ended,
        date    => iso_time($ended, offset_at($result, $ended)),
        version => $result->{version},
        indexes => [map { indexes_of($_) } @{ $result->{runs} }],
    };
}

sub _interruption {
    my ($result)     = @_;
    my $interruption = $result->{procedure}{interruption} or return;
    my $signal       = $interruption->{signal};
    return UnixBench::Score::Cases::doubt(
        defined $signal ? "the run was interrupted by SIG$signal" : $interruption->{problem});
}

# Returns the state, the reason, and what other hosts with the same reason have in common with this one.
sub _verdict {
    my (@cases) = @_;
    for my $bad (@BAD) {
        my ($verdict, $state) = @$bad;
        my @found = grep { $_->{verdict} eq $verdict } @cases or next;
        return ($state, reason_of(@found), cause_of(@found));
    }
    my @met = grep { $_->{kind} eq 'requirement' } @cases or return (unknown => 'there is no requirement');
    my $by  = $met[0]{results} ? " by $met[0]{results} runs" : q{};
    return (pass => counted(scalar @met, 'requirement is', 'requirements are') . " met$by");
}

# Takes a run of a result or of a summary; returns [name, value] for each of its complete indexes.
sub indexes_of {
    my ($run) = @_;
    return map { ["$INDEX_NAME{$_->{category}}_$run->{copies}", fixed($_->{index})] }
        grep { $_->{complete} && defined $_->{index} && $INDEX_NAME{ $_->{category} } } @{ $run->{indexes} };
}

1;
