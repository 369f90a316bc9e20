package UnixBench::CLI::Usage;

# The texts of -h, --help and --list, made from the declarations of commands and the table of tests.

use strict;
use warnings;

use UnixBench::CLI::Declaration ();
use UnixBench::Catalog          ();
use UnixBench::Base::Text       qw(wrapped);

use constant {
    WIDTH       => 79,
    OPTIONS_AT  => 20,    # the columns where texts begin
    NAMES_AT    => 16,
    STATUSES_AT => 5,
    TITLES_AT   => 34,
};

use constant ABOUT_LIST =>
    'Tests with * are in an index. Passes, and the seconds of each, are those of an official run. '
    . 'What a test does: ./Run explain TEST. A word that is an alias and a category means the alias.';

my $CALLS = <<'END';
Usage: ./Run [options] [test ...], ./Run COMMAND [options] ...

END

my @STATUSES = (
    [0 => 'everything was measured'],
    [1 => 'a test failed, or something could not be run, read or written'],
    [2 => 'wrong usage, or results that cannot be compared: nothing was run'],
);

use constant EVERYWHERE => 'every command';

# Takes all declarations; returns the exit statuses of the help, [number, meaning] each.
sub statuses {
    my (@declarations) = @_;
    my %reasons;
    push @{ $reasons{ $_->[1] } }, $_ for _rows(reasons => @declarations);
    return (@STATUSES, map { [$_ => _joined(@{ $reasons{$_} })] } sort keys %reasons);
}

# Takes all declarations; returns all exit statuses, [command or option, number, meaning] each; those of options and
# commands that have their own come last.
sub all_statuses {
    my (@declarations) = @_;
    return (
        (map { [EVERYWHERE, @$_] } @STATUSES),
        (sort { $a->[1] <=> $b->[1] } map { [@$_[0, 1], "$_->[2] $_->[3]"] } _rows(reasons => @declarations)),
        (map { [@$_[0 .. 2]] } _rows(statuses => @declarations)),
    );
}

# Each row stands behind the name of its command or option.
sub _rows {
    my ($key, @declarations) = @_;
    my (%seen, @rows);
    for my $item (map { ($_, UnixBench::CLI::Declaration::options_of($_)) } @declarations) {
        my $name = $item->{flag} // $item->{name} // next;
        push @rows, map { [$name, @$_] } @{ $item->{$key} || [] } if !$seen{$name}++;
    }
    return @rows;
}

sub _joined {
    my (@reasons) = @_;
    my @parts     = map { "$_->[2] $_->[3]" } @reasons;
    my $last      = pop @parts;
    return join ', ', @parts, @parts ? "or $last" : $last;
}

