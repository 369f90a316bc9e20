package UnixBench::Report::EndBlock;

# The short form of a result: its numbers, place, machine and trust, each worded once for all media. The end of a run
# on a terminal has the warnings, then the block, to be copied into a mail. A ticket in Markdown has that block, the
# scores, notes and warnings; with --details, all topics take its place. See UnixBench::Report::Topic::Overview, too.

use strict;
use warnings;

use Exporter 'import';
use List::Util ();

use UnixBench::Base::Result      qw(floor_bounds is_measured unmeasured);
use UnixBench::Base::Text        qw(copies_text counted plain wrapped);
use UnixBench::Features          qw(loaded);
use UnixBench::Report::Block     qw(at_most cell column document joined name paragraphs row screen table);
use UnixBench::Report::Notes     ();
use UnixBench::Report::Title     qw(brief_name identity numbers_of result_titles texts_of_number with_precision);
use UnixBench::Report::Plain     qw(entry_lines usable);
use UnixBench::Report::Reference qw(claim_of is_disturbed slower_text sums verdict_interval work_of);
use UnixBench::Report::Wording   qw(clock_words copies_of graphics_texts label_texts machine_in_brief);
use UnixBench::Score             ();
use UnixBench::Score::Work       qw(is_by_work);
use UnixBench::Warnings::Wording qw(disturbers);
use UnixBench::Warnings::Trust   ();

our @EXPORT_OK = qw(block_lines peers_of place_of place_sentence trust_reasons trust_words warning_lines);

use constant { WARNINGS_MOST => 10, LINES_MOST => 2, DOTS => ' ...' };    # of warnings, and lines of each
use constant { SCORES_MOST => 3, RUNS_MOST => 3, INDEXES_MOST => 4, ROWS_MOST => 12, WIDTH => 100, TENTHS => 10 };
use constant REST => ' in the long form: --details';

# Units in words: scripts search for the abbreviations.
my %UNIT = (
    MWIPS => 'million Whetstone instructions a second',
    lps   => 'a second',
    lpm   => 'a minute',
    fps   => 'frames a second',
    wps   => 'wake-ups a second',
);

# Takes a view, a width in columns, and perhaps note (what is unusual about the procedure), page (the path of the page),
# next (the command that the user may want next), is_named (whether the text above it says which program measured what)
# and is_wide. Returns the lines of the block, at most 72 columns wide, or as wide as the width if is_wide.
sub block_lines {
    my ($view, $width, %more) = @_;
    my @graphics = graphics_texts($view->head, $view->runs);
    my @labels   = label_texts($view->summary);
    my $against  = place_sentence($view->rank);
    my @topics   = grep { $_->{in_block} } UnixBench::Features::list('topics', scalar $view->parts);
    return map { plain($_) } entry_lines(
        { columns => $width, is_wide => $more{is_wide} },
        ($more{is_named} ? () : identity($view->summary)),
        _ratios($view),
        _numbers($view),
        (map { loaded($_->{topic})->can('block_entries')->($view) } @topics),
        (defined $against ? [Against => $against] : ()),
        (map { [Machine => $_] } grep { length } machine_in_brief($view->head)),
        (@graphics ? [Graphics => @graphics] : ()),
        (@labels   ? [Labels   => @labels]   : ()),
        _of_passes($view),
        (map { [ucfirst $_ => $more{$_}] } grep { defined $more{$_} } qw(note page next)),
    );
}

sub _of_passes {
    my ($view) = @_;
    my $trust = $view->trust // return;
    return ([Clock => clock_words($view->result)], [Trust => [trust_words($trust), _assumed($view)]]);
}

# Takes a view and a width in columns; returns the lines of the warnings, the most important first: at most ten
# warnings, each of at most two lines.
sub warning_lines {
    my ($view, $width) = @_;
    my $others = sub { counted($_[0], 'more warning is', 'more warnings are') . ' on the page.' };
    return map { _warning($_, usable($width) - 2) } at_most(WARNINGS_MOST, $others, $view->merged_warnings);
}

