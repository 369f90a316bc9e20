package UnixBench::Score::Scaling;

# Scaling: the speed-up and the efficiency of several copies, compared with the smallest number of copies.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Result qw(floor_bounds is_measured tests_by_title);
use UnixBench::Score        ();

# Takes a summary; returns undef unless a test was measured with two numbers of copies, else
#   copies   [numbers of copies, ascending]
#   tests    [{ name, title, at }, ...]
#   indexes  [{ category, title, complete, at }, ...]; complete only if it is complete with all numbers of copies
# The list at has a hash for each number of copies, see the type at_copies of UnixBench::Base::ResultSchema, also with
# times, the ratio to the value with the smallest number of copies. Gain, times and efficiency are undef for that
# number, if one of the two values is missing or, because of other load, only a floor, if the tests of an index or the
# units of a test differ, or if the ratio is absurd. If two runs have the same number of copies, the first one is used.
sub of {
    my ($summary) = @_;
    my @runs      = _runs($summary);
    my @tests     = tests_by_title([_compared(\@runs, \&_tests)]) or return;
    my @indexes   = _compared(\@runs, \&_indexes);
    return { copies => [map { $_->{copies} } @runs], tests => \@tests, indexes => \@indexes };
}

sub _runs {
    my ($summary) = @_;
    my %seen;
    my @runs = sort { $a->{copies} <=> $b->{copies} } grep { defined $_->{copies} && !$seen{ $_->{copies} }++ }
        grep {
        scalar grep { is_measured($_) }
            @{ $_->{tests} }
        } @{ $summary->{runs} };
    return @runs;
}

# Takes [runs] and a function that returns the items of a run that are compared. Returns a row for each item that at
# least two runs have. "about" of an item is for its row; values are comparable if "like" is equal.
sub _compared {
    my ($runs, $find) = @_;
    my (@keys, %in);
    for my $number (0 .. $#$runs) {
        for my $item ($find->($runs->[$number])) {
            push @keys, $item->{key} if !$in{ $item->{key} };
            $in{ $item->{key} }{$number} = $item;
        }
    }
    return map { _row($runs, $in{$_}) } grep { keys %{ $in{$_} } > 1 } @keys;
}

sub _row {
    my ($runs, $in) = @_;
    my ($any, @more) = map { $in->{$_}{about} } sort { $a <=> $b } keys %$in;
    my @at      = map { +{ copies => $runs->[$_]{copies}, _speed_up($runs, $in, $_) } } 0 .. $#$runs;
    my $partial = List::Util::first { defined $_->{complete} && !$_->{complete} } $any, @more;
    return { %{ $partial || $any }, at => \@at };
}

sub _speed_up {
    my ($runs, $in, $number) = @_;
    my ($first, $item) = @$in{ 0, $number };
    my %known = (index => $item && $item->{index}, map { $_ => undef } qw(times gain efficiency));
    return %known if !$number || !$first || !$item || $first->{like} ne $item->{like};
    return %known if grep { $_->{is_floor} } $first, $item;
    my $times = $item->{value} / $first->{value};
    return %known if !UnixBench::Score::is_sensible($times);
    my $copies = $runs->[$number]{copies} / $runs->[0]{copies};
    return (%known, times => $times, gain => $times - 1, efficiency => $times / $copies);
}

sub _tests {
    my ($run) = @_;
    return map { {
        key      => $_->{name},
        about    => { name => $_->{name}, title => $_->{title} },
        index    => UnixBench::Score::index_of_test($_),
        value    => $_->{score},
        like     => $_->{unit},
        is_floor => floor_bounds($_) ? 1 : 0,
    } } grep { is_measured($_) } @{ $run->{tests} };
}

sub _indexes {
    my ($run) = @_;
    return map { {
        key      => $_->{category},
        about    => { category => $_->{category}, title => $_->{title}, complete => $_->{complete} },
        index    => $_->{index},
        value    => $_->{index},
        like     => join(q{ }, sort @{ $_->{tests} }),
        is_floor => floor_bounds($_) ? 1 : 0,
    } } grep { defined $_->{index} } @{ $run->{indexes} };
}

1;
