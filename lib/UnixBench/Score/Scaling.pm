package UnixBench::Score::Scaling;

# Scaling: the speed-up and the efficiency of several copies, compared with the smallest number of copies.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Result     qw(floor_bounds is_measured tests_by_title);
use UnixBench::Score            ();
use UnixBench::Score::Bounds    ();
use UnixBench::Score::Estimate  ();
use UnixBench::Score::OtherLoad ();

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

# Takes the same test or index of a summary with the fewest copies and with more, the factor by which their ratio is
# multiplied, and the confidence of its intervals, or undef. Returns the ratio in the form of a test or an index. Both
# runs vary from run to run. They follow each other, so they are independent: the rounds of a quick run have no partner
# in the other run. If several results are judged together, it has of_runs.
sub ratio {
    my ($first, $found, $part, $covered) = @_;
    my @pairs  = map { [$_->{of_runs} ? @{ $_->{of_runs} } : $_] } $first, $found;
    my $divide = sub {
        my ($by, $of) = @_;
        my $ratio = $by && $of && UnixBench::Score::Estimate::ratio($of, $by);
        $ratio = UnixBench::Score::Estimate::at($ratio, $covered) if $ratio;
        return $ratio && UnixBench::Score::Estimate::multiple($ratio, $part);
    };
    my @items = map { _ratio_of_items($divide, $pairs[0][$_], $pairs[1][$_]) } 0 .. $#{ $pairs[1] };
    return @items > 1 ? { %$found, of_runs => \@items } : $items[0];
}

sub _ratio_of_items {
    my ($divide, $first, $found) = @_;
    my @both   = ($first, $found);
    my @load   = map { @{ $_->{other_load} || [] } } @both;
    my @quiet  = map { $_->{quiet} || {} } @both;
    my $repeat = (grep { !$_->{repeat} } @both) ? undef : _both_vary(map { $_->{repeat} } @both);
    return {
        %$found,
        estimate   => $divide->(map { $_->{estimate} } @both),
        repeat     => $repeat,
        other_load => \@load,
        quiet      => {
            passes    => List::Util::sum(map { $_->{passes} // 0 } @quiet),
            of        => List::Util::sum(map { $_->{of}     // 0 } @quiet),
            is_enough => (grep { %$_ && !$_->{is_enough} } @quiet) ? 0 : 1,
            slowed    => $quiet[1]{slowed},
            estimate  => $divide->(map { UnixBench::Score::OtherLoad::estimate_of($_) } @both),
        },
        bounds => @load ? _bounds($divide, @both) : undef,
    };
}

# Takes the repeats of both runs; returns that of their ratio.
sub _both_vary {
    my ($first, $found) = @_;
    my ($deviation, $df) =
        UnixBench::Score::Estimate::error_of_sum(map { [@$_{qw(deviation df)}] } $first, $found);
    return { %$found, deviation => $deviation, df => $df };
}

# Takes the function that divides estimates, and both tests or indexes; returns the bounds of the ratio, see
# UnixBench::Score::Bounds. What lowered the run with the fewest copies raised the ratio.
sub _bounds {
    my ($divide, @both) = @_;
    my ($first, $found) = map { UnixBench::Score::Bounds::factors($_) } @both;
    my @floors   = map { UnixBench::Score::OtherLoad::is_disturbed($_) ? $_->{bounds}{floor} : $_->{estimate} } @both;
    my $floor    = $divide->($both[0]{estimate}, $floors[1]);
    my $estimate = $divide->(map { $_->{estimate} } @both);
    my $raised   = UnixBench::Score::Bounds::product($found->{raised}, $first->{explains});
    my $explains = UnixBench::Score::Bounds::product($found->{explains},
        $first->{raised} * $both[0]{estimate}{value} / $floors[0]{value});
    return {
        raised   => $raised,
        explains => $explains,
        floor    => $floor,
        at_least => UnixBench::Score::Bounds::quotient($floor->{low}, $raised),
        at_most  => UnixBench::Score::Bounds::product($estimate->{high}, $explains),
        is_floor => 0,
    };
}

1;
