# Heat: the sensors of a machine, the clock of its passes, and what is said of them.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Fixture      qw(measured rendered result run tag);
use QuietMachine ();
use UnixBench::Base::Clock;
use UnixBench::Host::KernelFiles;
use UnixBench::Noise::Clock;

my ($ZONE, $COOLING, $POLICY) = (
    '/sys/class/thermal/thermal_zone0',
    '/sys/class/thermal/cooling_device0',
    '/sys/devices/system/cpu/cpufreq/policy0'
);
my $FIRMWARE = '/sys/devices/platform/soc/soc:firmware/get_throttled';

# A board.
my %BOARD = (
    "$ZONE/type"               => "cpu-thermal\n",
    "$ZONE/temp"               => "48312\n",
    "$ZONE/trip_point_0_type"  => "passive\n",
    "$ZONE/trip_point_0_temp"  => "80000\n",
    "$ZONE/trip_point_1_type"  => "active\n",
    "$ZONE/trip_point_1_temp"  => "40000\n",
    "$COOLING/type"            => "thermal-cpufreq-0\n",
    "$COOLING/cur_state"       => "0\n",
    "$POLICY/scaling_cur_freq" => "1500000\n",
    "$POLICY/cpuinfo_max_freq" => "1500000\n",
    $FIRMWARE                  => "0\n",
);

# Takes files that differ from the board, and perhaps the clock and the function that asks the firmware.
sub sensors {
    my ($changes, %with) = @_;
    my $files = UnixBench::Host::KernelFiles->new(recorded => { %BOARD, %$changes });
    return UnixBench::Noise::Clock->new(clock => UnixBench::Base::Clock->new, files => $files, %with);
}

my %QUIET = (
    degrees        => 48.312,
    mhz            => 1500,
    hot            => 0,
    events         => 0,
    low_voltage    => 0,
    voltage_events => 0,
    highest_mhz    => [1500, 1500]
);

# [name, files, what differs].
for my $case (
    ['a quiet board',                {}],
    ['a trip point is reached',      { "$ZONE/temp" => "80000\n", "$COOLING/type" => undef }, degrees => 80, hot => 1],
    ['cooling shows that it is not', { "$ZONE/temp"         => "80000\n" }, degrees => 80],
    ['cooling is on',                { "$COOLING/cur_state" => "2\n" },     hot     => 1],
    [
        'throttled now, and since the start', { $FIRMWARE => "70005\n" },
        hot            => 1,
        events         => 2,
        low_voltage    => 1,
        voltage_events => 1
    ],
    ['as vcgencmd says it', { $FIRMWARE    => "throttled=0x40000\n" }, events  => 1],
    ['no CPU is that hot',  { "$ZONE/temp" => "999999\n" },            degrees => undef],
    [
        'a zone of something else',
        { map { s/zone0/zone1/r => $BOARD{$_} =~ s/48312/99000/r =~ s/cpu/wifi/r } keys %BOARD }
    ],
    )
{
    my ($what, $files, %differs) = @$case;
    my %expected = (%QUIET, %differs);
    delete @expected{ grep { !defined $expected{$_} } keys %expected };
    is_deeply(sensors($files)->seen, \%expected, "sensors: $what");
}
is_deeply(sensors({ map { $_ => undef } keys %BOARD })->seen, {}, 'no sensors');
is(sensors({ $FIRMWARE => undef }, firmware => sub { "throttled=0x2\n" })->seen->{hot}, 1, 'that of a Pi');
my $MONITOR = '/sys/class/hwmon/hwmon3';
is(
    sensors({ "$ZONE/temp" => undef, "$MONITOR/name" => "k10temp\n", "$MONITOR/temp1_input" => "61250\n" })
        ->seen->{degrees},
    61.25,
    'a processor that has no zone'
);
my %little = map { s/policy0/policy4/r => $BOARD{$_} =~ s/1500000/1200000/r } grep { /policy0/ } keys %BOARD;
is_deeply(sensors(\%little)->seen->{highest_mhz}, [1200, 1500], 'CPUs of two kinds');

{
    my $time_s = 0;
    my $slow   = sensors({}, clock => bless(sub { $time_s++ }, 'SlowClock'));
    is($slow->seen->{mhz}, 1500, 'slow sensors are read') for 1 .. 3;
    is_deeply($slow->seen, {}, 'and not for ever');
    sub SlowClock::monotonic_s { return $_[0]->() }
}

# Takes [MHz of each pass, perhaps with other keys of the pass] of Dhrystone and of a test that waits; returns the run.
sub clocked {
    my ($dhry, $context) = @_;
    my @tests;
    for my $of ([dhry2reg => 10, @$dhry], [context1 => 6, @{ $context || [] }]) {
        my ($name, $user_s, @given) = @$of;
        next if !@given;
        my $test = measured($name, 1, map { 1e6 } @given);
        for my $pass (@{ $test->{passes} }) {
            my ($mhz, %more) = map { ref ? @$_ : $_ } shift @given;
            $pass->{used} = { span_s => 10, user_s => $user_s, kernel_s => 0, clock_mhz => $mhz };
            $pass->{tags} = [];
            %$pass        = (%$pass, %more);
        }
        push @tests, $test;
    }
    return run(1, @tests);
}

