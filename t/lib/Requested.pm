package Requested;

# Requests for a machine with two CPUs that has everything, unless a test says what it has.

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

our @EXPORT_OK = qw(context refusal);

my $HOME = Cwd::abs_path(File::Basename::dirname(__FILE__) . '/../..');

# Takes words of the command line and properties of the machine; returns the request:
#   factor, time_factor, bindir             variables of the environment; or env, all of them
#   home                                    the directory of the suite
#   display, quota, limits, missing, space  see Requested::Host; or host, a machine of another class
sub context {
    my ($words, %is) = @_;
    my %env =
        (UB_TMPDIR => '/t', UB_RESULTDIR => '/r', MULTI_SH_WORK_FACTOR => $is{factor} // 1, UB_BINDIR => $is{bindir});
    $env{UB_TIME_FACTOR} = $is{time_factor} if $is{time_factor};
    my $home     = $is{home} // $HOME;
    my $settings = UnixBench::CLI::Environment::read_from($is{env} || \%env, $home);
    my %places   = (home => $home, settings => $settings);
    my $machine  = UnixBench::Call::ThisMachine->new(%places, host => $is{host} || Requested::Host->new(%is));
    return UnixBench::Call::Request->new(
        %places,
        options => UnixBench::Command::parse(split q{ }, $words),
        machine => $machine
    );
}

# Takes the same; returns why the plan can't be run, or an empty text if it can.
sub refusal {
    my $context = context(@_);
    return eval { $context->machine->check_limits($context->plan); 1 } ? q{} : $@;
}

# A fake of UnixBench::Host::Facts, as far as requests need it, with the properties that are passed to new. It was
# started as usual: the real one may have another nice value. Both CPUs are one core.
package Requested::Host;

sub new             { my ($class, %is) = @_; return bless {%is}, $class }
sub usable_cpus     { return 2 }
sub display         { my ($self) = @_; return $self->{display} }
sub display_refusal { my ($self) = @_; return $self->{display_refusal} }
sub quota           { my ($self) = @_; return $self->{quota} }
sub limits          { my ($self) = @_; return $self->{limits} || {} }
sub has_program     { my ($self, $program) = @_; return $program ne ($self->{missing} // q{}) }
sub space           { my ($self, $path)    = @_; return $self->{space}{$path} || { device => 1, free_kb => undef } }
sub process         { return {} }
sub changeable      { return { cpu => { cores => 1 } } }

1;
