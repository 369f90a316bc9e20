package UnixBench::CLI::Declaration;

# Declarations of commands: what a command takes, and what it is for. The parser, the help, completions, the manual page
# and the reference are made from them.

use strict;
use warnings;

use Exporter qw(import);

our @EXPORT_OK = qw(everywhere example heading help_command is_given is_of_output options_in options_of shared);

# Keys of a declaration:
#   takes      "tests", the noun of its arguments, or "nothing"
#   arguments  the arguments, as in the help
#   needs      what an argument names, if one is needed
#   is_unnamed  there may be no argument: then the command finds what is meant, see UnixBench::Call
#   most       the largest number of arguments (default: any); several_with: [keys of options with which it takes more]
#   has_sides  "--" separates the arguments into two sides
#   purpose    the purpose, in a line
#   about      further sentences for the help (optional)
#   options    the options, see below, or the flags of those that several commands have; or groups, { title, text,
#              options } each. The help prints no option of a group that is_hidden
#   is_closed  features add nothing to it, so that it is parsed without their declarations
#   is_early   its module has a sub status instead of run: this takes the words of the command line before other modules
#              are loaded; prints, and returns an exit status; or nothing if they ask for a text such as the help
#   reasons    [[exit status, a subject, what is said of it]]: when the command ends with 3 or 4
#   statuses   [[exit status, what it means]]: all of them, if they are others than those of every command
#   is_small   it works with Debian's perl-base alone

# Keys of an option:
#   flag, value   the option as it is written, and the name of its value
#   key           its key in the parsed options (default: the flag)
#   kind          the kind of value, see UnixBench::CLI::Checks
#   max, above    the largest number, and one below all numbers
#   choices       the words that are values
#   values        the module of another kind: of_word takes a word and returns its value, or dies with one line; as_word
#                 takes the value and returns a word for it
#   is_optional   its value may be missing: then it is an empty text
#   words         the number of words that are its value, if it is above 1: its key has a list of their values
#   list          it may be given several times, and its key has a list
#   most          it may be given that many times at most, each time with another value
#   text          one line for the help
#   more          further sentences for the reference
#   is_usual      it is in the short help (-h)
#   is_output     it writes a report to its file; "-" is standard output
#   is_momentary  it does not hold when the run is resumed; neither does an option of output
#   lasting       an option of output that holds then
#   alone         it goes with no option but those of output, and with no argument; the reason, for the error
#   is_of_output  it concerns the output only, so it goes with an option that is alone; every is_output does
#   needs         the key of an option that it needs, which a resumed run may have from the interrupted one; or the name
#                 of a test
#   implies       the key of an option that it implies
#   without       the keys of options that it contradicts
#   reasons, statuses   as those of a command; a row of statuses has the outcomes, too, see UnixBench::App, and "other"
#                 is any other one
#   follows       where an option of a feature stands, see UnixBench::Features

# The options that every command takes. They only print a text.
my @EVERYWHERE = (
    { flag => '-h',        key => 'usage',   text => 'print the usual options' },
    { flag => '--help',    key => 'help',    text => 'print all options' },
    { flag => '--version', key => 'version', text => 'print the version' },
    { flag => '--list',    key => 'list',    text => 'list the tests and their aliases' },
);

# The options that several commands take. A command names them by their flags.
my @SHARED = (
    {
        flag         => '-q',
        key          => 'quiet',
        is_usual     => 1,
        is_of_output => 1,
        without      => [qw(verbose)],
        text         => 'print the classic report and nothing else',
    },
    {
        flag         => '--details',
        is_of_output => 1,
        text         => 'after the report, print intervals, spread and disturbances',
    },
    {
        flag  => '--copies',
        value => 'N',
        kind  => 'wholes',
        max   => 65_536,
        list  => 1,
        text  => 'the number of copies of a text report that does not say it',
        more  => 'Several numbers are for several parts of the report: --copies 1,8.',
    },
    {
        flag  => '--cpus',
        value => 'N',
        kind  => 'whole',
        max   => 65_536,
        text  => 'the number of CPUs of a text report that does not say it',
    },
    {
        flag => '--no-identity',
        text => 'leave the names of host, users and directories out',
    },
    { flag => '--force', text => 'compare even if the procedures differ' },
);

# Returns the options that every command takes.
sub everywhere { return @EVERYWHERE }

my %shared;    # { flag => option }

# Takes flags; returns the options that several commands take, with those that write reports, in this order.
sub shared {
    my (@flags) = @_;
    require UnixBench::Report::Formats;
    %shared = map { $_->{flag} => $_ } @SHARED, UnixBench::Report::Formats::options() if !%shared;
    return map { $shared{$_} // die "no shared option $_\n" } @flags;
}

# Takes a group of options, or what has them; returns them, also those that it names by their flags.
sub options_in {
    my ($group) = @_;
    return map { ref ? $_ : shared($_) } @{ $group->{options} || [] };
}

# Takes a declaration; returns its options.
sub options_of {
    my ($declaration) = @_;
    return map { @{ $_->{options} } } @{ $declaration->{groups} };
}

# Takes an option and the parsed options; returns whether it is given.
sub is_given {
    my ($option, $parsed) = @_;
    my $value = $parsed->{ $option->{key} };
    return ref $value ? @$value : defined $value;
}

# Takes an option; returns whether it concerns the output only.
sub is_of_output {
    my ($option) = @_;
    return $option->{is_of_output} || $option->{is_output};
}

# Takes an option; returns how it is written, with its value.
sub heading {
    my ($option) = @_;
    my $value = $option->{value} // return $option->{flag};
    return $option->{flag} . ($option->{is_optional} ? " [$value]" : " $value");
}

# Takes a declaration; returns the shortest command line for it.
sub example {
    my ($declaration) = @_;
    my $arguments = ($declaration->{arguments} // q{}) =~ s/\s*(?:[[|].*|[.]{3})\z//r;
    return join q{ }, './Run', grep { length } $declaration->{name} // q{}, $arguments;
}

# Takes a declaration; returns the command that prints its options.
sub help_command {
    my ($declaration) = @_;
    return defined $declaration->{name} ? "./Run help $declaration->{name}" : './Run --help';
}

1;
