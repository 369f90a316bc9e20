package UnixBench::Report::EndBlock;

# The short form of a result: its numbers, machine, place and trust. Three media show it. The end of a run on a terminal
# has the warnings, then a block to be copied into a mail. A ticket in Markdown has that block, the scores, notes and
# warnings in at most 40 lines; with --details, all topics take its place. The headline of a page has the same numbers,
# see UnixBench::Report::Topic::Overview.

use strict;
use warnings;

use Exporter 'import';
use List::Util ();

use UnixBench::Base::Result       qw(floor_bounds);
use UnixBench::Base::Text         qw(counted);
use UnixBench::Catalog            ();
use UnixBench::Compare::Published ();
use UnixBench::Features           qw(loaded);
use UnixBench::Noise::Causes      ();
use UnixBench::Report::Block      qw(at_most cell column document joined list name notices row screen strong table);
use UnixBench::Report::Groups     qw(claim_of sums);
use UnixBench::Report::Lines      qw(plain wrapped);
use UnixBench::Report::Notes      ();
use UnixBench::Report::Numbers    qw(brief_name numbers_of with_precision);
use UnixBench::Report::Plain      qw(entry_lines in_plain usable);
use UnixBench::Report::Reference  qw(verdict_interval);
use UnixBench::Report::Title      qw(identity result_titles);
use UnixBench::Report::Wording    qw(copies_title label_texts machine_in_brief repeat_text);
use UnixBench::Score::Score       ();
use UnixBench::Warnings::Causes   qw(disturber);
use UnixBench::Warnings::Trust    ();

our @EXPORT_OK = qw(
    block_lines peers_of place_of place_parts place_text repeat_texts trust_reasons trust_text trust_words
    warning_lines
);

use constant {
    WARNINGS_MOST => 10,
    LINES_MOST    => 2,        # of a warning
    SCORES_MOST   => 3,
    DOTS          => ' ...',
};

# Lines, columns and rows of a ticket.
use constant {
    LINES_OF_TICKET    => 40,
    WIDTH              => 72,
    FIXED              => 11,
    RUNS_MOST          => 3,
    WARNINGS_IN_TICKET => 5,
    ROWS_LEAST         => 3
};
use constant REST => ' in the long form: --details';

# Units in words. Scripts search for some of the abbreviations. A category may have another word for loops.
my %UNIT      = (MWIPS => 'million Whetstone instructions a second');
my %LOOPS_PER = (lps   => 'a second', lpm => 'a minute');

# How places are read, and what a published index does not tell.
use constant CAVEAT => '1st is the fastest; other compilers, systems: a rough guide';

# Takes a view, a width in columns, and perhaps page (the path of the page), next (the command that the user may want
# next), sign (that of half an interval, if it is not in ASCII), paint (see UnixBench::CLI::Console::screen) and
# is_named (whether the text above it says which program measured what). Returns the lines of the block, at most 72
# columns wide.
sub block_lines {
    my ($view, $width, %more) = @_;
    my @labels = label_texts($view->result);
    return entry_lines(
        { columns => $width, map { $_ => $more{$_} } qw(paint sign) },
        ($more{is_named} ? () : identity($view->summary)),
        _ratios($view),
        _indexes($view),
        _of_features($view),
        [Repeat  => repeat_texts($view)],
        [Machine => machine_in_brief($view->result)],
        (@labels ? [Labels => @labels] : ()),
        _against($view),
        [Trust => { level => $view->trust->{level}, text => trust_text($view) }],
        (map { [ucfirst $_ => $more{$_}] } grep { defined $more{$_} } qw(page next)),
    );
}

# Takes a view and a width in columns; returns the lines of the warnings, the most important first: at most ten
# warnings, each of at most two lines.
sub warning_lines {
    my ($view, $width) = @_;
    my $others = sub { counted($_[0], 'more warning is', 'more warnings are') . ' on the page.' };
    return map { _warning($_, usable($width)) } at_most(WARNINGS_MOST, $others, $view->merged_warnings);
}

