package UnixBench::Report::Topic::Scores;

# The topic of scores: the tests of a run and their index in a table for each category, the highest index first. On a
# page, each test with an index also has a picture: its index with the interval, and a dot for each pass. Below the
# runs, the scaling has a table: the speed-up of several copies compared with the fewest. On the page of a sweep it is
# above the runs.

use strict;
use warnings;

use UnixBench::Base::Result        qw(floor_bounds is_measured unmeasured);
use UnixBench::Base::Text          qw(copies_text counted listed unique);
use UnixBench::Noise::Disturbances ();
use UnixBench::Report::Block       qw(cell column heading in_full joined not_in_full quiet row section table);
use UnixBench::Report::Chart       qw(dots dots_column);
use UnixBench::Report::Title       qw(next_run);
use UnixBench::Report::Topics      ();
use UnixBench::Report::Wording     qw(copies_of index_title index_value title_of);
use UnixBench::Score               qw(LOWEST_THIRD index_of_test);
use UnixBench::Score::Estimate     ();
use UnixBench::Score::Work         ();
use UnixBench::Warnings::Trust     ();
use UnixBench::Warnings::Wording   qw(modes_text);

use constant {
    NEXT    => ': how far the next run may be (95 %); variation: coefficient of variation.',
    HALF    => ': half of the 95 % interval of this run; variation: coefficient of variation.',
    CLASSIC => 'Scores include all passes. Classic: the index without ' . LOWEST_THIRD . '.',
    POINT   => 'A large dot is the index of a test, with its 95 % interval, or its floor; two are values around which '
        . 'passes gather. Below it, each small dot is a pass; a hollow one was disturbed.',
    USUAL => 'the indexes of 8 of 10 published machines with as many copies.',
    LOW   => 'Some tests have a low index on every new machine: ./Run explain TEST. Scores include all passes.',
};

my @COLUMNS = (
    column('Index',      index     => 'known', is_optional => 1),
    column(cell('sign'), sure      => 'cells', is_optional => 1),
    column('Score',      score     => 'known', is_optional => 1),
    column('Unit',       unit      => 'word',  is_optional => 1, in => 'full brief'),
    column('Variation',  variation => 'cells', is_optional => 1),
    column('Work',       work      => 'known', is_optional => 1, spare => 1, in => 'full detail'),
    column('Passes',     passes    => 'count', is_optional => 1, in    => 'detail brief'),
    column('Classic',    classic   => 'rate',  is_optional => 1),
    column('Usual',      usual     => 'cells', is_optional => 1, spare => 1, in => 'detail brief'),
);

