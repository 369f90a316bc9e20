package MadeUpCpus;

# Machines that are made up: the files of a topology, and a function that measures slices on it. In truth, such a
# machine may have other cores than its files say.

use strict;
use warnings;

use Exporter 'import';
use List::Util qw(min sum);

use UnixBench::Cpus::Measurement ();
use UnixBench::Cpus::Topology    ();
use UnixBench::Host::KernelFiles ();

our @EXPORT_OK = qw(found_of measuring plan_of rounds_of topology_of);

# What two copies do on the threads of one core, and the speed of a place of two processes.
my %PAIR  = (dhry2reg   => 1.32,    syscall    => 1.5);
my %PLACE = ('same CPU' => 418_000, 'one core' => 96_300, 'two cores' => 51_200, 'two L3s' => 40_000);

my $SYS = '/sys/devices/system/cpu';

# Takes [keys of a CPU] for each CPU: core, socket, node, l3 (all 0 by default), and capacity; and perhaps allowed (a
# list such as "0-3") and further files. Returns { path => text }.
sub files_of {
    my ($cpus, %more) = @_;
    my $all   = '0-' . $#$cpus;
    my $files = $more{files} || {};
    my (%text, %sharing);
    for my $number (0 .. $#$cpus) {
        my %cpu = (core => $number, socket => 0, node => 0, l3 => 0, %{ $cpus->[$number] });
        push @{ $sharing{$_}{ $cpu{$_} } }, $number for qw(core l3);
        my $path = "$SYS/cpu$number";
        $text{"$path/topology/physical_package_id"}  = "$cpu{socket}\n";
        $text{"$path/topology/thread_siblings_list"} = $sharing{core}{ $cpu{core} };
        $text{"$path/cache/index3/level"}            = "3\n";
        $text{"$path/cache/index3/shared_cpu_list"}  = $sharing{l3}{ $cpu{l3} };
        $text{"$path/node$cpu{node}/cpulist"}        = "0\n";
        $text{"$path/cpu_capacity"}                  = "$cpu{capacity}\n" if $cpu{capacity};
    }
    $_ = join(q{,}, @$_) . "\n" for grep { ref } values %text;
    my $allowed = $more{allowed} // $all;
    return { %text, "$SYS/online" => "$all\n", '/proc/self/status' => "Cpus_allowed_list:\t$allowed\n", %$files };
}

# Takes the same; returns the topology.
sub topology_of {
    return UnixBench::Cpus::Topology::of(UnixBench::Host::KernelFiles->new(recorded => files_of(@_)));
}

# Takes, all optional, core_of (function from a CPU to its core in truth; default: each has its own), speed_of (the same
# to its speed), turbo (the speed of a copy that is alone), most (what all copies do at most), noise (a function that
# takes the number of a slice and returns a factor), taken ([[begin, length], ...] of each loop that reads the clock),
# and whether these are quota or others. Returns the function that measures a slice.
sub measuring {
    my (%truth) = @_;
    my $core_of = $truth{core_of}  || sub { $_[0] };
    my $speed   = $truth{speed_of} || sub { 1 };
    my $noise   = $truth{noise}    || sub { 1 + 0.005 * (($_[0] * 7) % 5 - 2) };
    my $number  = 0;
    return sub {
        my ($slice) = @_;
        my @cpus    = map { split /,/ } @{ $slice->{cpus} };
        my $pair    = $PAIR{ $slice->{test} // q{} } // 1;
        my (%on_core, @pieces);
        push @{ $on_core{ $core_of->($_) } }, $speed->($_) for @cpus;
        my $rate = sum(map { $_->[0] * (@$_ > 1 ? $pair : 1) } values %on_core);
        $rate *= $truth{turbo} // 1 if @cpus == 1;
        $rate = min($rate, $truth{most} // $rate);
        $rate = $PLACE{ $slice->{key} =~ s/\Aplace //r } / 1e6 if $slice->{what} eq 'place';
        my $lost = $truth{quota} || $truth{others} ? @cpus * sum(map { $_->[1] } @{ $truth{taken} }) : 0;

        for my $copy (0 .. $#cpus) {
            push @pieces, map { [$copy, @$_] } @{ $truth{taken} || [] };
        }
        return {
            rate        => 1e6 * $rate * $noise->($number++),
            seconds     => 0.2 * @cpus,
            waited_s    => $lost,
            stolen_s    => 0,
            throttled_s => $truth{quota} ? $lost : 0,
            pieces      => \@pieces,
        };
    };
}

# Takes a topology; returns the plan.
sub plan_of { return UnixBench::Cpus::Measurement::planned(@_, qw(dhry2reg syscall)) }

# Takes a topology and the same; returns [rounds].
sub rounds_of {
    my ($topology, %truth) = @_;
    return UnixBench::Cpus::Measurement::rounds(plan_of($topology), measuring(%truth));
}

# Takes the same; returns what is found.
sub found_of {
    my ($topology, %truth) = @_;
    my $found = UnixBench::Cpus::Measurement::found(plan_of($topology), rounds_of(@_));
    %{ $found->{taken} } = (%{ $found->{taken} }, %{ $truth{quota} || {} });
    return $found;
}

1;
