package TriedTracer;

# A tracer that is tried with a fake program.

use strict;
use warnings;

use Exporter 'import';
use File::Temp ();
use Test::More;

use Place qw(write_program);
use UnixBench::Base::Clock;
use UnixBench::Process;

our @EXPORT_OK = qw(tried);

# Takes the class of a tracer, and shell commands as its program, or undef for none; returns "found", or why it is not
# used. Tests that no process is left.
sub tried {
    my ($class, $script) = @_;
    my $place = File::Temp->newdir;
    write_program("$place/" . $class->NAME, "#!/bin/sh\n$script\n") if defined $script;
    local $ENV{PATH} = "$place:$ENV{PATH}";
    my $clock   = UnixBench::Base::Clock->new;
    my $process = UnixBench::Process->new(clock => $clock);
    my %with    = (process => $process, clock => $clock, dir => "$place", has_program => sub { defined $script });
    my $said    = eval { $class->found(%with) && 'found' } // $@;
    is_deeply([keys %{ $process->_groups }], [], 'no process is left');
    $process->release;
    return $said;
}

1;
