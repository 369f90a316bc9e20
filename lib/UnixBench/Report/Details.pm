package UnixBench::Report::Details;

# What stands on a terminal below the classic report: how sure its numbers are.

use strict;
use warnings;

use UnixBench::Remarks::Remarks               ();
use UnixBench::Remarks::Wording               qw(ADVICE TRUST WHY gathered);
use UnixBench::Report::Details::Gain          qw(gain_blocks);
use UnixBench::Report::Details::Interactivity qw(interactivity_blocks);
use UnixBench::Report::Details::Lines         qw(folded plain);
use UnixBench::Report::Details::MultiUser     qw(multiuser_lines);
use UnixBench::Report::Details::Syscalls      qw(syscall_blocks);
use UnixBench::Report::Details::Tables        qw(index_lines tag_lines test_lines);
use UnixBench::Report::SpreadWording          qw(LEGEND quick_sentence repeated_sentence undisturbed_sentence);
use UnixBench::Score::Scaling                 ();

# Takes a result; returns the text, empty without runs: for each run its scores and indexes with their intervals, and
# what disturbed it; then what several copies gain, and what to know about all of it.
sub render {
    my ($result) = @_;
    my @runs     = @{ $result->{runs} } or return q{};
    my @blocks   = (
        [folded(LEGEND)],
        (map { (_run($result->{procedure}, $_), syscall_blocks($result, $_)) } @runs),
        gain_blocks(UnixBench::Score::Scaling::of($result)),
        _remarks($result)
    );
    return join "\n", map { _block(@$_) } grep { @$_ } @blocks;
}

sub _block {
    my (@lines) = @_;
    return join q{}, map { plain($_) . "\n" } @lines;
}

sub _run {
    my ($procedure, $run) = @_;
    my @sentences = (quick_sentence($procedure, $run), undisturbed_sentence($run), repeated_sentence($run));
    return (
        [test_lines($run)], [index_lines($run)], [map { folded($_) } @sentences],
        [tag_lines($run)],
        interactivity_blocks($run),
        multiuser_lines($procedure, $run),
    );
}

sub _remarks {
    my ($result) = @_;
    my @remarks = map { [_remark($_)] } gathered(UnixBench::Remarks::Remarks::of($result));
    return @remarks ? ([TRUST], @remarks) : ();
}

sub _remark {
    my ($group) = @_;
    return (
        (map { folded($_) } @{ $group->{seen} }),
        folded(WHY . " $group->{why}",       3),
        folded(ADVICE . " $group->{advice}", 3),
    );
}

1;
