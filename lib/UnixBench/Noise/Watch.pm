package UnixBench::Noise::Watch;

# Watches for disturbances of a pass: reads the values in /proc and /sys that show them, before and after it. A value
# that can't be read is undef. UnixBench::Noise::Disturbances judges them. After each pass it also looks at all
# processes, so a look is the end of one pass and the beginning of the next.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Arguments     qw(named);
use UnixBench::Base::Proc          qw(TICK_S);
use UnixBench::Catalog             ();
use UnixBench::Host::Cgroup        ();
use UnixBench::Host::KernelFiles   ();
use UnixBench::Noise::Causes       ();
use UnixBench::Noise::Clock        ();
use UnixBench::Noise::Disturbances ();
use UnixBench::Noise::Late         ();
use UnixBench::Noise::Processes    ();

# In a quick run, a look that takes longer is made after each round only.
use constant LOOK_MOST_S => 0.005;

# A copy that does not report its times needs some hundredths of a second to start and to end, in which it does not
# wait.
use constant UNREPORTED_LEAST_S => 0.5;

use constant {
    MOMENT_S    => 0.001,
    CPUS        => '/sys/devices/system/cpu',
    NUMBER      => qr/([0-9]{1,15})\b/,         # a longer one is not a counter
    NANOSECONDS => qr/([0-9]{1,18})\b/,
};

# The time for which at least one process has waited, in a file of /proc/pressure.
my $PRESSURE = qr/^some .*\btotal=${\NUMBER}$/m;

# Takes
#   clock              UnixBench::Base::Clock
#   usable_cpus        number of CPUs that the tests may use
#   files              UnixBench::Host::KernelFiles (default: those of this system)
#   ours               function that returns CPU seconds of this program and of its children that have ended: all, and
#                      those in the kernel; and those of the children, in user mode and in the kernel (default: from
#                      times(2))
#   is_overlap_judged  whether it is a disturbance that copies ran at different times (default: no)
#   has_rounds         whether short passes are made in rounds (default: no)
#   firmware           see UnixBench::Noise::Clock (optional)
#   x_server           the PID of the X server that graphics tests use, which works for them (optional)
sub new {
    my ($class, @given) = @_;
    my $given = named(\@given, qw(clock usable_cpus files ours is_overlap_judged has_rounds firmware x_server));
    my $self  = bless { files => UnixBench::Host::KernelFiles->new, ours => \&_cpu_s, nameless => [], %$given }, $class;
    $self->{processes} = UnixBench::Noise::Processes->new(map { $_ => $self->{$_} } qw(files clock));
    $self->{sensors}   = UnixBench::Noise::Clock->new(map { $_ => $self->{$_} } qw(files clock firmware));
    return $self;
}

# Returns the PIDs of other calls of Run that are measuring now. Both see each other only if the guardian of this one
# has already been started.
sub other_runs {
    my ($self) = @_;
    return @{ $self->{processes}->look->{other_runs} };
}

# Notes the pressure at the start of a rest. From now on until the next pass, nothing that this program started runs.
sub rest_begins {
    my ($self) = @_;
    $self->{rest_from} = $self->pressure;
    return;
}

# Notes the CPU time of the system so far. The next pass has it as noticed.
sub round_begins {
    my ($self) = @_;
    my %look = $self->_times;
    return if !defined $look{idle_ticks};
    my $all = $look{busy_ticks} + $look{unused_ticks};
    $self->{cpu_time} = {
        all_s   => TICK_S * $all,
        idle_s  => TICK_S * $look{idle_ticks},
        steal_s => TICK_S * $look{steal_ticks},
        defined $look{booted} ? (booted => $look{booted}) : (),
    };
    return;
}

# Reads all counters. Has to be called right before a pass.
sub before {
    my ($self) = @_;
    $self->{look} ||= $self->{processes}->look;
    my $from = delete $self->{rest_from};
    my %seen = (
        rest    => $from             && { from     => $from, to => $self->pressure },
        noticed => $self->{cpu_time} && { cpu_time => delete $self->{cpu_time} },
        cpus    => $self->cpus,
        running => $self->_fewest_running,
    );
    $self->{seen} = { %seen, sensors => [$self->{sensors}->seen], before => $self->counters };
    return;
}

