use strict;
use warnings;

use FindBin qw($Bin);
use POSIX   ();
use Test::More;

use lib map { "$Bin/$_" } qw(lib ../lib ../../../t/lib);
use CDriver               qw(driver said_by);
use HostTree              qw(host_tree recorded_files);
use Needs                 qw(need_compiler);

need_compiler();

my $program = driver('meters', qw(meters proc));
my $TREES   = "$Bin/data/trees";
my $TICK_S  = 1 / POSIX::sysconf(POSIX::_SC_CLK_TCK());

# Takes two trees, or other words for the driver; returns the known meters, { name => value }.
sub known {
    my %value = map { split } said_by($program, @_);
    return { map { $_ => 0 + $value{$_} } grep { $value{$_} >= 0 } keys %value };
}

# Takes the name of a recorded tree; returns the directory that has it.
sub recorded { return host_tree(recorded_files($_[0], $TREES)) }

sub near { return abs($_[0] - $_[1]) < 1e-6 }

# Tests that exactly the expected meters are known, with these values. A reference is a number of ticks, whose length
# depends on the system.
sub is_all {
    my ($known, $expected, $name) = @_;
    is_deeply([sort keys %$known], [sort keys %$expected], "$name: which meters are known");
    for my $meter (sort keys %$expected) {
        my $value = ref $expected->{$meter} ? ${ $expected->{$meter} } * $TICK_S : $expected->{$meter};
        ok(near($known->{$meter} // -9, $value), "$name: $meter") or diag($known->{$meter} // 'not known');
    }
    return;
}

#<<< a table; references are ticks
my %ALL = (
    'machine.elapsed_s'         => 3.25,
    'machine.cpu_user_s'        => \4530,       # includes nice, and already the time of guests
    'machine.cpu_system_s'      => \1500,
    'machine.cpu_irq_s'         => \60,
    'machine.cpu_steal_s'       => \10,
    'machine.cpu_idle_s'        => \1000,
    'machine.cpu_iowait_s'      => 0,           # goes backwards in the tree
    'machine.faults_minor'      => 1_250_200,
    'machine.faults_major'      => 50,
    'machine.switches'          => 250_000,
    'machine.forks'             => 12_000,
    'machine.interrupts'        => 100_000,
    'machine.memory_most_kb'    => 1_900_000,
    'machine.pressure_cpu_s'    => 12.25,
    'machine.pressure_io_s'     => 0.5001,
    'machine.pressure_memory_s' => 0,
    'group.cpu_user_s'          => 42.250123,
    'group.cpu_system_s'        => 13.05,
    'group.faults_minor'        => 1_200_280,
    'group.faults_major'        => 40,
    'group.memory_most_kb'      => 153_600,     # the peak that rose during the load
);
#>>>
is_all(known(recorded('before'), recorded('after')), \%ALL, 'all meters');
is_all(
    known(recorded('before'), recorded('before')),
    {
        (map { $_ => 0 } keys %ALL),
        'machine.elapsed_s'      => 3.25,
        'machine.memory_most_kb' => 1_500_000,
        'group.memory_most_kb'   => 51_200,
    },
    'nothing changed'
);
is_deeply(known(host_tree('/x' => ''), host_tree('/x' => '')), { 'machine.elapsed_s' => 3.25 }, 'no files: the time');

# Takes a function that changes { path => text } before and after; returns the known meters.
sub changed {
    my ($change) = @_;
    my @roots;
    for my $when (qw(before after)) {
        my %text = recorded_files($when, $TREES);
        $change->(\%text, $when);
        push @roots, host_tree(%text);
    }
    return known(@roots);
}

sub without {
    my ($pattern) = @_;
    return sub {
        my ($text) = @_;
        delete @$text{ grep { /$pattern/ } keys %$text };
    };
}

sub replaced {
    my ($path, $from, $to) = @_;
    return sub { my ($text) = @_; $text->{$path} =~ s/$from/$to/ or die "$path has no $from\n" };
}

# Name, change, pattern of the meters that are then unknown, and meters with another value. The rest stays.
#<<< a table
my @CHANGES = (
    ['no files of pressure',         without('pressure'),    qr/pressure/],
    ['no file stat',                 without('proc/stat'),   qr/machine[.](?:cpu|switches|forks|interrupts)/],
    ['the group is invalid',         replaced('/proc/self/cgroup', '.*', 'not a group'), qr/group/],
    ['no peak of memory',            without('peak'),        qr/^$/, 'group.memory_most_kb' => 92_160],
    ['no MemAvailable',              replaced('/proc/meminfo', "MemAvailable.*\n", ''), qr/^$/,
        'machine.memory_most_kb' => 2_890_000],
    ['four columns of time',         replaced('/proc/stat', '^(cpu( +\d+){4}).*', 'cpu 1 2 3 4'),
        qr/machine[.]cpu_(?:irq|steal|iowait)/, map { ("machine.cpu_${_}_s" => 0) } qw(user system idle)],
    ['more major faults than faults', replaced('/proc/vmstat', 'pgfault \d+', 'pgfault 7'), qr/faults_minor$/,
        'group.faults_minor' => 1_200_280],
    ['the path leads out of the groups', replaced('/proc/self/cgroup', '::/.*', '::/../user.slice'),
        qr/group[.](?:memory|faults)/, map { ("group.cpu_${_}_s" => 0) } qw(user system)],
    ['beside groups of version 1',
        sub {
            my ($text) = @_;
            $text->{s{/cgroup/}{/cgroup/unified/}r} = delete $text->{$_} for grep { m{^/sys/fs/cgroup/} } keys %$text;
            $text->{'/proc/self/cgroup'} = "9:name=x:/y\n4:memory:/user.slice\n$text->{'/proc/self/cgroup'}";
        }, qr/^$/],
);
#>>>
for my $case (@CHANGES) {
    my ($name, $change, $unknown, %values) = @$case;
    my %expected = (%ALL, %values);
    delete @expected{ grep { /$unknown/ && !exists $values{$_} } keys %expected };
    is_all(changed($change), \%expected, $name);
}

# Invalid files.
my @JUNK = ("\0" x 50, "\xff" x 5000, "cpu\n", "pgfault\npgmajfault 5", 'some total=');

for my $junk (@JUNK) {
    my $known = changed(
        sub {
            my ($text) = @_;
            $text->{$_} = $junk for grep { !/procs/ } keys %$text;
        }
    );
    is_deeply($known, { 'machine.elapsed_s' => 3.25 }, 'invalid files give only the elapsed time');
}

done_testing();
