package UnixBench::Cpus::Report;

# The report of what the CPUs are: the same entries in all media, and on a page the charts. A report is the type cpus of
# UnixBench::Cpus with page, the path of its page.

use strict;
use warnings;

use POSIX ();

use UnixBench::Base::Time      qw(duration_in_brief iso_time);
use UnixBench::Catalog         ();
use UnixBench::Cpus::Page      ();
use UnixBench::Cpus::Taken     ();
use UnixBench::Report::Block   qw(cell document in_full joined not_in_full paragraphs quiet screen);
use UnixBench::Report::Formats ();
use UnixBench::Report::JSON    ();
use UnixBench::Report::Lines   qw(aligned);
use UnixBench::Report::Plain   qw(entry_lines in_plain);
use UnixBench::Report::Title   qw(program titles);
use UnixBench::Score::Estimate ();
use UnixBench::Score::Stats    qw(quantile);

use constant { WIDTH => 72, APART => 0.04, LOADED => 0.05, LEAST => 0.0005, TENTH => 10, MS => 1000 };
use constant MOST  => [0.1, 0.9];                                            # of the pieces are between these quantiles
use constant WORDS => { dhry2reg => 'Dhrystone', syscall => 'system calls' };
use constant HOW   => 'Copies are bound to CPUs: these values are not scores. docs/cpus.md explains them.';

# Takes a report, "text", "html", "markdown", "json" or a kind of exports, and perhaps the terminal that shows it.
# Returns that text.
sub in_format {
    my ($report, $kind, $screen) = @_;
    return UnixBench::Report::JSON::file_of(cpus => $report) if $kind eq 'json';
    return UnixBench::Report::Formats::of_table($kind, _table($report)) if $kind =~ /\Aexport /;
    my $day     = POSIX::strftime('%Y-%m-%d', localtime $report->{started});
    my $about   = join ', ', program(), 'CPUs', $day, duration_in_brief($report->{seconds});
    my @entries = _entries($report);
    my @lines   = entry_lines($screen || { columns => WIDTH }, $about, @entries);
    my @texts;

    for my $entry (grep { $_->[0] ne 'Page' } @entries) {
        my ($label, @items) = @$entry;
        push @texts,
            map { ["$label: ", ref eq 'HASH' ? $_->{text} : $_] } grep { ref ne 'HASH' || !$_->{is_row} } @items;
    }
    my $blocks = document(
        { titles(CPUs => $entries[1][1]), how => [HOW] },
        not_in_full(screen(@lines)),
        in_full(quiet($about), paragraphs(@texts), UnixBench::Cpus::Page::sections($report->{cpus})),
    );
    return UnixBench::Report::Formats::of_blocks($kind, $blocks, $screen);
}

# Returns a report as a table for other programs: [columns] and a row for each value.
sub _table {
    my ($report) = @_;
    my ($found, @rows) = $report->{cpus};
    my %about = (host => $report->{host}, started => iso_time($report->{started}, 0));
    my $add   = sub { push @rows, { %about, what => $_[0], name => $_[1], %{ $_[2] } } };
    $add->(speed     => "CPU $_->{cpu}", $_->{speed})                                  for @{ $found->{alone} };
    $add->(times     => $_->{name},      { %{ $_->{alone} }, copies => $_->{copies} }) for @{ $found->{worth} };
    $add->(taken     => $_,              { value => $found->{taken}{$_} }) for qw(share stolen quota others rest);
    $add->(switching => $_->{name},      $_->{rate})                       for @{ $found->{places} };
    return ([qw(host started what name copies value low high)], @rows);
}

# Takes a text in which {kind} stands for a cell of that kind, and their values; returns the text with these cells.
sub _text {
    my ($text, @values) = @_;
    return [map { /\A[{](\w+)[}]\z/ ? cell($1, $1 eq 'sign' ? undef : shift @values) : $_ } split /([{]\w+[}])/, $text];
}

