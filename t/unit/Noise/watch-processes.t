# Which processes used CPU time during a pass: when the watch looks at them, and which disturbance names them.

use strict;
use warnings;

use File::Path qw(make_path);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Place        qw(write_file);
use QuietMachine qw(pressure stat_of);
use UnixBench::Noise::Processes;

use constant { PASS_S => 10, REST_S => 2 };

# Takes a PID, a name and ticks; returns a path and a text.
sub process {
    my ($pid, $name, $ticks, $parent) = @_;
    $parent //= 1;
    return ("/proc/$pid/stat" => "$pid ($name) S $parent 1 1 0 -1 0 1 2 3 4 $ticks 0 0 0 20 0 1 0 77 99 99\n");
}

# The looks of the processes that are made now, and how long each takes.
my ($looks, $look_s) = (0, 0);
my $look = \&UnixBench::Noise::Processes::look;
{
    no warnings 'redefine';
    *UnixBench::Noise::Processes::look = sub {
        $looks++;
        my $seen = $look->(@_);
        return { %$seen, took_s => $look_s };
    };
}

sub show {
    my ($machine, %files) = @_;
    for my $path (sort keys %files) {
        make_path("$machine->{root}$path" =~ s{/[^/]+\z}{}r);
        unlink "$machine->{root}$path";
        write_file("$machine->{root}$path", $files{$path});
    }
    return;
}

# Rests, then makes a pass of ten seconds. Takes files that change during both, and perhaps the test of the plan.
# Returns the disturbances.
sub seen_in_pass {
    my ($machine, $in_rest, $in_pass, $planned) = @_;
    my ($noise, $number) = ($machine->noise, $machine->{passes}++);
    my @busy = (user => 1000 * $number, idle => 1000 * $number);
    $noise->rest_begins;
    $machine->{now_s} += REST_S;
    show($machine, '/proc/stat' => stat_of(@busy), %$in_rest);
    $noise->before;
    my $before = $looks;
    $machine->{$_} += PASS_S for qw(now_s ours_s);
    show($machine, '/proc/stat' => stat_of(user => 1000 * ($number + 1), idle => 1000 * ($number + 1)), %$in_pass);
    is($looks, $before, 'nothing is looked at during a pass');
    return $noise->after([map { { gated => 1, elapsed_s => PASS_S } } 1, 2], $planned)->{tags};
}

# Takes disturbances; returns [each "cause: process CPUs, ..."].
sub texts {
    my ($tags) = @_;
    return [
        map {
            "$_->{cause}: " . join ', ',
                map { "$_->{name} $_->{cpus}" }
                @{ $_->{by} || [] }
        } @$tags
    ];
}

