use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Needs qw(skip_without);
use UnixBench::Base::Clock;
use UnixBench::Host::KernelFiles;
use UnixBench::Noise::Watch;

# Tests on this machine that the load of another process is seen. The process is a child, but its CPU time is added to
# that of this program only when it has ended.
my $stat = UnixBench::Host::KernelFiles->new->text('/proc/stat');
skip_without(machine => 'CPU times in /proc/stat') if ($stat // q{}) !~ /^cpu +[1-9]/;

my $noise = UnixBench::Noise::Watch->new(clock => UnixBench::Base::Clock->new, usable_cpus => 1);

$noise->before;
my ($burner, $from) = start_burner();
sysread $from, my $said, 1;
my $seen = $noise->after([{ gated => 1, elapsed_s => 1 }]);
kill 'KILL', $burner;
waitpid $burner, 0;

is($said,                                                       '.', 'the child has used half a second of CPU time');
is(scalar(grep { $_->{cause} eq 'others' } @{ $seen->{tags} }), 1,   'the load is that of other processes');

done_testing;

# Starts a process that uses half a second of CPU time, writes a dot, and stays as long as this program. Returns its
# number and a handle to read from.
sub start_burner {
    my $us  = $$;
    my $pid = open(my $output, '-|') // die "fork: $!\n";
    return ($pid, $output) if $pid;
    1 while (times)[0] + (times)[1] < 0.5;
    syswrite STDOUT, '.';
    sleep 1 while getppid == $us;
    exit;
}
