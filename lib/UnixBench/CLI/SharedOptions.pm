package UnixBench::CLI::SharedOptions;

# The options that several commands take. A command names them in its declaration.

use strict;
use warnings;

use Exporter qw(import);

use UnixBench::Report::Formats ();

our @EXPORT_OK = qw(shared);

# Keys of an option:
#   flag, value   the option as it is written, and the name of its value
#   short         another way to write the flag
#   key           its key in the parsed options
#   kind          the kind of value (see UnixBench::CLI::OptionValues), with max, above and choices
#   list          it may be given several times, and its key has a list
#   text          one line for the help; more: further sentences for the reference
#   is_usual      it is in the short help (-h)
#   is_output     it writes a report to its file or, without a value, to standard output
#   lasting       it also holds when the run is resumed
#   alone         it goes with no option but those of output, and with no argument; the reason, for the error
#   is_of_output  it concerns the output only, so it goes with an option that is alone; every is_output does
#   needs         the key of an option that it needs; a resumed run may have that from the interrupted one
#   without       the keys of options that it contradicts
#   test          the test that it is for

# The options that every command takes. They only print a text.
my @EVERYWHERE = (
    { flag => '-h',        key   => 'usage', text     => 'print the usual options' },
    { flag => '--help',    key   => 'help',  text     => 'print all options' },
    { flag => '--version', short => '-V',    key      => 'version', text => 'print the version' },
    { flag => '--list',    key   => 'list',  is_usual => 1,         text => 'list the tests and their aliases' },
);

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
        key          => 'details',
        is_of_output => 1,
        text         => 'after the report, print intervals, spread and disturbances',
    },
    { flag => '--force', key => 'force', lasting => 1, text => 'compare even if the procedures differ' },
    {
        flag     => '--require',
        key      => 'requirements',
        is_usual => 1,
        value    => 'EXPR',
        kind     => 'requirement',
        list     => 1,
        lasting  => 1,
        text     => q{require a value, such as 'index>=1500'; may be given several times},
        more     => 'The 95 % interval decides: the exit status is 3 if a requirement is not met, and 4 if it is '
            . 'inconclusive.',
    },
    UnixBench::Report::Formats::options(),
);
my %SHARED = map { $_->{flag} => $_ } @SHARED;

# Takes flags; returns the options, in this order.
sub shared {
    my (@flags) = @_;
    return map { $SHARED{$_} // die "no shared option $_\n" } @flags;
}

# Returns the options that every command takes.
sub everywhere { return @EVERYWHERE }

1;
