package Scenarios;

# Runs of the driver frames.c, with data as input and output. A scenario is { policy, period, demand, frames, first,
# stalls => { k => ns }, extras => { k => ns } }; every key has a default.

use strict;
use warnings;

use Exporter   qw(import);
use File::Temp ();

use CDriver qw(driver said_by);

our @EXPORT_OK = qw(percentile_of played random_scenarios write_scenarios);

my $PLACE   = File::Temp->newdir;
my $program = '';

sub _pairs {
    my ($values) = @_;
    my @frames = sort { $a <=> $b } keys %{ $values || {} };
    return (scalar @frames, map { ($_, $values->{$_}) } @frames);
}

# Writes scenarios to a file, one per line; returns its path.
sub write_scenarios {
    my (@scenarios) = @_;
    my $path = "$PLACE/scenarios";
    open my $file, '>', $path or die "$path: $!";
    for my $scenario (@scenarios) {
        my %all = (policy => 'skip', period => 10, demand => 4, frames => 10, first => 0, %$scenario);
        print {$file}
            join(' ', @all{qw(policy period demand frames first)}, _pairs($all{stalls}), _pairs($all{extras})),
            "\n";
    }
    close $file or die "$path: $!";
    return $path;
}

sub _parsed {
    my ($line) = @_;
    my ($counts, $classes, $wake, $staleness) = $line =~ /\A(.*) classes (\w*) wake(.*) staleness(.*)\z/
        or die "can't read: $line\n";
    return {
        split(' ', $counts),
        classes   => $classes,
        wake      => [split ' ', $wake],
        staleness => [split ' ', $staleness],
    };
}

# Takes scenarios; returns a hash for each with the words of the driver and lists of wake and staleness.
sub played {
    my (@scenarios) = @_;
    $program ||= driver('frames', qw(frames tasks stats random));
    return map { _parsed($_) } said_by($program, write_scenarios(@scenarios));
}

# Takes an exact percentile and the maximum; returns the driver's percentile: the upper edge of the bucket, at most the
# maximum.
sub percentile_of {
    my ($exact, $max) = @_;
    my $width = 1;
    $width *= 2 while $exact >= 256 * $width;
    my $edge = (int($exact / $width) + 1) * $width - 1;
    return $edge < $max ? $edge : $max;
}

sub _random_delays {
    my ($frames, $period) = @_;
    return { map { (int rand $frames => 1 + int rand(rand(4) < 1 ? 6 * $period : $period)) } 0 .. rand 4 };
}

# Takes a number and a seed; returns that many scenarios of both policies. The same seed gives the same scenarios.
sub random_scenarios {
    my ($count, $seed) = @_;
    srand $seed;
    return map {
        my $period = 5 + int rand 40;
        my $frames = 3 + int rand 18;
        {
            policy => $_ % 2 ? 'skip' : 'catchup',
            period => $period,
            demand => 1 + int rand(1.3 * $period),
            frames => $frames,
            stalls => _random_delays($frames, $period),
            extras => _random_delays($frames, $period),
        };
    } 1 .. $count;
}

1;
