use strict;
use warnings;

use FindBin    qw($Bin);
use List::Util qw(max sum);
use Test::More;

use lib map { "$Bin/$_" } qw(lib ../../../../t/lib);
use Needs                 qw(need_compiler);
use Scenarios             qw(percentile_of played random_scenarios);

need_compiler();

my %LATE       = (extras => { 3 => 8 });
my %LONG       = (extras => { 3 => 33 });
my %STALL      = (stalls => { 3 => 55 });
my %WAKES_LATE = (stalls => { map { ($_ => 5) } 0 .. 9 });

my $ALL_4  = '4 4 4 4 4 4 4 4 4 4';
my $ALL_9  = '9 9 9 9 9 9 9 9 9 9';
my $ALL_10 = '10 10 10 10 10 10 10 10 10 10';

# Period 10, demand 4, 10 frames. Columns: what happens; policy; what is changed; classes, on time %, work %, staleness
# of each frame; mean, median, 90th percentile and maximum of the staleness.
my @PLAYED = (
    ['nothing',                 'skip',    {},      'MMMMMMMMMM', 100, 100, $ALL_4,                    4,    4, 4,  4],
    ['nothing',                 'catchup', {},      'MMMMMMMMMM', 100, 100, $ALL_4,                    4,    4, 4,  4],
    ['frame 3 takes 8 more',    'skip',    \%LATE,  'MMMLDMMMMM', 80,  90,  '4 4 4 12 14 4 4 4 4 4',   5.8,  4, 12, 14],
    ['frame 3 takes 8 more',    'catchup', \%LATE,  'MMMLMMMMMM', 90,  100, '4 4 4 12 6 4 4 4 4 4',    5,    4, 6,  12],
    ['frame 3 takes 33 more',   'skip',    \%LONG,  'MMMLDDDMMM', 60,  70,  '4 4 4 37 34 24 14 4 4 4', 13.3, 4, 34, 37],
    ['frame 3 takes 33 more',   'catchup', \%LONG,  'MMMLDDLMMM', 60,  80,  '4 4 4 37 31 21 11 5 4 4', 12.5, 4, 31, 37],
    ['frame 3 wakes 55 late',   'skip',    \%STALL, 'MMMDDDDDDM', 40,  40, '4 4 4 64 54 44 34 24 14 4', 25, 14, 54, 64],
    ['frame 3 wakes 55 late',   'catchup', \%STALL, 'MMMDDDDDMM', 50,  50, '4 4 4 59 49 39 29 19 9 4',  22, 9,  49, 59],
    ['all wake 5 late',         'skip',    \%WAKES_LATE,     'MMMMMMMMMM', 100, 100, $ALL_9,            9,  9,  9,  9],
    ['all wake 5 late',         'catchup', \%WAKES_LATE,     'MMMMMMMMMM', 100, 100, $ALL_9,            9,  9,  9,  9],
    ['all end at the deadline', 'skip',    { demand => 10 }, 'MMMMMMMMMM', 100, 100, $ALL_10,           10, 10, 10, 10],
    ['all end at the deadline', 'catchup', { demand => 10 }, 'MMMMMMMMMM', 100, 100, $ALL_10,           10, 10, 10, 10],
);

# Wrong numbers of other ways to count (D2, D3, D4): one entry for each wake-up, a stall and the frames that it skipped
# counted twice, the frame that a late one costs left out. Columns: frames, work %, mean, maximum. Work is right if one
# frame costs several.
my %WRONG = (
    'nothing'               => [undef, undef, 0,    0],
    'frame 3 takes 8 more'  => [9,     100,   1.11, 10],
    'frame 3 takes 33 more' => [9,     undef, 4.29, 30],
    'frame 3 wakes 55 late' => [9,     44.4,  21,   105],
);

sub percent { return sprintf '%.4g', 100 * $_[0] / $_[1] }

