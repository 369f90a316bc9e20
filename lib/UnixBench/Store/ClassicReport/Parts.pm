package UnixBench::Store::ClassicReport::Parts;

# The parts of a text report. The head becomes data: the facts about the machine, and the notes. No other module reads
# notes: UnixBench::Report::Notes makes them from data, and all decisions are based on data.
#
# The lines of the table of indexes must agree with each other and with the results above it. If there are no such
# results, its rows become tests.

use strict;
use warnings;

use Exporter 'import';
use List::Util ();

use UnixBench::Base::Text     qw(clean listed);
use UnixBench::Catalog        ();
use UnixBench::Host::FactList ();
use UnixBench::Plan::Baseline ();

our @EXPORT_OK = qw(shown_title);

use constant { HALF => 0.0501, LEAST => 1e-9, SHOWN_MAX => 60 };    # all numbers were rounded to one decimal

# The units of the tests of the index of the system, and of others that have an index.
my %UNIT = (
    (map { $_ => 'lps' } qw(dhry2reg execl pipe context1 spawn syscall)),
    (map { $_ => 'KBps' } qw(fstime fsbuffer fsdisk)),
    (map { $_ => 'lpm' } qw(shell1 shell8)),
    'whetstone-double' => 'MWIPS',
);

my %OTHER_UNIT = (ubgears => 'fps', grep => 'lpm', sysexec => 'lps');

# Takes the name of a test; returns the unit of its score, or undef if it is not known.
sub unit {
    my ($name) = @_;
    return $UNIT{$name} // $OTHER_UNIT{$name} // ($name =~ /\A2d-/ ? 'score' : undef);
}

# Takes a test of the results; dies with one line if its unit is another one.
sub check_unit {
    my ($test) = @_;
    my $unit = $UNIT{ $test->{name} } // return;
    return if !defined $test->{unit} || $test->{unit} eq $unit;
    die shown_title($test->{title}) . ' is in ' . clean($test->{unit}) . ", not in $unit\n";
}

# Takes a row, { name, title, baseline, result, index } with numbers or "---", and the test of this name in the results,
# or undef. Dies with one line if they contradict each other.
sub check_row {
    my ($row, $test) = @_;
    my ($baseline, $result, $index) = @$row{qw(baseline result index)};
    my $shown = shown_title($row->{title});
    if ($test) {
        die "$shown has no score in the results, but $result in the table of indexes\n" if !defined $test->{score};
        die "$shown is $test->{score} in the results, but $result in the table of indexes\n"
            if abs($test->{score} - $result) > 2 * HALF + LEAST * $result;
    }
    die "$shown has the index $index, but its result and baseline give " . sprintf("%.1f\n", 10 * $result / $baseline)
        if !is_index_of_row($row);
    return;
}

# Takes a row; returns whether its index follows from its result and its baseline, as far as they are known.
sub is_index_of_row {
    my ($row) = @_;
    my ($baseline, $result, $index) = @$row{qw(baseline result index)};
    return 1 if grep { $_ eq '---' || $_ <= 0 } $baseline, $index;
    my ($low, $high) =
        (10 * ($result - HALF) / ($baseline + HALF), 10 * ($result + HALF) / List::Util::max(LEAST, $baseline - HALF));
    return $index >= $low - HALF && $index <= $high + HALF;
}

# Takes the table, the index score, and the tests of the results. Dies with one line unless the index score is the
# geometric mean of the indexes of the rows.
sub check_index {
    my ($table, $value, @tests) = @_;
    my ($title, $rows) = @$table{qw(title rows)};
    die "the line of @{[shown_title($_)]} in the table of indexes can't be read: $table->{unread}{$_}\n"
        for sort keys %{ $table->{unread} };
    my @indexes = map { $_->{index} } @$rows;
    return if !@indexes || grep { $_ eq '---' } @indexes;
    my ($low, $mean, $high) = map { _mean($_, @indexes) } -HALF(), 0, HALF;
    return if $value >= $low - HALF && $value <= $high + HALF;
    my @missing = map { shown_title($_) } missing($table, @tests);
    my $hint    = @missing ? '; these lines are missing: ' . listed(@missing) : q{};
    die shown_title($title)
        . " has the index score $value, but the indexes of its tests give "
        . sprintf("%.1f", $mean)
        . "$hint\n";
}

