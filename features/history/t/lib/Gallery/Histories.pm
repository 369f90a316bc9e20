package Gallery::Histories;

# The histories that reports are tested with.

use strict;
use warnings;

use Exporter 'import';

use Machines qw(facts_of hostile worked_summary);
use UnixBench::History::Explained;
use UnixBench::History::Report;
use UnixBench::History::Series;
use UnixBench::Report::Formats;

our @EXPORT_OK = qw(histories history_of many_weeks);

use constant {
    START  => 1_764_554_400,
    WEEK   => 7 * 86_400,
    EFFECT => 0.02,
    NOW    => 2_000_000_000
};    # Mon Dec 1 2025 02:00:00 UTC

# The usual values, and the usual programs.
my %VALUE = (
    pipe     => 1_600_000,
    spawn    => 8000,
    syscall  => 2_400_000,
    execl    => 3117.6,
    context1 => 337_000,
    fstime   => 645_000,
    system   => 1500,
);
my %PROGRAMS = map { $_ => "$_-1" } grep { $_ ne 'system' } keys %VALUE;

# What a copy of a test used before and after another kernel.
my %WORK = (
    old => { rate => 8000, user => 0.1,   per_loop => { faults => 27.2, switches => 2 } },
    new => { rate => 5700, user => 0.075, per_loop => { faults => 41,   switches => 2 } },
);

