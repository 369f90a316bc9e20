package Workbench;

# Passes of the fake programs in t/bin.

use strict;
use warnings;

use Cwd ();
use Exporter 'import';
use File::Temp     ();
use File::Basename ();

use UnixBench::Clock   ();
use UnixBench::Files   ();
use UnixBench::Pass    ();
use UnixBench::Process ();

our @EXPORT_OK = qw(one_pass);

my $BIN = Cwd::abs_path(File::Basename::dirname(__FILE__) . '/../bin');

# Takes a program of t/bin, or a path, and what differs from: copies => 1, arguments => [], limit_s => 20,
# stdin => '/dev/null', dir => '/', during => function to call with the process before the pass. Returns
# { copies => [result], took_s, left => [paths in scratch when the pass is done], interrupted, error }.
sub one_pass {
    my ($program, %with) = (shift, copies => 1, arguments => [], limit_s => 20, stdin => '/dev/null', dir => '/', @_);
    my $place   = File::Temp->newdir;
    my $clock   = UnixBench::Clock->new;
    my $process = UnixBench::Process->new(clock => $clock);
    my $path    = $program =~ m{/} ? $program : "$BIN/$program";
    $with{during}->($process) if $with{during};
    my $start_s = $clock->monotonic_s;
    my @copies  = eval {
        UnixBench::Pass->new(process => $process, clock => $clock)->run(
            command => sub {
                [$path, map { s/[{]scratch[}]/$_[0]/r } @{ $with{arguments} }]
            },
            program => $program,
            scratch => UnixBench::Files::make_copies_scratch("$place", $with{copies}),
            map { $_ => $with{$_} } qw(dir stdin limit_s)
        );
    };
    my $error       = $@;
    my $took_s      = $clock->monotonic_s - $start_s;
    my $interrupted = $process->interrupted;
    $process->release;
    my @left = map { s{\A\Q$place\E/}{}r } glob "$place/*";
    return { copies => \@copies, took_s => $took_s, left => \@left, interrupted => $interrupted, error => $error };
}

1;
