package UnixBench::Why::Blocks;

# Why one run is slower than another, see UnixBench::Why::Reasons: the factors of each index, a sentence for each test
# that is slower or faster, and the factors of all tests as a table. The topic of a result is why several copies do not
# do as many times the work of the fewest.

use strict;
use warnings;

use Exporter 'import';
use List::Util ();

use UnixBench::Base::Text    qw(copies_text);
use UnixBench::Report::Block qw(cell column document fold heading in_full joined list paragraphs quiet row table);
use UnixBench::Report::Comparison::Wording qw(fact_text);
use UnixBench::Report::Wording             qw(title_of);
use UnixBench::Why::Factors                qw(FACTORS);

our @EXPORT_OK = qw(reason_texts why_blocks);

use constant {
    EXPLAINED_LEAST => 0.5,
    PRODUCT => 'The factors of a row multiply to the ratio, which is that of the rates of a copy, from all passes.',
    WORK    => 'User and kernel work: shares of the change of all cycles of a loop. So a mode in which few cycles are '
        . 'spent has a small factor, however much these change.',
    NOTHING => 'The result has only one number of copies. Compare it with another one: ./Run compare A B --why',
    STATE   =>
        'The result has only one state and one number of copies. ./Run compare NAME NAME-b --why says why the states '
        . 'differ.',
};

my %TITLE = (
    cpu        => 'CPU time',
    clock      => 'clock',
    user       => 'user work',
    kernel     => 'kernel work',
    work       => 'work',
    clock_work => 'clock x work',
);
my %COUNT = (faults => 'faults', switches => 'switches', forced => 'forced switches', calls => 'system calls');

# The factors to which it matters that copies share a core.
my %IS_WORK = map { $_ => 1 } qw(user kernel work clock_work);

# Takes a view; returns the section of a page, or nothing if there is only one number of copies, or if no factor is
# known.
sub of_result {
    my ($view) = @_;
    my @known = grep { @{ $_->{tests} } } @{ $view->of_result('why') };
    return in_full(map { fold(_title($_), why_blocks($_)) } @known);
}

# Takes a view; returns a report of the same, to be printed below the classic report.
sub report_of {
    my ($view) = @_;
    my @why = @{ $view->of_result('why') };
    return document(
        { title => 'Why several copies do less each' },
        @why
        ? map { (heading(_title($_)), why_blocks($_)) } @why
        : paragraphs(($view->head->{procedure} || {})->{turns} ? STATE : NOTHING),
    );
}

sub _title {
    my ($why) = @_;
    my ($fewest, $more) = map { copies_text($_) } @{ $why->{copies} };
    return "Why: each of $more against " . ($why->{copies}[0] == 1 ? $fewest : "each of $fewest");
}

# Takes what UnixBench::Why::Reasons::of_runs() returns; returns the blocks, or nothing if there is nothing to say.
sub why_blocks {
    my ($why) = @_;
    my @rows = @{ $why->{tests} };
    my @said =
        map  { _sentence($_) }
        grep { $_->{largest} }
        sort { abs(log $b->{ratio}) <=> abs(log $a->{ratio}) || $a->{title} cmp $b->{title} } @rows;
    my @unnamed = grep { $_->{unnamed} } @rows;
    my @missing = @{ $why->{missing} };
    return paragraphs(@missing) if !@rows;
    return (
        paragraphs(@missing),
        list(undef, map { [title_of($_), ': ', _factors($_)] } @{ $why->{indexes} }),
        list(
            undef,
            @said || @unnamed ? @said : 'No test is slower or faster beyond its interval.',
            @unnamed          ? 'No factor is beyond its interval: ' . join(', ', map { $_->{title} } @unnamed) : ()
        ),
        _table(@rows, @{ $why->{indexes} }),
        quiet(PRODUCT, grep({ $_->{factors}{user} } @rows) ? WORK : ()),
    );
}

sub _factors {
    my ($row)   = @_;
    my $factors = $row->{factors};
    my @names   = sort { _size($factors->{$b}) <=> _size($factors->{$a}) || $a cmp $b } keys %$factors;
    return joined(', ', map { _factor($_, $factors->{$_}) } @names);
}

