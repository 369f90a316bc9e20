package UnixBench::Report::Markdown;

# The tables of a result as Markdown, to be pasted into forums, tickets and the like.

use strict;
use warnings;

use UnixBench::Remarks::Remarks                ();
use UnixBench::Remarks::Wording                qw(ADVICE TRUST gathered);
use UnixBench::Report::Markdown::Blocks        qw(document heading list paragraph quote);
use UnixBench::Report::Markdown::Gain          ();
use UnixBench::Report::Markdown::Interactivity ();
use UnixBench::Report::Markdown::MultiUser     ();
use UnixBench::Report::Markdown::Run           ();
use UnixBench::Report::Markdown::Syscalls      ();
use UnixBench::Report::Markdown::Text          qw(bold inline trusted);
use UnixBench::Report::Wording                 qw(benchmark_title machine_sentence);

# Takes a result; returns its tables as Markdown, with what says how sure they are.
sub render {
    my ($result) = @_;
    return document(
        heading(2, benchmark_title($result)),
        paragraph(machine_sentence($result)),
        quote(map { inline(bold('Note:'), " $_") } @{ $result->{notes} }),
        (map { _run($result, $_) } @{ $result->{runs} }),
        UnixBench::Report::Markdown::Syscalls::not_observed_paragraph($result),
        UnixBench::Report::Markdown::Gain::section($result),
        _remarks($result),
    );
}

sub _run {
    my ($result, $run) = @_;
    my $procedure = $result->{procedure};
    return (
        UnixBench::Report::Markdown::Run::section($procedure, $run),
        UnixBench::Report::Markdown::Interactivity::section($run),
        UnixBench::Report::Markdown::MultiUser::section($procedure, $run),
        UnixBench::Report::Markdown::Syscalls::section($result, $run),
    );
}

sub _remarks {
    my ($result) = @_;
    my @groups   = gathered(UnixBench::Remarks::Remarks::of($result)) or return;
    my @items    = map { inline("@{ $_->{seen} }", trusted(q{ }), bold(ADVICE), " $_->{advice}") } @groups;
    return (paragraph(bold(TRUST)), list(@items));
}

1;
