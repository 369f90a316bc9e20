package UnixBench::CLI::Usage;

# The texts of --help and --list, made from the tables of options and tests.

use strict;
use warnings;

use UnixBench::CLI::OptionTable ();
use UnixBench::Catalog          ();

use constant {
    WIDTH      => 79,
    NAMES_AT   => 14,    # columns at which texts begin
    OPTIONS_AT => 17,
};

my $CALLS = <<'END';
Usage: ./Run [-q | -v | -b] [-i N] [-c N [-c N ...]] [long options] [test ...]
       ./Run --resume NAME [options]
       ./Run --report FILE [options]
       ./Run --compare FILE FILE ... [options]

Measures how fast this system is, by default with the tests of "index". The
last two calls measure nothing, but work on results that are there.

END

my $ENDS = <<'END';

EXPR is [N:]NAME>=NUMBER or [N:]NAME>=NUMBER*FILE, such as 'index>=1500' or
'8:fsdisk>=0.95*last.json'. NAME is index, 2d-index, 3d-index or a test; N is a
number of copies, without which it holds for each; *FILE multiplies by the
value in that result. For --json, --html, --markdown and --junit, - is standard
output, in place of the report.

Exit status:
  0  all that was asked for was measured
  1  a test failed, or something could not be run or written
  2  wrong usage, or results that can't be compared: nothing was run
  3  a requirement was not met, or a comparison found a result worse
  4  a requirement stays open, or a precision (--precision) was not reached
Where several apply, the first of 2, 1, 3, 4. An interrupted Run dies of the
signal.

END

# Returns the text of --help.
sub help {
    return join q{}, $CALLS, (map { _option($_) } UnixBench::CLI::OptionTable::options()), $ENDS,
        "Tests, by category (more about each: ./Run --list):\n",
        (map { _wrapped(NAMES_AT, $_->{name}, _names_in($_->{name})) } UnixBench::Catalog::categories()),
        "\nAliases, each for several tests:\n",
        _wrapped(NAMES_AT, q{}, UnixBench::Catalog::aliases());
}

# Takes the number of iterations or undef; returns the text of --list: a line for each test, then for each alias.
sub list {
    my ($iterations) = @_;
    my $text         = sprintf "%-20s %-40s %-11s %6s %7s\n", qw(test title category passes seconds);
    for my $test (UnixBench::Catalog::tests()) {
        $text .= sprintf "%-20s %-40s %-11s %6d %7g\n", @$test{qw(name title category)},
            UnixBench::Catalog::passes($test, $iterations), $test->{seconds};
    }
    $text .= "\n";
    for my $alias (UnixBench::Catalog::aliases()) {
        $text .= sprintf "%-20s = %s\n", $alias, join q{ }, UnixBench::Catalog::expand($alias);
    }
    return $text;
}

sub _names_in {
    my ($category) = @_;
    return map { $_->{name} } grep { $_->{category} eq $category } UnixBench::Catalog::tests();
}

sub _option {
    my ($option) = @_;
    my $heading  = join q{ }, grep { defined } @$option{qw(flag value)};
    return _wrapped(OPTIONS_AT, $heading, split q{ }, $option->{text});
}

# Takes a column, a heading and words. Returns lines of less than 80 columns: the heading, and then the words, which
# begin after that column.
sub _wrapped {
    my ($column, $heading, @words) = @_;
    my @lines = sprintf '%-*s', $column, "  $heading";
    for my $word (@words) {
        push @lines, q{ } x $column if length("$lines[-1] $word") > WIDTH;
        $lines[-1] .= " $word";
    }
    return map { "$_\n" } @lines;
}

1;
