package UnixBench::Report::Reference;

# Values against a reference: what all tables have in common in which something is compared with the first of its kind,
# such as runs, groups of results, states of one run, multi-user loads and hosts.
#
# What is compared is plain data. Every key but ratio is optional:
#   ratio       the value divided by that of the reference, see UnixBench::Score::Estimate
#   verdict     see UnixBench::Compare::Rows::verdict
#   min_effect  the least difference that matters, a fraction of 1
#   load        other load that leaves the verdict open
#   bound       the verdict follows in spite of other load, see UnixBench::Compare::Rows
#   work        what the cycles of a loop say, see the same
#   shares      passes without other load decide
#   is_disturbed  whether other load disturbed passes, where that is not known from these
# Further keys are those of columns.

use strict;
use warnings;

use Exporter 'import';
use List::Util ();

use UnixBench::Base::Text      qw(counted cut);
use UnixBench::Report::Block   qw(cell column);
use UnixBench::Report::Wording qw(title_of);
use UnixBench::Score::Work     qw(is_by_work);

our @EXPORT_OK = qw(
    by_letters claim_of compared_columns compared_values is_around is_disturbed order_of
    short_verdict slower_text sums sure_of verdict_interval verdict_numbers verdict_text verdict_than verdict_word
    verdict_words words_of work_of work_words AXIS DISTURBED OF_LOAD
);

# The axis of a picture of ratios.
use constant AXIS => "\xe2\x86\x90 slower, faster \xe2\x86\x92";

# The mark of a verdict for which other load matters. A sentence above the tables tells what the load was.
use constant DISTURBED => q{*};
use constant OF_LOAD   => DISTURBED . ' Other load was at work during passes of this row.';

use constant {
    TIMES_LEAST => 2,         # from here on a ratio is shown as a factor, not in percent
    BOUND_TIMES => 1.5,       # the same of a limit
    FINE        => 0.0005,    # a smaller difference without an interval is none
    PERCENT     => 100,
    BRIEF_MOST  => 36,        # bytes of a name in a headline
    SLOWER_MOST => 5,         # tests in a sentence
};

# All columns of what is compared, in their order: key, heading and kind. The heading of a ratio says what is divided.
my @COLUMNS = (
    [ratio      => undef,           'ratio'],
    [interval   => '95 % interval', 'ratios'],
    [overhead_s => 'Overhead',      'overhead'],
    [deviation  => 'Run to run',    'percent'],
    [cycles     => 'Cycles a loop', 'cells'],
    [verdict    => 'Verdict',       'word'],
);

# All verdicts: their order in tables, and their words. is_around: the interval has values around 1.
my %VERDICT = (
    slower       => { order => 0, word => 'slower' },
    faster       => { order => 1, word => 'faster' },
    inconclusive => { order => 2, word => 'inconclusive', is_around => 1 },
    equal        => { order => 3, word => 'equal',        is_around => 1 },
    unknown      => { order => 4, word => 'no interval' },
);

# Tables.

