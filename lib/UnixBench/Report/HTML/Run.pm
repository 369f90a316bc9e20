package UnixBench::Report::HTML::Run;

# One run, as a section of the page.

use strict;
use warnings;

use UnixBench::Base::Format                qw(counted);
use UnixBench::Report::HTML::Interactivity ();
use UnixBench::Report::HTML::MultiUser     ();
use UnixBench::Report::HTML::Spread        ();
use UnixBench::Report::HTML::Tables        ();
use UnixBench::Report::IndexChart          ();
use UnixBench::Report::Page                qw(folded quiet);
use UnixBench::Report::Wording             qw(copies_sentence time_sentence);

# Takes the procedure, a run, what its zone is ahead of UTC in seconds, and its place among the runs; returns the
# section, to which links lead by "#run-" and that place.
sub section {
    my ($procedure, $run, $utc_offset_s, $place) = @_;
    return UnixBench::Report::Page::section(
        { id => "run-$place" },
        counted($run->{copies}, 'parallel copy', 'parallel copies'),
        quiet(time_sentence($run, $utc_offset_s), copies_sentence($run)),
        (map { UnixBench::Report::IndexChart::of_index($run, $_) } @{ $run->{indexes} }),
        UnixBench::Report::HTML::Spread::sentences($procedure, $run),
        UnixBench::Report::HTML::Tables::results($run->{tests}),
        (map { UnixBench::Report::HTML::Tables::index_values($_) } @{ $run->{indexes} }),
        UnixBench::Report::HTML::Interactivity::parts($run),
        UnixBench::Report::HTML::MultiUser::parts($procedure, $run),
        folded('Spread of each test', UnixBench::Report::HTML::Spread::tables($run)),
        folded('Every pass',          UnixBench::Report::HTML::Tables::passes($run->{tests})),
    );
}

1;
