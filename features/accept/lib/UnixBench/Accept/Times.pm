package UnixBench::Accept::Times;

# Requirements on scaling, "8:pipe:times>=7" and "all:index:efficiency>=0.8". Times is what N copies do, as a multiple
# of the fewest copies of the same result. Efficiency is that divided by the ratio of the copies.
#
# The ratio has the form of a test or an index of a summary, so it is judged as these are. Both runs vary from run to
# run. Runs follow each other, so they are independent: the rounds of a quick run have no partner in the other run.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Text       qw(copies_text);
use UnixBench::Score::Estimate  ();
use UnixBench::Score::Limits    ();
use UnixBench::Score::OtherLoad ();

my %IS_WORD = map { $_ => 1 } qw(times efficiency);

# Takes the name of a quantity; returns whether it is one of these.
sub is_word { my ($word) = @_; return $IS_WORD{$word} ? 1 : 0 }

# Takes runs; returns the one with the fewest copies, or undef.
sub fewest {
    my (@runs)  = @_;
    my ($first) = sort { $a->{copies} <=> $b->{copies} } grep { defined $_->{copies} } @runs;
    return $first;
}

# Takes the number of copies that a requirement names, or undef, and the request, see UnixBench::Accept::Requirement.
# Returns why the run or the result has nothing to compare it with, or nothing.
sub why_not {
    my ($wanted, $asked) = @_;
    my @given = sort { $a <=> $b } @{ $asked->{copies} };
    my $few   = $given[0] // return;
    return 'the result has one number of copies' if $asked->{is_result} && $few == $given[-1];
    my $more = $wanted // (@given > 1 ? $given[-1] : List::Util::max($few, $asked->{cpu_count} // 1));
    return 'one copy is compared with nothing: name more copies' if $more == 1;
    return if $few < $more && grep { $_ == $more } @given;
    return copies_text($more) . ' are the fewest of the result' if $asked->{is_result} && $few == $more;
    return if $asked->{is_result};
    my %needed = map { $_ => 1 } @given, $more, $few < $more ? () : 1;
    return 'there is nothing to compare: use -c ' . join q{,}, sort { $a <=> $b } keys %needed;
}

# Takes a criterion, and its test or index with the fewest copies and with its own number of copies, as summaries have
# them, with both numbers. Returns their ratio in the same form. If several results are judged together, it has of_runs.
sub ratio {
    my ($criterion, $first, $found, @copies) = @_;
    my $part   = $criterion->{quantity} eq 'efficiency' ? $copies[0] / $copies[1] : 1;
    my @pairs  = map { [$_->{of_runs} ? @{ $_->{of_runs} } : $_] } $first, $found;
    my $divide = sub {
        my ($by, $of) = @_;
        my $ratio = $by && $of && UnixBench::Score::Estimate::ratio($of, $by);
        $ratio = UnixBench::Score::Estimate::at($ratio, $criterion->{covered}) if $ratio;
        return $ratio && UnixBench::Score::Estimate::multiple($ratio, $part);
    };
    my @items = map { _item($divide, $pairs[0][$_], $pairs[1][$_]) } 0 .. $#{ $pairs[1] };
    return @items > 1 ? { %$found, of_runs => \@items } : $items[0];
}

sub _item {
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
    my ($first, $found) = map { UnixBench::Score::Limits::factors($_) } @both;
    my @floors   = map { UnixBench::Score::OtherLoad::is_disturbed($_) ? $_->{bounds}{floor} : $_->{estimate} } @both;
    my $floor    = $divide->($both[0]{estimate}, $floors[1]);
    my $estimate = $divide->(map { $_->{estimate} } @both);
    my $raised   = UnixBench::Score::Limits::product($found->{raised}, $first->{explains});
    my $explains = UnixBench::Score::Limits::product($found->{explains},
        $first->{raised} * $both[0]{estimate}{value} / $floors[0]{value});
    return {
        raised   => $raised,
        explains => $explains,
        floor    => $floor,
        at_least => UnixBench::Score::Limits::quotient($floor->{low}, $raised),
        at_most  => UnixBench::Score::Limits::product($estimate->{high}, $explains),
        is_floor => 0,
    };
}

1;
