package UnixBench::Report::Fleet;

# The report of a fleet: the machines that stand out, then a chart and a table of all tests, then the rules.
#
# In the chart, each measure is a row, and each machine is a dot at its value divided by the median. Lines are the
# limits beyond which a machine is slow or fast. With more than 200 machines, only those that stand out are dots, and a
# line is the range of the others.

use strict;
use warnings;

use List::Util qw(max min);

use UnixBench::Base::Number  qw(fixed);
use UnixBench::Base::Text    qw(listed);
use UnixBench::Report::Block qw(
    card cards chart document dot drawn fold grid group in_brief in_detail in_full list not_in_detail not_in_full
    notices paragraphs quiet row rule said section span table
);
use UnixBench::Report::Comparison::Wording qw(forced);
use UnixBench::Report::Fleet::Ranking      qw(ranking);
use UnixBench::Report::Fleet::Wording      qw(
    findings_in headline kinds_of lacking legend machine_title measure_title standing_out unusual
);
use UnixBench::Report::Wording qw(copies_title);

use constant SHOWN_MOST => 4;    # findings of a card; the others are folded, and indexes come first

use constant { LEAST => 1e-3, MOST => 1e3 };    # times the median: more extreme values are drawn there
use constant { MANY => 200, HEIGHT => 34, MIDDLE => 17 };
use constant {
    AXIS  => "\xe2\x86\x90 slower, faster \xe2\x86\x92",
    DOTS  => 'Each dot is a machine.',
    RANGE => 'With more than '
        . MANY
        . ' machines a line goes from the least to the greatest of those whose value does not stand out; only those '
        . 'that stand out are dots.',
    LIMITS => 'Beyond the dotted lines a value stands out: a larger dot. A ring is a noisy machine.',
};

my @KINDS = ('slow', 'fast', 'not reliable', 'noisy', 'unusual');

# Takes a fleet, see UnixBench::Compare::Fleet, that was not refused; returns its report.
sub report_of {
    my ($fleet) = @_;
    return document(
        headline($fleet),
        notices(grep { defined } forced($fleet)),
        in_detail(paragraphs(headline($fleet))),
        (map { ranking($fleet, $_) } @{ $fleet->{runs} }),
        details_of($fleet),
    );
}

# Takes the same; returns the blocks that follow the rankings.
sub details_of {
    my ($fleet) = @_;
    my @about = (list('Not compared:', @{ $fleet->{omissions} }), quiet(legend($fleet)));
    return (
        in_full(
            sub {
                cards(map { _card($fleet, $_) } @{ $fleet->{named} });
            }
        ),
        not_in_full(map { _machine($fleet, $_) } @{ $fleet->{named} }),
        (map { _run($fleet, $_) } @{ $fleet->{runs} }),
        not_in_full(@about),
        in_full(section('What is compared, and how', @about)),
    );
}

# Returns a machine that stands out: its findings, and other unusual facts about it.
sub _machine {
    my ($fleet, $machine) = @_;
    my $title = machine_title($machine, $fleet);
    my @found = (_findings($fleet, $machine), unusual($machine));
    return (in_detail(list($title, @found)), in_brief(section($title, list(undef, @found))));
}

# Returns the findings about a machine in all runs.
sub _findings {
    my ($fleet, $machine) = @_;
    my @runs = @{ $fleet->{runs} };
    my @texts;
    for my $run (@runs) {
        my $copies = @runs > 1 ? copies_title($run->{copies}) . ': ' : q{};
        push @texts, map { "$copies$_" } findings_in($machine, $run);
    }
    return @texts;
}

sub _card {
    my ($fleet, $machine) = @_;
    my @kinds  = kinds_of($machine);
    my @found  = _findings($fleet, $machine);
    my @shown  = splice @found, 0, @found > SHOWN_MOST + 1 ? SHOWN_MOST : @found;
    my @more   = fold(scalar @found . ' more findings', paragraphs(@found));
    my @blocks = (said('words', join ', ', @kinds), paragraphs(@shown), @more, quiet(unusual($machine)));
    return card(title => machine_title($machine, $fleet), class => _class($kinds[0]), blocks => \@blocks);
}

# Returns the section of a run, with the measures that some machines do not have.
sub _run {
    my ($fleet, $run) = @_;
    my $title   = copies_title($run->{copies});
    my @lacking = lacking($run);
    return section(
        $title,
        in_full(sub { _chart($fleet, $run) }),
        in_brief(_table($fleet, $run, 'Test')),
        in_detail(group(_table($fleet, $run, $title), paragraphs(@lacking))),
        not_in_detail(list(undef, @lacking)),
    );
}

sub _table {
    my ($fleet, $run, $first) = @_;
    my @rows = map { _row($fleet, $_) } @{ $run->{measures} };
    return table(
        columns => [word => $first, number => 'Machines', number => 'Median', text => 'Standing out'],
        rows    => \@rows
    );
}