# Reads the counters again, and looks at all processes. Has to be called right after a pass. Takes the results of its
# copies, see UnixBench::Measure::Copy, and perhaps its test of the plan, and what the program of each copy has
# reported, see used() of UnixBench::Measure::Protocol. Returns keys for the pass, see _what_follows().
sub after {
    my ($self, @pass) = @_;
    my $seen     = $self->_seen_after(@pass);
    my $is_named = $self->_look_after(@pass);
    $self->{passes}++;
    my $runs    = List::Util::max(map { scalar @{ $_->{other_runs} } } grep { defined } @$self{qw(earlier look)});
    my $follows = _what_follows({ %$seen, other_runs => $runs }, @pass);
    $self->_note_processes($is_named, @{ $follows->{tags} || [] });
    return $follows;
}

# Takes what after() takes; returns what was seen before and after the pass. The seconds of the copies are undef if
# overlap is not judged or if not all copies started together.
sub _seen_after {
    my ($self, $copies, $planned, $works) = @_;
    my %seen = (%{ delete $self->{seen} }, after => $self->counters, usable_cpus => $self->{usable_cpus});
    push @{ $seen{sensors} }, $self->{sensors}->seen;
    $self->_add_groups(@seen{qw(before after)}, $copies);
    my @ran_s = map { $_ && !$planned->{is_under} ? $_->{user_s} + $_->{kernel_s} : () } @{ $works || [] };
    $seen{after} = UnixBench::Noise::Disturbances::believed(@seen{qw(before after)}, List::Util::sum(@ran_s));
    my $is_judged = $self->{is_overlap_judged} && !grep { !$_->{gated} } @$copies;
    return { %seen, elapsed_s => $is_judged ? [map { $_->{elapsed_s} } @$copies] : undef };
}

# Takes what after() takes; looks at all processes, unless that is done after each round, and returns whether it looked.
sub _look_after {
    my ($self, undef, $planned) = @_;
    my $has_looked = !$self->_are_looks_rare && $self->_look;
    $self->{is_drawn} = $planned->{is_graphics} || !$has_looked && $self->{is_drawn};
    return $has_looked;
}

