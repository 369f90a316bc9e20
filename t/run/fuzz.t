use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Fuzz ();

# A short form of lab/fuzz, which takes any number of inputs: every parser handles any input.
use constant { SEED => 1995, INPUTS => 5_000 };

for my $share (Fuzz::shares(INPUTS)) {
    my ($target, $inputs) = @$share;
    my $done = Fuzz::run($target, SEED, $inputs);
    is(join('', @{ $done->{violations} }), '', "$target: no violation in $inputs inputs, seed @{[SEED]}");
    cmp_ok($done->{accepted}, '>', $inputs / 50, "$target: more than 2 % of the inputs are accepted");
}

subtest 'a faulty parser is found' => sub {
    my ($was_stuck, @kept);
    my %wrong = (
        'dies within'    => sub { die 'here' },
        'is stuck'       => sub { return if $was_stuck++; 1 while 1 },
        'warns'          => sub { return 1 + undef },
        'says too much'  => sub { die "refused: $_[0]" . 'x' x 1000 . "\n" },
        'says controls'  => sub { die "refused: \e[31m\n" },
        'says addresses' => sub { die q{refused: } . [] . "\n" },
        'says no end'    => sub { die 'refused' },
        'grows'          => sub { push @kept, 'x' x 250_000; return },
    );
    my %target = (samples => ['a', 'b'], words => ['c', 'd'], refusal => qr/\Arefused[^\n]*\n\z/);
    for my $what (sort keys %wrong) {
        local $Fuzz::Targets::TARGETS{Wrong} = { %target, check => $wrong{$what} };
        ok(scalar @{ Fuzz::run('Wrong', SEED, 300, 0.2)->{violations} }, "a parser that $what");
    }
};

done_testing;
