package UnixBench::Cpus::Report;

# The report of what the CPUs are: the same entries in all media, and on a page the charts. A report is the type cpus of
# UnixBench::Cpus with page, the path of its page.

use strict;
use warnings;

use List::Util qw(max min);
use POSIX      qw(floor strftime);

use UnixBench::Base::Text        qw(aligned counted);
use UnixBench::Base::Time        qw(duration_in_brief iso_time);
use UnixBench::Catalog           ();
use UnixBench::Cpus::Measurement ();
use UnixBench::Report::Block     qw(:all);
use UnixBench::Report::Cell      qw(sentence);
use UnixBench::Report::Chart     qw(bar dots grid picture rule);
use UnixBench::Report::Formats   ();
use UnixBench::Report::JSON      ();
use UnixBench::Report::Plain     qw(entry_lines in_plain);
use UnixBench::Report::Title     qw(program titles);
use UnixBench::Score::Estimate   ();
use UnixBench::Score::Stats      qw(quantile);

use constant { WIDTH => 72, APART => 0.04, LOADED => 0.05, LEAST => 0.0005, TENTH => 10, MS => 1000, MARGIN => 0.95 };
use constant { TOP => 6, HEIGHT => 18, ROW => 30, SHORT_S => 0.0005 };    # of charts
use constant CLASSES => [undef, 'slower', 'equal', 'unknown'];            # of dots, by kind
use constant HOW     => 'Copies are bound to CPUs: these values are not scores. docs/cpus.md explains them.';
use constant WORDS   => { dhry2reg => 'Dhrystone', syscall => 'system calls' };

# Takes a report, "text", "html", "markdown", "json" or a kind of exports, and perhaps a terminal. Returns that text.
sub in_format {
    my ($report, $kind, $screen) = @_;
    return UnixBench::Report::JSON::file_of(cpus => $report) if $kind eq 'json';
    return UnixBench::Report::Formats::of_table($kind, _table($report)) if $kind =~ /\Aexport /;
    my $day     = strftime('%Y-%m-%d', localtime $report->{started});
    my $about   = join ', ', program(), 'CPUs', $day, duration_in_brief($report->{seconds});
    my @entries = _entries($report);
    my $found   = $report->{cpus};
    my @copies  = map { _copies($_) } @{ $found->{worth} };
    my @texts;

    for my $entry (grep { $_->[0] ne 'Page' } @entries) {
        my ($label, @items) = @$entry;
        push @texts,
            map { ["$label: ", ref eq 'HASH' ? $_->{text} : $_] } grep { ref ne 'HASH' || !$_->{is_row} } @items;
    }
    my $blocks = document(
        { titles(CPUs => $entries[1][1]), how => [HOW] },
        not_in_full(screen(entry_lines($screen || { columns => WIDTH }, $about, @entries))),
        in_full(quiet($about), paragraphs(@texts), _speeds($found), @copies, _switching($found), _pieces($found)),
    );
    return UnixBench::Report::Formats::of_blocks($kind, $blocks, $screen);
}

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