# Takes the text of a warning and the width; returns its lines. Sentences at its end that do not fit are on the page.
sub _warning {
    my ($text, $width) = @_;
    my @sentences = split /(?<=[.])[ ](?=[A-Z])/, plain("Warning: $text");
    my @lines     = wrapped("@sentences", $width - 2);
    while (@lines > LINES_MOST && @sentences > 1) {
        pop @sentences;
        @lines = wrapped("@sentences", $width - 2);
    }
    ($lines[LINES_MOST - 1]) = map { $_ . DOTS } wrapped($lines[LINES_MOST - 1], $width - 2 - length DOTS)
        if @lines > LINES_MOST;
    my ($first, @others) = @lines[0 .. List::Util::min($#lines, LINES_MOST - 1)];
    return ($first, map { "  $_" } @others);
}

# Returns the entries of features.
sub _of_features {
    my ($view) = @_;
    my @topics = grep { $_->{in_block} } UnixBench::Features::list('topics', scalar $view->parts);
    return map { loaded($_->{topic})->can('block_entries')->($view) } @topics;
}

# Returns the entry of the ratios of states that were measured in turns, or nothing.
sub _ratios {
    my ($view) = @_;
    my @ratios = map { _ratio($_) } sums($view->result->{experiment});
    my @texts  = at_most(SCORES_MOST, sub { counted($_[0], 'more ratio', 'more ratios') }, @ratios);
    return @texts ? [Ratio => @texts] : ();
}

sub _ratio {
    my ($sum) = @_;
    return [copies_title($sum->{copies}), ': ', claim_of($sum, name($sum->{name})), verdict_interval($sum)];
}

# Returns the entry of the indexes or, without any, of the scores.
sub _indexes {
    my ($view)  = @_;
    my @runs    = $view->runs;
    my @indexes = map { _indexes_of($view, $_) } @runs;
    return [Index => @indexes] if @indexes;
    my $others = sub { 'and ' . counted($_[0], 'other score', 'other scores') };
    my @scores = at_most(SCORES_MOST, $others, map { _scores_of($view, $_) } @runs);
    return @scores ? [Score => @scores] : ();
}

sub _indexes_of {
    my ($view, $run) = @_;
    my @texts = map { _index($_) } grep { $_->{index} } numbers_of($view, $run);
    return @texts ? [copies_title($run->{copies}) . q{ }, joined(', ', @texts)] : ();
}

# Takes a view; returns how far the next run may be from its indexes or, without any, from the scores of single tests:
# a text, or one for each number of copies.
sub repeat_texts {
    my ($view) = @_;
    return if !$view->is_repeatable;
    my @known = grep { $_->[1] } map { [$_->{copies}, _repeat_of($_)] } @{ $view->summary->{runs} };
    my %texts = map  { in_plain(repeat_text($_->[1])) => 1 } @known;
    return map { repeat_text($_->[1]) } @known ? $known[0] : () if keys %texts < 2;
    return map { [copies_title($_->[0]) . ': ', repeat_text($_->[1])] } @known;
}

# Takes a run of a summary; returns the repeat of its first index, or of its only test, or undef. A floor has none.
sub _repeat_of {
    my ($run)   = @_;
    my @indexes = @{ $run->{indexes} };
    my @tests   = grep { $_->{repeat} } @{ $run->{tests} };
    my ($first) = grep { $_->{repeat} } @indexes ? @indexes : @tests == 1 ? @tests : ();
    return $first && !floor_bounds($first) ? $first->{repeat} : undef;
}

# Takes an index as a number of a run; returns it with its name in short.
sub _index {
    my ($of)  = @_;
    my $index = $of->{index};
    my $name  = join q{}, map { "$_ " } grep { length } brief_name($index);
    return "${name}none (" . UnixBench::Score::Score::lacking($index) . ')' if $index->{lacking};
    return [$name . ($index->{complete} ? q{} : 'partial '), with_precision($of)];
}

sub _scores_of {
    my ($view, $run) = @_;
    my $copies = copies_title($run->{copies});
    return
        map { ["$_->{test}{title}, $copies: ", with_precision($_, q{ } . _unit($_->{test}))] } numbers_of($view, $run);
}

# Returns the unit of a test in words.
sub _unit {
    my ($test) = @_;
    my $per    = $LOOPS_PER{ $test->{unit} } // return $UNIT{ $test->{unit} } // $test->{unit};
    return join q{ }, (UnixBench::Catalog::category($test->{category}) || {})->{loops} // 'loops', $per;
}

sub _against {
    my ($view) = @_;
    my @parts = place_parts($view->rank, $view->rank_of_all_cpus);
    return @parts ? [Against => @parts] : ();
}

# Takes a view; returns the places of its indexes among published ones, or undef if it has none.
sub place_text {
    my ($view) = @_;
    my @parts = place_parts($view->rank, $view->rank_of_all_cpus);
    return @parts ? join q{ }, @parts : undef;
}

# Takes ranks, see UnixBench::Compare::Published, or undef: that of one copy, and perhaps that of one copy for each CPU.
# Returns texts about their places, or nothing if none has one.
sub place_parts {
    my (@ranks)   = @_;
    my @placed    = grep { defined place_of($_) } @ranks or return;
    my @places    = map  { _places($_) } @placed;
    my ($nearest) = map  { $_->{nearest} } @placed;
    return (
        (map { "$_;" } @places),
        'nearest: '
            . UnixBench::Compare::Published::name_of($nearest) . ' ('
            . join(', ', $nearest->{index}, map { "version $_" } grep { length } $nearest->{version}) . ');',
        CAVEAT
    );
}

# Takes a rank; returns its place among machines of its kind, if that is known, and among all published results. With
# one copy for each CPU, the number of CPUs matters more than the kind.
sub _places {
    my ($rank)  = @_;
    my $copies  = $rank->{copies} // 1;
    my $results = place_of($rank) . ' published results for one copy';
    return copies_title($copies) . ": $results for each CPU" if $copies > 1;
    return (peers_of($rank) // (), $results);
}

# Takes a rank; returns its place among machines of its kind, such as "7th of 31 rented VMs since 2022", or undef.
sub peers_of {
    my ($rank) = @_;
    my $peers  = ($rank || {})->{peers} or return;
    my $place  = place_of($peers) // return;
    return "$place $peers->{words}" . (defined $peers->{since} ? " since $peers->{since}" : q{});
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

# Takes a view; returns how far its result can be trusted, and why.
sub trust_text {
    my ($view) = @_;
    return trust_words($view->trust);
}

# Takes a trust, see UnixBench::Warnings::Trust, and perhaps whether other load is told elsewhere; returns its level and
# the reasons, a text.
sub trust_words {
    my ($trust, $is_told) = @_;
    return ["$trust->{level}: ", trust_reasons($trust, $is_told)];
}

# Takes the same; returns the reasons, a text.
sub trust_reasons {
    my ($trust, $is_told) = @_;
    my @reasons = (
        ($trust->{is_interrupted} ? 'the run was interrupted'                              : ()),
        ($trust->{failed}         ? counted($trust->{failed}, 'test', 'tests') . ' failed' : ()),
        ($trust->{passes}         ? _disturbed($trust, $is_told)                           : 'nothing was measured'),
        ($trust->{noisy}          ? _noisy($trust)                                         : ()),
        (_is_wide($trust)         ? ['an index has an interval of ', cell(precision => $trust->{half_width})] : ()),
        (_lacks_interval($trust)  ? 'no index has an interval'                                                : ()),
    );
    return joined(', ', @reasons);
}

sub _noisy {
    my ($trust) = @_;
    my ($noisy, $scores) = @$trust{qw(noisy tests)};
    my $which =
        $scores == 1 ? 'the only score varies' : "$noisy of $scores scores " . ($noisy == 1 ? 'varies' : 'vary');
    return "$which by more than 5 %";
}

# Returns whether a result is unknown because no index has an interval.
sub _lacks_interval {
    my ($trust) = @_;
    return $trust->{level} eq 'unknown' && !defined $trust->{half_width};
}

# Returns whether the widest interval alone makes a result less than good.
sub _is_wide {
    my ($trust) = @_;
    return ($trust->{half_width} // 0) > UnixBench::Warnings::Trust::INTERVAL_FAIR;
}

sub _disturbed {
    my ($trust,     $is_told) = @_;
    my ($disturbed, $worst)   = @$trust{qw(disturbed worst)};
    return 'disturbances were not watched' if !defined $disturbed;
    my $of = 'of ' . counted($trust->{passes}, 'pass', 'passes');
    return 'the only pass was ' . ($disturbed ? q{} : 'not ') . 'disturbed' if $trust->{passes} == 1;
    return "none $of was disturbed" if !$disturbed;
    my $cause = $worst
        && !($is_told && UnixBench::Noise::Causes::has($worst->{cause}, 'load')) ? ' (' . disturber($worst) . ')' : q{};
    return "$disturbed $of " . ($disturbed == 1 ? 'was' : 'were') . " disturbed$cause";
}

# Takes a view; returns the ticket, a report.
sub report_of {
    my ($view)   = @_;
    my @block    = block_lines($view, WIDTH, is_named => 1);
    my $others   = sub { counted($_[0], 'more warning', 'more warnings') . REST };
    my @warnings = at_most(WARNINGS_IN_TICKET, $others, $view->merged_warnings);
    my @notes    = map { [strong('Note:'), " $_"] } UnixBench::Report::Notes::beyond_kind($view->result);
    my $rows     = LINES_OF_TICKET - FIXED - @block - @warnings - 2 * @notes;
    return document(
        { result_titles($view) },
        notices(@notes), screen(@block),
        _table($view, $rows < ROWS_LEAST ? ROWS_LEAST : $rows),
        list(undef, @warnings)
    );
}

# Takes a view and the number of rows for which there is room; returns the table of the tests, with a column for each
# run.
sub _table {
    my ($view, $most) = @_;
    my @runs = $view->runs;
    splice @runs, RUNS_MOST;
    my (@titles, %item);
    for my $number (0 .. $#runs) {
        for my $test ($view->rows($runs[$number])) {
            my $title = $test->{title};
            push @titles, $title if !$item{$title};
            my $floor = defined $test->{reason} ? undef : $view->floor_of($runs[$number], $test);
            $item{$title}{$number} =
                defined $test->{reason} ? [$test->{reason}] : _score_and_unit($test, $floor);
        }
    }
    my $others  = sub { row(counted($_[0], 'more test', 'more tests') . REST, {}) };
    my @rows    = at_most($most, $others, map { row($_, $item{$_}) } @titles);
    my @columns = map { column(copies_title($runs[$_]{copies}), $_ => 'cells') } 0 .. $#runs;
    return @rows ? table(columns => [column('Test', title => 'word'), @columns], rows => \@rows) : ();
}

sub _score_and_unit {
    my ($test, $floor) = @_;
    my $estimate = $test->{estimate};
    return ['at least ', cell(least => $floor->{at_least}), " $test->{unit}"] if $floor;
    my @sure = defined $estimate->{low} ? (q{ }, cell(plus_minus => $estimate)) : ();
    return [cell(known => $estimate), " $test->{unit}", @sure];
}

1;
