# The warning about the precision of ratios.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Experiments qw(experiment);
use UnixBench::Warnings::All;
use UnixBench::Warnings::Wording;

# Takes a result; returns its warnings by their kind.
sub warnings_of {
    my ($result) = @_;
    return map { $_->{kind} => $_ } UnixBench::Warnings::All::of($result);
}

# Takes the arguments of experiment() for two states; returns the sentence about the precision of its ratios, or undef.
sub precision {
    my (%with)    = @_;
    my ($plain)   = experiment([('env') x 2], tests => [qw(pipe spawn)], rounds => 12, %with);
    my ($warning) = grep { $_->{kind} eq 'precision' } UnixBench::Warnings::All::of($plain);
    return $warning && UnixBench::Warnings::Wording::of($warning)->{seen};
}

subtest 'the precision of ratios' => sub {
    is(precision(sway => 0.002), undef, 'all ratios are precise enough');
    like(
        precision(sway => 0.1),
        qr/\A[BC]\/A, 1 copy: precision after 12 rounds is \+-\d\S* % \(wanted \+-1 %\)\.\z/,
        'the least precise ratio is named'
    );
    is(precision(sway => 0.002, factors => [1, { spawn => undef }]), undef, 'an index without a ratio has none');
    my ($plain, $other) = experiment(['env'], sway => 0.1);
    my %found = warnings_of($other);
    is($found{precision}, undef, 'another state has no such warning');
    $plain->{procedure}{precision} = undef;
    %found = warnings_of($plain);
    is($found{precision}, undef, 'nor has a run without a wanted precision');
};

done_testing();
