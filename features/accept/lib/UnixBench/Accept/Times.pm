package UnixBench::Accept::Times;

# Requirements on scaling, "8:pipe:times>=7" and "all:index:efficiency>=0.8". Times is what N copies do, as a multiple
# of the fewest copies of the same result. Efficiency is that divided by the ratio of the copies.
#
# The ratio has the form of a test or an index of a summary, see UnixBench::Score::Scaling, so it is judged as these
# are.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Text qw(copies_text);

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

1;