sub check {
    my ($name, $policy, $what, $classes, $on_time, $work, $staleness, $mean, $median, $p90, $max) = @_;
    my ($said) = played({ %$what, policy => $policy });
    my @wrong = $policy eq 'skip' ? @{ $WRONG{$name} || [] } : ();
    $name .= " ($policy)";
    is($said->{classes},                           $classes,               "$name: classes");
    is(percent($said->{on_time}, $said->{frames}), $on_time,               "$name: on time");
    is(percent($said->{done}, $said->{demand}),    $work,                  "$name: work");
    is("@{$said->{staleness}}",                    $staleness,             "$name: staleness of each frame");
    is(sprintf('%.3f', $said->{mean}),             sprintf('%.3f', $mean), "$name: mean of the staleness");
    is_deeply(
        [@$said{qw(p50 p90 max stalest)}],
        [$median, $p90, $max, $max],
        "$name: percentiles and maximum of the staleness"
    );
    is_deeply([@$said{qw(censored censored_max wrong)}], [0, -1, 0], "$name: no frame is censored");
    my @ours =
        ($said->{frames}, percent($said->{done}, $said->{demand}), 0 + sprintf('%.2f', $said->{mean}), $said->{max});
    isnt($ours[$_], $wrong[$_], "$name: not $wrong[$_], which another way to count gives")
        for grep { defined $wrong[$_] } 0 .. $#wrong;
    return;
}

check(@$_) for @PLAYED;
my ($late) = played({ policy => 'skip', %WAKES_LATE });
is_deeply($late->{wake}, [(5) x 10], 'each frame has its own wake latency');

subtest 'a demand above the period' => sub {
    my ($skip, $catch_up) = played(map { { policy => $_, demand => 12, frames => 600 } } qw(skip catchup));
    is($skip->{classes}, 'LD' x 300, 'skip: every second frame is dropped, and the others are late');
    is_deeply($skip->{staleness}, [((12, 22) x 300)[0 .. 598], '-'], 'skip: staleness of all frames but the last');
    is_deeply(
        [@$skip{qw(on_time late dropped censored)}],
        [0, 300, 300, 1],
        'skip: frames on time, late, dropped and censored'
    );
    is(percent(@$skip{qw(done demand)}), 50,               'skip: half of the work is done');
    is($skip->{censored_max},            5980 + 12 - 5990, 'skip: how long the last frame has waited at the end');
    my $skip_staleness = $skip->{staleness};
    my $mean           = sum(@$skip_staleness[0 .. 598]) / 599;
    is(sprintf('%.3f', $skip->{mean}), '16.992', 'skip: mean of the staleness');
    is(
        sprintf('%.6f', $skip->{deviation}),
        sprintf('%.6f', sqrt(sum(map { ($_ - $mean)**2 } @$skip_staleness[0 .. 598]) / 598)),
        'skip: the deviation is the standard deviation, not the mean again'
    );
    is_deeply([@$skip{qw(p50 p90 max)}],              [12, 22,  22],  'skip: percentiles and maximum of the staleness');
    is_deeply([@$catch_up{qw(on_time late dropped)}], [0,  500, 100], 'catchup: frames on time, late and dropped');
    is(percent(@$catch_up{qw(done demand)}), 83.33,    'catchup: work');
    is(sprintf('%.3f', $catch_up->{mean}),   '16.992', 'catchup: mean of the staleness');
    is_deeply([@$catch_up{qw(p50 p90 max)}], [16, 22, 22], 'catchup: percentiles');
};

# Frames 0 to 9, the first 5 of them as warm-up. Columns: what happens; what is changed; policy; classes; staleness;
# greatest staleness of censored frames, or -1.
my @WARMED_UP = (
    ['nothing',                        {},                          'skip',    'MMMMM', [(4) x 5],            -1],
    ['a stall of 35 before frame 4',   { stalls => { 4 => 35 } },   'skip',    'DDDMM', [34, 24, 14, 4, 4],   -1],
    ['a stall of 35 before frame 4',   { stalls => { 4 => 35 } },   'catchup', 'DDMMM', [29, 19, 9, 4, 4],    -1],
    ['frame 4 takes 33 more',          { extras => { 4 => 33 } },   'skip',    'DDDMM', [34, 24, 14, 4, 4],   -1],
    ['frame 4 takes 33 more',          { extras => { 4 => 33 } },   'catchup', 'DDLMM', [31, 21, 11, 5, 4],   -1],
    ['a stall of 8 before frame 4',    { stalls => { 4 => 8 } },    'skip',    'DMMMM', [14, 4, 4, 4, 4],     -1],
    ['a stall of 1000 before frame 4', { stalls => { 4 => 1000 } }, 'skip',    'DDDDD', [('-') x 5],          990],
    ['a stall of 1000 before frame 4', { stalls => { 4 => 1000 } }, 'catchup', 'DDDDD', [('-') x 5],          990],
    ['frame 8 takes 1000 more',        { extras => { 8 => 1000 } }, 'skip',    'MMMLD', [4, 4, 4, 1004, '-'], 994],
    ['a stall of 100 before frame 9',  { stalls => { 9 => 100 } },  'skip',    'MMMMD', [4, 4, 4, 4, '-'],    100],
    ['a stall of 30 before frame 1',   { stalls => { 1 => 30 } },   'skip',    'MMMMM', [(4) x 5],            -1],
);