sub _factor {
    my ($name, $estimate) = @_;
    return ["$TITLE{$name} ", cell(change => $estimate->{value} - 1)];
}

sub _size {
    my ($estimate) = @_;
    return abs log $estimate->{value};
}

sub _sentence {
    my ($row) = @_;
    my @facts = map { fact_text($_) } @{ $row->{differs} };
    return [reason_texts($row), @facts ? '; differs: ' . join ', ', @facts : ()];
}

# Takes the row of a test that is slower or faster; returns its title, its largest factor, others that are about as
# large, whether they explain less than half of the difference, and the count of a loop that changed most.
sub reason_texts {
    my ($row)  = @_;
    my @named  = ($row->{largest}, @{ $row->{others} || [] });
    my $factor = $row->{factors};
    my $is_up  = $factor->{ $row->{largest} }{value} > 1;
    my (@same, @against);
    push @{ ($factor->{$_}{value} > 1) == $is_up ? \@same : \@against }, $_ for @named;
    my @parts = joined(', ', map { [_factor($_, $factor->{$_}), _cycles($row, $_)] } @same);
    push @parts, ['the other way: ', joined(', ', map { [_factor($_, $factor->{$_}), _cycles($row, $_)] } @against)]
        if @against;
    my $part = List::Util::sum(map { log $factor->{$_}{value} } @same) / log $row->{ratio};
    push @parts, ['that explains only ', cell(whole_percent => $part), ' of the difference'] if $part < EXPLAINED_LEAST;
    my ($count) = sort { _apart_by($b) <=> _apart_by($a) } @{ $row->{counts} };
    push @parts, _count($count) if $count;
    push @parts, 'copies share cores' if $row->{shares_core} && grep { $IS_WORK{$_} } @named;
    return ("$row->{title}: ", joined('; ', @parts));
}

sub _cycles {
    my ($row, $name) = @_;
    my $mode = $name eq 'work' ? 'all' : $name;
    my ($cycles) = grep { $_->{mode} eq $mode } @{ $row->{cycles} || [] };
    return $cycles ? (' (', _both($cycles), ' cycles a loop)') : ();
}

sub _both {
    my ($values) = @_;
    return (cell(digits => $values->{first}), ' -> ', cell(digits => $values->{second}));
}

sub _apart_by {
    my ($count) = @_;
    my ($first, $second) = @$count{qw(first second)};
    return $first > 0 && $second > 0 ? abs log $second / $first : 1;
}

sub _count {
    my ($count) = @_;
    return ["$COUNT{ $count->{name} } ", _both($count), ' a loop'];
}

sub _table {
    my (@rows) = @_;
    my (@tests, @indexes);
    push @{ defined $_->{name} ? \@tests : \@indexes }, $_ for @rows;
    return table(
        caption => 'Factors',
        corner  => 'Factors',
        columns => [
            column(Test  => title => 'word'),
            column(Ratio => ratio => 'ratio'),
            (map { column(ucfirst $TITLE{$_}, $_ => 'ratio', is_optional => 1) } FACTORS),
            column('Cycles a loop' => cycles => 'text', is_optional => 1, spare => 2),
            column('Per loop'      => counts => 'text', is_optional => 1, spare => 1),
        ],
        rows => [map { _row($_) } @tests],
        foot => [map { _row($_) } @indexes],
    );
}

sub _row {
    my ($row)  = @_;
    my @counts = map  { _count($_) } @{ $row->{counts} || [] };
    my @named  = grep { $row->{factors}{$_} } FACTORS;
    my %item   = (ratio => $row->{ratio}, map { $_ => $row->{factors}{$_}{value} } @named);
    $item{counts} = joined('; ', @counts) if @counts;
    my @cycles = map { [$_->{mode} eq 'all' ? () : "$_->{mode} ", _both($_)] } @{ $row->{cycles} || [] };
    $item{cycles} = joined('; ', @cycles) if @cycles;
    return row(title_of($row), \%item);
}

1;
