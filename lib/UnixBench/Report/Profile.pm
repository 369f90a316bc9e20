package UnixBench::Report::Profile;

# What an index is made of: which of its tests are strong, which weak, which noisy.

use strict;
use warnings;

use UnixBench::Noise::Disturbances ();
use UnixBench::Remarks::Passes     ();
use UnixBench::Score::Estimate     ();
use UnixBench::Score::Score        ();
use UnixBench::Score::Spread       ();

# Takes a run and one of its indexes; returns { estimate => of the index, tests => [{ name, title, estimate => of its
# index, cv (perhaps undef), is_noisy, passes => [{ number, index, is_disturbed }, ...] }, ...] }, the strongest first.
# All is of all passes.
sub of_index {
    my ($run, $index) = @_;
    my $spreads = UnixBench::Score::Spread::of_run($run);
    my %test    = map  { $_->{name} => $_ } @{ $run->{tests} };
    my @rows    = grep { defined $_->{baseline} } @{ $index->{rows} };
    my @tests   = map  { _test($test{ $_->{name} }, $spreads->{ $_->{name} }, 10 / $_->{baseline}) } @rows;
    @tests = sort { $b->{estimate}{value} <=> $a->{estimate}{value} || $a->{title} cmp $b->{title} } @tests;
    return { estimate => UnixBench::Score::Spread::of_index($index, $run)->{estimate}, tests => \@tests };
}

sub _test {
    my ($test, $spread, $factor) = @_;
    return {
        name     => $test->{name},
        title    => $test->{title},
        estimate => UnixBench::Score::Estimate::multiple($spread->{estimate}, $factor),
        cv       => $spread->{cv},
        is_noisy => is_noisy($spread),
        passes   => [map { _pass($_, $factor) } @{ $test->{passes} }],
    };
}

sub _pass {
    my ($pass, $factor) = @_;
    return {
        number       => $pass->{number},
        index        => UnixBench::Score::Score::rate($pass) * $factor,
        is_disturbed => UnixBench::Noise::Disturbances::is_disturbed($pass) ? 1 : 0,
    };
}

# Takes the spread of a test; returns whether its passes vary by more than they should.
sub is_noisy {
    my ($spread) = @_;
    return ($spread->{cv} // 0) > UnixBench::Remarks::Passes::CV_MOST ? 1 : 0;
}

1;
