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
        'says too much'  => sub { return "refused: $_[1]" . 'x' x 1000 . "\n" },
        'says controls'  => sub { return "refused: \e[31m\n" },
        'says addresses' => sub { return 'refused: ' . [] . "\n" },
        'says no end'    => sub { return 'refused' },
        'grows'          => sub { push @kept, 'x' x 250_000; return },
    );
    no warnings 'once';
    local *Fuzz::Wrong::samples = sub { return ('a', 'b') };
    local *Fuzz::Wrong::words   = sub { return ('c', 'd') };
    local *Fuzz::Wrong::refusal = sub { return qr/\Arefused[^\n]*\n\z/ };
    local $INC{'Fuzz/Wrong.pm'} = __FILE__;
    for my $what (sort keys %wrong) {
        no warnings 'redefine';
        local *Fuzz::Wrong::check = $wrong{$what};
        ok(scalar @{ Fuzz::run('Wrong', SEED, 300, 0.2)->{violations} }, "a parser that $what");
    }
};

done_testing;
