package UnixBench::Report::Topic::Overview;

# The topics around the runs. At the top: the indexes with their intervals, how far they can be trusted, their place
# among published ones, and the machine. Below the runs: the warnings, from what it is known how far the next run may
# be, and all facts about the machine.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Text     qw(copies_text counted);
use UnixBench::Base::Time     qw(iso_time);
use UnixBench::Host::FactList ();
use UnixBench::Noise::Clock   ();
use UnixBench::Report::Block  qw(
    cell column explained facts fold group heading headline in_brief in_detail in_full joined list notices paragraphs
    row screen section strong table
);
use UnixBench::Report::Chart     qw(among strip);
use UnixBench::Report::EndBlock  qw(block_lines place_sentence trust_words);
use UnixBench::Report::Reference qw(sums sure_of words_of);
use UnixBench::Report::Notes     ();
use UnixBench::Report::Title     qw(numbers_of result_titles texts_of_number within);
use UnixBench::Report::Wording   qw(
    clock_words copies_of index_title graphics_texts label_texts machine_in_brief
);
use UnixBench::Score::Repeat     ();
use UnixBench::Score             ();
use UnixBench::Warnings::Wording qw(ADVICE TRUST summed);

use constant { SCORES_MOST  => 3, WIDTH => 72 };    # of a run without an index, and of the block
use constant { NUMBERS_MOST => 4, FIRST => 2 };     # in the headline; of more indexes of a run these and the last one

# Takes a view; returns the headline and the machine. In Markdown, returns the block at the end of a run, and the notes.
# A text report has these, with what made it, in the text, too: there is no classic report above it.
sub before_runs {
    my ($view) = @_;
    my $brief = sub {
        my @notes = map { [strong('Note:'), " $_"] } _notes($view);
        return (screen(block_lines($view, WIDTH, is_named => 1)), notices(@notes));
    };
    my $detail = sub {
        my %titles = result_titles($view);
        return (paragraphs($titles{about}), $brief->());
    };
    my $full = sub {
        my $head     = $view->head;
        my @graphics = map { "Graphics: $_." } graphics_texts($head, $view->runs);
        return (
            headline_of($view),
            paragraphs(
                joined(', ', grep({ length } machine_in_brief($head)), label_texts($head)),
                @graphics, _clock($view)
            )
        );
    };
    return (in_brief($brief), $view->result ? () : in_detail($detail), in_full($full));
}

sub _notes { my ($view) = @_; return UnixBench::Report::Notes::beyond_kind($view->summary) }

sub _clock {
    my ($view) = @_;
    return $view->result && $view->runs ? ['Clock: ', clock_words($view->result), q{.}] : ();
}

# Takes a view; returns the blocks below the runs.
sub of_result { my ($view) = @_; return (_trust($view), _machine($view)) }

sub _machine {
    my ($view) = @_;
    return in_full(sub {
        my @groups = UnixBench::Host::FactList::groups($view->head);
        return section('Machine',
            fold('All facts about machine and set-up', map { facts($_->{title}, @{ $_->{facts} }) } @groups));
    });
}

# Takes a view; returns what is seen first: the numbers, how far they can be trusted, and where they lie among published
# ones. If states were measured in turns, their ratios matter instead of that place.
sub headline_of {
    my ($view)       = @_;
    my @runs         = $view->runs;
    my @numbers      = (_ratios($view), map { _numbers($view, $runs[$_], "run-$_") } $view->chosen_runs(NUMBERS_MOST));
    my $is_of_states = defined $view->head->{experiment};
    splice @numbers, FIRST, @numbers - FIRST - 1 if @numbers > NUMBERS_MOST;
    my $sentence = place_sentence($view->rank);
    my @place =
        $is_of_states
        ? ()
        : (strip_of($view->rank), paragraphs(defined $sentence ? ucfirst "$sentence." : ()));
    return headline(
        numbers => \@numbers,
        blocks  => [
            @place,
            paragraphs(map { ['Trust: ', trust_words($_), q{.}] } grep { defined } $view->trust),
            notices(map { "Note: $_" } _notes($view)),
        ],
    );
}

sub _ratios {
    my ($view) = @_;
    return map {
        +{
            is_known => 1,
            copies   => copies_text($_->{copies}),
            link     => 'turns',
            title    => $_->{brief},
            class    => "verdict $_->{verdict}",
            number   => words_of($_),
            sure     => sure_of($_)
        }
    } sums($view->head->{experiment});
}

sub _numbers {
    my ($view, $run, $link) = @_;
    my %about   = (copies => scalar(copies_of($run)), link => $link);
    my @numbers = numbers_of($view, $run);
    $about{class} = $view->is_poor || grep({ $_->{is_floor} } @numbers) ? 'vague' : undef;
    return { %about, title => 'No index' } if !@numbers || !$numbers[0]{index} && @numbers > SCORES_MOST;
    return map { +{ %about, _titled($_) } } @numbers;
}

