package UnixBench::Compare::Repeated;

# Several results of the same state of a machine, such as those of an old kernel, taken together as one side of a
# comparison.

use strict;
use warnings;

use UnixBench::Base::Format    qw(listed);
use UnixBench::Base::Result    qw(is_measured);
use UnixBench::Score::Estimate ();
use UnixBench::Score::Stats    qw(geometric_mean);

# Takes sides of a comparison, each { label, summary }; returns one side. Its summary has the facts of the first result,
# and only the runs that all results have. Each measured test and index also has samples: the estimates of all results,
# in their order. A test or index that a result lacks is like that of the first such result.
sub together {
    my (@sides) = @_;
    my ($first) = @sides;
    my @of_all  = map  { _by_key(copies => @{ $_->{summary}{runs} }) } @sides;
    my @copies  = grep { _are_all_there($_, @of_all) } map { $_->{copies} } @{ $first->{summary}{runs} };
    my @runs    = map {
        my $copies = $_;
        _run(map { $_->{$copies} } @of_all)
    } @copies;
    return {
        label   => listed(map { $_->{label} } @sides),
        members => \@sides,
        summary => { %{ $first->{summary} }, runs => \@runs },
    };
}

sub _run {
    my (@runs)  = @_;
    my @tests   = _each(name  => map { $_->{tests} } @runs);
    my @indexes = _each(title => map { $_->{indexes} } @runs);
    return {
        %{ $runs[0] },
        tests   => [map { _taken_together(score => @$_) } @tests],
        indexes => [map { _taken_together(index => @$_) } @indexes],
    };
}

# Takes a key and lists of tests or indexes; returns, for each value of the key that all lists have, the items with it.
sub _each {
    my ($key, @lists) = @_;
    my @by_key = map  { _by_key($key => @$_) } @lists;
    my @values = grep { _are_all_there($_, @by_key) } map { $_->{$key} } @{ $lists[0] };
    return map {
        my $value = $_;
        [map { $_->{$value} } @by_key]
    } @values;
}

sub _by_key {
    my ($key, @items) = @_;
    return { map { $_->{$key} => $_ } reverse @items };
}

sub _are_all_there {
    my ($value, @hashes) = @_;
    return @hashes == grep { $_->{$value} } @hashes;
}

# Takes the key of the value, and a test or an index of each result.
sub _taken_together {
    my ($key, @items) = @_;
    my ($incomplete) = grep { $key eq 'score' ? !is_measured($_) : $_->{lacking} } @items;
    return $incomplete if $incomplete;
    my @estimates = grep { $_ } map { $_->{estimate} } @items;
    my @samples = @estimates == @items ? @estimates : map { UnixBench::Score::Estimate::known($_->{$key}) } @items;
    return {
        %{ $items[0] },
        $key     => geometric_mean(map { $_->{$key} } @items),
        estimate => @estimates == @items ? UnixBench::Score::Estimate::geometric_mean(@estimates) : undef,
        samples  => \@samples,
    };
}

1;