# Returns the entries of a report, see UnixBench::Report::Plain::entry_lines.
sub _entries {
    my ($report) = @_;
    my $found = $report->{cpus};
    my ($taken, $first) = ($found->{taken}, $found->{worth}[0]);
    my $worth = $first->{busy} // $first->{alone};
    my $least = POSIX::floor(TENTH * ($worth->{low} // $worth->{value})) / TENTH;
    my ($others, @quota) = ($taken->{others} // 0, map { MS * ($_ // 0) } @$taken{qw(quota_run_s quota_period_s)});
    my $is_loud = $others > UnixBench::Cpus::Taken::LOUD;
    my $limits  = 'the quota of {plain} ms in {plain} ms, the time of {times} CPUs, limits all values';
    my $loaded  = 'other processes used {percent} of the time: measure without them';
    my $host    = ($taken->{stolen} // 0) + $taken->{rest};
    my $hosted  = 'the host took {percent} of the time: ./Run --over 24h shows whether other hours differ';
    my $require = "./Run --require '$first->{copies}:$first->{name}:times>=$least' -c 1,$first->{copies} index";
    return (
        [Declared  => $found->{declared}],
        [Measured  => _measured($found), { text => _pairs($found) }],
        [Kinds     => $is_loud ? 'not determined: other processes used the CPUs' : _kinds($found)],
        [Taken     => _taken($taken)],
        [Switching => _places($found)],
        ($quota[0]                            ? [Warning => _text($limits, @quota, $quota[0] / $quota[1])] : ()),
        ($others > LOADED                     ? [Warning => _text($loaded, $others)] : ()),
        ($host > UnixBench::Cpus::Taken::LOUD ? [Warning => _text($hosted, $host)]   : ()),
        defined $report->{page} ? [Page => $report->{page}] : (),
        [Next => $is_loud ? './Run doctor' : $require],
    );
}

# Takes the key of a worth, and the worth by several tests; returns these.
sub _worths {
    my ($key, @of) = @_;
    my @texts;
    for my $of (@of) {
        my $estimate = $of->{$key}                                       // $of->{alone};
        my $half     = UnixBench::Score::Estimate::half_width($estimate) // 0;
        my $name     = WORDS->{ $of->{name} } // UnixBench::Catalog::test($of->{name})->{title};
        push @texts, _text("{times} {sign}{times} in $name", $estimate->{value}, $half * $estimate->{value});
    }
    return joined(', ', @texts);
}

# Returns what a copy for each CPU does, and how that grows.
sub _measured {
    my ($found) = @_;
    my ($pairs, @worth) = ($found->{pairs}, @{ $found->{worth} });
    my ($shape, $from, $copies, $adds) = @{ $worth[0] }{qw(shape from copies adds)};
    my %growth = (
        line         => q{},
        undetermined => '; how it grows is not determined',
        falls        => "; more than $from copies do less than $from",
        corner       => $pairs->{declared} && $pairs->{word} eq 'true' && $copies == 2 * $from
        ? ": $from cores, and the second thread of a core adds {times}"
        : '; beyond ' . ($from == 1 ? 'one copy' : "$from copies") . ', each adds {times} of one before it',
    );
    my @apart = grep { $_->{busy} && abs(log $_->{busy}{value} / $_->{alone}{value}) > APART } @worth;
    my @alone = @apart ? ('; compared with a copy that is alone, ', _worths(alone => @apart)) : ();
    return ["$copies CPUs do the work of ", _worths(busy => @worth), _text($growth{$shape}, $adds), @alone];
}

# Returns what is known about the declared cores.
sub _pairs {
    my ($found) = @_;
    my ($declared, $word, $copies) = @{ $found->{pairs} }{qw(declared word copies)};
    my @tests  = @{ $found->{pairs}{tests} };
    my ($test) = ((grep { ($_->{packed} // 'equal') ne 'equal' } @tests), @tests);
    my $packed = $word eq 'undetermined' ? 'equal' : $test->{packed};
    my $what   = 'the declared ' . ($declared ? 'pairs' : 'cores');
    my $says   = $word eq 'undetermined' ? "Whether $what are true is not determined" : "\u$what are $word";
    my $value  = $packed eq 'more'       ? 1 / $test->{ratio}{value}                  : $test->{ratio}{value};
    return _text("$says: 2 copies do {times} times what one does", 2 * $value) if @{ $found->{alone} } == 2;
    my $half  = $copies / 2;
    my $where = $declared ? "$half cores do {times} of those on $copies" : 'neighbours do {times} of those on others';
    return _text("$says: $copies copies on $where", $value) if $packed eq 'equal';
    $says .= $packed eq 'more' ? ': CPUs of both halves share a core' : ': neighbours share a core' if !$declared;
    return _text("$says: 2 copies on one core {times}, on two 2.00", 2 * $value);
}

sub _kinds {
    my ($found) = @_;
    my @kinds   = @{ $found->{kinds} };
    my @texts   = map { _text("$_->{name}, {times}: CPUs @{ $_->{cpus} }", $_->{value}) } @kinds > 1 ? @kinds : ();
    for my $odd (grep { $_->{beside} } @{ $found->{alone} }) {
        my ($half, $by) = (UnixBench::Score::Estimate::half_width($odd->{beside}), $odd->{beside}{value} - 1);
        my $than = $by < 0 ? 'slower' : 'faster';
        push @texts, _text("CPU $odd->{cpu} is {percent} {precision} $than than the others", abs $by, $half);
    }
    return joined('; ', @kinds > 1 ? scalar @kinds : 'one', @texts);
}

# Returns the time that was taken, and what explains it.
sub _taken {
    my ($taken) = @_;
    my @sizes   = @{ $taken->{sizes} } or return 'nothing: no piece of more than 0.2 ms was missing';
    my @ends    = map { MS * quantile($_, @sizes) } @{ +MOST };
    my @pieces  = _text('{percent} of the time, in pieces of {rough} to {rough} ms', $taken->{share}, @ends);
    push @pieces, _text(', each {rough} ms', MS * $taken->{period_s}) if defined $taken->{period_s};
    my $steal    = defined $taken->{stolen} ? _text('steal shows {percent}', $taken->{stolen}) : 'steal is unknown';
    my %explains = (
        quota  => 'the quota explains {percent}',
        others => 'other processes explain {percent}',
        rest   => '{percent} is unexplained',
    );
    my @explained = grep { ($taken->{$_} // 0) > LEAST } qw(quota others rest);
    return joined(', ', [@pieces, '; ', $steal], map { _text($explains{$_}, $taken->{$_}) } @explained);
}

# Returns a line for each place, in columns, which a page has in a chart; and where the processes of the newest result
# were.
sub _places {
    my ($found) = @_;
    my @rows;
    for my $place (@{ $found->{places} }) {
        my ($first, @other) = @{ $place->{cpus} };
        my $cpus  = $first == $other[0]     ? "CPU $first"                             : "CPUs $first and @other";
        my @index = defined $place->{index} ? _text('index {digits}', $place->{index}) : ();
        push @rows, [map { in_plain($_) } $place->{name}, _text('{brief} a second', $place->{rate}), @index, $cpus];
    }
    @rows = map { +{ text => $_, is_row => 1 } } aligned(@rows);
    my $own  = $found->{own} or return @rows;
    my $text = "The newest result ($own->{result}, {digits}) has its two processes in this place: $own->{place}.";
    $text .= " In the place $own->{other} its index of the system would be {digits} instead of {digits}."
        if defined $own->{would} && $own->{other} ne $own->{place};
    return (@rows, { text => _text($text, @$own{qw(index would system)}) });
}

1;
