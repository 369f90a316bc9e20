package UnixBench::Compare::Fleet::Measures;

# What many machines measured, test by test and index by index.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Result qw(is_measured tests_by_title);
use UnixBench::Score::Stats qw(mean);

# Takes machines, each { label, run as in UnixBench::Compare::Fleet::lean() }; returns the indexes and then the tests
# that were measured, each { kind => "index" or "test", title, unit, is_partial, is_trimmed, readings => [{ label,
# value, spread }, ...], lacking => [labels of the others] }. Values are of all passes, or, when one machine has only
# that, without the worst third; spread is the coefficient of variation of the passes, of an index the quadratic mean of
# those of its tests, or undef.
sub of {
    my (@machines) = @_;
    return (_indexes(@machines), _tests(@machines));
}

# An index that most have of other tests is no number to hold against theirs.
sub _indexes {
    my (@machines) = @_;
    my (%items, @titles);
    for my $machine (@machines) {
        for my $index (grep { defined $_->{index} } @{ $machine->{run}{indexes} }) {
            my $tests = join "\n", sort @{ $index->{tests} };
            push @titles, $index->{title} if !$items{ $index->{title} };
            push @{ $items{ $index->{title} }{$tests} },
                {
                label  => $machine->{label},
                of     => $index,
                spread => scalar _spread($index, $machine->{run}),
                };
        }
    }
    return map { _measure('index', \@machines, @{ _largest(values %{ $items{$_} }) }) } @titles;
}

# How sure an index is would not do: that is for a large part the number of passes.
sub _spread {
    my ($index, $run) = @_;
    my %cv;
    @cv{ map { $_->{name} } @{ $run->{tests} } } = @{ $run->{numbers}{cv} };
    my @cvs = map { $cv{$_} } @{ $index->{tests} };
    return if !@cvs || grep { !defined } @cvs;
    return sqrt mean(map { $_**2 } @cvs);
}

sub _largest {
    my (@lists)   = @_;
    my ($largest) = sort { @$b <=> @$a || $a->[0]{label} cmp $b->[0]{label} } @lists;
    return $largest;
}

# Test by test, which takes less memory than all at once.
sub _tests {
    my (@machines) = @_;
    my %test;
    for my $machine (@machines) {
        $test{ $_->{name} } ||= $_ for grep { is_measured($_) } @{ $machine->{run}{tests} };
    }
    return map { _measure('test', \@machines, _items($_->{name}, @machines)) } tests_by_title([values %test]);
}

sub _items {
    my ($name, @machines) = @_;
    my @items;
    for my $machine (@machines) {
        my ($tests, $numbers) = @{ $machine->{run} }{qw(tests numbers)};
        my $at = List::Util::first { $tests->[$_]{name} eq $name && is_measured($tests->[$_]) } 0 .. $#$tests;
        next if !defined $at;
        my ($score, $value, $spread) = map { $numbers->{$_}[$at] } qw(score value cv);
        my %of = (%{ $tests->[$at] }, score => $score, estimate => defined $value ? { value => $value } : undef);
        push @items, { label => $machine->{label}, of => \%of, spread => $spread };
    }
    return @items;
}

# Takes the kind, all machines, and items, { label, of => a test or an index, spread } of those that have it.
sub _measure {
    my ($kind, $machines, @items) = @_;
    my $is_trimmed = grep { !$_->{of}{estimate} } @items;
    my $is_partial = grep { $kind eq 'index' && !$_->{of}{complete} } @items;
    my %has        = map  { $_->{label} => 1 } @items;
    return {
        kind       => $kind,
        title      => $items[0]{of}{title},
        unit       => $items[0]{of}{unit},
        is_partial => $is_partial ? 1 : 0,
        is_trimmed => $is_trimmed ? 1 : 0,
        readings   => [map { _reading($kind, $_, $is_trimmed) } @items],
        lacking    => [grep { !$has{$_} } map { $_->{label} } @$machines],
    };
}

sub _reading {
    my ($kind, $item, $is_trimmed) = @_;
    my ($of, $estimate) = ($item->{of}, $item->{of}{estimate});
    my $classic = $kind eq 'index' ? $of->{index} : $of->{score};
    return {
        label  => $item->{label},
        value  => $is_trimmed ? $classic : $estimate->{value},
        spread => $item->{spread},
    };
}

1;
