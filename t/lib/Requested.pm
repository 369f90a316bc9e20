package Requested;

# Requests for a machine with two CPUs that has everything.

use strict;
use warnings;

use Cwd ();
use Exporter 'import';
use File::Basename ();

use lib File::Basename::dirname(__FILE__) . '/../../lib';

use UnixBench::CLI::Environment  ();
use UnixBench::Call::Request     ();
use UnixBench::Call::ThisMachine ();
use UnixBench::Command           ();

our @EXPORT_OK = qw(request);

my $HOME = Cwd::abs_path(File::Basename::dirname(__FILE__) . '/../..');

# Takes words of the command line; returns the UnixBench::Call::Request for one copy.
sub request {
    my (@words) = @_;
    my %places = (home => $HOME, settings => UnixBench::CLI::Environment::read_from({}, $HOME));
    return UnixBench::Call::Request->new(
        %places,
        options => UnixBench::Command::parse(qw(-c 1), @words),
        machine => UnixBench::Call::ThisMachine->new(%places, host => Requested::Host->new),
    );
}

# A fake of UnixBench::Host::Machine, as far as requests need it.
package Requested::Host;

sub new         { my ($class) = @_; return bless {}, $class }
sub usable_cpus { return 2 }
sub display     { return }
sub has_program { return 1 }

1;
