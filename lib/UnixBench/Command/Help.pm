package UnixBench::Command::Help;

# Prints the help of a command, or the list of commands.

use strict;
use warnings;

use UnixBench::Command ();

# Returns the declaration, see UnixBench::CLI::Declaration.
sub declaration {
    return {
        takes     => 'command',
        arguments => '[COMMAND]',
        most      => 1,
        is_small  => 1,
        purpose   => 'print the commands, or the options of one',
        about     => 'The options of measuring: ./Run --help.',
        options   => [],
    };
}

# Takes a UnixBench::Call::Call; dies with one line if there is no such command.
sub check {
    my ($call) = @_;
    my ($word) = @{ $call->options->{words} };
    my @names  = UnixBench::Command::names();
    return if !defined $word || grep { $_ eq $word } @names;
    require UnixBench::CLI::Checks;
    die UnixBench::CLI::Checks::unknown_command($word, @names);
}

# Takes the same; prints the text. Returns the outcome, "done" or "failed".
sub run {
    my ($call) = @_;
    my ($name) = @{ $call->options->{words} };
    require UnixBench::CLI::Usage;
    my $text =
        defined $name
        ? UnixBench::CLI::Usage::of(UnixBench::Command::declaration($name))
        : UnixBench::CLI::Usage::overview(UnixBench::Command::declarations());
    return $call->console->inform($text) ? 'done' : 'failed';
}

1;