# Returns a number with its title. If an index has none, returns the reason and the mean of the other tests.
sub _titled {
    my ($of) = @_;
    my ($index, $test, $number) = @$of{qw(index test number)};
    my %known = (is_known => 1, sure => $of->{sure});
    return (%known, title => $test->{title},      number => [$number, " $test->{unit}"]) if $test;
    return (%known, title => index_title($index), number => $number) if !$index->{lacking};
    my $mean = UnixBench::Score::mean_title($index);
    return (
        title  => "$index->{title} index",
        number => 'none',
        sure   => [UnixBench::Score::lacking($index), '; ', $mean, q{ }, $number],
    );
}

# Takes a rank, or undef; returns the index and the published ones on one axis.
sub strip_of {
    my ($rank) = @_;
    return if !$rank;
    my $is_poor = !$rank->{places};
    my %own     = %{ $rank->{on_axis} };
    my ($text)  = texts_of_number(\%own, 1, $rank->{bounds});
    my $words   = ['this result: ', $text];
    @own{qw(low high)}    = @{ $rank->{reach} } if !$is_poor;
    @own{qw(class words)} = ($is_poor ? 'doubtful' : 'sure', $words);
    return strip(
        axis => 'published indexes of ' . ($rank->{copies} > 1 ? $rank->{words} : 'one copy') . ', and this one',
        among($rank->{among}),
        owns  => [\%own],
        words => [@$words, ' among ', $rank->{of}, ' published ones'],
    );
}

use constant SHOWN_MOST => 30;                    # values of passes in their order
use constant DATE       => length 'YYYY-MM-DD';

# Why runs are assumed to vary as they do.
my %ASSUMED = (
    own     => 'assumed for real machines',
    virtual => 'assumed for virtual machines',
    passes  => 'assumed, since its passes vary',
    days    => 'from day to day assumed',
    spread  => 'by rounds spread over time, from day to day assumed',
);

# Takes a view; returns its warnings, and from what it is known how far the next run may be. A ticket has the warnings
# alone.
sub _trust {
    my ($view)   = @_;
    my @warnings = summed($view->warnings);
    my @blocks   = (
        (map { group(paragraphs($_->{seen}), explained(ADVICE . " $_->{advice}")) } @warnings),
        paragraphs(map { _next_run($view, $_) } $view->runs),
    );
    return (
        in_full(
            section(TRUST, @blocks, fold('Clock and degrees of each pass', map { _clocks($view, $_) } $view->runs))
        ),
        in_detail(@blocks || _clock($view) ? (heading(TRUST), @blocks, paragraphs(_clock($view))) : ()),
        in_brief(
            @warnings
            ? (heading(TRUST), list(undef, map { ["$_->{seen} ", strong(ADVICE), " $_->{advice}"] } @warnings))
            : ()
        ),
    );
}

sub _clocks {
    my ($view, $run) = @_;
    my @rows;
    for my $test (@{ $run->{tests} }) {
        my @passes = $view->passes($run, $test);
        my %item   = (
            mhz     => scalar _shown(map { UnixBench::Noise::Clock::mhz($_) } @passes),
            degrees => scalar _shown(map { (($_->{sensors} || {})->{degrees} || [])->[1] } @passes),
        );
        push @rows, row($test->{title}, \%item) if grep { defined } values %item;
    }
    my @columns = ([MHz => 'mhz'], ['Degrees Celsius', 'degrees']);
    return if !@rows;
    return table(
        title   => copies_text($run->{copies}),
        columns => [column('Test', title => 'word'), map { column(@$_ => 'text', is_optional => 1) } @columns],
        rows    => \@rows
    );
}

sub _shown {
    my (@values) = @_;
    my @known    = grep { defined } @values or return;
    my $is_range = @values > SHOWN_MOST;
    @values = (List::Util::min(@known), List::Util::max(@known)) if $is_range;
    return joined($is_range ? ' to ' : q{ }, map { defined ? cell(whole => $_) : q{-} } @values);
}

sub _next_run {
    my ($view, $run) = @_;
    my $is_index = @{ $run->{indexes} };
    my ($of) = grep { $view->repeat_of($_) } $is_index ? @{ $run->{indexes} } : $view->measured($run) or return;
    my ($own, $repeat) = ($view->estimate_of($of), $view->repeat_of($of));
    my $is_other = defined $repeat->{over_s} && $repeat->{assumed} ne 'days';
    my $known =
        $repeat->{known}
        ? counted($repeat->{runs}, 'run', 'runs') . ' since ' . substr(iso_time($repeat->{since}, 0), 0, DATE)
        : $ASSUMED{ $is_other ? 'spread' : $repeat->{assumed} };
    my ($machine, $alone) = map { cell(interval => $_) } UnixBench::Score::Repeat::of_machine($own, $repeat), $own;
    my @next = (': the next run within ', within($repeat), " ($known), ");
    return [
        copies_text($run->{copies}), @next,  'the mean of the machine ', $machine,
        ', of this run alone ',      $alone, q{.}
    ];
}

1;
