package UnixBench::Report::Title;

# Says which program made a report, and what it is about: its title, the first line of its block, and the line above the
# numbers of its page. All media have these words from here.
#
# The numbers that sum up a run have the digits that are known and their precision: those of its indexes or, without
# any, of its tests.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Result      qw(floor_bounds has_passes);
use UnixBench::Base::Text        qw(copies_text);
use UnixBench::Base::Time        qw(iso_date parts_of_iso_time);
use UnixBench::Catalog           ();
use UnixBench::Report::Block     qw(cell name strong);
use UnixBench::Report::Reference qw(claim_of slower_text sums);
use UnixBench::Report::Wording   qw(copies_of machine_facts run_title);
use UnixBench::Score::Repeat     ();
use UnixBench::Score             ();
use UnixBench::Version           ();

our @EXPORT_OK = qw(
    brief_name identity next_run numbers_of program result_titles texts_of_number titles with_precision within
);

use constant { NAME => 'UnixBench', NAMELESS => 'unknown machine' };

my %KIND = (official => 'official run', quick => 'quick estimate');

# Returns the name of this program with its version.
sub program { return NAME . " $UnixBench::Version::VERSION" }

# Takes what a report is about in a word, such as "history", and its headline, which may begin with this word. Returns
# title and program for UnixBench::Report::Block::document, a list.
sub titles {
    my ($subject, $headline) = @_;
    my ($first,   @others)   = ref $headline eq 'ARRAY' ? @$headline : $headline;
    my $is_named = !ref $first && $first =~ s/\A\u$subject\b/$subject/;
    return (
        title   => [NAME . ($is_named ? q{ } : " $subject, "), $first, @others],
        program => program() . ", $subject"
    );
}

# Takes a view; returns title, program and about for the report of its result.
sub result_titles {
    my ($view)  = @_;
    my $summary = $view->summary;
    my $made    = join ', ', identity($summary), join(' / ', grep { defined } @$summary{qw(name system)}) || NAMELESS;
    return (title => _title($view), program => $made, about => $made);
}

# Takes a summary, see UnixBench::Summary; returns what made its result, such as "UnixBench 9.0.0, quick estimate,
# 2026-11-26" or "UnixBench 5.1.3, text report, 2021-03-04". Where a drawing can't be measured, the suite replaces it:
# then the kind is the same.
sub identity {
    my ($summary) = @_;
    my $kind = ($summary->{procedure} || {})->{kind};
    my @changes =
        grep { $_->{kind} ne 'replacement' }
        defined $kind ? UnixBench::Base::Result::changes($summary->{procedure}) : ();
    my @kind = !defined $kind ? () : @changes ? 'changed procedure' : $KIND{$kind} // $kind;
    @kind = 'text report' if !has_passes($summary);
    my $date  = $summary->{date} // q{};
    my ($day) = parts_of_iso_time(iso_date($date) // q{});
    return join ', ', join(q{ }, NAME, $summary->{version} // ()), @kind, grep { length } $day // $date;
}

sub _title {
    my ($view)  = @_;
    my $facts   = machine_facts($view->head);
    my ($ratio) = sums($view->head->{experiment});
    my $number  = $ratio ? [', ', claim_of($ratio, name($ratio->{brief}))] : [_number($view)];
    my @slower  = $ratio ? slower_text(@{ $ratio->{slower} || [] })        : ();
    return [NAME, $number, (map { (', ', $_) } grep { length } @$facts{qw(board model cpus)}), @slower];
}

# Returns the number in a title, with its name if it is not that of the whole index, and with the number of copies if
# there are several.
sub _number {
    my ($view) = @_;
    my ($run, $of) = _first_number($view);
    if (!$of) {
        my ($apart) = grep { !copies_of($_) } $view->runs;
        return ', ' . ($apart ? run_title($apart) : 'no index');
    }
    my ($index, $test) = @$of{qw(index test)};
    my @name   = $test ? $test->{title} : (brief_name($index), $index->{complete} ? () : 'partial');
    my @named  = grep { length } @name;
    my @unit   = $test                      ? " $test->{unit}" : ();
    my @copies = ($run->{copies} // 0) == 1 ? ()               : ' (' . copies_text($run->{copies}) . ')';
    my $before = join q{ }, q{}, @named, $index && @named ? 'index' : (), q{};
    return ($before, with_precision({ %$of, number => strong($of->{number}) }, @unit), @copies);
}

sub _first_number {
    my ($view) = @_;
    for my $run ($view->runs) {
        my @numbers = numbers_of($view, $run);
        my ($index) = grep { $_->{index} && !$_->{index}{lacking} } @numbers;
        return ($run, $index) if $index;
        return ($run, $numbers[0]) if @numbers == 1 && $numbers[0]{test};
    }
    return;
}

use constant WHOLE => 0.01;    # half-widths of an assumption have no decimals from here on

# Takes a view and a run; returns the numbers that sum it up: those of its indexes or, without any, of its measured
# tests. Each is { index or test, number (with the digits that are known), sure (its precision, or undef), is_floor }.
# If an index lacks tests, the number is the mean of the others. If other load disturbed it, it is a floor. If the trust
# is poor for other reasons, numbers are ranges with two digits.
sub numbers_of {
    my ($view, $run) = @_;
    my @indexes = @{ $run->{indexes} };
    return map { _number_of($view, index => $_) } @indexes if @indexes;
    return map { _number_of($view, test  => $_) } $view->measured($run);
}

sub _number_of {
    my ($view, $what, $of) = @_;
    my $floor = floor_bounds($of);
    my ($number, $sure) = texts_of_number($view->estimate_of($of), $view->is_poor, $floor, $view->repeat_of($of));
    return { $what => $of, number => $number, sure => $sure, is_floor => $floor ? 1 : 0 };
}

# Takes an estimate, whether the trust in it is poor, bounds if it is only a floor, see UnixBench::Score::Bounds, and
# its repeat, see UnixBench::Score::Repeat, if that is known. Returns the number, and how far the next run may be.
# Without a repeat, that is its interval in this run.
sub texts_of_number {
    my ($estimate, $is_poor, $bounds, $repeat) = @_;
    return (['at least ', cell(least => $bounds->{at_least})], '(disturbed)') if $bounds;
    return (cell(vague => $estimate),                                                undef) if $is_poor;
    return (cell(known => UnixBench::Score::Repeat::of_machine($estimate, $repeat)), within($repeat)) if $repeat;
    return (cell(known => $estimate), defined $estimate->{low} ? cell(plus_minus => $estimate) : undef);
}

# Takes a repeat; returns how far the next run may be, with the sign.
sub within { my ($repeat) = @_; return [cell('sign'), next_run($repeat)] }

# Takes a repeat; returns how far the next run may be, without the sign. What is assumed has no decimals.
sub next_run {
    my ($repeat) = @_;
    return cell(($repeat->{known} || $repeat->{next} < WHOLE ? 'percent' : 'whole_percent') => $repeat->{next});
}

# Takes a number of a run, and perhaps its unit; returns both with the precision, a text.
sub with_precision {
    my ($of, @unit) = @_;
    return [$of->{number}, @unit, defined $of->{sure} ? (q{ }, $of->{sure}) : ()];
}

# Takes an index; returns its name in short, empty for the usual one, such as "2D".
sub brief_name {
    my ($index) = @_;
    my $category = UnixBench::Catalog::category($index->{category}) || {};
    return $category->{brief} // UnixBench::Score::subject($index);
}

1;