sub slow_passes {
    my ($run) = @_;
    return join q{ }, map {
        my $name = $_->{name};
        map {
            my $pass = $_;
            map      { "$name $pass->{number} $_->{level} $_->{value}" }
                grep { $_->{cause} eq 'slow_clock' }
                @{ $pass->{tags} || [] }
        } @{ $_->{passes} }
    } @{ $run->{tests} };
}

my @STEADY = (1500) x 6;
my %LOADED = (tags => [tag(others => disturbed => 1)]);

# [name, clocks of Dhrystone, those of the test that waits, the passes that were slowed down].
for my $case (
    ['a steady clock',            [1500,    1480, 1520, 1400], [], q{}],
    ['it falls in the last pass', [@STEADY, 600], [], 'dhry2reg 7 disturbed 0.6'],
    ['it falls soon',           [1500, 1500, 600, 600, 600], [], join q{ }, map { "dhry2reg $_ disturbed 0.6" } 3 .. 5],
    ['two passes',              [1500, 600],               [],              'dhry2reg 2 disturbed 0.6'],
    ['one pass shows too much', [@STEADY, 2500],           [],              q{}],
    ['a test that needs less',  [@STEADY],                 [600, 600, 600], q{}],
    ['and falls itself',        [@STEADY],                 [600, 600, 300], 'context1 3 disturbed 0.5'],
    ['beside other load',       [@STEADY, [600, %LOADED]], [],              q{}],
    ['one copy on CPUs of two kinds', [@STEADY, [600, sensors => { highest_mhz => [600, 1500] }]], [], q{}],
    ['it was not watched',            [[1500, tags => undef], [600, tags => undef]], [], 'dhry2reg 2 disturbed 0.6'],
    ['it is unknown',                 [[undef, tags => undef]],                      [], q{}],
    )
{
    my ($what, $dhry, $context, $slow) = @$case;
    my $run = clocked($dhry, $context);
    UnixBench::Noise::Clock::judge($run);
    is(slow_passes($run),                 $slow, "clock: $what");
    is($run->{tests}[0]{passes}[0]{tags}, undef, "$what: a pass that was not watched stays so")
        if !defined $dhry->[0] || ref $dhry->[0];
}

# [name, runs, the line].
my $fell = clocked([@STEADY, 600]);
$_->{sensors} = { degrees => [50, 80 + $_->{number}] } for @{ $fell->{tests}[0]{passes} };
my %four = (%{ clocked([(3600) x 3]) }, copies => 4);
for my $case (
    ['steady',                'Clock 1.50 GHz, steady',                                     clocked([@STEADY])],
    ['two numbers of copies', 'Clock 1.50 GHz with 1 copy, 3.60 GHz with 4 copies, steady', clocked([@STEADY]), \%four],
    ['it fell',  'Clock fell from 1.50 to 0.60 GHz in pass 7 of Dhrystone 2 using register variables', $fell],
    ['no clock', 'Clock not known', clocked([undef, undef])],
    )
{
    my ($what, $line, @runs) = @$case;
    UnixBench::Noise::Clock::judge($_) for @runs;
    my %text = map { $_ => rendered($_, result(\@runs)) =~ s/<[^>]*>/ /gr =~ s/\s+/ /gr } qw(details html markdown);
    like($text{markdown}, qr/\Q$line\E/, "$what: the block");
    my $sentence = $line =~ s/Clock/Clock:/r;
    like($text{$_},   qr/\Q$sentence.\E/,                                         "$what: $_") for qw(details html);
    like($text{html}, qr/1500 1500 1500 1500 1500 1500 600 81 82 83 84 85 86 87/, 'each pass') if $what eq 'it fell';
}

for my $case (['5', 'low_voltage 1', 'thermal 1'], ['1', 'low_voltage 1'], ['4', 'thermal 1'], ['50000']) {
    my ($bits, @tags) = @$case;
    my $seen = QuietMachine->new->seen({ after => { $FIRMWARE => "$bits\n" } });
    is_deeply([sort map { "@$_{qw(cause value)}" } @{ $seen->{tags} }], \@tags, "the firmware reports $bits");
}
my $seen = QuietMachine->new->seen(
    { before => { "$ZONE/type" => "cpu\n", "$ZONE/temp" => "50000\n" }, after => { "$ZONE/temp" => "60000\n" } });
is_deeply($seen->{sensors}, { degrees => [50, 60] }, 'a pass has the degrees before and after it');

done_testing;
