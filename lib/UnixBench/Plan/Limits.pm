package UnixBench::Plan::Limits;

# Whether this system lets the copies run that were asked for. Pure: numbers in, texts out.

use strict;
use warnings;

use UnixBench::Base::Format qw(counted);

# Descriptors: the reading end of each copy's standard error, and a second one while it sets itself up, which
# only some do at the same time; a few for Run's own files and pipes beside those that it had from its start.
use constant {
    DESCRIPTORS_OF_RUN => 40,
    SETTING_UP_MOST    => 64,
    DESCRIPTORS_USUAL  => 6,
    KB_UP_TO           => 10_240,    # from here on sizes are told in MB
};

# Takes what the copies need (see Demand::of_copies) and the limits (see Host::limits); returns one line for each
# limit that is too low: what is needed, what it is, how to raise it.
sub problems {
    my ($demand, $limits) = @_;
    my $copies = $demand->{copies};
    my ($who, $fewer) = _words($demand);
    my $processes = $demand->{processes};
    my $memory_kb = $demand->{memory_kb};
    return map { "$who $_" } _files($limits, $copies), _processes($limits, $processes), _kernel($limits, $processes),
        _group($limits, $processes), _memory($limits, $memory_kb, $fewer), _group_memory($limits, $memory_kb, $fewer);
}

# Who needs it, and what to do where memory is short.
sub _words {
    my ($demand) = @_;
    my ($copies, $users, $is_search) = @$demand{qw(copies users is_search)};
    return ("a search with up to $users users needs", 'play a load of fewer users in its place (--users)')
        if $is_search;
    return (counted($users,  'user needs', 'users need'),  'let fewer users play (--users)') if $users;
    return (counted($copies, 'copy needs', 'copies need'), 'run fewer copies (-c)');
}

# Takes places, each { name (of the variable that names it), path, need_kb, free_kb (or undef), device }; returns one
# line for each device that has not as much room as its places need.
sub problems_of_space {
    my (@places) = @_;
    my (%on, @devices);
    for my $place (grep { defined $_->{free_kb} } @places) {
        push @devices,                     $place->{device} if !$on{ $place->{device} };
        push @{ $on{ $place->{device} } }, $place;
    }
    return map { _space(@{ $on{$_} }) } @devices;
}

sub _files {
    my ($limits, $copies) = @_;
    my $setting_up = $copies < SETTING_UP_MOST ? $copies : SETTING_UP_MOST;
    my $need       = $copies + $setting_up + DESCRIPTORS_OF_RUN + ($limits->{descriptors} || DESCRIPTORS_USUAL);
    return if !_is_above($need, $limits->{open_files});
    my $who = _is_above($need, $limits->{open_files_max}) ? ' as root' : '';
    return "$need open files, but the limit is $limits->{open_files}: raise it by `ulimit -n $need`$who";
}

sub _processes {
    my ($limits, $need) = @_;
    my $used = $limits->{user_processes} || 0;
    my $all  = $need + $used;
    return if !_is_above($all, $limits->{processes});
    my $who    = _is_above($all, $limits->{processes_max}) ? ' as root'                              : '';
    my $beside = $used                                     ? " beside the $used that this user runs" : '';
    return "$need processes$beside, but the limit is $limits->{processes}: raise it by `ulimit -u $all`$who";
}

# The system's own limits: { name => { limit, used } }.
sub _kernel {
    my ($limits, $need) = @_;
    my $kernel = $limits->{kernel} || {};
    my @names  = grep { _is_above($need + $kernel->{$_}{used}, $kernel->{$_}{limit}) } sort keys %$kernel;
    return map { _kernel_problem($_, $need, $kernel->{$_}) } @names;
}

sub _kernel_problem {
    my ($name, $need, $setting) = @_;
    my ($limit, $used) = @$setting{qw(limit used)};
    my $all = $need + $used;
    return "$need processes, but $name is $limit and $used are taken: raise it by `sysctl $name=$all` as root";
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

# One for places on one device.
sub _space {
    my (@places) = @_;
    my $need_kb = 0;
    $need_kb += $_->{need_kb} for @places;
    return if !_is_above($need_kb, $places[0]{free_kb});
    my $needs = join ' and ', map { _at_least($_->{need_kb}) . " in $_->{name} ($_->{path})" } @places;
    my $names = join ' or ',  map { $_->{name} } @places;
    my $free  = _at_most($places[0]{free_kb});
    return "files need about $needs, but $free are free there: free some, or name another directory by $names";
}

# A size in words, rounded up or down.
sub _at_least { my ($kb) = @_; return $kb < KB_UP_TO ? "$kb KB" : sprintf '%d MB', ($kb + 1023) / 1024 }
sub _at_most  { my ($kb) = @_; return $kb < KB_UP_TO ? "$kb KB" : sprintf '%d MB', $kb / 1024 }

sub _is_above {
    my ($need, $limit) = @_;
    return defined $limit && $need > $limit;
}

1;