sub _entries {
    my ($report) = @_;
    my $found = $report->{cpus};
    my ($taken, $first) = ($found->{taken}, $found->{worth}[0]);
    my $least = floor(TENTH * MARGIN * ($first->{alone}{low} // $first->{alone}{value})) / TENTH;
    my $asked = UnixBench::Catalog::test($first->{name})->{category} eq 'system' ? 'index' : $first->{name};
    my ($others, @quota) = ($taken->{others} // 0, map { MS * ($_ // 0) } @$taken{qw(quota_run_s quota_period_s)});
    my $is_loud = $others > UnixBench::Cpus::Measurement::LOUD;
    my $is_less = $quota[0] && $quota[0] < $quota[1] * $first->{copies};
    my $limits  = 'the quota of {plain} ms in {plain} ms, the time of {times} CPUs, limits all values';
    my $loaded  = 'other processes used {percent} of the time: measure without them';
    my $of_any  = defined $taken->{others} ? 0 : $taken->{rest};
    my $host    = ($taken->{stolen} // 0) + $taken->{rest} - $of_any;
    my $unknown = 'the host or other processes took {percent} of the time: which of them is not known here';
    my $hosted  = 'the host took {percent} of the time: ./Run --over 24h shows whether other hours differ';
    my $require = "./Run --require '$first->{copies}:$first->{name}:times>=$least' -c 1,$first->{copies} $asked";
    my $next =
          $is_loud || $least < 1 || $of_any > UnixBench::Cpus::Measurement::LOUD ? './Run doctor'
        : $host > UnixBench::Cpus::Measurement::LOUD                             ? './Run --over 24h'
        :                                                                          $require;
    return (
        [Declared  => $found->{declared}],
        [Measured  => _measured($found), { text => _pairs($found) }],
        [Kinds     => $is_loud ? 'not determined: other processes used the CPUs' : _kinds($found)],
        [Taken     => _taken($taken)],
        [Switching => _places($found)],
        ($is_less ? [Warning => sentence($limits, @quota, $quota[0] / $quota[1])] : ()),
        ($others > LOADED                             ? [Warning => sentence($loaded,  $others)] : ()),
        ($host > UnixBench::Cpus::Measurement::LOUD   ? [Warning => sentence($hosted,  $host)]   : ()),
        ($of_any > UnixBench::Cpus::Measurement::LOUD ? [Warning => sentence($unknown, $of_any)] : ()),
        [Page => $report->{page}],
        [Next => $next],
    );
}

sub _worth {
    my ($estimate, $test) = @_;
    my $half = UnixBench::Score::Estimate::half_width($estimate) // 0;
    my $name = WORDS->{$test}                                    // UnixBench::Catalog::test($test)->{title};
    return sentence("{times} {sign}{times} in $name", $estimate->{value}, $half * $estimate->{value});
}

sub _measured {
    my ($found) = @_;
    my ($pairs, @worth) = ($found->{pairs}, @{ $found->{worth} });
    my ($shape, $from, $copies, $adds) = @{ $worth[0] }{qw(shape from copies adds)};
    my %growth = (
        line         => q{},
        undetermined => '; how it grows is not determined',
        falls        => "; more than $from copies do less than $from",
        corner       => $pairs->{declared} && $pairs->{word} eq 'true' && $copies == 2 * $from
        ? ': ' . counted($from, qw(core cores)) . ', and the second thread of a core adds {times}'
        : '; beyond ' . ($from == 1 ? 'one copy' : "$from copies") . ', each adds {times} of one before it',
    );
    my @apart = grep { $_->{busy} && abs(log $_->{busy}{value} / $_->{alone}{value}) > APART } @worth;
    my @busy  = map  { _worth($_->{busy} // $_->{alone}, $_->{name}) } @worth;
    my @alone = map  { _worth(@$_{qw(alone name)}) } @apart;
    my @than  = @alone ? ('; compared with a copy that is alone, ', joined(', ', @alone)) : ();
    my ($run_s, $period_s) = @{ $found->{taken} }{qw(quota_run_s quota_period_s)};
    my $part    = $run_s    ? $run_s / $period_s                                                  : 1;
    my @limited = $part < 1 ? sentence(', times one copy, which itself gets {times} CPUs', $part) : ();
    return ["$copies CPUs do the work of ", joined(', ', @busy), @limited, sentence($growth{$shape}, $adds), @than];
}

sub _pairs {
    my ($found) = @_;
    my ($declared, $word, $copies) = @{ $found->{pairs} }{qw(declared word copies)};
    my @tests  = @{ $found->{pairs}{tests} };
    my ($test) = ((grep { ($_->{packed} // 'equal') ne 'equal' } @tests), @tests);
    my $packed = $word eq 'undetermined' ? 'equal' : $test->{packed};
    my $what   = 'the declared ' . ($declared ? 'pairs' : 'cores');
    my $says   = $word eq 'undetermined' ? "Whether $what are true is not determined" : "\u$what are $word";
    my $value  = $packed eq 'more'       ? 1 / $test->{ratio}{value}                  : $test->{ratio}{value};
    return sentence("$says: $copies copies do {times} times what one does", $copies * $value)
        if $copies == $found->{worth}[0]{copies};
    my $on    = counted($copies / 2, qw(core cores));
    my $where = $declared ? "$on do {times} of those with a core each" : 'neighbours do {times} of those on others';
    return sentence("$says: $copies copies on $where", $value) if $packed eq 'equal';
    $says .= $packed eq 'more' ? ': CPUs of both halves share a core' : ': neighbours share a core' if !$declared;
    return sentence("$says: 2 copies on one core {times}, on two 2.00", 2 * $value);
}

sub _kinds {
    my ($found) = @_;
    my @kinds   = @{ $found->{kinds} };
    my @texts   = map { sentence("$_->{name}, {times}: CPUs @{ $_->{cpus} }", $_->{value}) } @kinds > 1 ? @kinds : ();
    for my $odd (grep { $_->{beside} } @{ $found->{alone} }) {
        my ($half, $by) = (UnixBench::Score::Estimate::half_width($odd->{beside}), $odd->{beside}{value} - 1);
        my $than = $by < 0 ? 'slower' : 'faster';
        push @texts, sentence("CPU $odd->{cpu} is {percent} {precision} $than than the others", abs $by, $half);
    }
    return joined('; ', @kinds > 1 ? scalar @kinds : 'one', @texts);
}

sub _taken {
    my ($taken) = @_;
    my @sizes   = @{ $taken->{sizes} } or return 'nothing: no piece of more than 0.2 ms was missing';
    my @ends    = map { MS * quantile($_, @sizes) } 1 / TENTH, 1 - 1 / TENTH;
    my @pieces  = sentence('{percent} of the time, most in pieces of {rough} to {rough} ms', $taken->{share}, @ends);
    push @pieces, sentence(', one every {rough} ms', MS * $taken->{period_s}) if defined $taken->{period_s};
    my $steal    = defined $taken->{stolen} ? sentence('steal shows {percent}', $taken->{stolen}) : 'steal is unknown';
    my %explains = (
        quota  => 'the quota explains {percent}',
        others => 'other processes explain {percent}',
        rest   => '{percent} is unexplained',
    );
    my @explained = grep { ($taken->{$_} // 0) > LEAST } qw(quota others rest);
    return joined(', ', [@pieces, '; ', $steal], map { sentence($explains{$_}, $taken->{$_}) } @explained);
}

sub _places {
    my ($found) = @_;
    my @rows;
    for my $place (@{ $found->{places} }) {
        my ($first, @other) = @{ $place->{cpus} };
        my $cpus  = $first == $other[0]     ? "CPU $first"                                : "CPUs $first and @other";
        my @index = defined $place->{index} ? sentence('index {digits}', $place->{index}) : ();
        push @rows, [map { in_plain($_) } $place->{name}, sentence('{brief} a second', $place->{rate}), @index, $cpus];
    }
    @rows = map { +{ text => $_, is_row => 1 } } aligned(@rows);
    my $own  = $found->{own} or return @rows;
    my $text = "The result {name} ({digits}) has its two processes in this place: {name}.";
    $text .= ' In the place {name} its index of the system would be {digits} instead of {digits}.'
        if defined $own->{would} && $own->{other} ne $own->{place};
    return (@rows, { text => sentence($text, @$own{qw(result index place other would system)}) });
}

# Takes the title of a section, [[heading, key, kind] of each column, ...], [values that have to be on the scale of its
# pictures], and rows, each [title, { key => value }, shapes]. Returns the section with their table.
sub _chart {
    my ($title, $heads, $values, @rows) = @_;
    my @columns = ((map { column(@$_) } @$heads), picture(q{}, $values, ROW));
    my @words   = map { row($_->[0], $_->[1], shapes => [@$_[2 .. $#$_]], words => $_->[0]) } @rows;
    return section($title, table(caption => $title, columns => \@columns, rows => \@words));
}

# Returns the chart of the CPUs in the order of sockets, caches and cores, with a dot for each, coloured by kind.
sub _speeds {
    my ($found) = @_;
    my @rows;
    for my $cpu (sort { $a->{at} cmp $b->{at} } @{ $found->{alone} }) {
        my $speed = $cpu->{speed};
        my $item  = { %$cpu,   value => $speed->{value}, kind => $found->{kinds}[$cpu->{kind}]{name} // 'one' };
        my $point = { %$speed, class => CLASSES->[min($cpu->{kind}, $#{ +CLASSES })] };
        push @rows, ["CPU $cpu->{cpu}", $item, dots(points => [$point])];
    }
    my @of     = map { [ucfirst, $_, 'count'] } qw(socket l3 core);
    my @heads  = ([qw(CPU title word)], @of, [qw(Kind kind word)], [qw(Speed value ratio)]);
    my @values = map { @{ $_->{speed} }{qw(low high)} } @{ $found->{alone} };
    return _chart('Each CPU alone: speed as a part of the fastest kind', \@heads, \@values, @rows);
}

# Takes the worth by a test; returns the chart of numbers of copies. A line shows a perfect machine.
sub _copies {
    my ($of)   = @_;
    my @at     = ([1, { value => 1 }], $of->{half} ? [@$of{qw(from half)}] : (), [@$of{qw(copies alone)}]);
    my @values = grep { defined } map { ($_->[0], @{ $_->[1] }{qw(low value high)}) } @at;
    my @rows   = map  { [$_->[0], $_->[1], dots(rules => { mean => $_->[0] }, points => [$_->[1]])] } @at;
    my $title  = "Times against copies, $of->{name}; a vertical line shows a perfect machine";
    return _chart($title, [[qw(Copies title word)], [qw(Times value times)]], \@values, @rows);
}

sub _switching {
    my ($found) = @_;
    my ($own, @places) = ($found->{own}, @{ $found->{places} });
    my @own    = $own ? rule('mean', $own->{index} * $places[0]{rate}{value} / $places[0]{index}) : ();
    my @values = ((map { $_->{rate}{value} } @places), map { $_->{at} } @own);
    my $from   = min(@values) / 2;
    my @rows   = map { [$_->{name}, $_, grid(), bar('bar', $from, $_->{rate}{value}, TOP, HEIGHT), @own] } @places;
    my $title  = 'Context switches: round trips a second' . ($own ? "; the vertical line is $own->{result}" : q{});
    my @heads  = ([qw(Place title word)], ['A second', 'rate', 'known'], [qw(Index index rate)]);
    return _chart($title, \@heads, [$from, @values], @rows);
}

# Returns the chart of the lengths of pieces, or nothing. Each length is twice the one before.
sub _pieces {
    my ($found) = @_;
    my @sizes = @{ $found->{taken}{sizes} } or return;
    my %count;
    $count{ max(0, 1 + floor(log($_ / SHORT_S) / log 2)) }++ for @sizes;
    my @rows;
    for my $length (min(keys %count) .. max(keys %count)) {
        my @bar = $count{$length} ? bar('bar', 0.5, $count{$length}, TOP, HEIGHT) : ();
        push @rows, [MS * SHORT_S * 2**$length, { count => $count{$length} // 0 }, grid(), @bar];
    }
    my @heads = (['Below, ms', 'title', 'word'], [qw(Pieces count count)]);
    return _chart('Taken time: pieces by their length', \@heads, [0.5, max(2, values %count)], @rows);
}

1;
