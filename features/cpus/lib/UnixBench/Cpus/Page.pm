package UnixBench::Cpus::Page;

# The charts of a page about CPUs.

use strict;
use warnings;

use List::Util qw(max min);
use POSIX      qw(floor);

use UnixBench::Report::Block qw(column row section table);
use UnixBench::Report::Chart qw(bar dots grid picture rule);

use constant { TOP => 6, HEIGHT => 18, ROW => 30, MS => 1000, SHORT_S => 0.0005 };
use constant CLASSES => [undef, 'slower', 'equal', 'unknown'];    # of dots, by kind

# Takes what was found, the type cpus_found of UnixBench::Cpus; returns the sections.
sub sections {
    my ($found) = @_;
    my @copies = map { _copies($_) } @{ $found->{worth} };
    return (_speeds($found), @copies, _places($found), _pieces(@{ $found->{taken}{sizes} }));
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
    my %at = map { $_ => sprintf '%05d' x 4, @$_{qw(socket l3 core cpu)} } @{ $found->{alone} };
    my @rows;
    for my $cpu (sort { $at{$a} cmp $at{$b} } @{ $found->{alone} }) {
        my $speed = $cpu->{speed};
        my $item  = { %$cpu,   value => $speed->{value}, kind => $found->{kinds}[$cpu->{kind}]{name} // 'one' };
        my $point = { %$speed, class => CLASSES->[min($cpu->{kind}, $#{ +CLASSES })] };
        push @rows, ["CPU $cpu->{cpu}", $item, dots(points => [$point])];
    }
    my @heads  = ([qw(CPU title word)], map { [ucfirst, $_, 'count'] } qw(socket l3 core));
    my @values = map { @{ $_->{speed} }{qw(low high)} } @{ $found->{alone} };
    return _chart(
        'Each CPU alone: speed as a part of the fastest kind',
        [@heads, [qw(Kind kind word)], [qw(Speed value ratio)]],
        \@values, @rows
    );
}

# Takes the worth by a test; returns the chart of numbers of copies. A line shows a perfect machine.
sub _copies {
    my ($of)   = @_;
    my @at     = ([1, { value => 1 }], $of->{half} ? [@$of{qw(from half)}] : (), [@$of{qw(copies alone)}]);
    my @values = grep { defined } map { ($_->[0], @{ $_->[1] }{qw(low value high)}) } @at;
    my @rows   = map  { [$_->[0], $_->[1], dots(rules => { mean => $_->[0] }, points => [$_->[1]])] } @at;
    my $title  = "Times against copies, $of->{name}: $of->{shape}; a vertical line shows a perfect machine";
    return _chart($title, [[qw(Copies title word)], [qw(Times value times)]], \@values, @rows);
}

# Returns the chart of places, with a line for the newest result.
sub _places {
    my ($found) = @_;
    my ($own, @places) = ($found->{own}, @{ $found->{places} });
    my @own    = $own ? rule('mean', $own->{index} * $places[0]{rate}{value} / $places[0]{index}) : ();
    my @values = ((map { $_->{rate}{value} } @places), map { $_->{at} } @own);
    my $from   = min(@values) / 2;
    my @rows   = map { [$_->{name}, $_, grid(), bar('bar', $from, $_->{rate}{value}, TOP, HEIGHT), @own] } @places;
    my $title  = 'Context switches: round trips a second' . ($own ? "; the vertical line is $own->{result}" : q{});
    return _chart(
        $title,
        [[qw(Place title word)], ['A second', 'rate', 'known'], [qw(Index index rate)]],
        [$from, @values], @rows
    );
}

# Takes the seconds of pieces; returns their histogram, or nothing. Each length is twice the one before.
sub _pieces {
    my (@sizes) = @_ or return;
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