# Takes the number of a week, and, all optional,
#   name        the name of the host
#   measures    [names of tests, and "system"] (default: pipe, spawn and syscall)
#   copies      [numbers of copies] (default: 1)
#   factor      { name of a measure => times its usual value }
#   facts       { label => text } of the machine
#   work        "new" if the tests need another work (default: "old")
#   word        the word of the run; other keys of the result
#   outline     { keys of the outline to replace }
# Returns the result, with its summary.
sub week_result {
    my ($week, %of) = @_;
    my @measures = @{ $of{measures} || [qw(pipe spawn syscall)] };
    my (%values, %halves);
    for my $copies (@{ $of{copies} || [1] }) {
        for my $name (@measures) {
            my $what = join q{ }, $copies, $name eq 'system' ? 'index' : 'test', $name;
            $values{$what} =
                $copies * ($VALUE{$name} // 100) * _noise($week, $what) * (($of{factor} || {})->{$name} // 1);
            $halves{$what} = 0.01;
        }
    }
    my $name    = $of{name} // 'vm';
    my $started = START + $week * WEEK;
    my %outline = (
        has_passes => 1,
        version    => '8.0.0',
        name       => $name,
        started    => $started,
        cpu        => '2 x AMD EPYC',
        trust      => 'good',
        procedure  => 'official',
        programs   => { map { $_ => $PROGRAMS{$_} // 'x' } @measures },
        values     => \%values,
        halves     => \%halves,
        %{ $of{outline} || {} },
    );
    my %work  = map { $_ => $WORK{ $of{work} // 'old' } } grep { $PROGRAMS{$_} } @measures;
    my %facts = (CPU => $outline{cpu}, Kernel => '6.18.44', %{ $of{facts} || {} });
    my $word  = $of{word} // sprintf 'week-%02d', $week;
    $outline{identity} = { run => $started, name => $outline{name}, is_whole => 1 };
    return {
        path    => "results/$word.html",
        word    => $word,
        outline => \%outline,
        summary => worked_summary(\%work, facts_of(%facts), started => $started),
    };
}

# Returns what a value is multiplied by: numbers around 1 that look like noise, with a standard deviation of 0.6 %, and
# are the same on all machines.
sub _noise {
    my ($week, $what) = @_;
    my $seed = 7919 * (1 + $week) + unpack '%32C*', $what;
    my $sum  = 0;
    for (1 .. 4) {
        $seed = (16_807 * $seed) % 2_147_483_647;
        $sum += $seed / 2_147_483_647 - 0.5;
    }
    return 1 + 0.01 * $sum;
}

# Takes [first week, last week], and what differs; returns a result for each week.
sub many_weeks {
    my ($weeks, %of) = @_;
    return map { week_result($_, %of) } $weeks->[0] .. $weeks->[1];
}

# Takes results; returns their history, explained.
sub history_of {
    my (@results) = @_;
    my $history = UnixBench::History::Series::of(\@results, effect => EFFECT, now => NOW);
    $history->{min_effect} = EFFECT;
    for my $host (@{ $history->{hosts} }) {
        UnixBench::History::Explained::explain($host, $_, sub { $_[0]{summary} }) for @{ $host->{events} };
    }
    return $history;
}

# Another kernel makes processes slower.
my %SLOW = (factor   => { spawn => 0.8 }, work => 'new', facts => { Kernel => '6.19.1' });
my @TWO  = (measures => [qw(pipe spawn)]);

sub _step {
    my $history = history_of(many_weeks([0, 9], @TWO), many_weeks([10, 15], %SLOW, @TWO));
    $history->{hosts}[0]{events}[0]{accepted} = 'mitigations of vmscape';
    return $history;
}

# Changes of most series at one run, a provisional one, poor runs, an outlier, a drift, other programs; and the text
# reports of another host.
sub _eventful {
    my @measures = qw(pipe spawn syscall context1 execl fstime system);
    my %slower   = map { $_ => 0.9 } qw(pipe spawn syscall context1 system);
    my %change   = (work => 'new', facts => { Kernel => '6.19.1', 'Mitigation vmscape' => 'Mitigation: IBPB' });
    my @results;
    for my $week (0 .. 59) {
        my $is_late = $week >= 40;
        my %factor  = ((map { $_ => 1 } @measures), $is_late ? %slower : ());
        $factor{spawn}  *= 0.7 if $week >= 58;
        $factor{fstime} *= 1 - 0.002 * $week;
        $factor{pipe} = 0.6 if $week == 25;
        my %outline = (
            unused   => $week >= 10 && $week <= 12 ? 'poor' : undef,
            programs => { %PROGRAMS, $week >= 30 ? (execl => 'execl-2') : () }
        );
        my %of = (name => 'alpha', measures => \@measures, copies => [1, 4], factor => \%factor, outline => \%outline);
        push @results, week_result($week, %of, $is_late ? %change : ());
    }
    my %text =
        (has_passes => 0, version => '5.1.3', trust => undef, cpu => undef, programs => {}, halves => {});
    return history_of(@results, many_weeks([0, 5], name => 'beta', outline => \%text), $results[7]);
}

# Returns a history with hostile texts of any origin.
sub _hostile {
    my ($name, $word, $measure, $cpu, $fact, $old, $new, $note, $reason) = map { hostile() } 1 .. 9;
    my %usual   = (name => $name, word => $word, measures => ['spawn', $measure], outline => { cpu => $cpu });
    my @facts   = map { [facts => { $fact => $_, Kernel => $_ }] } "old $old", "new $new";
    my $history = history_of(
        many_weeks([0,  9],  %usual, @{ $facts[0] }),
        many_weeks([10, 17], %usual, @{ $facts[1] }, factor => { spawn => 0.8, $measure => 2 }),
        many_weeks([18, 25], %usual, @{ $facts[1] }, factor => { spawn => 0.5, $measure => 2 }),
    );
    push @{ $history->{notes} }, { text => $note };
    $history->{hosts}[0]{events}[0]{accepted} = $reason;
    return $history;
}

# Returns the histories as a list of name => history: nothing changes; an accepted step in one test; many events and two
# hosts; hostile texts; and a single run.
sub histories {
    return (
        flat     => history_of(many_weeks([0, 11], copies => [1, 2])),
        step     => _step(),
        eventful => _eventful(),
        hostile  => _hostile(),
        single   => history_of(week_result(0)),
    );
}

# Returns the pages, each { name, html }.
sub pages {
    my %history = histories();
    return map { _page(@$_) } ((map { [$_ => $history{$_}] } qw(eventful hostile single)), [long => _long()],);
}

# Returns a history of more runs than the charts show, with a step each year.
sub _long {
    my @factors = (1, 0.8, 1.3, 1.2, 0.9);
    return history_of(
        map { many_weeks([52 * $_, 52 * $_ + 51], factor => { spawn => $factors[$_], pipe => 1 + $_ / 10 }) }
            0 .. $#factors);
}

sub _page {
    my ($name, $history) = @_;
    my $report = UnixBench::History::Report::report_of($history);
    return { name => "history-$name", html => UnixBench::Report::Formats::of_blocks(html => $report) };
}

1;
