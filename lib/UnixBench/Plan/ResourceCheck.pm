package UnixBench::Plan::ResourceCheck;

# Compares the peak needs of a plan with the limits of this system: open files, processes, memory, disk space. Takes
# numbers, returns texts.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Text qw(counted);
use UnixBench::Plan       ();

# The needs of Run itself. Its processes and memory include the guardian and the short commands before a run.
use constant {
    PROCESSES_OF_RUN => 8,
    MEMORY_KB_OF_RUN => 8192,
    DIRECTORY_KB     => 4,      # for each copy
    TEXTS_IN_MEMORY  => 2,      # sort holds its text and a table of the lines
};

# File descriptors. For each copy, Run has the reading end of its standard error. It has another one for each copy that
# sets itself up; at most SETTING_UP_MOST copies do so at the same time. DESCRIPTORS_OF_RUN are for its own files and
# pipes. DESCRIPTORS_USUAL is used if the number of those that it had from its start is unknown.
use constant {
    DESCRIPTORS_OF_RUN => 40,
    SETTING_UP_MOST    => 64,
    DESCRIPTORS_USUAL  => 6,
    KB_UP_TO           => 10_240,    # above that, sizes are shown in MB
};

# Takes a plan, a number of copies, and the length of the shell tests' text as a multiple of the usual one. Returns the
# demand, which is what all copies together need at their peak:
#   copies
#   load        the load of the test that needs the most memory, see UnixBench::Plan::Test, or undef
#   processes
#   memory_kb   without the memory of files
#   scratch_kb
sub demand {
    my ($plan, $copies, $work_factor) = @_;
    my @needs = map { _demand_of_test($_, $work_factor) } UnixBench::Plan::measured($plan, $copies);
    my (%most, %extra);
    for my $key (qw(processes memory_kb scratch_kb of_copy)) {
        $most{$key}  = List::Util::max(0, map { $_->{$key} // 0 } @needs);
        $extra{$key} = List::Util::sum(0, map { $_->demand->{$key} // 0 } @{ $plan->{extras} });
    }
    my ($largest) = grep { $_->{memory_kb} == $most{memory_kb} } @needs;
    return {
        copies     => $copies,
        load       => ($largest || {})->{load},
        processes  => $copies * ($most{processes} + $extra{of_copy}) + PROCESSES_OF_RUN + $extra{processes},
        memory_kb  => $copies * $most{memory_kb} + MEMORY_KB_OF_RUN + $extra{memory_kb},
        scratch_kb => $copies * ($most{scratch_kb} + DIRECTORY_KB),
    };
}

sub _demand_of_test {
    my ($test, $work_factor) = @_;
    my $needs   = $test->{needs};
    my $text_kb = $needs->{text_kb} * $work_factor;
    return {
        processes  => $needs->{processes},
        memory_kb  => $needs->{memory_kb} + $text_kb * TEXTS_IN_MEMORY,
        scratch_kb => $needs->{scratch_kb} + $text_kb,
        load       => $test->{load},
    };
}

# Takes a demand and the limits, see UnixBench::Host::Machine::limits. Returns one line for each limit that is too low:
# what is needed, the limit, and how to raise it.
sub problems_of_limits {
    my ($demand, $limits) = @_;
    my ($copies, $load)   = @$demand{qw(copies load)};
    my ($who,    $fewer) =
        $load ? @$load{qw(who fewer)} : (counted($copies, 'copy needs', 'copies need'), 'run fewer copies (-c)');
    my $processes = $demand->{processes};
    my $memory_kb = $demand->{memory_kb};
    return map { "$who $_" } _files($limits, $copies), _processes($limits, $processes),
        _group($limits, $processes), _memory($limits, $memory_kb, $fewer), _group_memory($limits, $memory_kb, $fewer);
}

# Takes the demands, and the scratch directory, { path, free_kb (or undef) }. Returns a line if that has too little
# space.
sub problem_of_space {
    my ($scratch, @demands) = @_;
    my $need_kb = List::Util::max(map { $_->{scratch_kb} } @demands);
    return if !_is_above($need_kb, $scratch->{free_kb});
    my ($need, $free) = (_at_least($need_kb), _at_most($scratch->{free_kb}));
    return "files need about $need in UB_TMPDIR ($scratch->{path}), but $free are free there: free some space, or set "
        . 'UB_TMPDIR to another directory';
}

sub _files {
    my ($limits, $copies) = @_;
    my $setting_up = $copies < SETTING_UP_MOST ? $copies : SETTING_UP_MOST;
    my $need       = $copies + $setting_up + DESCRIPTORS_OF_RUN + ($limits->{descriptors} || DESCRIPTORS_USUAL);
    return if !_is_above($need, $limits->{open_files});
    my $who = _is_above($need, $limits->{open_files_max}) ? ' as root' : '';
    return "$need open files, but the limit is $limits->{open_files}: raise it with `ulimit -n $need`$who";
}

sub _processes {
    my ($limits, $need) = @_;
    my $used = $limits->{user_processes} || 0;
    my $all  = $need + $used;
    return if !_is_above($all, $limits->{processes});
    my $who    = _is_above($all, $limits->{processes_max}) ? ' as root'                                      : '';
    my $others = $used                                     ? " in addition to the $used that this user runs" : '';
    return "$need processes$others, but the limit is $limits->{processes}: raise it with `ulimit -u $all`$who";
}

sub _group {
    my ($limits, $need) = @_;
    my $free = $limits->{cgroup_processes};
    return if !_is_above($need, $free);
    return "$need processes, but the control group allows $free more: raise its pids.max "
        . '(containers: --pids-limit, systemd: TasksMax)';
}

sub _memory {
    my ($limits, $need_kb, $fewer) = @_;
    return if !_is_above($need_kb, $limits->{memory_kb});
    return sprintf "about %s of memory, but %s are free: $fewer", _at_least($need_kb), _at_most($limits->{memory_kb});
}

sub _group_memory {
    my ($limits, $need_kb, $fewer) = @_;
    my $free_kb = $limits->{cgroup_memory_kb};
    return if !_is_above($need_kb, $free_kb);
    return
        sprintf "about %s of memory, but the control group allows %s more: $fewer or raise its limit "
        . '(containers: --memory, systemd: MemoryMax)', _at_least($need_kb), _at_most($free_kb);
}

# Return a size in words: the first sub rounds up, the second one rounds down.
sub _at_least { my ($kb) = @_; return $kb < KB_UP_TO ? "$kb KB" : sprintf '%d MB', ($kb + 1023) / 1024 }
sub _at_most  { my ($kb) = @_; return $kb < KB_UP_TO ? "$kb KB" : sprintf '%d MB', $kb / 1024 }

sub _is_above {
    my ($need, $limit) = @_;
    return defined $limit && $need > $limit;
}

1;