sub machine {
    my (%with) = @_;
    ($looks, $look_s) = (0, delete $with{look_s} // 0);
    my $machine = QuietMachine->new(%with);
    show($machine, process(4711, 'yes', 0), process(20, 'Run', 0), process(21, 'cc', 0));
    return $machine;
}

my %LOADED = ('/proc/stat' => stat_of(user => 2000, idle => 0));

subtest 'a pass that other processes disturbed' => sub {
    my $machine = machine();
    my $tags    = seen_in_pass($machine, {}, { %LOADED, process(4711, 'yes', 900), process(21, 'cc', 100) });
    is_deeply(texts($tags), ['others: yes 0.9, cc 0.1'], 'the first pass begins with a look of its own');
    is($tags->[0]{seen}, 1, 'all that are seen');
    is($looks,           2, 'one look before, one after');
    $machine->{passes} = 2;
    is_deeply(texts(seen_in_pass($machine, { process(21, 'cc', 200) }, { process(21, 'cc', 300) })),
        [], 'a pass without a disturbance names no process');
    is($looks, 3, 'a look is the end of a pass, and the beginning of the next');
};

subtest 'processes that ran in the pause before a pass' => sub {
    my $machine = machine();
    seen_in_pass($machine, {}, {});
    is_deeply(texts(seen_in_pass($machine, { pressure(cpu => 6_000_000), process(21, 'cc', 240) }, {})),
        ['pressure_cpu: cc 0.2'], 'the time since the pass before counts');
};

subtest 'the first disturbance by CPU time has the processes' => sub {
    my $machine = machine();
    my %rest    = (pressure(cpu => 6_000_000), pressure(io => 6_000_000), '/proc/loadavg' => "0 0 0 3/86 1\n");
    is_deeply(texts(seen_in_pass($machine, \%rest, { %LOADED, process(4711, 'yes', 900) })),
        ['others: yes 0.9', 'run_queue: ', 'pressure_cpu: ', 'pressure_io: '], 'others');
    $machine = machine();
    is_deeply(texts(seen_in_pass($machine, { pressure(io => 6_000_000) }, { process(4711, 'yes', 900) })),
        ['pressure_io: '], 'a disturbance on disks has none');
};

subtest 'the X server that works for a graphics test' => sub {
    my %busy = (process(30, 'Xorg', 800), process(31, 'Xwayland', 700), process(21, 'cc', 240));
    for my $case ([1, 'cc 0.24'], [0, 'Xorg 0.8, Xwayland 0.7, cc 0.24']) {
        for my $look_s (0, 0.006) {
            my $machine = machine(x_server => 30, look_s => $look_s, has_rounds => 1);
            my $tags    = seen_in_pass($machine, { pressure(cpu => 6_000_000) }, \%busy, { is_graphics => $case->[0] });
            $machine->noise->round_ends;
            is_deeply(texts($tags), ["pressure_cpu: $case->[1]"], "graphics: $case->[0], looks of $look_s s");
        }
    }
};

subtest 'looks that take long' => sub {
    my $machine = machine(look_s => 0.006);
    my $tags    = seen_in_pass($machine, {}, { %LOADED, process(4711, 'yes', 900) });
    is_deeply([texts($tags), $looks], [['others: yes 0.9'], 2], 'an official run looks after each pass');
    $machine->noise->round_ends;
    is($looks, 2, 'and not after a round');

    $machine = machine(look_s => 0.006, has_rounds => 1);
    my @tags = seen_in_pass($machine, {}, { %LOADED, process(4711, 'yes', 900) });
    is_deeply([texts($tags[0]), $looks], [['others: '], 1], 'a quick run does not look after a pass');
    $machine->{passes} = 2;
    push @tags, seen_in_pass($machine, {}, {});
    $machine->{passes} = 3;
    push @tags, seen_in_pass($machine, { pressure(cpu => 6_000_000) }, { process(4711, 'yes', 1800) });
    $machine->noise->round_ends;
    is($looks, 2, 'it looks after each round');
    is_deeply([map { texts($_) } @tags], [['others: yes 0.8'], [], ['pressure_cpu: yes 0.53']], 'all its passes');
    is($tags[0][0]{seen}, 0.8, 'as if the load was there only in disturbed ones, two of three');
    $machine->noise->round_ends;
    is_deeply(texts($tags[2]), ['pressure_cpu: yes 0.53'], 'but only those of its own passes');

    $look_s = 0.005;
    $machine->noise->round_ends;
    $machine->{passes} = 4;
    is_deeply(texts(seen_in_pass($machine, { pressure(cpu => 9_000_000) }, { process(21, 'cc', 240) })),
        ['pressure_cpu: cc 0.2'], 'when looks take less time, it looks after each pass again');
};

subtest 'another Run on this machine' => sub {
    my $machine = machine();
    my %run     = process(22, 'Run: guardian', 0, 20);
    is_deeply([$machine->noise->other_runs],            [],                'there is none');
    is_deeply(texts(seen_in_pass($machine, {}, \%run)), ['another_run: '], 'it began during the pass');
    is_deeply([$machine->noise->other_runs],            [20],              'its PID');
    is_deeply(texts(seen_in_pass($machine, {}, {})),    ['another_run: '], 'it goes on');
    unlink "$machine->{root}/proc/22/stat";
    my $tags = seen_in_pass($machine, {}, {});
    is_deeply(texts($tags),                          ['another_run: '], 'it has ended since the pass before');
    is_deeply([@{ $tags->[0] }{qw(level value)}],    ['note', 1], 'what it used decides whether the pass is disturbed');
    is_deeply(texts(seen_in_pass($machine, {}, {})), [],          'it has ended');
};

done_testing;
