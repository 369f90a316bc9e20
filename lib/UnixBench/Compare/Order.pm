package UnixBench::Compare::Order;

# Puts the results of a comparison into order: the one with which the others are compared, then these by their speed. Or
# sorts them into groups, by a label or a fact.

use strict;
use warnings;

use UnixBench::Base::Result   qw(is_measured without_suffix);
use UnixBench::Base::Text     qw(counted listed shown);
use UnixBench::Compare::Kind  ();
use UnixBench::Host::FactList ();
use UnixBench::Score::Stats   qw(mean);

use constant MITIGATIONS => 'kernel.mitigations';    # the key of these facts

# The facts by which results can be grouped: a function that takes a summary and returns the fact or undef; a pattern
# for the keys of the facts of a summary that say the same, see UnixBench::Host::FactList; and perhaps a function that
# takes a value and all values, and returns the value in short.
my %FACT = (
    kernel       => { %{ _fact('host.release') }, in_short => \&_release },
    compiler     => _fact('build.compiler'),
    cpu          => _fact('cpu.models'),
    distribution => _fact('tools.distribution'),
    governor     => _fact('cpu.governor'),
    mitigations  => { of => \&_mitigations,         same => qr/\A\Q${\MITIGATIONS}\E[.]/, in_short => \&_distinct },
    host         => { of => sub { $_[0]{name} },    same => qr/\Ahost[.]name\z/ },
    version      => { of => sub { $_[0]{version} }, same => qr/\A(?:version\z|suite[.])/ },
);

# Takes a text or undef, and sides, each { label (its file), summary }; returns the sides, beginning with the one whose
# host, file, or name of the file is that text, or has it as a part that no other has. Dies with one line if there is
# not exactly one.
sub beginning_with {
    my ($text, @sides) = @_;
    return @sides if !defined $text;
    my @found = grep { _is_named($_, sub { $_[0] eq $text }) } @sides;
    @found = grep { _is_named($_, sub { index($_[0], $text) >= 0 }) } @sides if !@found;
    return (@found, grep { $_ != $found[0] } @sides) if @found == 1;
    my $found = @found ? counted(scalar @found, 'result has', 'results have') : 'no result has';
    die "option --baseline: $found the name \"" . shown($text) . "\"\n";
}

sub _is_named {
    my ($side, $is)   = @_;
    my ($host, $file) = ($side->{summary}{name}, $side->{label});
    my $name = $file =~ s{.*/}{}sr;
    return grep { $is->($_) } grep { defined } $host, $file, $name, without_suffix($name);
}

# Takes sides; returns them with the first one first, and the others by their speed compared with it, the fastest first.
# Those without a test in common with it are last.
sub by_speed {
    my ($first, @others) = @_;
    my @speeds = map  { _speed($first, $_) // -9**9**9 } @others;
    my @places = sort { $speeds[$b] <=> $speeds[$a] || $a <=> $b } 0 .. $#others;
    return ($first, @others[@places]);
}

sub _speed {
    my ($first, $side) = @_;
    my ($runs) = UnixBench::Compare::Kind::matching(map { $_->{summary}{runs} } $first, $side);
    my ($before, $after) = map { +{ _values($_) } } @{ $runs || return };
    my @ratios = map { log $after->{$_} / $before->{$_} } grep { $after->{$_} } sort keys %$before;
    return @ratios ? mean(@ratios) : undef;
}

sub _values {
    my ($run) = @_;
    my @tests = grep { is_measured($_) } @{ $run->{tests} };
    return map { $_->{value} > 0 ? ($_->{name} => $_->{value}) : () }
        map { +{ name => $_->{name}, value => ($_->{estimate} || {})->{value} // $_->{score} // 0 } } @tests;
}

sub _fact {
    my ($key) = @_;
    return { of => sub { UnixBench::Host::FactList::text_of($_[0], $key) }, same => qr/\A\Q$key\E\z/ };
}

sub _mitigations {
    my ($summary) = @_;
    my $texts     = UnixBench::Host::FactList::texts_of($summary, MITIGATIONS);
    my @texts     = map { "$_: $texts->{$_}" } grep { length } sort keys %$texts;
    return @texts ? join '; ', @texts : undef;
}

sub _distinct {
    my ($list, @all) = @_;
    my %count;
    $count{$_}++ for map { split /; / } @all;
    return join '; ', grep { $count{$_} < @all } split /; /, $list;
}

sub _release {
    my ($kernel, @all) = @_;
    my ($release, @twice) = map { /\A(\S+)/ } $kernel, @all;
    return 1 == grep({ $_ eq $release } @twice) ? $release : $kernel;
}

# Takes [sides], each { label (its file), summary }; the options by, the name of a label or a fact, and baseline, the
# value of the first group, or a part of it that no other group has, or undef; and { file => whether it was found in a
# directory }. Returns { by, same (a pattern for the keys of facts that say the same, or undef), groups => [{ value,
# name (the value in short), sides }, ...], left_out => [a line about the files without a value] }. A label comes before
# a fact of that name. Dies with one line if there are fewer than two groups, or not one with that value, or if a file
# without a value was not found in a directory.
sub groups_of {
    my ($sides, $options, $of_directories) = @_;
    my ($by, $first) = @$options{qw(by baseline)};
    my $label = { of => sub { ($_[0]{labels} || {})->{$by} } };
    my $fact  = (grep { defined $_->{summary}{labels}{$by} } @$sides) ? $label : $FACT{$by};
    die "option --by " . shown($by) . ": no result has this label, and facts are " . join(', ', sort keys %FACT) . "\n"
        if !$fact;
    my (@groups, %group, @without);
    for my $side (@$sides) {
        my $value = $fact->{of}->($side->{summary});
        if (!defined $value) { push @without, $side->{label}; next }
        push @groups,                    $group{$value} = { value => $value, sides => [] } if !$group{$value};
        push @{ $group{$value}{sides} }, $side;
    }
    my $in_short = $fact->{in_short} || sub { $_[0] };
    $_->{name} = @groups > 1 ? $in_short->($_->{value}, keys %group) : $_->{value} for @groups;
    my $names = @groups ? listed(map { '"' . shown($_->{name}) . '"' } @groups) : 'no value';
    die "option --by $by: two groups are needed, and all results have $names\n" if @groups < 2;
    @groups = _group_first($first, $names, @groups) if defined $first;
    my @refused = grep { !$of_directories->{$_} } @without;
    die 'option --by: ' . _lack($by, @refused) . ": leave out such results\n" if @refused;
    return {
        by       => $by,
        same     => $fact->{same},
        groups   => \@groups,
        left_out => [@without ? _lack($by, @without) . "\n" : ()],
    };
}

sub _lack {
    my ($by, @files) = @_;
    return listed(map { shown($_) } @files) . (@files > 1 ? ' have' : ' has') . " no $by";
}

sub _group_first {
    my ($value, $names, @groups) = @_;
    my @found = grep { $_->{value} eq $value || $_->{name} eq $value } @groups;
    @found = grep { index($_->{value}, $value) >= 0 } @groups if !@found;
    return (@found, grep { $_ != $found[0] } @groups) if @found == 1;
    my $found = @found ? @found . ' groups have' : 'no group has';
    die "option --baseline: $found \"" . shown($value) . "\"; the groups are $names\n";
}

1;
