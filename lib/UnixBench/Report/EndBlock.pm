package UnixBench::Report::EndBlock;

# The end of a run on a terminal: the warnings, then a block that sums up the result, to be copied into a mail or a
# ticket. The block is also on the page and in Markdown.

use strict;
use warnings;

use Exporter 'import';
use List::Util ();

use UnixBench::Base::Text         qw(counted);
use UnixBench::Catalog            ();
use UnixBench::Compare::Published ();
use UnixBench::Report::Block      qw(cell joined name);
use UnixBench::Report::Groups     qw(sums sure_text);
use UnixBench::Report::Lines      qw(plain wrapped);
use UnixBench::Report::Plain      qw(entry_lines usable);
use UnixBench::Report::Wording    qw(copies_title label_texts machine_facts machine_in_brief);
use UnixBench::Score::Estimate    ();
use UnixBench::Score::Score       ();
use UnixBench::Warnings::Causes   qw(amount cause_title culprit);
use UnixBench::Warnings::Trust    ();

our @EXPORT_OK = qw(
    block_lines number_texts page_title place_of place_parts place_text texts_of_number trust_text trust_words
    warning_lines
);

use constant {
    WARNINGS_MOST => 10,
    LINES_MOST    => 2,        # of a warning
    SCORES_MOST   => 3,
    DOTS          => ' ...',
};

# Units in words. Scripts search for some of the abbreviations.
my %UNIT = (lps => 'loops a second', lpm => 'loops a minute', MWIPS => 'million Whetstone instructions a second');

# What a published index does not tell.
use constant CAVEAT => 'other compilers, versions and systems: a rough guide';

