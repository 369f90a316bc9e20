package Traced;

# Commands that are traced in the same way as the tests of Run.

use strict;
use warnings;

use Exporter 'import';
use File::Basename qw(dirname);
use File::Temp     ();

use InPath qw(path_of);
use UnixBench::Base::Clock;
use UnixBench::Host::KernelFiles;
use UnixBench::Measure::PassSandbox;
use UnixBench::Measure::Scratch;
use UnixBench::Process::Process;
use UnixBench::Observe::Pass;
use UnixBench::Observe::Tracer;

our @EXPORT_OK = qw(traced);

use constant LIMIT_S => 600;

# Shared by all commands of a test file: objects for all tracers, the tracers by name, and the object that makes passes.
my (%common, %tracer, $sandbox);

# Takes the words of a command, by => "bpftrace" (the default) or "strace", and the options of
# UnixBench::Observe::Bpftrace. Returns the result of the tracer; dies with the reason if there is none.
sub traced {
    my ($command, %how) = @_;
    my $by = delete $how{by} || 'bpftrace';
    _set_up() if !%common;
    my $tracer = $tracer{$by} ||= _tracer($by);
    my $test   = { command => $command, limit_s => LIMIT_S };
    my $pass   = UnixBench::Observe::Pass::traced(
        process  => $common{process},
        clock    => $common{clock},
        one_pass => sub { $sandbox->one_pass(@_) },
        tracer   => $tracer,
        test     => $test,
        copies   => 1,
        options  => \%how,
    );
    die "$pass->{error}\n" if defined $pass->{error};
    return $pass->{traced};
}

sub _set_up {
    my $place = File::Temp->newdir;
    my $clock = UnixBench::Base::Clock->new;
    %common = (
        place   => $place,
        clock   => $clock,
        scratch => UnixBench::Measure::Scratch->new(parent => "$place"),
        process => UnixBench::Process::Process->new(clock  => $clock),
    );
    my %edge = map { $_ => $common{$_} } qw(clock scratch process);
    $sandbox = UnixBench::Measure::PassSandbox->new(%edge, testdir => q{/});
    return;
}

sub _tracer {
    my ($by) = @_;
    my $found = UnixBench::Observe::Tracer::find(
        %common,
        dir         => $common{scratch}->directory('tracer'),
        has_program => sub { $_[0] eq $by && path_of($by) },
        files       => UnixBench::Host::KernelFiles->new,
    );
    return $found->{tracer} || die "$found->{why_not}\n";
}

END { $common{process}->release if %common }

1;
