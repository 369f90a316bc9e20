package LoadPair;

# Invented multi-user loads, as the two sides of a comparison.

use strict;
use warnings;

use Exporter 'import';

our @EXPORT_OK = qw(load_pass load_side);

# Seconds of two CPUs during a load of about a minute.
my %TIMES = (user => 60, system => 24, irq => 1, steal => 3, idle => 30, iowait => 2);

# Statistics of responses, as multiples of the median.
my @RESPONSE = ([mean => 1.3], [p50 => 1], [p90 => 2], [p95 => 2.5], [p99 => 4], [max => 9]);

# Returns a pass as UnixBench::Multiuser::Results does. Takes, all optional:
#     good_s, system_s  CPU time of the users
#     driver_s          CPU time of the driver
#     elapsed_s, users, finished, lines, stretch
#     times             { seconds of the machine's CPUs }
#     meters            { other meters, or undef for unknown ones }
#     response_s        the median
sub load_pass {
    my (%how)  = (good_s => 58, system_s => 22, driver_s => 0.8, elapsed_s => 60, users => 20, lines => 4420, @_);
    my %times  = (%TIMES, %{ $how{times} || {} });
    my %meters = (
        (map { ("machine.cpu_${_}_s" => $times{$_}) } keys %times),
        'machine.elapsed_s'        => $how{elapsed_s},
        'machine.forks'            => 13_000,
        'machine.memory_most_kb'   => 300 * 1024,
        'group.faults_major'       => 3,
        'users.cpu_user_s'         => $how{good_s},
        'users.cpu_system_s'       => $how{system_s},
        'users.faults_minor'       => 1_400_000,
        'users.faults_major'       => 0,
        'users.switches_voluntary' => 35_000,
        'users.rss_most_kb'        => 21 * 1024,
        'driver.cpu_s'             => $how{driver_s},
        %{ $how{meters} || {} },
    );
    my $median_s = $how{response_s} // 0.03;
    my @classes  = (_class(all => $how{lines}, $median_s), _class(compile => $how{lines} / 10, 4 * $median_s));
    return {
        (map { $_ => $how{$_} } qw(users lines elapsed_s stretch)),
        finished  => $how{finished} // $how{users},
        meters    => { map { $_ => $meters{$_} } grep { defined $meters{$_} } keys %meters },
        responses => \@classes,
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

1;
