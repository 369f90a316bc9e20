package UnixBench::Score::Shortfall;

# What a measured test did not do: users that did not finish, lines that failed. The features know it of their tests.

use strict;
use warnings;

use UnixBench::Features qw(loaded);

my $MODULES = UnixBench::Features::merged('shortfalls');

# Takes a test of a run; returns its shortfall in words, such as "3 lines failed", or undef if there is none.
sub of_test {
    my ($test) = @_;
    my $module = $MODULES->{ $test->{name} } // return;
    return scalar loaded($module)->can('shortfall')->($test);
}

# Takes a run; returns the shortfalls of its tests in words.
sub of_run {
    my ($run) = @_;
    return grep { defined } map { scalar of_test($_) } @{ $run->{tests} };
}

# Takes a test of a run; returns a line for each part of its shortfall.
sub complaints {
    my ($test) = @_;
    my $module = $MODULES->{ $test->{name} } // return;
    return loaded($module)->can('complaints')->($test);
}

# Takes a test of a run or of a summary; returns whether it may have a shortfall, which only its passes tell.
sub is_possible {
    my ($test) = @_;
    return $MODULES->{ $test->{name} } ? 1 : 0;
}

1;