# Takes the heading of the ratio, and { key => more of its column, see UnixBench::Report::Block::column } of the columns
# that a table has; returns these.
sub compared_columns {
    my ($ratio, %has) = @_;
    return
        map { column($_->[1] // $ratio, $_->[0] => $_->[2], %{ $has{ $_->[0] } }) } grep { $has{ $_->[0] } } @COLUMNS;
}

# Takes what is compared; returns its values for these columns, (key => value, ...). Without a ratio, there is no
# verdict.
sub compared_values {
    my ($compared) = @_;
    my $ratio = $compared->{ratio} || {};
    return (
        %$compared,
        ratio    => $ratio->{value},
        interval => defined $ratio->{low}                           ? $ratio                       : undef,
        verdict  => defined $ratio->{value} && $compared->{verdict} ? _verdict_in_table($compared) : undef,
        cycles   => $compared->{work}                               ? _cycles_in_table($compared)  : undef,
    );
}

sub _verdict_in_table {
    my ($compared) = @_;
    my $word       = $compared->{bound}    ? verdict_words($compared) : verdict_word($compared->{verdict});
    my @by_work    = is_by_work($compared) ? ' by work'               : ();
    return is_disturbed($compared) ? [$word, @by_work, _mark()] : $word;
}

sub _cycles_in_table {
    my ($compared) = @_;
    my ($value, $low, $high) = map { cell(times => $_) } @{ _cycles($compared->{work}) }{qw(value low high)};
    return [$value, ' (', $low, ' to ', $high, ')'];
}

sub _mark { return q{ } . DISTURBED }

# Takes [letter, text or undef] for each side; returns each text once, after the letters of its sides: "A, C: 6.12".
sub by_letters {
    my (@of_sides) = @_;
    my (@texts, %letters);
    for my $of_side (@of_sides) {
        my ($letter, $text) = ($of_side->[0], $of_side->[1] // 'unknown');
        push @texts,               $text if !$letters{$text};
        push @{ $letters{$text} }, $letter;
    }
    return map { join(', ', @{ $letters{$_} }) . ": $_" } @texts;
}

# Verdicts. Each sub takes a verdict, or what is compared.

# Returns the number of a verdict in the order of tables.
sub order_of { my ($verdict) = @_; return $VERDICT{$verdict}{order} }

# Returns whether the interval of a verdict has values around 1.
sub is_around { my ($verdict) = @_; return $VERDICT{$verdict}{is_around} }

# Returns whether other load disturbed passes of what is compared, so that its verdict has a mark.
sub is_disturbed {
    my ($compared) = @_;
    return grep({ $compared->{$_} } qw(load bound shares is_disturbed)) || is_by_work($compared) ? 1 : 0;
}

# Returns in words what the cycles of a loop say, such as "1.20 times the cycles of a loop (1.18 to 1.22)".
sub work_words {
    my ($work) = @_;
    my ($value, $low, $high) =
        map { cell(times => $_) } @{ _cycles($work) }{qw(value low high)};
    my $of = $work->{tests} < $work->{of} ? ", $work->{tests} of $work->{of} tests" : q{};
    return [$value, ' times the cycles of a loop (', $low, ' to ', $high, ")$of"];
}

# Returns the ratio of the cycles with an interval that has the factor of other load, too.
sub _cycles {
    my ($work) = @_;
    my ($cycles, $margin) = @$work{qw(cycles margin)};
    return { value => $cycles->{value}, low => $cycles->{low} / $margin, high => $cycles->{high} * $margin };
}

sub _inverse { my ($of) = @_; return { value => 1 / $of->{value}, low => 1 / $of->{high}, high => 1 / $of->{low} } }

# Takes an item of sums() and the name of its group; returns the same in percent: "19 % more cycles a loop (17 to 21 %)
# under ./sandbox, 7 tests".
sub work_of {
    my ($sum, $name) = @_;
    my $cycles    = _cycles($sum->{work});
    my $is_around = $cycles->{low} < 1 && $cycles->{high} > 1;
    my $ends      = $is_around           ? cell(changes => $cycles) : cell(differences => $cycles);
    my $more      = $cycles->{value} < 1 ? ' fewer'                 : ' more';
    return [cell(difference => $cycles), "$more cycles a loop (", $ends, ') ', $name, _of_tests($sum->{work})];
}

sub _of_tests { my ($work) = @_; return $work->{of} > 1 ? ', ' . counted($work->{tests}, 'test', 'tests') : q{} }

# Returns a verdict without numbers.
sub verdict_word { my ($verdict) = @_; return $VERDICT{$verdict}{word} }

# Returns the verdict on what is compared, without numbers of the ratio.
sub short_verdict {
    my ($compared) = @_;
    my $word = verdict_word($compared->{verdict});
    return $word eq 'equal' ? ['equal within ', cell(limit => $compared->{min_effect})] : $word;
}

# Returns the verdict for a table, such as "3.2 % slower (2.1 to 4.3 %)". It has the mark of other load.
sub verdict_text {
    my ($compared) = @_;
    my $verdict = $compared->{verdict};
    return ['inconclusive', _mark()] if $compared->{load};
    return [verdict_words($compared), _mark()] if $compared->{bound};
    return [verdict_words($compared), verdict_interval($compared), _mark()] if is_by_work($compared);
    my @mark = is_disturbed($compared) ? _mark() : ();
    return [verdict_words($compared), @mark] if $verdict eq 'unknown';
    return [$verdict eq 'equal' ? $verdict : verdict_words($compared), verdict_interval($compared), @mark];
}

# Returns the verdict in a few words, such as "3.2 % slower".
sub verdict_words {
    my ($compared) = @_;
    my $ratio = $compared->{ratio};
    return ['at least ', _bound_words($compared->{bound}{ratio})] if $compared->{bound};
    return [short_verdict($compared), ' by work'] if is_by_work($compared);
    return short_verdict($compared) if is_around($compared->{verdict});
    return 'as fast' if _is_as_fast($compared);
    return [cell(times => $ratio->{value}), ' times as fast'] if _is_factor($ratio);
    return [cell(difference => $ratio), $ratio->{value} < 1 ? ' slower' : ' faster'];
}

sub _bound_words {
    my ($ratio) = @_;
    return (cell(least => $ratio),                 ' times as fast') if $ratio >= BOUND_TIMES;
    return (cell(least => 1 / $ratio),             ' times slower') if $ratio <= 1 / BOUND_TIMES;
    return (cell(least => PERCENT * ($ratio - 1)), ' % faster') if $ratio > 1;
    return (cell(least => PERCENT * (1 - $ratio)), ' % slower');
}

# Returns the word that leads from these words to the reference.
sub verdict_than {
    my ($compared) = @_;
    return $compared->{bound}{ratio} >= BOUND_TIMES ? 'as' : 'than' if $compared->{bound};
    return 'than' if is_by_work($compared);
    return _is_as_fast($compared) || _is_factor($compared->{ratio}) ? 'as' : 'than';
}

sub _is_as_fast {
    my ($compared) = @_;
    return $compared->{verdict} eq 'unknown' && abs($compared->{ratio}{value} - 1) < FINE;
}

sub _is_factor { my ($ratio) = @_; return $ratio->{value} >= TIMES_LEAST }

# Returns the interval, to be read after the verdict. Limits and ratios of single passes have none.
sub verdict_interval {
    my ($compared) = @_;
    return q{} if $compared->{bound};
    return [': ', work_words($compared->{work})] if is_by_work($compared);
    return defined $compared->{ratio}{low} ? [' (', verdict_numbers($compared), ')'] : ', without an interval';
}

# Returns the ends of the interval, in the form of the verdict.
sub verdict_numbers {
    my ($compared) = @_;
    my $ratio = is_by_work($compared) ? _inverse(_cycles($compared->{work})) : $compared->{ratio};
    return cell(changes     => $ratio) if is_around($compared->{verdict});
    return cell(differences => $ratio) if !_is_factor($ratio);
    return [cell(times => $ratio->{low}), ' to ', cell(times => $ratio->{high}), ' times'];
}

# Takes groups, or undef for none; returns the ratios that sum them up, { copies, letter, name (of the group), brief
# (the name, cut to fit into a headline), title (of the row), ratio, verdict, min_effect, bound } each: those of the
# indexes and means, or else of the only test. The first one of a group and a table also has slower, [the names of the
# tests that are surely slower].
sub sums {
    my ($data) = @_;
    return if !$data;
    require UnixBench::Compare::Rows;
    my %name  = map { $_->{letter} => $_->{name} } @{ $data->{groups} };
    my $share = 1 / List::Util::max(1, (keys(%name) - 1) * @{ $data->{tables} });
    my @sums;
    for my $table (@{ $data->{tables} }) {
        my @rows   = grep { $_->{kind} ne 'test' || @{ $table->{rows} } == 1 } @{ $table->{rows} };
        my %slower = map  { $_ => [_slower_in($table, $_, $share)] } keys %name;
        for my $row (@rows) {
            my %of_all = (copies => $table->{copies}, title => title_of($row), min_effect => $data->{min_effect});
            for my $other (grep { $_->{ratio} } @{ $row->{others} }) {
                my %of_group = (name => $name{ $other->{letter} }, slower => delete $slower{ $other->{letter} });
                push @sums, { %of_all, %of_group, brief => cut($of_group{name}, BRIEF_MOST), %$other };
            }
        }
    }
    return @sums;
}

sub _slower_in {
    my ($table, $letter, $share) = @_;
    my @compared;
    for my $row (grep { $_->{kind} ne 'mean' } @{ $table->{rows} }) {
        push @compared, map { +{ %$_, name => $row->{name}, kind => $row->{kind} } }
            grep { $_->{letter} eq $letter && $_->{ratio} } @{ $row->{others} };
    }
    my @sure = UnixBench::Compare::Rows::sharing($share, @compared);
    return map { $_->{name} } sort { $a->{ratio}{value} <=> $b->{ratio}{value} }
        grep { $_->{kind} eq 'test' && $_->{verdict} eq 'slower' } @sure;
}

# Takes the names of tests that are surely slower, the slowest first; returns the end of a sentence that names them, or
# nothing.
sub slower_text {
    my (@names) = @_;
    my @others  = splice @names, @names > SLOWER_MOST ? SLOWER_MOST : @names;
    return if !@names;
    return '; slower: ' . join(', ', @names) . (@others ? ' and ' . counted(scalar @others, 'other', 'others') : q{});
}

# Each of these takes an item of sums(), and returns a text. An inconclusive difference is a question.

# Returns the difference, such as "7 % slower" or "7 % faster?".
sub words_of {
    my ($sum) = @_;
    return verdict_words($sum) if !_is_question($sum);
    return [verdict_words({ %$sum, verdict => 'unknown' }), '?'];
}

# Returns what is to be read after that: the interval, or why the verdict holds.
sub sure_of {
    my ($sum) = @_;
    return work_words($sum->{work}) if is_by_work($sum);
    return [_is_question($sum) ? verdict_word($sum->{verdict}) : (), verdict_interval($sum)];
}

# Takes perhaps the name of the group in another form, too. Returns the difference in a sentence: "7 % slower under
# env", or "7 % faster under env? inconclusive".
sub claim_of {
    my ($sum, $name) = @_;
    my ($words, @question) = @{ _is_question($sum) ? words_of($sum) : [words_of($sum)] };
    return [$words, q{ }, $name // $sum->{brief}, @question ? "? $sum->{verdict}" : ()];
}

sub _is_question {
    my ($sum) = @_;
    return $sum->{verdict} eq 'inconclusive' && !$sum->{bound};
}

1;