# Takes a view and a run; returns its scores and indexes.
sub of_run {
    my ($view, $run) = @_;
    my @classic    = !defined $run->{rounds} && $view->result && $view->measured($run) ? CLASSIC : ();
    my @categories = unique(map { $_->{category} // q{} } @{ $run->{tests} });
    my @has_index  = grep { defined index_of_test($_) } @{ $run->{tests} };
    my @usual      = (grep { $view->usual($run, $_) } @{ $run->{tests} }) ? USUAL : ();
    return (
        (map { (@categories > 1 ? heading(_subject($_)) : (), _table($view, $run, $_)) } @categories),
        in_full(quiet(@has_index ? ($view->result ? POINT . q{ } . LOW : LOW) : ())),
        map({ (in_full(quiet("The bar of a test: $_")), not_in_full(quiet("Usual: $_"))) } @usual),
        quiet(_rounds($view, $run), _repeated($view, $run)),
        $view->result ? not_in_full(quiet([cell('sign'), $view->is_repeatable ? NEXT : HALF], @classic)) : (),
    );
}

sub _subject {
    my ($category) = @_;
    return 'Others' if !length $category;
    return UnixBench::Score::subject({ category => $category, title => $category });
}

# Returns the table of a category in a run. The pictures of all runs have the same axis.
sub _table {
    my ($view, $run, $category) = @_;
    my @tests   = grep { ($_->{category} // q{}) eq $category } $view->tests($run);
    my %is_here = map  { $_->{name} => 1 } @tests;
    my %index   = map  { $_->{name} => (_index_of_test($view, $_) || {})->{value} } @tests;
    @tests = sort {
        _by_index(@index{ map { $_->{name} } $a, $b })
            || $a->{title} cmp $b->{title}
    } @tests;
    my @drawn =
        grep({ defined } values %index)
        ? dots_column('Index', map { _values_on_axis($view, $_, \%is_here) } $view->runs)
        : ();
    return table(
        caption => 'Tests',
        corner  => copies_of($run),
        columns => [column('Test', title => 'word'), @drawn, @COLUMNS],
        rows    => [map { _test($view, $run, $_) } @tests],
        foot    => [map { _index($view, $run, $_) } grep { $_->{category} eq $category } @{ $run->{indexes} }],
        remarks => 'Remarks',
    );
}

sub _by_index {
    my ($first, $second) = @_;
    return !$first <=> !$second || $first && $second <=> $first;
}

sub _index_of_test {
    my ($view, $test) = @_;
    return if !defined index_of_test($test);
    return $view->once("index $test",
        sub { UnixBench::Score::Estimate::multiple($view->estimate_of($test), 10 / $test->{baseline}) });
}

# Returns the row of a test. A test with two modes has no mean.
sub _test {
    my ($view, $run, $test) = @_;
    return row($test->{title}, undef, reason => unmeasured($test)) if !is_measured($test);
    my $floor = floor_bounds($test);
    my $modes = $floor ? undef : $test->{modes};
    my $known = _index_of_test($view, $test);
    my $index = $known && _on_axis($view, $test, $known);
    my $cv    = $test->{cv};
    my $usual = $view->usual($run, $test);
    my @noisy = UnixBench::Warnings::Trust::is_noisy($cv) ? ', noisy' : ();
    my %item  = (
        passes    => $view->result ? $test->{passes}                                    : undef,
        variation => defined $cv   ? [cell(percent => $cv), @noisy]                     : undef,
        usual     => $usual        ? joined(' to ', map { cell(tenths => $_) } @$usual) : undef,
        classic   => _classic($view, $run, index_of_test($test)),
        work      => scalar UnixBench::Score::Work::cycles_of_loop($view->summary, $test),
        $modes
        ? ()
        : (unit => $test->{unit}, _numbers($floor, $view->estimate_of($test), $index, $view->repeat_of($test))),
    );
    my @remark = $modes ? (remark => modes_text($modes)) : ();
    my %drawn  = (index => $index, is_floor => $floor, usual => $usual);
    return row($test->{title}, \%item, @remark, $index ? _picture($view, $run, $test, \%drawn) : ());
}

sub _classic {
    my ($view, $run, $index) = @_;
    return defined $run->{rounds} || !$view->result ? undef : $index;
}

sub _numbers {
    my ($floor, $score, $index, $repeat) = @_;
    my $sure = $repeat ? next_run($repeat) : defined $score->{low} ? cell(half => $score) : undef;
    return (score => $score, index => $index, sure => $sure && [$sure]) if !$floor;
    return (score => _at_least($floor->{at_least}), index => $index && _at_least($index->{value}));
}

sub _at_least { my ($value) = @_; return ['at least ', cell(least => $value)] }

sub _index {
    my ($view, $run, $index) = @_;
    my $floor   = floor_bounds($index);
    my $on_axis = _on_axis($view, $index, $view->estimate_of($index));
    my %numbers = (_numbers($floor, $on_axis, $on_axis, $view->repeat_of($index)), score => undef);
    my $words   = joined(', ', [$index->{lacking} ? 'mean ' : 'index ', _value($floor, $on_axis)], _interval($on_axis));
    return row(
        index_title($index), { %numbers, classic => _classic($view, $run, index_value($index)) },
        shapes => [dots(points => [$on_axis])],
        words  => $words
    );
}

sub _value {
    my ($is_floor, $estimate) = @_;
    return $is_floor ? @{ _at_least($estimate->{value}) } : cell(rate => $estimate->{value});
}

sub _values_on_axis {
    my ($view, $run, $is_here) = @_;
    my @tests   = grep { $is_here->{ $_->{name} } && defined index_of_test($_) } @{ $run->{tests} };
    my @indexes = grep {
        grep { $is_here->{$_} }
            @{ $_->{tests} }
    } @{ $run->{indexes} };
    my @of   = ((map { [$_, _index_of_test($view, $_)] } @tests), map { [$_, $view->estimate_of($_)] } @indexes);
    my @ends = grep { defined } map { @$_{qw(value low high)} } map { _on_axis($view, @$_) } @of;
    return (@ends, map { (@{ $view->usual($run, $_) || [] }, map { $_->{index} } _passes($view, $run, $_)) } @tests);
}

sub _passes {
    my ($view, $run, $test) = @_;
    my $dot_of = sub {
        my ($pass) = @_;
        return {
            number       => $pass->{number},
            index        => UnixBench::Score::rate($pass) * 10 / $test->{baseline},
            is_disturbed => UnixBench::Noise::Disturbances::is_disturbed($pass),
        };
    };
    return @{ $view->once("dots $test", sub { [map { $dot_of->($_) } $view->passes($run, $test)] }) };
}

# Takes a view, a test or an index of it, and the estimate of its index; returns that or, if it is a floor, an estimate
# without an interval: that of passes which differ wildly would stretch the axis.
sub _on_axis {
    my ($view, $of, $estimate) = @_;
    my $floor = floor_bounds($of) or return $estimate;
    return { value => $floor->{at_least} * $estimate->{value} / $view->estimate_of($of)->{value} };
}

sub _picture {
    my ($view, $run, $test, $drawn) = @_;
    my ($index, $is_floor, $usual) = @$drawn{qw(index is_floor usual)};
    my @passes  = _passes($view, $run, $test);
    my @indexes = sort { $a <=> $b } map { $_->{index} } @passes;
    my $range   = { low => $indexes[0], high => $indexes[-1] };
    my $words   = joined(
        ', ',
        ['index ', _value($is_floor, $index)],
        _interval($index),
        @passes
        ? [counted(scalar @passes, 'pass', 'passes'), @passes > 1 ? (' from ', cell(interval => $range)) : ()]
        : ()
    );
    my $modes  = $is_floor ? undef                                                            : $test->{modes};
    my @points = $modes    ? map { { value => $_->{rate} * 10 / $test->{baseline} } } @$modes : $index;
    my @dots;

    for my $pass (@passes) {
        my $class = $pass->{is_disturbed} ? 'pass disturbed' : 'pass';
        push @dots, [$class, $pass->{index}, ["pass $pass->{number}: ", cell(rate => $pass->{index})]];
    }
    my @band = $usual ? (band => $usual) : ();
    return (shapes => [dots(points => \@points, below => \@dots, @band)], words => $words);
}

sub _interval {
    my ($estimate) = @_;
    return defined $estimate->{low} ? ['95 % interval ', cell(interval => $estimate)] : ();
}

sub _rounds {
    my ($view, $run) = @_;
    return if !defined $run->{rounds};
    my $seed  = $view->summary->{procedure}{seed};
    my $order = defined $seed ? " in random order (seed $seed)" : q{};
    return counted($run->{rounds}, 'round', 'rounds') . "$order.";
}

sub _repeated {
    my ($view, $run) = @_;
    my $repeated = map { @{ $_->{set_aside} || [] } } map { $view->passes($run, $_) } @{ $run->{tests} };
    my $were     = $repeated == 1 ? 'was' : 'were';
    my $passes   = counted($repeated, 'short pass', 'short passes');
    return $repeated ? "$passes $were disturbed and repeated; the first attempts are not counted." : ();
}

use constant MORE_THAN_ALL => 1.2;    # the efficiency from which on copies help each other
use constant WAKES         => 'one copy lets CPUs sleep between its switches; several keep them awake';
use constant FEW           => 2;      # numbers of copies: the gain says it all

# Take a view; return the scaling of its result, or nothing: on a page, above the runs if it is that of a sweep, else
# below them.
sub before_runs {
    my ($view) = @_;
    return _is_sweep($view) ? in_full(sub { _scaling($view) }) : ();
}

sub of_result {
    my ($view) = @_;
    return _is_sweep($view) ? not_in_full(sub { _scaling($view) }) : _scaling($view);
}

sub _is_sweep { my ($view) = @_; return @{ ($view->scaling || {})->{copies} || [] } > FEW }

sub _scaling {
    my ($view) = @_;
    my $gain = $view->scaling or return;
    my ($of_gain, $efficiency) = _sentences($gain);
    my @of_several = @{ $gain->{copies} } > FEW ? ($efficiency // ()) : ();
    my %shapes     = map { ($_->{name} => $_->{words}) } $view->of_scaling;
    my %is_chosen  = map { $_->{copies} => 1 } ($view->runs)[$view->chosen_runs(FEW)];
    return section(
        { id => 'scaling', title => 'Scaling' },
        UnixBench::Report::Topics::said('of_scaling', $view),
        _table_of_gain($gain, \%shapes, \%is_chosen),
        quiet($of_gain // (), @of_several, _floors($view))
    );
}

sub _table_of_gain {
    my ($gain, $shapes, $is_chosen) = @_;
    my ($first, @others) = @{ $gain->{copies} };
    my %optional   = (is_optional => 1);
    my @spare      = %$shapes    ? (spare => 1)                                                           : ();
    my @efficiency = @others > 1 ? column('Efficiency', efficiency => 'whole_percent', %optional, @spare) : ();
    my @copies     = map { [$_, $is_chosen->{$_} ? () : (in => 'detail brief', spare => 1)] } $first, @others;
    return table(
        caption => 'Index and speed-up',
        corner  => 'Index and speed-up',
        columns => [
            column('Test', title => 'word'),
            (map { column(copies_text($_->[0]), "index $_->[0]" => 'rate', none => '---', @$_[1 .. $#$_]) } @copies),
            column('Gain', gain => 'whole_percent', %optional),
            @efficiency,
            column('Shape', shape => 'text', %optional),
        ],
        rows    => [map { _row_of_gain($_, $shapes->{ $_->{name} }) } @{ $gain->{tests} }],
        foot    => [map { _row_of_gain($_, $shapes->{ $_->{category} }) } @{ $gain->{indexes} }],
        remarks => 'Remarks',
    );
}

# Copies of context1 can do more than as many times the work of one.
sub _row_of_gain {
    my ($line, $shape) = @_;
    my @at    = @{ $line->{at} };
    my %index = map { ("index $_->{copies}" => $_->{index}) } @at;
    my $wakes = ($line->{name} // q{}) eq 'context1' && ($at[-1]{efficiency} // 0) > MORE_THAN_ALL;
    my %item  = (%index, shape => $shape, map { $_ => $at[-1]{$_} } qw(gain efficiency));
    return row(title_of($line), \%item, $wakes ? (remark => WAKES) : ());
}

# Returns the sentences that define gain and efficiency, if the table has them. A disturbed test or index has none.
sub _sentences {
    my ($gain) = @_;
    return if !grep { defined $_->{at}[-1]{times} } map { @$_ } @$gain{qw(tests indexes)};
    my ($fewest, @others) = @{ $gain->{copies} };
    my ($one,    $each)   = $fewest == 1 ? ('a single one') x 2 : ("$fewest of them", "each of $fewest");
    return (
        "Gain: how much more $others[-1] copies do together than $one.",
        "Efficiency: how much a copy does, as a part of what $each does."
    );
}

sub _floors {
    my ($view) = @_;
    my @runs = grep {
        my $run = $_;
        grep { floor_bounds($_) } @{ $run->{indexes} }, $view->measured($run)
    } $view->runs;
    return if !@runs;
    return
        'Disturbed by other load, so that indexes are too low: '
        . listed(map { copies_text($_->{copies}) } @runs) . q{.};
}

1;
