package UnixBench::Observe::Bpftrace;

# A tracer that uses bpftrace: a program in the kernel (eBPF) counts the calls of the copies and their processes, and no
# copy is ever stopped. It needs root. For each pass it is started before the copies, and prints its sums at the end.

use strict;
use warnings;

use UnixBench::Base::Arguments  qw(named);
use UnixBench::Base::Files      ();
use UnixBench::Observe::Calls   qw(add calls_of rows whole);
use UnixBench::Process::Child   ();
use UnixBench::Process::Command ();
use UnixBench::Process::Server  ();

use constant {
    NAME      => 'bpftrace',
    START_S   => 30,           # limit until it counts: it compiles its program first
    END_S     => 30,           # limit until it has printed its sums; it is asked each second
    LOOK_S    => 0.01,         # interval between looks at its output
    KEYS      => 16_384,       # in each of its maps: a process and one of its calls
    SYS_ADMIN => 0x200_000,    # CAP_SYS_ADMIN, see capabilities(7)
};

# The namespaces of the machine itself: PROC_PID_INIT_INO and PROC_USER_INIT_INO of Linux.
my %OF_MACHINE = (pid => 'pid:[4026531836]', user => 'user:[4026531837]');

# What bpftrace complains about; that it can't raise a limit does not matter.
my $ERROR = qr/(?:ERROR|FATAL): (?!.*RLIMIT_MEMLOCK)/;

# Prints the numbers of this system's calls as macros of C.
use constant ASK_NAMES => 'echo "#include <sys/syscall.h>" | ${CC:-cc} -E -dM -';

# Mounts tracefs for a command alone, also in a directory that is the root of a system (chroot).
use constant OWN_TRACEFS => 'mount --make-rprivate /sys && mount -t tracefs tracefs /sys/kernel/tracing; exec "$@"';

# The probes: those of newer versions of bpftrace (with the types of the kernel, BTF) make a call half as slow as those
# of older ones (with tracefs).
#<<< a table
my @PROBES = (
    { sched => 'rawtracepoint:', calls => 'rawtracepoint:', number => 'arg1',
      child => '((struct task_struct *)arg1)->pid' },
    { sched => 'tracepoint:sched:', calls => 'tracepoint:raw_syscalls:', number => 'args->id',
      child => 'args->child_pid' },
);
#>>>

# The program. @s has the processes that are followed: 2 for one that has become the mark, and is not counted until it
# becomes the program of a copy; 1; or the start of its last call and the number of that call: ns, shifted by 10 bits
# and without the sign. @d and @m have sums and the longest delay of each call, @p and @q the same for each process, @f
# the time of its first call, @x its calls that do not return, @n the number of processes.
my $PROGRAM = <<'END';
BEGIN { printf("ready\n"); }
{sched}sched_process_exec /comm == "{mark}"/ { @s[tid] = 2; @n = count(); }
{sched}sched_process_fork /@s[tid]/ { @s[{child}] = 1; @n = count(); }
{sched}sched_process_exit /@s[tid]/ { delete(@s[tid]); }
{calls}sys_enter {
    $s = @s[tid];
    $id = {number};
    if ($s && ($s != 2 || $id == {execve})) {
        {first}
        if ($id == {exit} || $id == {exit_group}) { @x[tid, $id] = count(); }
        @s[tid] = ((nsecs << 10) & {most}) | $id;
    }
}
{calls}sys_exit {
    $s = @s[tid];
    if ($s > 2) {
        $id = $s & 1023;
        $ns = (((nsecs << 10) - ($s - $id)) & {most}) >> 10;
        @d[$id] = stats($ns);
        @m[$id] = max($ns);
        {row}
    }
}
END { clear(@s); }
END

# The parts of the program that give each process a row.
my %OF_ROWS = (
    first => 'if ($s < 3) { @f[tid] = nsecs; }',
    row   => '@p[tid, $id] = stats($ns); @q[tid, $id] = max($ns);',
);

