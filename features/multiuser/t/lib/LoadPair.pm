package LoadPair;

# Invented multi-user loads, as the two sides of a comparison.

use strict;
use warnings;

use Exporter 'import';

our @EXPORT_OK = qw(load_pass load_side fast_side slow_side);

# Seconds of two CPUs during a load of about a minute.
my %TIMES = (user => 60, system => 24, irq => 1, steal => 3, idle => 30, iowait => 2);

# Statistics of responses, as multiples of the median.
my @RESPONSE = ([mean => 1.3], [p50 => 1], [p90 => 2], [p95 => 2.5], [p99 => 4], [max => 9]);

# Returns a pass as UnixBench::Multiuser::Results does. Takes, all optional:
#     good_s, system_s  CPU time of the users
#     driver_s          CPU time of the driver
#     elapsed_s, users, finished, lines
#     times             { seconds of the machine's CPUs }
#     meters            { other meters, or undef for unknown ones }
#     response_s        the median
#     stretch
sub load_pass {
    my (%how) = (
        good_s     => 58,
        system_s   => 22,
        driver_s   => 0.8,
        elapsed_s  => 60,
        users      => 20,
        lines      => 4420,
        response_s => 0.03,
        @_
    );
    my %times  = (%TIMES, %{ $how{times} || {} });
    my %meters = (
        (map { ("machine.cpu_${_}_s" => $times{$_}) } keys %times),
        'machine.elapsed_s'        => $how{elapsed_s},
        'machine.faults_minor'     => 1_500_000,
        'machine.faults_major'     => 0,
        'machine.switches'         => 100_000,
        'machine.forks'            => 13_000,
        'machine.interrupts'       => 180_000,
        'machine.memory_most_kb'   => 300 * 1024,
        'users.cpu_user_s'         => $how{good_s},
        'users.cpu_system_s'       => $how{system_s},
        'users.faults_minor'       => 1_400_000,
        'users.faults_major'       => 0,
        'users.switches_voluntary' => 35_000,
        'users.switches_forced'    => 4400,
        'users.rss_most_kb'        => 21 * 1024,
        'driver.cpu_s'             => $how{driver_s},
        %{ $how{meters} || {} },
    );
    my @classes =
        (_class(all => $how{lines}, $how{response_s}), _class(compile => $how{lines} / 10, 4 * $how{response_s}));
    return {
        (map { $_ => $how{$_} } qw(users lines elapsed_s)),
        finished  => $how{finished} // $how{users},
        incidents => 0,
        meters    => { map { $_ => $meters{$_} } grep { defined $meters{$_} } keys %meters },
        responses => \@classes,
        stretch   => $how{stretch},
    };
}

sub _class {
    my ($class, $count, $median_s) = @_;
    my %response = map { ("$_->[0]_s" => $median_s * $_->[1]) } @RESPONSE;
    return { class => $class, count => $count, %response };
}

# Takes a letter and passes, and perhaps a shortfall; returns the side.
sub load_side {
    my ($letter, $passes, $shortfall) = @_;
    my $load = { passes => $passes, shortfall => $shortfall };
    return { letter => $letter, label => "$letter.json", summary => { name => lc $letter }, loads => [$load] };
}

# slow_side() and fast_side() return a system with three passes, as A and B. The fast one has a faster processor and
# less overhead.
sub slow_side {
    return load_side(A => [map { _slow($_) } 0.99, 1, 1.01]);
}

sub fast_side {
    return load_side(B => [map { _fast($_) } 1.005, 0.99, 1]);
}

sub _slow {
    my ($factor) = @_;
    return load_pass(
        good_s     => 58 * $factor,
        system_s   => 22.5 * $factor,
        elapsed_s  => 61.5 * $factor,
        response_s => 0.04 * $factor,
        stretch    => 2.5 * $factor,
        times      => { user => 60 * $factor, system => 25 * $factor, idle => 32 - 20 * ($factor - 1) },
        meters     => { 'group.faults_major' => 3, 'group.memory_most_kb' => 250_000 },
    );
}

sub _fast {
    my ($factor) = @_;
    return load_pass(
        good_s     => 30 * $factor,
        system_s   => 7 * $factor,
        elapsed_s  => 45 * $factor,
        response_s => 0.021 * $factor,
        stretch    => 1.4 * $factor,
        driver_s   => 0.5,
        times      =>
            { user => 31 * $factor, system => 8 * $factor, irq => 0.6, steal => 0, idle => 49 - 20 * ($factor - 1) },
        meters => { 'machine.forks' => undef },
    );
}

1;
