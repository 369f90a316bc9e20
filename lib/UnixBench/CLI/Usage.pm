package UnixBench::CLI::Usage;

# The texts of -h, --help and --list, made from the tables of options and tests.

use strict;
use warnings;

use UnixBench::Base::Format     qw(listed);
use UnixBench::CLI::OptionTable ();
use UnixBench::Catalog          ();
use UnixBench::Report::Lines    qw(wrapped);

use constant {
    WIDTH       => 79,
    OPTIONS_AT  => 20,    # the columns where texts begin
    NAMES_AT    => 16,
    STATUSES_AT => 5,
    TITLES_AT   => 34,
    INDENT      => 4,
};

use constant ABOUT_LIST => 'Tests with * are in an index. Passes and seconds are those of an official run. What a test '
    . 'does: ./Run --explain TEST.';

my $CALLS = <<'END';
Usage: ./Run [options] [test ...]
       ./Run --resume NAME
       ./Run --report RESULT
       ./Run --compare OLD NEW [NEW ...]

END

my $FIRST = "Measures how fast this Unix system is. Without options, it measures the tests\n"
    . "of \"index\": once with one copy of each test, once with one copy for each CPU.\n\n";

my @STATUSES = (
    [0 => 'everything was measured'],
    [1 => 'a test failed, or something could not be run, read or written'],
    [2 => 'wrong usage, or results that cannot be compared: nothing was run'],
    [3 => 'a requirement was not met, a result is worse than the first one, or a machine of a fleet is slow'],
    [4 => 'a requirement or a comparison is inconclusive, --precision was not reached, or --strict found a problem'],
);

# Returns the exit statuses, [number, meaning] each.
sub statuses { return @STATUSES }

# Returns the text of -h: the options that most people use.
sub short_help {
    return join q{}, "Usage: ./Run [options] [test ...]\n\n", $FIRST,
        (map { _option($_) } grep { $_->{is_usual} } UnixBench::CLI::OptionTable::options()),
        "\nAll options: ./Run --help. The tests: ./Run --list.\n";
}

# Takes the name of a group, or nothing; returns the text of --help: all options, or those of the group, explained.
sub help {
    my ($group) = @_;
    return _explained($group) if defined $group;
    return join q{}, $CALLS, $FIRST, (map { _group($_) } UnixBench::CLI::OptionTable::groups()),
        _wrapped(0, q{}, split(q{ }, 'One group with explanations: ./Run --help GROUP. Groups:'), _group_names()),
        "\nExit status (if several apply, the first of 2, 1, 3, 4):\n",
        (map { _wrapped(STATUSES_AT, "  $_->[0]", split q{ }, $_->[1]) } @STATUSES),
        "If a signal interrupts Run, Run ends by the same signal.\n",
        "\nTests (what each one does: ./Run --explain TEST):\n",
        (map { _wrapped(NAMES_AT, "  $_->{name}", _names_in($_->{name})) } UnixBench::Catalog::categories()),
        _wrapped(NAMES_AT, '  aliases', UnixBench::Catalog::aliases());
}

sub _group_names {
    return map { $_->{name} } UnixBench::CLI::OptionTable::groups();
}

sub _group {
    my ($group) = @_;
    return ("$group->{title}:\n", (map { _option($_) } _options_of($group->{name})), "\n");
}

sub _options_of {
    my ($name) = @_;
    return grep { $_->{group} eq $name } UnixBench::CLI::OptionTable::options();
}

sub _option {
    my ($option) = @_;
    return _wrapped(OPTIONS_AT, '  ' . _heading($option), split q{ }, $option->{text});
}

sub _heading {
    my ($option) = @_;
    return join(', ', grep { defined } @$option{qw(short flag)}) . join q{},
        map { " $_" } grep { defined } @$option{qw(value optional)};
}

sub _explained {
    my ($name)  = @_;
    my ($group) = grep { $_->{name} eq $name } UnixBench::CLI::OptionTable::groups();
    my @parts   = ("$group->{title}\n\n", _wrapped(0, q{}, split q{ }, $group->{text}));
    for my $option (_options_of($name)) {
        my @sentences = map { ucfirst s/[.]?\z/./r } grep { defined } @$option{qw(text more)};
        push @parts, "\n", _heading($option) . "\n", _wrapped(INDENT, q{}, map { split } @sentences);
    }
    return join q{}, @parts;
}

sub _names_in {
    my ($category) = @_;
    return map { $_->{name} } grep { $_->{category} eq $category } UnixBench::Catalog::tests();
}

# Takes the number of passes of a long test or undef, the parsed baseline (see UnixBench::Plan::Baseline), and a number
# of columns; returns the text of --list: the tests by category, then the aliases.
sub list {
    my ($iterations, $baseline, $width) = @_;
    my @parts;
    for my $category (UnixBench::Catalog::categories()) {
        my @tests = grep { $_->{category} eq $category->{name} } UnixBench::Catalog::tests();
        push @parts, "$category->{title} (category $category->{name})\n",
            (map { _test($_, $iterations, $baseline, $width) } @tests), "\n";
    }
    my @aliases = map { _alias($_, $width) } UnixBench::Catalog::aliases();
    return join q{}, @parts, "Aliases\n", @aliases, "\n",
        _wrapped_to($width, 0, q{}, map { split } ABOUT_LIST, _about_aliases());
}

sub _test {
    my ($test, $iterations, $baseline, $width) = @_;
    my $mark    = $baseline->{ $test->{name} } ? q{*} : q{ };
    my $times   = sprintf '%d x %g s', UnixBench::Catalog::passes($test, $iterations), $test->{seconds};
    my $heading = sprintf '%s %-20s %-10s ', $mark, $test->{name}, $times;
    return _wrapped_to($width, TITLES_AT, $heading, split q{ }, $test->{title});
}

sub _alias {
    my ($alias, $width) = @_;
    return _wrapped_to($width, NAMES_AT, "  $alias", UnixBench::Catalog::expand($alias));
}

# Returns a sentence about the aliases that have the name of a category, but other tests.
sub _about_aliases {
    my %is_alias = map  { $_ => 1 } UnixBench::Catalog::aliases();
    my @both     = grep { $is_alias{$_} && !_is_category($_) } map { $_->{name} } UnixBench::Catalog::categories();
    return 'As words on the command line, ' . listed(@both) . ' are these aliases, not the categories.';
}

# Returns whether an alias stands for the tests of the category of that name.
sub _is_category {
    my ($alias) = @_;
    return "@{[sort(UnixBench::Catalog::expand($alias))]}" eq "@{[sort(_names_in($alias))]}";
}

sub _wrapped {
    my (@given) = @_;
    return _wrapped_to(WIDTH, @given);
}

# Takes a width, a column, a heading and words; returns lines of at most that width: the heading, then the words from
# that column on. A word that is too long has a line of its own.
sub _wrapped_to {
    my ($width, $column, $heading, @words) = @_;
    my @lines = wrapped("@words", $width - $column, 1);
    unshift @lines, q{} if length $heading > $column || !@lines;
    my @starts = ($heading, (q{}) x $#lines);
    return map { sprintf('%-*s%s', $column, $starts[$_], $lines[$_]) =~ s/ +\z//r . "\n" } 0 .. $#lines;
}

1;