# Returns the tracer. Dies with one line if bpftrace can't be used here. Takes the arguments of found() of
# UnixBench::Observe::Strace.
sub found {
    my ($class, @given) = @_;
    my $self    = bless { %{ named(\@given, qw(process clock has_program dir with_rows)) }, mark => "ub$$" }, $class;
    my $why_not = obstacle() // ($self->{has_program}->('bpftrace') ? undef : 'bpftrace is not installed');
    die "$why_not\n" if defined $why_not;
    $self->{name_of} = names(UnixBench::Process::Command::output_of(['sh', '-c', ASK_NAMES]) // q{});
    die "the C headers, which name the calls that bpftrace counts, are missing\n" if !%{ $self->{name_of} };
    for my $probes (@PROBES) {
        $self->{probes} = $probes;
        return $self if eval { $self->begin; $self->_sums; 1 };
        $self->finish;
    }
    die $@;
}

# Returns why bpftrace can't run on this machine, also if it is installed, or undef.
sub obstacle {
    return 'bpftrace needs root' if $> != 0;
    my @own = grep { (readlink("/proc/self/ns/$_") // $OF_MACHINE{$_}) ne $OF_MACHINE{$_} } keys %OF_MACHINE;
    return "bpftrace can't be used in a container" if @own;
    my ($capabilities) = (UnixBench::Base::Files::content('/proc/self/status') // q{}) =~ /^CapEff:\s+.*(.{8})$/m;
    return 'bpftrace needs CAP_SYS_ADMIN' if !(hex($capabilities // 0) & SYS_ADMIN);
    return -e '/sys/kernel/btf/vmlinux' ? undef : 'bpftrace needs BTF, and this kernel has none';
}

# Takes the macros of C; returns { number => name of a system call }.
sub names {
    my ($macros) = @_;
    return { reverse $macros =~ /^#define __NR_(\w+) ([0-9]{1,4})$/mg };
}

# Starts bpftrace for the copies of a pass. Dies with one line if it does not begin to count.
sub begin {
    my ($self) = @_;
    $self->finish;
    my $mark = "$self->{dir}/$self->{mark}";
    symlink($^X, $mark) || die "can't make $mark: $!\n" if !-l $mark;
    unlink $self->_output;
    my %with    = map { $_ => $self->{$_} } qw(process clock);
    my $command = $self->_command;
    $self->{server} = UnixBench::Process::Server->start(command => sub { $command }, output => $self->_output, %with);
    my $until_s = $self->{clock}->monotonic_s + START_S;

    until ($self->_printed =~ /ready\\n/) {
        my $status = $self->{server}->status;
        $self->_fail($status) if defined $status || $self->{clock}->monotonic_s > $until_s;
        die "interrupted\n" if $self->{process}->interrupted;
        $self->{process}->sleep_until($self->{clock}->monotonic_s + LOOK_S);
    }
    return;
}

sub _output  { my ($self) = @_; return "$self->{dir}/bpftrace.output" }
sub _printed { my ($self) = @_; return UnixBench::Base::Files::content($self->_output) // q{} }

sub _fail {
    my ($self, $status) = @_;
    die 'bpftrace: ' . UnixBench::Process::Server::complaint($status, $self->_output, $ERROR) . "\n";
}

# Returns the command that starts bpftrace. If tracefs is not mounted, it gets a mount of its own.
sub _command {
    my ($self) = @_;
    my %number = reverse %{ $self->{name_of} };
    my %part   = (%{ $self->{probes} }, mark => $self->{mark}, most => '0x7fffffffffffffff');
    @part{qw(execve exit exit_group)} = @number{qw(execve exit exit_group)};
    $part{$_} = $self->{with_rows} ? $OF_ROWS{$_} : q{} for keys %OF_ROWS;
    my $program  = $PROGRAM =~ s/[{](@{[join '|', keys %part]})[}]/$part{$1}/gr;
    my @is_there = grep { -e "$_/events" } qw(/sys/kernel/tracing /sys/kernel/debug/tracing);
    my @own      = (qw(unshare --mount --propagation unchanged sh -c), OWN_TRACEFS, 'sh');
    my @limits   = map { "BPFTRACE_$_=" . KEYS } qw(MAP_KEYS_MAX MAX_MAP_KEYS);
    return ['env', @limits, @is_there ? () : @own, qw(bpftrace -f json -e), $program];
}

# Takes [words], the command of a copy; returns [words], the command that becomes the mark first. Without the variable,
# Perl warns of a locale that is not installed.
sub wrapped {
    my ($self, $words) = @_;
    my $becomes = 'delete $ENV{PERL_BADLANG}; ' . UnixBench::Process::Child::BECOME;
    return [qw(env PERL_BADLANG=0), "$self->{dir}/$self->{mark}", '-e', $becomes, @$words];
}

# Returns the calls of all copies as of_maps() does. Dies with one line if there are none, or if bpftrace has ended.
sub traced {
    my ($self) = @_;
    return of_maps($self->_sums, $self->{name_of}, $self->{clock}->wall_ahead_s);
}

# Asks bpftrace for its sums; returns { name of a map => its content }. Dies with one line if it does not print them.
# It only sees a signal while it waits for an event, so it may need another one.
sub _sums {
    my ($self) = @_;
    my $server = $self->{server};
    my $status = $server->status;
    for (1 .. END_S) {
        last if defined $status || $self->{process}->interrupted;
        $self->{process}->signal_group(TERM => $server->pid);
        $status = $server->ended_within(1);
    }
    $self->finish;
    $self->_fail($status) if $status // 1;
    return maps(whole($self->_printed, NAME));
}

# Ends bpftrace, if it was started.
sub finish {
    my ($self) = @_;
    my $server = delete $self->{server} or return;
    return $server->stop;
}

# Takes the output of bpftrace -f json; returns { name of a map => its content }. --setup may install what it loads.
sub maps {
    my ($text) = @_;
    require UnixBench::Base::JSON;
    my @printed = map { eval { UnixBench::Base::JSON::decode($_) } // () } grep { /\A[{].*[}]\z/ } split /\n/, $text;
    return { map { %{ $_->{data} } } grep { $_->{type} =~ /\A(?:map|stats)\z/ } @printed };
}

# Takes { name of a map => its content }, { number => name of a call }, and the seconds by which the time of day is
# ahead of the time since boot. Returns { calls }, or with rows { calls, processes, rows } and perhaps unlisted, as in a
# result. Dies with one line if there is no call.
sub of_maps {
    my ($maps, $name_of, $ahead_s) = @_;
    my @maps  = grep { defined } @$maps{qw(@d @m @p @q @f @x)};
    my %tally = (all => {});
    die "the output of bpftrace is malformed\n"
        if grep { ref ne 'HASH' } @maps, map { values %$_ } grep { ref eq 'HASH' } grep { defined } @$maps{qw(@d @p)};
    for my $place (['@d', '@m'], ['@p', '@q']) {
        my ($sums, $longest) = @$maps{@$place};
        for my $key (keys %{ $sums || {} }) {
            my ($pid,   $number)   = $key =~ /\A(?:([0-9]+),\s*)?([0-9]+)\z/;
            my ($count, $total_ns) = @{ $sums->{$key} }{qw(count total)};
            my %numbers = (count => $count, returned => $count, total_ns => $total_ns, max_ns => $longest->{$key});
            add($tally{ $pid // 'all' } ||= {}, $name_of->{$number} // "#$number", %numbers);
        }
    }
    for my $key (keys %{ $maps->{'@x'} || {} }) {
        my ($pid, $number) = $key =~ /([0-9]+)/g;
        add($_, $name_of->{$number}, count => $maps->{'@x'}{$key}) for $tally{all}, $tally{$pid} ||= {};
    }
    my $calls = calls_of(delete $tally{all}, NAME);
    return { calls => $calls } if !$maps->{'@f'};
    my @processes = map { +{ at => $maps->{'@f'}{$_} / 1e9 + $ahead_s, pid => $_ + 0, tally => $tally{$_} } }
        grep { $maps->{'@f'}{$_} } keys %tally;
    return { calls => $calls, %{ rows(\@processes, $calls, $maps->{'@n'}) } };
}

1;