# Takes what was seen before and after a pass, and what after() takes. Returns { tags => [disturbances], sensors, steal,
# noticed => undef or { cpu_time }, used => { span_s, user_s, kernel_s, minor_faults, major_faults } }, and is_too_late:
# whether it was so late that it is not valid, see UnixBench::Noise::Late. tags is undef if none is known and the kernel
# shows no CPU times: then nothing tells what other processes did. used is what the copies and their children used: all
# reports together, or else the counters of children without span_s. Under a command these may be those of the command:
# then it is undef.
sub _what_follows {
    my ($read, $copies, $planned, $works) = @_;
    my ($known, $asked)   = (UnixBench::Catalog::test($planned->{name} // q{}) || {}, $planned->{asked});
    my ($late_s, $latest) = UnixBench::Noise::Late::latest($asked, $copies);
    my $seen = {
        %$read,
        copies      => $planned->{copies} // scalar @$copies,
        cpus_each   => $known->{needs}{cpus},
        refused     => UnixBench::Noise::Disturbances::refusals($copies),
        asked_s     => $asked && $asked->{seconds},
        is_graphics => $planned->{is_graphics},
        works       => $planned->{is_under} || !$known->{computes} ? undef : scalar _works($copies, $works),
        late_s      => $late_s,
    };
    my @tags     = UnixBench::Noise::Disturbances::found($seen);
    my $is_apart = $planned->{is_under} && grep { !$_->{gated} } @$copies;
    @tags = grep { !_is_load_on_cpus($_) } @tags if $is_apart;
    my $still_s  = UnixBench::Noise::Late::still_s($asked, $copies, $seen);
    my %waited_s = map { $_->{pid} => $_->{used}{waited_s} } grep { $_->{used} } @$copies;
    my $waited_s = defined $latest ? $waited_s{$latest} // List::Util::max(values %waited_s) : undef;
    my %later    = (%$seen, late_s => List::Util::max(grep { defined } $late_s, $still_s));
    return {
        tags    => _are_others_known($seen) || @tags ? \@tags : undef,
        steal   => scalar UnixBench::Noise::Causes::stolen($seen),
        noticed => $seen->{noticed},
        sensed(@{ $seen->{sensors} }),
        used        => _together($works) // ($planned->{is_under} ? undef : _used(@$seen{qw(before after)})),
        is_too_late => UnixBench::Noise::Late::is_too_late($asked, \%later, $waited_s),
    };
}

# Has to be called after each round. If looks at all processes take long, looks, and names those of all passes of the
# round.
sub round_ends {
    my ($self) = @_;
    return if !$self->_are_looks_rare;
    $self->_look;
    my @nameless = splice @{ $self->{nameless} };
    $self->_name($_, $self->{passes} / @nameless) for @nameless;
    @$self{qw(is_drawn passes)} = (0, 0);
    return;
}

# Takes the disturbances of a pass, or undef; returns whether one of them may be gone if the pass is repeated at once.
sub is_worth_repeating {
    my ($self, $disturbances) = @_;
    return scalar grep { UnixBench::Noise::Disturbances::is_worth_repeating($_) } @{ $disturbances || [] };
}

# Returns whether pages are being written to a disk right now. If this is unknown, returns false.
sub is_writing_back {
    my ($self) = @_;
    my ($kb)   = $self->{files}->content('/proc/meminfo') =~ /^Writeback:\s+${\NUMBER} kB$/m;
    return ($kb // 0) > 0;
}

sub _are_looks_rare {
    my ($self) = @_;
    return $self->{has_rounds} && $self->{look} && $self->{look}{took_s} > LOOK_MOST_S;
}

sub _look {
    my ($self) = @_;
    return @$self{qw(earlier look)} = ($self->{look}, $self->{processes}->look);
}

sub _used {
    my ($before, $after) = @_;
    my %counter = (user_s => 'children_user_s', kernel_s => 'children_kernel_s');
    my @names   = qw(user_s kernel_s minor_faults major_faults);
    return { map { $_ => UnixBench::Noise::Late::growth($before, $after, $counter{$_} // $_) } @names };
}

# Takes what the sensors showed before and after a pass; returns the key of the pass, or nothing.
sub sensed {
    my (@seen) = @_;
    my %sensors;
    for my $key (qw(degrees mhz)) {
        my @values = grep { defined } map { $_->{$key} } @seen;
        $sensors{$key} = \@values if @values == @seen;
    }
    $sensors{highest_mhz} = $seen[-1]{highest_mhz} if $seen[-1]{highest_mhz};
    return %sensors ? (sensors => \%sensors) : ();
}

sub _are_others_known {
    my ($seen) = @_;
    my @needed = qw(busy_ticks unused_ticks ours_s);
    return !grep { !defined UnixBench::Noise::Late::growth(@$seen{qw(before after)}, $_) } @needed;
}

# Takes the results of copies that work all the time, and what their programs have reported. Returns [{ span_s, ran_s }
# of each], or undef. A copy that has not run at all was not counted.
sub _works {
    my ($copies, $reported) = @_;
    return if grep { defined $_->{error} } @$copies;
    my @works = map { _work($copies->[$_], $reported->[$_]) } 0 .. $#$copies;
    return @works == @$copies && !(grep { !$_->{ran_s} } @works) ? \@works : undef;
}

sub _work {
    my ($copy, $reported) = @_;
    return { span_s => $reported->{span_s}, ran_s => $reported->{user_s} + $reported->{kernel_s} } if $reported;
    return if !$copy->{used} || $copy->{elapsed_s} < UNREPORTED_LEAST_S;
    return { span_s => $copy->{elapsed_s}, ran_s => $copy->{used}{ran_s} };
}

sub _together {
    my ($works) = @_;
    return if !@{ $works || [] } || grep { !$_ } @$works;
    my @names = qw(span_s user_s kernel_s minor_faults major_faults);
    my %sum;
    for my $name (@names) {
        $sum{$name} = List::Util::sum(map { $_->{$name} } @$works);
    }
    return \%sum;
}

sub _is_load_on_cpus {
    my ($tag) = @_;
    return (UnixBench::Noise::Causes::has($tag->{cause}, 'load') // q{}) eq 'cpu';
}

# Takes whether the last two looks are those before and after a pass, and its disturbances. Notes the processes in the
# first disturbance by CPU time, now or after the round.
sub _note_processes {
    my ($self, $is_named, @tags) = @_;
    my ($tag) = grep { _is_load_on_cpus($_) } @tags;
    return if !$tag;
    return $self->_name($tag) if $is_named;
    push @{ $self->{nameless} }, $tag;
    return;
}

# Takes a disturbance and, after a round, how many passes there were for each disturbed one: other processes used their
# time only beside these.
sub _name {
    my ($self, $tag, $times) = @_;
    my $helper = $self->{is_drawn} ? $self->{x_server} : undef;
    my @looks  = @$self{qw(earlier look)};
    my @by     = UnixBench::Noise::Processes::busiest(@looks, $helper);
    my $in_all = sub { $times ? 0 + sprintf '%.2f', List::Util::min($tag->{value}, $times * $_[0]) : $_[0] };
    if (UnixBench::Noise::Causes::has($tag->{cause}, 'in_cpus')) {
        $tag->{seen} = $in_all->(UnixBench::Noise::Processes::seen_cpus(@looks));
        $_->{cpus}   = $in_all->($_->{cpus}) for @by;
    }
    $tag->{by} = \@by if @by;
    return;
}

# Returns the lesser of two counts of runnable processes, or undef. Many processes run only for less than a millisecond.
sub _fewest_running {
    my ($self) = @_;
    my $running = $self->running;
    return $running if ($running || 1) == 1;
    select undef, undef, undef, MOMENT_S;
    return List::Util::min(grep { defined } $running, $self->running);
}

sub _cpu_s {
    my ($user_s, $system_s, $children_user_s, $children_system_s) = times;
    my $kernel_s = $system_s + $children_system_s;
    return ($user_s + $children_user_s + $kernel_s, $kernel_s, $children_user_s, $children_system_s);
}

# Returns the counters since the start of the system or of this program:
#   at_s           time of the clock
#   ours_s         CPU seconds of this program and of its children that have ended; ours_kernel_s those in the kernel
#   children_user_s, children_kernel_s   those of the children
#   cpus           number of CPUs online
#   busy_ticks, unused_ticks   ticks of all CPUs that processes used, and did not use; of the latter, idle_ticks (with
#                  nothing to do, or waiting for a disk) and steal_ticks (taken by the hypervisor)
#   throttled      periods in which a control group had used up its quota; throttled_us the time, of all CPUs
#   waited_us      the time for which at least one process has waited for a CPU
#   own_delay_us   the same of this program; run_delay_us of all processes together, if waited_us is unknown
#   thermal        how often a CPU became too hot
#   swap           pages read from swap space or written to it
#   minor_faults, major_faults   of children that have ended, which are mostly copies
sub counters {
    my ($self) = @_;
    my $vmstat = $self->{files}->content('/proc/vmstat');
    my $paths  = $self->{quota_paths} ||= [UnixBench::Host::Cgroup->new(files => $self->{files})->cpu_stat_paths];
    return {
        $self->_times,
        _quotas(map { $self->{files}->content($_) } @$paths),
        $self->_waited,
        thermal => scalar $self->_thermal_events,
        swap    => List::Util::sum($vmstat =~ /^pswp(?:in|out) ${\NUMBER}$/mg),
        $self->_faults_of_children,
    };
}

# Returns { at_s, cpu_us, io_us, memory_us }. at_s is the time of the clock. The others are times since the start of the
# system: for how long at least one process has waited for a CPU, for a disk and for memory.
sub pressure {
    my ($self) = @_;
    my %look = (at_s => $self->{clock}->monotonic_s);
    for my $of (qw(cpu io memory)) {
        my ($total_us) = $self->{files}->content("/proc/pressure/$of") =~ $PRESSURE;
        $look{"${of}_us"} = $total_us;
    }
    return \%look;
}

# Returns the number of runnable processes, including this one.
sub running {
    my ($self)    = @_;
    my ($running) = $self->{files}->content('/proc/loadavg') =~ m{^(?:\S+ ){3}${\NUMBER}/};
    return $running;
}

# Returns { online, usable, cores }: the number of CPUs online, how many of them this process may use, and how many
# cores they are.
sub cpus {
    my ($self)    = @_;
    my @online    = $self->{files}->ids(CPUS . '/online');
    my %is_online = map  { $_ => 1 } @online;
    my $usable    = grep { $is_online{$_} } UnixBench::Host::KernelFiles::ids_of($self->{files}->allowed_cpus // q{});
    $self->{siblings} ||=
        [$self->{files}->distinct_lines(map { CPUS . "/cpu$_/topology/thread_siblings_list" } @online)];
    return {
        online => scalar @online                || undef,
        usable => $usable                       || undef,
        cores  => scalar @{ $self->{siblings} } || undef
    };
}

# Returns the counters that are times. They are compared with each other, so they are read at the same moment.
sub _times {
    my ($self) = @_;
    my $stat   = $self->{files}->content('/proc/stat');
    my %look   = (at_s => $self->{clock}->monotonic_s);
    @look{qw(ours_s ours_kernel_s children_user_s children_kernel_s)} = $self->{ours}->();
    my ($line) = $stat =~ /^cpu +((?:[0-9]{1,15} ){7}[0-9]{1,15})\b/m;
    my ($user, $nice, $system, @unused) = split / /, $line // q{};
    return (%look, map { $_ => undef } qw(cpus busy_ticks unused_ticks idle_ticks steal_ticks)) if !@unused;
    return (
        %look,
        cpus         => scalar(() = $stat =~ /^cpu[0-9]+ /mg),
        busy_ticks   => $user + $nice + $system,
        unused_ticks => List::Util::sum(@unused),                      # idle, iowait, irq, softirq, steal
        idle_ticks   => $unused[0] + $unused[1],
        steal_ticks  => $unused[4],
        booted       => $stat =~ /^btime ${\NUMBER}$/m ? $1 : undef,
    );
}

# Returns the counters of page faults of the children of this program that have ended. Faults of this program itself do
# not belong to a pass. If the kernel takes memory from sleeping processes, it has such faults at each wake-up.
sub _faults_of_children {
    my ($self) = @_;
    my $stat = $self->{files}->content('/proc/self/stat');
    my ($minor, $major) = UnixBench::Base::Proc::fields($stat, qw(child_minor_faults child_major_faults));
    return (minor_faults => $minor, major_faults => $major);
}

# Takes the counters before and after a pass, and its copies. Adds by how much the counters of groups to which copies
# were moved have grown since the first look in the pass, or else since the pass before.
sub _add_groups {
    my ($self, $before, $after, $copies) = @_;
    my %texts = map { %{ $_->{cpu_stats} || {} } } @$copies;
    for my $path (keys %texts) {
        my @texts = @{ $texts{$path} };
        my %now   = _quotas($self->{files}->text($path) // $texts[-1]);
        my $then  = $self->{groups}{$path} || (@texts > 1 ? { _quotas($texts[0]) } : {});
        for my $counter (grep { defined $now{$_} } keys %now) {
            $before->{$counter} //= 0;
            $after->{$counter} =
                ($after->{$counter} // 0) + List::Util::max(0, $now{$counter} - ($then->{$counter} // 0));
        }
        $self->{groups}{$path} = \%now;
    }
    return;
}

# Returns the counters of quotas. Version 1 of control groups counts nanoseconds, version 2 microseconds.
sub _quotas {
    my (@texts) = @_;
    my @us = map { (/^throttled_usec ${\NUMBER}$/m, map { $_ / 1000 } /^throttled_time ${\NANOSECONDS}$/m) } @texts;
    return (
        throttled    => scalar List::Util::sum(map { /^nr_throttled ${\NUMBER}$/m } @texts),
        throttled_us => scalar List::Util::sum(@us),
    );
}

# Returns the counters of time spent waiting for a CPU. The second one is a sum over all processes, so it is a worse
# measure. It takes long to read on machines with many CPUs.
sub _waited {
    my ($self)      = @_;
    my ($waited_us) = $self->{files}->content('/proc/pressure/cpu') =~ $PRESSURE;
    my (undef, $own_ns) = UnixBench::Base::Proc::scheduled_ns($self->{files}->content('/proc/self/schedstat'));
    my %known = (waited_us => $waited_us, own_delay_us => defined $own_ns ? $own_ns / 1000 : undef);
    return %known if defined $waited_us;
    my @delays_ns = $self->{files}->content('/proc/schedstat') =~ /^cpu[0-9]+(?: [0-9]+){7} ${\NANOSECONDS} /mg;
    return (%known, run_delay_us => @delays_ns ? List::Util::sum(@delays_ns) / 1000 : undef);
}

sub _thermal_events {
    my ($self) = @_;
    my $paths  = $self->{thermal_paths} ||= $self->_thermal_paths;
    return List::Util::sum(grep { defined } map { scalar $self->{files}->number($_) } @$paths);
}

# Returns [paths of the counters that exist]. The search is made once.
sub _thermal_paths {
    my ($self)      = @_;
    my @directories = map { "$_/thermal_throttle" } $self->{files}->numbered(CPUS, 'cpu');
    my @paths       = map { ("$_/core_throttle_count", "$_/package_throttle_count") } @directories;
    return [grep { defined $self->{files}->number($_) } @paths];
}

1;