# Takes a view, a width in columns, and perhaps page (the path of the page), next (the command that the user may want
# next) and paint (see UnixBench::CLI::Console::screen). Returns the lines of the block, at most 72 columns wide.
sub block_lines {
    my ($view, $width, %more) = @_;
    my @labels = label_texts($view->result);
    return entry_lines(
        { columns => $width, paint => $more{paint} },
        _ratios($view),
        _indexes($view),
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
    my @warnings = $view->merged_warnings;
    my @more     = splice @warnings, @warnings > WARNINGS_MOST ? WARNINGS_MOST - 1 : @warnings;
    push @warnings, counted(scalar @more, 'more warning is', 'more warnings are') . ' on the page.' if @more;
    return map { _warning($_, usable($width)) } @warnings;
}

sub _warning {
    my ($text, $width) = @_;
    my @lines = wrapped(plain("Warning: $text"), $width - 2);
    ($lines[LINES_MOST - 1]) = map { $_ . DOTS } wrapped($lines[LINES_MOST - 1], $width - 2 - length DOTS)
        if @lines > LINES_MOST;
    my ($first, @others) = @lines[0 .. List::Util::min($#lines, LINES_MOST - 1)];
    return ($first, map { "  $_" } @others);
}

# Returns the entry of the ratios of states that were measured in turns, or nothing.
sub _ratios {
    my ($view) = @_;
    my @sums   = sums($view->result->{experiment});
    my @more   = splice @sums, @sums > SCORES_MOST ? SCORES_MOST - 1 : @sums;
    push @sums, { title => counted(scalar @more, 'more ratio', 'more ratios') } if @more;
    my @texts = map { $_->{ratio} ? _ratio($_) : $_->{title} } @sums;
    return @texts ? [Ratio => @texts] : ();
}

sub _ratio {
    my ($sum) = @_;
    return [
        copies_title($sum->{copies}),
        ", $sum->{letter}/A ",
        cell(ratio => $sum->{ratio}{value}),
        q{ (}, sure_text($sum), '): ', name($sum->{name})
    ];
}

sub _ratio_in_title {
    my ($sum) = @_;
    return ["$sum->{letter}/A ", cell(ratio => $sum->{ratio}{value}), q{ }, name($sum->{brief})];
}

# Returns the entry of the indexes or, without any, of the scores.
sub _indexes {
    my ($view)  = @_;
    my @runs    = $view->runs;
    my @indexes = map { _indexes_of($view, $_) } @runs;
    return [Index => @indexes] if @indexes;
    my @scores = map { _scores_of($view, $_) } @runs;
    my @more   = splice @scores, @scores > SCORES_MOST ? SCORES_MOST - 1 : @scores;
    push @scores, 'and ' . counted(scalar @more, 'other score', 'other scores') if @more;
    return @scores ? [Score => @scores] : ();
}

sub _indexes_of {
    my ($view, $run) = @_;
    my @texts = map { _index($view, $run, $_) } @{ $run->{indexes} };
    return @texts ? [copies_title($run->{copies}) . q{ }, joined(', ', @texts)] : ();
}

sub _index {
    my ($view, $run, $index) = @_;
    my $category = UnixBench::Catalog::category($index->{category}) || {};
    my $name = join q{}, map { "$_ " } grep { length } $category->{brief} // UnixBench::Score::Score::subject($index);
    return "${name}none (" . UnixBench::Score::Score::lacking($index) . ')' if $index->{lacking};
    my $what = $index->{complete} ? q{} : 'partial ';
    return ["$name$what",
        joined(q{ }, grep { defined } number_texts($view, $view->of_index($run, $index)->{estimate}))];
}

sub _scores_of {
    my ($view, $run) = @_;
    my $copies = copies_title($run->{copies});
    return
        map { _score($view, "$_->{title}, $copies: ", $view->spread($run, $_)->{estimate}, _unit($_)) }
        $view->measured($run);
}

# Returns the unit of a test in words. Its category may have another word for loops.
sub _unit {
    my ($test) = @_;
    my $unit   = $UNIT{ $test->{unit} }                                           // $test->{unit};
    my $loops  = (UnixBench::Catalog::category($test->{category}) || {})->{loops} // 'loops';
    return $unit =~ s/\Aloops/$loops/r;
}

sub _score {
    my ($view, $title, $estimate, $unit) = @_;
    my ($number, $sure) = number_texts($view, $estimate);
    return [$title, $number, " $unit", defined $sure ? (q{ }, $sure) : ()];
}

# Takes a view and an estimate of it; returns the number with the digits that are known, and its precision. If the trust
# is poor, the number is a range with two digits, and the precision is undef.
sub number_texts {
    my ($view, $estimate) = @_;
    return texts_of_number($estimate, $view->is_poor);
}

# Takes an estimate, and whether the trust in it is poor; does the same.
sub texts_of_number {
    my ($estimate, $is_poor) = @_;
    return (cell(vague => $estimate), undef) if $is_poor;
    return (cell(known => $estimate), defined $estimate->{low} ? cell(plus_minus => $estimate) : undef);
}

# Takes a view; returns the title of its page: the first number with its precision, and the machine.
sub page_title {
    my ($view)  = @_;
    my $facts   = machine_facts($view->result);
    my ($first) = (
        (map { _ratio_in_title($_) } sums($view->result->{experiment})),
        map { _first_number($view, $_) } $view->runs
    );
    return joined(', ', $first // _without_number($view), grep { length } @$facts{qw(model cpus)});
}

sub _without_number {
    my ($view) = @_;
    return 'No index' if grep { @{ $_->{indexes} } } $view->runs;
    my $scores = map { $view->measured($_) } $view->runs;
    return $scores ? "$scores scores" : 'No score';
}

# Returns the first index with a number of a run, else the score of its only test, else nothing.
sub _first_number {
    my ($view, $run) = @_;
    my ($index) = grep { !$_->{lacking} } @{ $run->{indexes} };
    return joined(q{ }, grep { defined } number_texts($view, $view->of_index($run, $index)->{estimate})) if $index;
    my ($test, @others) = $view->measured($run);
    return if !$test || @others;
    my ($number, $sure) = number_texts($view, $view->spread($run, $test)->{estimate});
    return [$number, " $test->{unit}", defined $sure ? (q{ }, $sure) : ()];
}

sub _against {
    my ($view) = @_;
    my @parts = place_parts($view->rank);
    return @parts ? [Against => @parts] : ();
}

# Takes a view; returns the place of its index among published ones, or undef if it has none.
sub place_text {
    my ($view) = @_;
    my @parts = place_parts($view->rank);
    return @parts ? join q{ }, @parts : undef;
}

# Takes a rank, see UnixBench::Compare::Published, or undef; returns texts about its place, or nothing if it has none.
sub place_parts {
    my ($rank)  = @_;
    my $place   = place_of($rank) // return;
    my $nearest = $rank->{nearest};
    return (
        "$place published results for one copy;",
        'nearest: '
            . UnixBench::Compare::Published::name_of($nearest) . ' ('
            . join(', ', $nearest->{index}, map { "version $_" } grep { length } $nearest->{version}) . ');',
        CAVEAT
    );
}

# Takes a rank, or undef; returns its place, such as "place 11 to 21 of 91", or undef if it has none. An index below all
# published ones has the place after the last of them.
sub place_of {
    my ($rank) = @_;
    my ($best, $worst) = @{ ($rank || {})->{places} || return };
    my $of = $rank->{of};
    return "below all $of" if $best > $of;
    return "place $best or lower of $of" if $worst > $of;
    return 'place ' . ($best == $worst ? $best : "$best to $worst") . " of $of";
}

# Takes a view; returns how far its result can be trusted, and why.
sub trust_text {
    my ($view) = @_;
    return trust_words($view->trust);
}

# Takes a trust, see UnixBench::Warnings::Trust; returns its level and the reasons, a text.
sub trust_words {
    my ($trust) = @_;
    my @reasons = (
        ($trust->{is_interrupted} ? 'the run was interrupted'                              : ()),
        ($trust->{failed}         ? counted($trust->{failed}, 'test', 'tests') . ' failed' : ()),
        ($trust->{passes}         ? _disturbed($trust)                                     : 'nothing was measured'),
        ($trust->{noisy}          ? _noisy($trust)                                         : ()),
        (_is_wide($trust)         ? ['an index has an interval of ', cell(precision => $trust->{half_width})] : ()),
        (_lacks_interval($trust)  ? 'too few passes for an interval'                                          : ()),
    );
    return ["$trust->{level}: ", joined(', ', @reasons)];
}

sub _noisy {
    my ($trust) = @_;
    my ($noisy, $tests) = @$trust{qw(noisy tests)};
    my $which = $tests == 1 ? 'the only test varies' : "$noisy of $tests tests " . ($noisy == 1 ? 'varies' : 'vary');
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
    my ($trust) = @_;
    my ($disturbed, $worst) = @$trust{qw(disturbed worst)};
    return 'disturbances were not watched' if !defined $disturbed;
    my $of = 'of ' . counted($trust->{passes}, 'pass', 'passes');
    return 'the only pass was ' . ($disturbed ? q{} : 'not ') . 'disturbed' if $trust->{passes} == 1;
    return "none $of was disturbed" if !$disturbed;
    my @cause = $worst ? (cause_title($worst->{cause}), q{ }, amount(@$worst{qw(cause worst)})) : ();
    my $cause = @cause ? ' (' . join(q{}, @cause, culprit($worst)) . ')'                        : q{};
    return "$disturbed $of " . ($disturbed == 1 ? 'was' : 'were') . " disturbed$cause";
}

1;