# Takes a table, and perhaps the tests of the results; returns the titles of tests of the index that have no row.
# Without results, a table whose first line says that it is a part may lack any.
sub missing {
    my ($table, @tests) = @_;
    my %has = map { $_->{name} => 1 } @{ $table->{rows} };
    my @wanted =
        grep { ($_->{category} // q{}) eq $table->{category} && defined $UNIT{ $_->{name} } }
        @tests ? grep({ defined $_->{score} } @tests)
        : $table->{complete} || $table->{is_without_head} ? UnixBench::Catalog::tests()
        :                                                   ();
    return map { $_->{title} } grep { !$has{ $_->{name} } } @wanted;
}

# Takes a number and other numbers; adds the first one to each of the others and returns their geometric mean.
sub _mean {
    my ($more, @numbers) = @_;
    return exp(List::Util::sum(map { log List::Util::max(LEAST, $_ + $more) } @numbers) / @numbers);
}

# Takes runs; returns whether a baseline differs from the official one.
sub has_other_baseline {
    my (@runs) = @_;
    my @tests  = grep { defined $_->{baseline} } map { @{ $_->{tests} } } @runs;
    return scalar grep { !UnixBench::Plan::Baseline::is_official_score(@$_{qw(name baseline)}) } @tests;
}

# Takes a title; returns it for a message.
sub shown_title {
    my ($title) = @_;
    return q{"} . substr(clean($title), 0, SHOWN_MAX) . q{"};
}

use constant FIRST_WITH_NOTES => 7;    # a version

my $LANGUAGE = qr/\A(\S+) \(charmap="([^"]*)", collate="([^"]*)"\)/;

my $NUMBER = qr/[0-9]{1,15}(?:[.][0-9]{1,12})?(?:e-[0-9]{1,2})?/;

# Patterns for the parts of the note on changes, and functions that store the data. The first pattern that matches
# decides, in the next table, too.
my @CHANGES = (
    [qr/\bshortened to ($NUMBER) of\b/            => sub { $_[0]{time_factor} = $_[1] + 0 if $_[1] > 0 }],
    [qr/\AMULTI_SH_WORK_FACTOR is ([0-9]{1,9})\b/ => sub { $_[0]{work_factor} = $_[1] + 0 if $_[1] > 0 }],
    [qr/\Aindex[.]base is edited\z/               => sub { $_[0]{baseline}    = 'edited' }],
    [
        qr/\A(.+) instead of (.+)\z/s => sub { push @{ $_[0]{replacements} }, { by => $_[1], name => $_[2] } }
    ],
);

# The same for whole notes.
my @NOTES = (
    [qr/\A(virtual) display(?: \(\w+\))?\z/ => sub { $_[0]{display} = $_[1] }],
    [qr/\Achanged procedure: (.+)\z/s => sub { my $known = $_[0]; _take($known, \@CHANGES, $_) for split /; /, $_[1] }],
    [qr/\Ainterrupted by SIG([A-Z0-9+-]+)\z/ => sub { $_[0]{interruption}{signal}  = $_[1] }],
    [qr/\Ainterrupted: (.+)\z/s              => sub { $_[0]{interruption}{problem} = $_[1] }],
    [qr/\bquick run\b/i                      => sub { $_[0]{kind}                  = 'quick' }],
);

# Takes the version of a report, the texts of its lines, { label => text }, and [label, text] of its lines about CPUs.
# Returns the facts as in a summary, see UnixBench::Host::FactList::distinctions.
sub facts {
    my ($version, $text, @cpus) = @_;
    my (%host, %language);
    (@host{qw(os release version)}) = split / -- /, $text->{OS} // q{}, 3;
    ($host{machine})                = split q{ },   $text->{Machine} // q{};
    $host{graphics}                     = _graphics($text->{Graphics});
    $host{cpus}                         = [map { _cpus(@$_) } @cpus];
    @language{qw(lang charmap collate)} = ($text->{Language} // q{}) =~ $LANGUAGE;
    return UnixBench::Host::FactList::distinctions({ version => $version, host => \%host, language => \%language });
}

# Takes the renderer in the words of a report, or undef; returns its name, an empty text if it is unknown.
sub _graphics {
    my ($words) = @_;
    return ($words // q{}) =~ s/, a software renderer\z//r;
}

# Takes the label and the text of a line; returns the model and the number of its CPUs. A line is for one CPU or, in
# brief reports, for several: "CPU 0-63,128".
sub _cpus {
    my ($label, $text) = @_;
    my ($model, $count) = ($text =~ s/ ?\([0-9.]+ bogomips\)\z//r, 0);
    for my $range ($label =~ /[0-9]{1,6}(?:-[0-9]{1,6})?/g) {
        my ($first, $last) = split /-/, $range;
        $count += ($last // $first) - $first + 1;
    }
    return { model => length $model ? $model : undef, count => $count };
}

# Takes version and notes of a report. Returns the procedure as far as the notes describe it, see Base/README.md. The
# baseline is known only if it was edited. Versions from 7 on have notes on procedures that are not official. Earlier
# versions had one procedure only and no virtual display, but did not print their work factor.
sub procedure {
    my ($version, @notes) = @_;
    my %unknown = (display => 'given', map { $_ => undef } qw(kind time_factor work_factor));
    my ($major) = ($version // q{}) =~ /\A([0-9]{1,3})[.]/ or return \%unknown;
    return { %unknown, kind => 'official', time_factor => 1 } if $major < FIRST_WITH_NOTES;
    my %known = (kind => 'official', display => 'given', time_factor => 1, work_factor => 1, replacements => []);
    _take(\%known, \@NOTES, $_) for @notes;
    return \%known;
}

sub _take {
    my ($known, $table, $text) = @_;
    for my $row (@$table) {
        my ($pattern, $take) = @$row;
        my @found = $text =~ $pattern or next;
        return $take->($known, @found);
    }
    return;
}

1;