# Takes the text of a warning and the width; returns its lines. A longer one ends after a sentence if it can.
sub _warning {
    my ($text,  $width) = @_;
    my ($first, @more)  = wrapped(plain("Warning: $text"), $width);
    ($more[0]) = map { s/.*[.]\K .*[^.]\z//r . DOTS } wrapped($more[0], $width - length DOTS) if @more >= LINES_MOST;
    return ($first, @more ? "  $more[0]" : ());
}

sub _assumed {
    my ($view) = @_;
    my @repeats;
    for my $run ($view->runs) {
        push @repeats, grep { defined } map { $view->repeat_of($_) } @{ $run->{indexes} };
    }
    return (grep { !$_->{known} } @repeats) ? (', ', cell('sign'), ' assumed') : ();
}

sub _ratios {
    my ($view) = @_;
    my @sums   = sums($view->head->{experiment});
    my @ratios = map { [
        copies_text($_->{copies}),
        ': ',
        claim_of($_, name($_->{name})),
        is_by_work($_) ? () : verdict_interval($_),
        slower_text(@{ $_->{slower} || [] })
    ] } @sums;
    my @works = map { [copies_text($_->{copies}), ': ', work_of($_, name($_->{name}))] }
        grep { $_->{work} && is_disturbed($_) } @sums;
    my $others = sub { counted($_[0], 'more ratio', 'more ratios') };
    my @named  = ([Ratio => @ratios], [Work => @works]);
    return map { @$_ > 1 ? [shift @$_, at_most(SCORES_MOST, $others, @$_)] : () } @named;
}

sub _numbers {
    my ($view) = @_;
    my (@indexes, @scores);
    for my $run (($view->runs)[$view->chosen_runs(INDEXES_MOST)]) {
        my $copies  = copies_text($run->{copies});
        my @numbers = numbers_of($view, $run);
        my @texts   = map { _index($_) } grep { $_->{index} } @numbers;
        push @indexes, [$copies . q{ }, joined(', ', @texts)] if @texts;
        push @scores, map { [
            join(', ', grep { defined } $_->{test}{title}, copies_of($run)) . ': ',
            with_precision($_, q{ } . ($UNIT{ $_->{test}{unit} } // $_->{test}{unit}))
        ] }
            grep { $_->{test} } @numbers;
    }
    return [Index => @indexes] if @indexes;
    my $others = sub { 'and ' . counted($_[0], 'other score', 'other scores') };
    return @scores ? [Score => at_most(SCORES_MOST, $others, @scores)] : ();
}

sub _index {
    my ($of)  = @_;
    my $index = $of->{index};
    my $name  = join q{}, map { "$_ " } grep { length } brief_name($index);
    return "${name}none (" . UnixBench::Score::lacking($index) . ')' if $index->{lacking};
    return [$name . ($index->{complete} ? q{} : 'partial '), with_precision($of)];
}

# Takes a rank, see UnixBench::Compare::Published, or undef; returns where its index lies among machines of its kind or,
# if that is unknown, among all with which it is compared: "slower than 7 of 10 rented VMs since 2022 (41st of 56)".
# Returns undef if it has no place.
sub place_sentence {
    my ($rank) = @_;
    my $among  = ($rank || {})->{peers} || $rank;
    my $place  = place_of($among) // return;
    my $faster = List::Util::sum(map { $_ - 1 } @{ $among->{places} }) / 2 / $among->{of};
    my ($than, $part) = $faster > 1 / 2 ? (slower => $faster) : (faster => 1 - $faster);
    my $count = List::Util::min(TENTHS, $among->{of});
    return "$than than " . int($count * $part) . " of $count " . _among($among) . " ($place)";
}

sub _among {
    my ($among) = @_;
    return join ' since ', grep { defined } @$among{qw(words since)};
}

# Takes a rank; returns its place among machines of its kind, such as "7th of 31 rented VMs since 2022", or undef.
sub peers_of {
    my ($rank) = @_;
    my $peers  = ($rank || {})->{peers} or return;
    my $place  = place_of($peers) // return;
    return "$place " . _among($peers);
}

# Takes a rank, or undef; returns its place, such as "11th to 21st of 91", or undef if it has none. An index below all
# published ones has the place after the last of them.
sub place_of {
    my ($rank) = @_;
    my ($best, $worst) = @{ ($rank || {})->{places} || return };
    my $of = $rank->{of};
    return "below all $of" if $best > $of;
    my $first = _ordinal($best);
    return "$first or lower of $of" if $worst > $of;
    return join(' to ', $first, $best == $worst ? () : _ordinal($worst)) . " of $of";
}

sub _ordinal {
    my ($number) = @_;
    my $is_teen = $number % 100 >= 11 && $number % 100 <= 13;
    return $number . ($is_teen ? 'th' : (qw(th st nd rd), ('th') x 6)[$number % 10]);
}

# Takes a trust, see UnixBench::Warnings::Trust; returns its level and the reasons, a text.
sub trust_words {
    my ($trust) = @_;
    return ["$trust->{level}: ", joined(', ', trust_reasons($trust))];
}

# Takes a trust, and perhaps whether only those reasons are wanted that limit it; returns the reasons, texts.
sub trust_reasons {
    my ($trust, $is_limit)   = @_;
    my ($noisy, $half_width) = @$trust{qw(noisy half_width)};
    my @in_all = map { $_->{cause} eq 'steal' ? ' in all' : () } grep { defined } @$trust{qw(worst also)};
    return (
        ($trust->{is_interrupted} ? 'the run was interrupted'                              : ()),
        ($trust->{failed}         ? counted($trust->{failed}, 'test', 'tests') . ' failed' : ()),
        ($trust->{passes}         ? _disturbed($trust, $is_limit)                          : 'nothing was measured'),
        ($noisy ? "$noisy of $trust->{tests} scores " . ($noisy == 1 ? 'varies' : 'vary') . ' by more than 5 %' : ()),
        ($half_width // 0) > UnixBench::Warnings::Trust::INTERVAL_FAIR
        ? ['an index has an interval of ', cell(precision => $half_width)]
        : (),
        $trust->{level} eq 'unknown' && !defined $half_width ? 'no index has an interval'                  : (),
        defined $trust->{steal}      && !$is_limit ? ['steal ', cell(percent => $trust->{steal}), @in_all] : (),
    );
}

sub _disturbed {
    my ($trust,     $is_limit) = @_;
    my ($disturbed, $passes)   = @$trust{qw(disturbed passes)};
    return 'disturbances were not watched' if !defined $disturbed;
    return if $is_limit && $disturbed <= UnixBench::Warnings::Trust::DISTURBED_FAIR * $passes;
    my $of = 'of ' . counted($passes, 'pass', 'passes');
    return "none $of was disturbed" if !$disturbed;
    my $were = $disturbed == 1 ? 'was' : 'were';
    return join q{ }, "$disturbed $of $were disturbed", map { "($_)" } disturbers($trust);
}

# Takes a view; returns the ticket, a report.
sub report_of {
    my ($view) = @_;
    my @notes  = UnixBench::Report::Notes::beyond_kind($view->summary);
    my @more   = @notes ? (note => join '; ', @notes) : ();
    my ($warning, @others) = $view->merged_warnings;
    my $rest = @others ? ' And ' . counted(scalar @others, 'more warning', 'more warnings') . REST . q{.} : q{};
    return document(
        { result_titles($view) },
        screen(block_lines($view, WIDTH, is_named => 1, is_wide => 1, @more)),
        _table($view), paragraphs(defined $warning ? $warning . $rest : ())
    );
}

sub _table {
    my ($view) = @_;
    my @runs = ($view->runs)[$view->chosen_runs(RUNS_MOST)];
    my (@titles, %item);
    for my $number (0 .. $#runs) {
        for my $test ($view->tests($runs[$number])) {
            my $title = $test->{title};
            push @titles, $title if !$item{$title};
            $item{$title}{$number} = [is_measured($test) ? _score_and_unit($view, $test) : unmeasured($test)];
        }
    }
    my $others  = sub { row(counted($_[0], 'more test', 'more tests') . REST, {}) };
    my @rows    = at_most(ROWS_MOST, $others, map { row($_, $item{$_}) } @titles);
    my @columns = map { column(copies_of($runs[$_]) // 'Score', $_ => 'cells') } 0 .. $#runs;
    return @rows ? table(columns => [column('Test', title => 'word'), @columns], rows => \@rows) : ();
}

sub _score_and_unit {
    my ($view, $test) = @_;
    my $floor = floor_bounds($test);
    my ($number, $sure) = texts_of_number($view->estimate_of($test), 0, $floor, $view->repeat_of($test));
    return ($number, " $test->{unit}", $floor || !defined $sure ? () : (q{ }, $sure));
}

1;
