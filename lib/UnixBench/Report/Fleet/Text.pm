package UnixBench::Report::Fleet::Text;

use strict;
use warnings;

use UnixBench::Base::Format                qw(clean fixed);
use UnixBench::Report::Columns             qw(aligned headed text_of);
use UnixBench::Report::Comparison::Wording qw(forced);
use UnixBench::Report::Fleet::Wording      qw(
    copies_title count_of finding headline lacking legend machine_title measure_title unusual
);

# Takes a fleet, see UnixBench::Compare::Fleet, that was not refused; returns it as text: who stands out first.
sub render {
    my ($fleet) = @_;
    return text_of(
        [grep { defined } forced($fleet)],
        [headline($fleet)],
        (map { _machine($_) } @{ $fleet->{named} }),
        (map { _run($_) } @{ $fleet->{runs} }),
        [headed('Not compared:', @{ $fleet->{omissions} })],
        [legend($fleet)],
    );
}

sub _machine {
    my ($machine) = @_;
    return [headed(machine_title($machine), (map { finding($_) } @{ $machine->{findings} }), unusual($machine))];
}

sub _run {
    my ($run) = @_;
    my @heads = (copies_title($run), qw(machines median slow fast noisy));
    return [aligned(\@heads, map { _row($_) } @{ $run->{measures} }), lacking($run)];
}

sub _row {
    my ($measure) = @_;
    my @counts = map { count_of($_, $measure) || q{} } qw(slow fast noisy);
    return [clean(measure_title($measure)), $measure->{count}, fixed($measure->{median}), @counts];
}

1;
