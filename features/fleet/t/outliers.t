# Which hosts of one kind stand out.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../lib ../../../lib);
use UnixBench::Fleet::Outliers;

# Takes values, or { value, and more of a reading }; returns { position => finding }.
sub found {
    my (@values) = @_;
    my @readings = map { +{ host => $_, ref $values[$_] ? %{ $values[$_] } : (value => $values[$_]) } } 0 .. $#values;
    my $found    = UnixBench::Fleet::Outliers::outliers(@readings) or return;
    return { map { $_->{host} => $_ } @{ $found->{findings} } };
}

# Takes the same; returns how the last one stands out, or "usual".
sub last_is {
    my (@values) = @_;
    my $finding = found(@values)->{$#values};
    return $finding ? $finding->{is} : 'usual';
}

subtest 'z is as computed by hand' => sub {

    # The logarithms are 0 to 8 and 40 hundredths: the median is 4.5, the MAD is 2.5, that is 0.0403 for the normal
    # distribution, with an efficiency of 9 * 0.37 beside eight degrees of freedom of 1 %.
    my $shown  = 0.025 / 0.6745 * 10 / 9.2;
    my @values = map { 100 * exp($_ / 100) } 0 .. 8, 40;
    my $z      = found(@values)->{9}{z};
    is(sprintf('%.6f', $z), sprintf('%.6f', 0.355 / $shown), 'the deviation is at least that of the MAD');
    my @sure = map { { value => $_, error => 0.06 } } @values;
    $z = found(@sure)->{9}{z};
    is(sprintf('%.6f', $z), sprintf('%.6f', 0.355 / 0.06), 'that of a host is at least its own error');
    $sure[9]{error} = 0;
    my $deviation = sqrt((8 * 0.06**2 + 3.33 * $shown**2) / 11.33);
    $z = found(@sure)->{9}{z};
    is(sprintf('%.6f', $z), sprintf('%.6f', 0.355 / $deviation), 'errors count as eight degrees of freedom');

    # If all but one are equal, the MAD is 0, and 1 % is used instead.
    $z = found((100) x 9, 94)->{9}{z};
    is(sprintf('%.4f', $z), sprintf('%.4f', log(0.94) / 0.01), 'and at least 1 %');

    # The MAD of three values, 3 hundredths, is multiplied by 1.495.
    $z = found(map { 100 * exp($_ / 100) } 0, 3, 50)->{2}{z};
    is(sprintf('%.4f', $z), sprintf('%.4f', 0.47 / (1.495 * 0.03 / 0.6745)), 'the MAD of few values is corrected');
};

subtest 'a value stands out beyond both limits' => sub {
    my @alike = (100) x 9;
    my @apart = map { 100 * exp $_ / 50 } -4 .. 4;
    is(last_is(@{ $_->[0] }, $_->[1]), $_->[2], "$_->[1]: $_->[2]")
        for [\@alike, 94.9 => 'slow'], [\@alike, 95.1 => 'usual'], [\@alike, 104.9 => 'usual'],
        [\@alike, 105.1 => 'fast'], [\@apart, 85 => 'usual'], [\@apart, 70 => 'slow'], [\@apart, 150 => 'fast'];
    is(last_is(100, 101, 50), 'slow', 'one of three is judged');
    is(found(100, 50),        undef,  'one of two is not');
};

subtest 'a host of which little is known has to be further off' => sub {
    my @others = map { { value => 100, error => 0.01 } } 1 .. 9;
    is(last_is(@others, { value => 85, error => 0.05 }), 'usual', '15 % at an error of 5 %');
    is(last_is(@others, { value => 85, error => 0.01 }), 'slow',  'at one of 1 %');
    is(last_is(@others, { value => 80, error => 0.05 }), 'slow',  '20 % at 5 %');
    is(last_is(@others, { value => 85, error => 0.05, limit => '0.4' }), 'slow', 'a limit of CPU time is the reason');
};

subtest 'other load' => sub {
    my @quiet  = map { { value => 100 + $_ } } 1 .. 9;
    my $loaded = sub { my ($value, %bounds) = @_; return { value => $value, is_disturbed => 1, %bounds } };
    my @cases  = (
        ['without bounds',            $loaded->(50), 'not reliable'],
        ['a ceiling that is too low', $loaded->(30,  at_most  => 36),    'slow'],
        ['one that is not',           $loaded->(50,  at_most  => 100),   'not reliable'],
        ['a floor that is too high',  $loaded->(150, at_least => 125),   'fast'],
        ['one that is not',           $loaded->(130, at_least => 93),    'not reliable'],
        ['a floor of a slow host',    $loaded->(50,  at_least => 50),    'not reliable'],
        ['a limit of CPU time',       $loaded->(50,  limit    => '0.4'), 'slow'],
    );
    is(last_is(@quiet, $_->[1]), $_->[2], $_->[0]) for @cases;
    my @loud = map { $loaded->(50 + $_) } 1 .. 9;
    is(last_is(@loud, { value => 100 }), 'not reliable', 'a host may be fast only because the others were disturbed');
    is_deeply([sort { $a <=> $b } keys %{ found(@quiet, { value => 60 }, @loud) }], [9 .. 18], 'undisturbed hosts');
    is(found(@quiet, { value => 60 }, @loud)->{9}{is}, 'slow', 'with each other');
};

done_testing();