sub _row {
    my ($fleet, $measure) = @_;
    return row(measure_title($measure),
        [$measure->{count}, fixed($measure->{median}), standing_out($measure, $fleet->{names})]);
}

sub _chart {
    my ($fleet, $run) = @_;
    my @measures = map { _with_machines($_, $fleet->{names}) } @{ $run->{measures} };
    my $drawn    = sub { _drawn($_[0], $fleet->{names}) };
    return chart(
        title   => 'Each machine as a multiple of the median, ' . copies_title($run->{copies}),
        axis    => AXIS,
        values  => [1, map { (@{ $_->{limits} }, _times($_)) } @measures],
        height  => HEIGHT,
        columns => [word => 'Test', number => 'Median', text => 'Standing out'],
        rows    => [map { $drawn->($_) } grep { $_->{kind} ne 'index' } @measures],
        foot    => [map { $drawn->($_) } grep { $_->{kind} eq 'index' } @measures],
        legend  => [_legend(map { scalar @{ $_->{machines} } } @measures)],
    );
}

# Takes a measure, and { label => name }; returns it with its machines and with the limits that can be drawn. A machine
# is a hash of
#   label     the name of the machine
#   is        how it stands out, see UnixBench::Compare::Fleet::Outliers: a list, perhaps empty
#   multiple  its value divided by the median
#   times     the same, within the range that is drawn
sub _with_machines {
    my ($measure, $names) = @_;
    my %is;
    push @{ $is{ $_->{label} } }, $_->{is} for @{ $measure->{outliers} };
    my @machines =
        map { +{ label => $names->{ $_->{label} }, is => $is{ $_->{label} } || [], _multiples($_->{value}, $measure) } }
        @{ $measure->{readings} };
    return { %$measure, machines => \@machines, limits => [grep { $_ > LEAST && $_ < MOST } @{ $measure->{limits} }] };
}

# Returns multiple and times of a value, see above.
sub _multiples {
    my ($value, $measure) = @_;
    my $multiple = $value / $measure->{median};
    return (multiple => $multiple, times => max(LEAST, min(MOST, $multiple)));
}

sub _times {
    my ($measure) = @_;
    return map { $_->{times} } @{ $measure->{machines} };
}

sub _drawn {
    my ($measure, $names) = @_;
    my @shapes = (
        grid(),
        (map { rule('limit', $_) } @{ $measure->{limits} }),
        rule('mean', 1),
        _dots(@{ $measure->{machines} }),
    );
    my @cells = (fixed($measure->{median}), standing_out($measure, $names));
    return drawn(measure_title($measure), \@shapes, _chart_words($measure), \@cells);
}

# Returns the dots of machines. Those that stand out are drawn above the others.
sub _dots {
    my (@machines) = @_;
    my @usual      = grep { !@{ $_->{is} } } @machines;
    my @unusual    = grep { @{ $_->{is} } } @machines;
    return (@machines > MANY ? _range(@machines) : map({ _dot($_) } @usual), map { _dot($_) } @unusual);
}

sub _dot {
    my ($machine) = @_;
    return dot(join(q{ }, 'machine', map { _class($_) } @{ $machine->{is} }),
        $machine->{times}, MIDDLE, _dot_words($machine));
}

# Takes how a machine stands out; returns it as a class.
sub _class {
    my ($is) = @_;
    return $is =~ tr/ /-/r;
}

sub _dot_words {
    my ($machine) = @_;
    my $words     = join ', ', sprintf('%.3f times the median', $machine->{multiple}), @{ $machine->{is} };
    return "$machine->{label}: $words";
}

# Returns the line for machines whose value does not stand out. There are always some: half of all machines are within
# one deviation of the median.
sub _range {
    my (@machines) = @_;
    my @times = map { $_->{times} } grep {
        !grep { $_ ne 'noisy' }
            @{ $_->{is} }
    } @machines;
    return span('range', min(@times), max(@times), MIDDLE);
}

sub _chart_words {
    my ($measure) = @_;
    my @multiples = map { $_->{multiple} } @{ $measure->{machines} };
    my @words     = sprintf 'from %.3f to %.3f times the median', min(@multiples), max(@multiples);
    for my $kind (@KINDS) {
        my @labels = map { $_->{label} } grep {
            grep { $_ eq $kind }
                @{ $_->{is} }
        } @{ $measure->{machines} };
        push @words, "$kind: " . listed(@labels) if @labels;
    }
    return join '; ', @words;
}

# Takes the number of machines of each row; returns the legend.
sub _legend {
    my (@counts) = @_;
    my $has_few  = grep { $_ <= MANY } @counts;
    my $has_many = grep { $_ > MANY } @counts;
    return join q{ }, ($has_few ? DOTS : ()), ($has_many ? RANGE : ()), LIMITS;
}

1;
