package UnixBench::Usage;

# What --help and --list print, made from the tables of options and tests.

use strict;
use warnings;

use UnixBench::Catalog ();
use UnixBench::Options ();

# The text of --help.
sub help {
    my @options = map {
        sprintf "  %-14s %s\n", join(' ', grep { defined } @$_{qw(flag value)}), $_->{text}
    } UnixBench::Options::table();
    return join q{},
        "Usage: ./Run [-q | -v | -b] [-i N] [-c N [-c N ...]] [long options] [test ...]\n\n",
        "Measures how fast this system is. Without a test it runs \"index\".\n\n",
        @options, "\n",
        "Tests, by category (more about each: ./Run --list):\n",
        (map { _wrapped($_->{name}, _names_in($_->{name})) } UnixBench::Catalog::categories()),
        "\nAliases, each for several tests:\n",
        _wrapped(q{}, UnixBench::Catalog::aliases()),
        "\nExit status: 0 all was measured; 1 a test failed or could not be run; 2 wrong usage.\n";
}

# The text of --list: a line for each test, then a line for each alias.
sub list {
    my ($iterations) = @_;
    my $text         = sprintf "%-17s %-40s %-8s %6s %7s\n", qw(test title category passes seconds);
    for my $test (UnixBench::Catalog::tests()) {
        $text .= sprintf "%-17s %-40s %-8s %6d %7g\n", @$test{qw(name title category)},
            UnixBench::Catalog::passes($test, $iterations), $test->{seconds};
    }
    $text .= "\n";
    for my $alias (UnixBench::Catalog::aliases()) {
        $text .= sprintf "%-17s = %s\n", $alias, join q{ }, UnixBench::Catalog::expand($alias);
    }
    return $text;
}

sub _names_in {
    my ($category) = @_;
    return map { $_->{name} } grep { $_->{category} eq $category } UnixBench::Catalog::tests();
}

# Words behind a heading, in lines of less than 80 columns.
sub _wrapped {
    my ($heading, @words) = @_;
    my @lines = (sprintf '  %-8s', $heading);
    for my $word (@words) {
        push @lines, q{ } x 10 if length("$lines[-1] $word") > 79;
        $lines[-1] .= " $word";
    }
    return map { "$_\n" } @lines;
}

1;