# Takes the declaration of a command; returns its help.
sub of {
    my ($declaration) = @_;
    my @options = map { _option($_) } shown_options($declaration);
    return join q{}, 'Usage: ' . call($declaration) . "\n\n",
        _paragraph(ucfirst("$declaration->{purpose}."), $declaration->{about} // ()), @options ? "\n" : (), @options;
}

# Takes a declaration; returns the options that its help prints.
sub shown_options {
    my ($declaration) = @_;
    return map { @{ $_->{options} } } grep { !$_->{is_hidden} } @{ $declaration->{groups} };
}

# Takes a declaration; returns the command line for it.
sub call {
    my ($declaration) = @_;
    my @options       = shown_options($declaration) ? '[options]' : ();
    my $arguments     = $declaration->{arguments};
    $arguments = "[$arguments]" if $declaration->{is_unnamed};
    return join q{ }, './Run', grep { defined } $declaration->{name}, @options, $arguments;
}

# Takes all declarations, that of measuring first; returns the text of -h: the options that most people use, without
# their details, and the commands.
sub short_help {
    my ($measure, @commands) = @_;
    my @usual = grep { $_->{is_usual} } UnixBench::CLI::Declaration::options_of($measure);
    return join q{}, $CALLS =~ s/\n\z//r,
        (map { _option({ %$_, text => _in_brief($_->{text}) }) } @usual), "\n",
        (map { _wrapped(NAMES_AT, "  $_->{name}", split q{ }, _in_brief($_->{purpose})) } @commands),
        "All options: ./Run --help. Those of a command: ./Run help COMMAND.\n";
}

sub _in_brief { my ($text) = @_; return $text =~ s/(?:;| [(]).*//r }

# Takes all declarations, that of measuring first; returns the text of --help: all options of measuring.
sub help {
    my ($measure, @commands) = @_;
    my %tests;
    push @{ $tests{ $_->{category} } }, $_->{name} for UnixBench::Catalog::tests();
    my @groups = map { ("$_->{title}:\n", (map { _option($_) } @{ $_->{options} }), "\n") } @{ $measure->{groups} };
    return join q{}, $CALLS, _paragraph($measure->{about}), "\n", @groups,
        "Commands (options of one: ./Run help COMMAND):\n",
        (map { _wrapped(NAMES_AT, "  $_->{name}", split q{ }, $_->{purpose}) } @commands),
        "\nExit status (if several apply, the first of 2, 1, 3, 4):\n",
        (map { _wrapped(STATUSES_AT, "  $_->[0]", split q{ }, $_->[1]) } statuses($measure, @commands)),
        "If a signal interrupts Run, Run ends by the same signal.\n",
        "\nTests (what each one does: ./Run explain TEST):\n",
        (map { _wrapped(NAMES_AT, "  $_", @{ $tests{$_} || [] }) } map { $_->{name} } UnixBench::Catalog::categories()),
        _wrapped(NAMES_AT, '  aliases', UnixBench::Catalog::aliases());
}

sub _option {
    my ($option) = @_;
    return _wrapped(OPTIONS_AT, '  ' . UnixBench::CLI::Declaration::heading($option), split q{ }, $option->{text});
}

sub _paragraph {
    my (@sentences) = @_;
    return _wrapped(0, q{}, map { split } grep { defined } @sentences);
}

# Takes the number of passes of a long test or undef, the parsed baseline (see UnixBench::Plan::Baseline), and a number
# of columns; returns the text of --list: the tests by category, then the aliases.
sub list {
    my ($iterations, $baseline, $width) = @_;
    require UnixBench::Plan;
    my @all = UnixBench::Plan::official($iterations, map { $_->{name} } UnixBench::Catalog::tests());
    my @parts;
    for my $category (UnixBench::Catalog::categories()) {
        my @tests = grep { $_->{category} eq $category->{name} } @all;
        push @parts, "$category->{title} (category $category->{name})\n",
            (map { _test($_, $baseline, $width) } @tests), "\n";
    }
    my @aliases =
        map { _wrapped_to($width, NAMES_AT, "  $_", UnixBench::Catalog::expand($_)) } UnixBench::Catalog::aliases();
    return join q{}, @parts, "Aliases\n", @aliases, "\n", _wrapped_to($width, 0, q{}, split q{ }, ABOUT_LIST);
}

sub _test {
    my ($test, $baseline, $width) = @_;
    my $mark    = $baseline->{ $test->{name} } ? q{*} : q{ };
    my $times   = sprintf '%d x %g s', $test->{passes_wanted}, $test->{pass_s};
    my $heading = sprintf '%s %-20s %-10s ', $mark, $test->{name}, $times;
    return _wrapped_to($width, TITLES_AT, $heading, split q{ }, $test->{title});
}

sub _wrapped {
    my (@given) = @_;
    return _wrapped_to(WIDTH, @given);
}

# The heading, then the words from that column on. A word that is too long has a line of its own.
sub _wrapped_to {
    my ($width, $column, $heading, @words) = @_;
    my @lines = wrapped("@words", $width - $column, 1);
    unshift @lines, q{} if length $heading > $column || !@lines;
    my @starts = ($heading, (q{}) x $#lines);
    return map { sprintf('%-*s%s', $column, $starts[$_], $lines[$_]) =~ s/ +\z//r . "\n" } 0 .. $#lines;
}

1;
