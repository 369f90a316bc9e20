package UnixBench::Why::Value;

# The factors of two runs: of a result, in a comparison, and in a series of runs. See UnixBench::Report::View and
# UnixBench::Compare::Comparison.

use strict;
use warnings;

use UnixBench::Report::Block qw(fold in_full not_in_full);
use UnixBench::Why::Blocks   qw(reason_texts why_blocks);
use UnixBench::Why::Reasons  ();

use constant TITLE => 'Why: the factors of each ratio';

# Takes a summary; returns the factors of several copies.
sub of_result { my (undef, $summary) = @_; return UnixBench::Why::Reasons::of_summary($summary) }

# Takes the arguments of UnixBench::Why::Reasons::of_runs; returns the same.
sub of_pair {
    my (undef, @given) = @_;
    return UnixBench::Why::Reasons::of_runs(@given);
}

# Takes that, and whether the user asked for it; returns the blocks. A page has them in any case, as a fold.
sub blocks_of {
    my (undef, $why, $is_asked) = @_;
    return (
        ($is_asked          ? not_in_full(why_blocks($why))          : ()),
        (@{ $why->{tests} } ? in_full(fold(TITLE, why_blocks($why))) : ()),
    );
}

# Takes that of several pairs; returns the next step if the factors of a difference are known, or nothing.
sub next_step {
    my (undef, @pairs) = @_;
    return 'add --why to see which factor makes the difference' if grep { _largest($_) } @pairs;
    return;
}

# Takes that of one pair. Returns { name => { row, ratio } } of the tests of which a factor is named: the row, and the
# value of its largest factor.
sub explained {
    my (undef, $why) = @_;
    return { map { $_->{name} => { row => $_, ratio => $_->{factors}{ $_->{largest} }{value} } } _largest($why) };
}

# Takes the row of a test of which a factor is named; returns it in words.
sub words_of {
    my (undef, $row) = @_;
    return [reason_texts($row)];
}

sub _largest {
    my ($why) = @_;
    return grep { defined $_->{largest} } @{ $why->{tests} };
}

1;
