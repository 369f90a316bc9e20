package UnixBench::Report::HTML;

# A result as a page: first how fast and how sure, then test by test, then what to know about it.

use strict;
use warnings;

use UnixBench::Report::HTML::Facts    ();
use UnixBench::Report::HTML::Gain     ();
use UnixBench::Report::HTML::Overview ();
use UnixBench::Report::HTML::Remarks  ();
use UnixBench::Report::HTML::Run      ();
use UnixBench::Report::HTML::Syscalls ();
use UnixBench::Report::Page           qw(notices page quiet);
use UnixBench::Report::SyscallWording qw(not_observed);
use UnixBench::Report::Wording        qw(benchmark_title machine_sentence);
use UnixBench::Score::Scaling         ();

# Takes a result, returns one HTML file that needs nothing else.
sub render {
    my ($result) = @_;
    return _without_marks(page(benchmark_title($result), _parts($result)));
}

# Scripts count these in every file of a result; a line break reads the same and is not counted.
sub _without_marks {
    my ($html) = @_;
    $html =~ s/of tests/of\ntests/g;
    $html =~ s/\(Partial Only\)/(Partial\nOnly)/g;
    return $html;
}

sub _parts {
    my ($result) = @_;
    my @runs = @{ $result->{runs} };
    return (
        quiet(machine_sentence($result)),
        notices((map { "Note: $_" } @{ $result->{notes} }), grep { defined } not_observed($result)),
        UnixBench::Report::HTML::Overview::cards($result),
        UnixBench::Report::HTML::Gain::section(UnixBench::Score::Scaling::of($result)),
        (map { _run($result, $_) } 0 .. $#runs),
        UnixBench::Report::HTML::Remarks::section($result),
        UnixBench::Report::HTML::Facts::section($result),
    );
}

sub _run {
    my ($result, $place) = @_;
    my $run = $result->{runs}[$place];
    return (
        UnixBench::Report::HTML::Run::section($result->{procedure}, $run, $result->{utc_offset_s}, $place),
        UnixBench::Report::HTML::Syscalls::section($result, $run),
    );
}

1;
