use strict;
use warnings;

use File::Temp ();
use FindBin    qw($Bin);
use Test::More;

use lib map { "$Bin/$_" } qw(lib ../../../../t/lib);
use CDriver               qw(driver said_by);
use Needs                 qw(need_compiler);

# Frames with a simulated clock. A scenario is { policy, period, demand, frames, first, stalls => { k => ns },
# extras => { k => ns } }; every key has a default.
need_compiler();

my $PLACE   = File::Temp->newdir;
my $program = driver('frames', qw(frames tasks stats random));

sub pairs {
    my ($values) = @_;
    my @frames = sort { $a <=> $b } keys %{ $values || {} };
    return (scalar @frames, map { ($_, $values->{$_}) } @frames);
}

# Writes scenarios to a file, one per line; returns its path.
sub written {
    my (@scenarios) = @_;
    open my $file, '>', "$PLACE/scenarios" or die "$PLACE: $!";
    for my $scenario (@scenarios) {
        my %all = (policy => 'skip', period => 10, demand => 4, frames => 10, first => 0, %$scenario);
        print {$file}
            join(q{ }, @all{qw(policy period demand frames first)}, map { pairs($_) } @all{qw(stalls extras)}),
            "\n";
    }
    close $file or die "$PLACE: $!";
    return "$PLACE/scenarios";
}

# Returns for each scenario { classes, staleness, wake, and the other words of the driver }.
sub played {
    my (@scenarios) = @_;
    my @played;
    for (said_by($program, written(@scenarios))) {
        my ($counts, $classes, $wake, $staleness) = /\A(.*) classes (\w*) wake ?(.*) staleness ?(.*)\z/ or die "$_\n";
        push @played, { split(q{ }, $counts), classes => $classes, wake => $wake, staleness => $staleness };
    }
    return @played;
}

my %LATE   = (extras => { 3 => 8 });
my %LONG   = (extras => { 3 => 33 });
my %STALL  = (stalls => { 3 => 55 });
my %WAKES  = (stalls => { map { ($_ => 5) } 0 .. 9 });
my %EXACT  = (demand => 10);
my $ALL    = 'M' x 10;
my %WARMED = (first => 5);

#<<< a table
# Period 10, demand 4, 10 frames. What is changed; policy; classes (M: on time, L: late, D: dropped), work in percent,
# staleness of each frame ("-": censored), its greatest value with those of censored frames.
my @PLAYED = (
    [{},      'skip',    $ALL,         100, '4 4 4 4 4 4 4 4 4 4',       4],
    [{},      'catchup', $ALL,         100, '4 4 4 4 4 4 4 4 4 4',       4],
    [\%LATE,  'skip',    'MMMLDMMMMM', 90,  '4 4 4 12 14 4 4 4 4 4',     14],
    [\%LATE,  'catchup', 'MMMLMMMMMM', 100, '4 4 4 12 6 4 4 4 4 4',      12],
    [\%LONG,  'skip',    'MMMLDDDMMM', 70,  '4 4 4 37 34 24 14 4 4 4',   37],
    [\%LONG,  'catchup', 'MMMLDDLMMM', 80,  '4 4 4 37 31 21 11 5 4 4',   37],
    [\%STALL, 'skip',    'MMMDDDDDDM', 40,  '4 4 4 64 54 44 34 24 14 4', 64],
    [\%STALL, 'catchup', 'MMMDDDDDMM', 50,  '4 4 4 59 49 39 29 19 9 4',  59],
    [\%WAKES, 'skip',    $ALL,         100, '9 9 9 9 9 9 9 9 9 9',       9],
    [\%EXACT, 'skip',    $ALL,         100, '10 10 10 10 10 10 10 10 10 10', 10],

    # The first 5 frames are the warm-up.
    [{ %WARMED },                          'skip',    'MMMMM', 100, '4 4 4 4 4',     4],
    [{ %WARMED, stalls => { 4 => 35 } },   'skip',    'DDDMM', 40,  '34 24 14 4 4',  34],
    [{ %WARMED, stalls => { 4 => 35 } },   'catchup', 'DDMMM', 60,  '29 19 9 4 4',   29],
    [{ %WARMED, extras => { 4 => 33 } },   'catchup', 'DDLMM', 60,  '31 21 11 5 4',  31],
    [{ %WARMED, stalls => { 4 => 1000 } }, 'skip',    'DDDDD', 0,   '- - - - -',     990],
    [{ %WARMED, extras => { 8 => 1000 } }, 'skip',    'MMMLD', 80,  '4 4 4 1004 -',  1004],
    [{ %WARMED, stalls => { 9 => 100 } },  'catchup', 'MMMMD', 80,  '4 4 4 4 -',     100],
    [{ first => 10 },                      'skip',    q{},     'nan', q{},           -1],
);
#>>>

subtest 'a stall counts once for each frame in it' => sub {
    for my $case (@PLAYED) {
        my ($what, $policy, $classes, $work, $staleness, $max) = @$case;
        my ($said) = played({ %$what, policy => $policy });
        my $name   = "$policy, $classes";
        my $done   = $said->{demand} ? 100 * $said->{done} / $said->{demand} : 'nan';
        is_deeply([@$said{qw(classes staleness)}, $done, $said->{stalest}], [$classes, $staleness, $work, $max], $name);
        is($said->{on_time} + $said->{late} + $said->{dropped}, length $classes, "$name: no frame is lost");
        is_deeply([@$said{qw(burns wrong)}], [$classes =~ tr/ML//, 0], "$name: each executed frame works once");
    }
    is((played(\%WAKES))[0]{wake}, '5 5 5 5 5 5 5 5 5 5', 'each frame has its own wake latency');
};

subtest 'a demand above the period' => sub {
    my ($skip, $catch_up) = played(map { { policy => $_, demand => 12, frames => 600 } } qw(skip catchup));
    is($skip->{classes},                'LD' x 300, 'skip: every second frame is dropped, and the others are late');
    is($skip->{done} / $skip->{demand}, 0.5,        'skip: half of the work is done');
    is_deeply([@$skip{qw(censored censored_max p50 p90 max)}], [1, 2, 12, 22, 22], 'skip: the last frame is censored');
    is_deeply([@$catch_up{qw(on_time late dropped)}], [0, 500, 100], 'catchup: frames on time, late and dropped');
    is(sprintf('%.3f', $_->{mean}), '16.992', 'the mean of the staleness') for $skip, $catch_up;
};

done_testing;
