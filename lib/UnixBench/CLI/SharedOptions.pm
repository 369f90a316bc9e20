package UnixBench::CLI::SharedOptions;

# The options that several commands take, see UnixBench::CLI::Declaration. A command names them in its declaration.

use strict;
use warnings;

use Exporter qw(import);

use UnixBench::Report::Formats ();

our @EXPORT_OK = qw(shared);

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
    { flag => '--force', text => 'compare even if the procedures differ' },
    {
        flag     => '--require',
        key      => 'requirements',
        is_usual => 1,
        value    => 'EXPR',
        kind     => 'requirement',
        list     => 1,
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

1;