for my $case (@WARMED_UP) {
    my ($name, $what, $policy, $classes, $staleness, $censored_max) = @$case;
    my ($said) = played({ %$what, policy => $policy, first => 5 });
    my $executed = $classes =~ tr/ML//;
    $name = "warm-up, $name ($policy)";
    is($said->{classes}, $classes, "$name: classes of the frames after the warm-up");
    is_deeply($said->{staleness}, $staleness, "$name: staleness");
    is($said->{censored_max}, $censored_max, "$name: greatest staleness of the censored frames");
    is($said->{stalest}, max(grep { $_ ne '-' } @$staleness, $censored_max), "$name: greatest staleness of all frames");
    is($said->{demand},  20, "$name: the demand is that of the frames after the warm-up");
    is_deeply([@$said{qw(burns wrong)}], [$executed, 0], "$name: each executed frame works once");
}

my ($none) = played({ first => 10 });
is_deeply(
    [@$none{qw(frames censored censored_max stalest known p50)}],
    [0, 0, -1, -1, 0, -1],
    'nothing is known if all frames are warm-up'
);

subtest 'all counts agree in random scenarios' => sub {
    my @scenarios = map {
        { %$_, first => int rand $_->{frames} }
    } random_scenarios(400, 11);
    my @played = played(@scenarios);
    my %failed = map { $_ => 0 } qw(conserved ends demand work stop);
    for my $i (0 .. $#played) {
        my ($scenario, $said) = ($scenarios[$i], $played[$i]);
        my ($frames, $first)  = ($scenario->{frames} - $scenario->{first}, $scenario->{first});
        my $executed = $said->{on_time} + $said->{late};
        my @known    = grep { $_ ne '-' } @{ $said->{staleness} };
        $failed{conserved} += $executed + $said->{dropped} != $frames || $said->{known} + $said->{censored} != $frames;
        $failed{conserved} += @known != $said->{known}    || length $said->{classes} != $frames || $said->{wrong};
        $failed{conserved} += $said->{wakes} != $executed || $said->{responses} != $executed;
        my @ends = map { ($first + $_) * $scenario->{period} + $known[$_] } 0 .. $#known;
        $failed{ends}   += grep { $ends[$_] < $ends[$_ - 1] } 1 .. $#ends;
        $failed{demand} += grep { $_ < $scenario->{demand} } @known;
        $failed{work}   += $said->{done} != $executed * $scenario->{demand};
        $failed{work}   += $said->{demand} != $frames * $scenario->{demand};
        my $open_ns = $said->{stop} - ($first + @known) * $scenario->{period};
        $failed{stop} += $said->{censored_max} != ($said->{censored} ? $open_ns : -1);
    }
    is($failed{conserved}, 0, 'each frame has one class and one staleness, or is censored');
    is($failed{ends},      0, 'no frame is answered before an earlier one');
    is($failed{demand},    0, 'no staleness is below the demand');
    is($failed{work},      0, 'the work that is done is the demand of the executed frames');
    is($failed{stop},      0, 'the first censored frame waits until the end');
};

subtest 'a longer stall never looks better' => sub {
    for my $policy (qw(skip catchup)) {
        my @played = played(map { { policy => $policy, stalls => { 3 => $_ }, frames => 60 } } 0 .. 300);
        for my $key (qw(max dropped)) {
            my @values = map { $_->{$key} } @played;
            is(scalar(grep { $values[$_] < $values[$_ - 1] } 1 .. $#values),
                0, "$policy: $key does not fall when the stall grows");
        }
        my @hidden = grep { $played[$_]{staleness}[3] < $_ + 4 } 0 .. $#played;
        is("@hidden", '', "$policy: the staleness includes every stall");
        my @unlike = grep { $played[$_]{p90} != percentile_of(nearest(90, $played[$_]{staleness}), $played[$_]{max}) }
            0 .. $#played;
        is("@unlike", '', "$policy: percentiles include all frames");
    }
};

# Takes a percentage and whole numbers; returns their nearest-rank percentile.
sub nearest {
    my ($percent, $values) = @_;
    my @sorted = sort { $a <=> $b } @$values;
    return $sorted[int((@sorted * $percent + 99) / 100) - 1];
}

done_testing;
