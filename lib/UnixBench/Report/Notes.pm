package UnixBench::Report::Notes;

# The notes of a result: sentences that say how its scores came about. Only this module makes them.

use strict;
use warnings;

use UnixBench::Base::Result    ();
use UnixBench::Base::Time      qw(duration_in_brief);
use UnixBench::Catalog         ();
use UnixBench::Features        ();
use UnixBench::Warnings::Trust ();

use constant {
    QUICK     => 'Quick run: estimate, not an official result',
    TURNS     => 'states measured in turns; the time of a pass is that of the work, as the program reports it',
    SCRIPT    => ', a shell script: each program reports the time of its work',
    UNWATCHED => '; disturbances were not watched',
    NOT_SEEN  => 'other load was not watched: /proc shows no CPU times',
    UNGATED   => 'copies started one after the other: there were no pipes for them',
    NO_GATE   => 'this command closes the start gate: copies do not start together, and short passes take 2 s',
    PORTABLE  => 'portable build: scores differ from those of a native build',
};

# The words for each kind of change of the procedure, see UnixBench::Base::Result. A feature may have better ones.
my %CHANGE = (
    time_factor => sub { sprintf 'passes and pauses shortened to %g of their length', $_[0]{factor} },
    work_factor => sub { "MULTI_SH_WORK_FACTOR is $_[0]{factor}" },
    baseline    => sub { 'index.base is edited' },
    load        => sub { _of_feature($_[0]) // 'another load of users' },
    replacement => sub { "$_[0]{by} instead of $_[0]{name}" },
);

# Takes a result; returns its notes, in the order of reports.
sub of {
    my ($result)  = @_;
    my $procedure = $result->{procedure};
    my $build     = $result->{build} || {};
    my $is_static = ($build->{ldflags} // q{}) =~ /(?:\A| )-static(?: |\z)/;
    my ($signal, $problem) = @{ $procedure->{interruption} || {} }{qw(signal problem)};
    my @changes    = UnixBench::Base::Result::changes($procedure);
    my @tests      = map  { @{ $_->{tests} } } @{ $result->{runs} };
    my @shortfalls = grep { defined } map { scalar UnixBench::Catalog::shortfall($_) } @tests;
    return (
        of_kind($procedure),
        _of_runner($procedure->{runner}, UnixBench::Warnings::Trust::is_watched($result)),
        _of_turns($procedure->{turns}, $result->{runs}),
        ($build->{portable} ? PORTABLE                     : ()),
        ($is_static         ? 'statically linked programs' : ()),
        (@changes           ? of_changes(@changes)         : ()),
        @{ $procedure->{resumptions} || [] } ? 'resumed' : (),
        (map { "multi-user load: $_" } @shortfalls),
        (defined $signal  ? "interrupted by SIG$signal" : ()),
        (defined $problem ? "interrupted: $problem"     : ()),
    );
}

# Takes a result or its summary; returns its notes for a report that names the kind of its procedure anyway: without
# the one that says only that.
sub beyond_kind {
    my ($result) = @_;
    return grep { $_ ne QUICK } @{ $result->{notes} };
}

# Takes a procedure; returns the notes on its kind, its pace and its display.
sub of_kind {
    my ($procedure) = @_;
    my ($over, $display) = ($procedure->{over}, $procedure->{display} // 'given');
    return (
        ($procedure->{kind} // q{}) eq 'quick' ? QUICK                                                      : (),
        $over                                  ? 'rounds spread over ' . duration_in_brief($over->{over_s}) : (),
        $display eq 'given'                    ? () : "$display display",
    );
}

sub _of_runner {
    my ($runner, $is_watched) = @_;
    return $is_watched ? () : NOT_SEEN if !$runner;
    return ("measured by $runner->{name}" . SCRIPT . ($is_watched ? q{} : UNWATCHED),
        $runner->{is_gated} ? () : UNGATED);
}

sub _of_turns {
    my ($turns, $runs) = @_;
    return if !$turns;
    my $command = $turns->{state} ? $turns->{commands}[$turns->{state} - 1] : $turns->{off};
    return (TURNS, "every copy ran after $command") if defined $turns->{off};
    return TURNS if !$turns->{state};
    my $said = UnixBench::Base::Result::said_in($runs);
    return (
        TURNS,
        "every copy ran under $command",
        UnixBench::Base::Result::lacks_gate($runs) ? NO_GATE                    : (),
        defined $said                              ? "this command said: $said" : ()
    );
}

# Takes changes of the procedure, at least one; returns the note on all of them.
sub of_changes {
    my (@changes) = @_;
    return 'changed procedure: ' . join '; ', map { $CHANGE{ $_->{kind} }->($_) } @changes;
}

sub _of_feature {
    my ($change) = @_;
    my ($words) =
        map { $_->change_in_words($change) }
        values %{ UnixBench::Features::having(of_comparisons => 'change_in_words') };
    return $words;
}

1;
