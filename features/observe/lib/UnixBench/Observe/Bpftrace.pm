package UnixBench::Observe::Bpftrace;

# A tracer that uses bpftrace. It follows all programs that this one starts, and counts their system calls in the
# kernel. It runs as long as a pipe from this program is open. So if this program ends for any reason, bpftrace ends,
# too, and its probes and its private tracefs are removed.

use strict;
use warnings;

use File::Spec ();

use UnixBench::Base::Arguments         qw(named);
use UnixBench::Base::Files             ();
use UnixBench::Process::Command        ();
use UnixBench::Process::EventLoop      ();
use UnixBench::Process::Server         ();
use UnixBench::Observe::BpftraceOutput ();

# The program for bpftrace. An installation has all shared files in one directory.
my ($FEATURE) = File::Spec->rel2abs(__FILE__) =~ m{\A(.*)/lib/UnixBench/Observe/}s;
my ($PROGRAM) = grep { -e } map { "$FEATURE/${_}share/syscalls.bt" } q{}, '../../';

use constant {
    START_S    => 30,       # limit until it is attached
    END_S      => 30,       # limit until it has printed its counts
    KEYS_LEAST => 4096,     # of a map
    KEYS_MOST  => 65_536,
};

use constant {
    TRACEFS          => '/sys/kernel/tracing',
    PROCESSES_OF_ALL => 'pid:[4026531836]',      # PROC_PID_INIT_INO in the kernel's proc_ns.h
};

# Only the mount at /sys is made private, because this is impossible for / in a chroot.
use constant MOUNT => 'mount --make-rprivate /sys && mount -t tracefs tracefs "$0" && exec "$@"';

use constant { NUMBER_MAX => 0x3fff_ffff, DEPTH_MAX => 10 };    # larger numbers belong to the x32 ABI

my $MACRO   = qr/^#define[ \t]+(\w+)[ \t]+(\S.*?)[ \t\r]*$/am;
my $INTEGER = qr/\A(0[xX][0-9a-fA-F]{1,8}|0[0-7]{0,9}|[1-9][0-9]{0,9})[uUlL]{0,3}\z/;

# Macros with names like those of calls. They are limits and bases of numbers.
my %IS_NO_CALL = map { $_ => 1 } qw(syscalls arch_specific_syscall);

# Takes files => UnixBench::Host::KernelFiles, has_program => function that returns whether a program is in PATH, and
# euid. Returns the reason why bpftrace can't be used, or undef if none is found without starting it.
sub lacking {
    my (%with) = @_;
    my ($files, $has_program) = @with{qw(files has_program)};
    return 'bpftrace is not installed' if !$has_program->('bpftrace');
    return 'bpftrace needs root' if $with{euid};
    return 'bpftrace needs BTF, which this kernel does not have: no /sys/kernel/btf/vmlinux'
        if !grep { $_ eq 'vmlinux' } $files->names('/sys/kernel/btf');
    return 'bpftrace needs tracefs, which this kernel does not have' if !has_tracefs($files) && !_knows_tracefs($files);
    return 'bpftrace needs the process numbers of the host, and this container has its own'
        if ($files->target('/proc/self/ns/pid') // PROCESSES_OF_ALL) ne PROCESSES_OF_ALL;
    return;
}

# Takes UnixBench::Host::KernelFiles; returns whether tracefs is mounted.
sub has_tracefs {
    my ($files) = @_;
    return scalar grep { $_ eq 'events' } $files->names(TRACEFS);
}

sub _knows_tracefs {
    my ($files) = @_;
    return $files->content('/proc/filesystems') =~ /\btracefs$/m;
}

# Takes
#   process     UnixBench::Process::Process
#   clock       UnixBench::Base::Clock
#   dir         a private directory
#   names       { number of a system call => its name }
#   is_mounted  whether tracefs is mounted
#   start_s     limit until bpftrace is attached (default: 30)
sub new {
    my ($class, @given) = @_;
    my $given = named(\@given, qw(process clock dir names is_mounted start_s));
    my %files = map { $_ => "$given->{dir}/bpftrace.$_" } qw(output sums);
    return bless { start_s => START_S, %files, %$given }, $class;
}

# Returns its name for reports.
sub name { return 'bpftrace' }

# Starts bpftrace. When this returns, bpftrace follows all programs that this one will start. Dies with one line if
# bpftrace can't be attached; then it has ended. Takes
#   with_rows  whether each process has a row of its own
#   processes  the largest number of processes at the same time
sub attach {
    my ($self, %asked)    = @_;
    my ($input, $input_w) = UnixBench::Process::EventLoop::plain_pipe();
    @$self{qw(asked input run)} = (\%asked, $input_w, $$);
    $self->{server} = UnixBench::Process::Server->start(
        command            => sub { $self->_command },
        input              => $input,
        is_ready_by_output => 1,
        map { $_ => $self->{$_} } qw(process clock output)
    );
    close $input;
    syswrite $input_w, "attached\n";
    return if defined $self->{server}->ready($self->{start_s});
    my $complaint = $self->_complaint($self->{server}->status);
    $self->_let_go;
    (delete $self->{server})->stop;
    die "$complaint\n";
}

# Takes the command of a copy; returns it unchanged, because bpftrace follows the copy anyway.
sub wrapped { my ($self, $words) = @_; return $words }

# Ends bpftrace. Returns its counts, see UnixBench::Observe::BpftraceOutput. Dies with one line if it has ended too
# early, or with an error.
sub detach {
    my ($self) = @_;
    my $ended = $self->{server}->status;
    $self->_let_go;
    my $status = $self->{server}->ended_within(END_S);
    $self->{server}->stop;
    die $self->_complaint($ended // $status) . "\n" if defined $ended || !defined $status || $status;
    return $self->_understood(UnixBench::Base::Files::content($self->{sums}) // q{});
}

# Ends bpftrace and ignores its counts.
sub give_up {
    my ($self) = @_;
    $self->_let_go;
    my $server = delete $self->{server} or return;
    $server->ended_within(END_S);
    $server->stop;
    return;
}

# Closes the pipe. Then cat, the child of bpftrace, ends, and bpftrace ends with its child.
sub _let_go {
    my ($self) = @_;
    my $input = delete $self->{input} or return;
    close $input;
    return;
}

# Returns the command. bpftrace starts its child, cat, when all probes are attached. So the first output of cat is the
# sign that bpftrace is ready.
sub _command {
    my ($self) = @_;
    my $asked  = $self->{asked};
    my $keys   = $asked->{with_rows} ? KEYS_MOST : KEYS_LEAST;
    $keys = 2 * $asked->{processes} if $keys < 2 * ($asked->{processes} // 0);
    my @command = (
        qw(env),                       "BPFTRACE_MAP_KEYS_MAX=$keys",
        "BPFTRACE_MAX_MAP_KEYS=$keys", qw(bpftrace -B none -f json -o),
        $self->{sums},                 '-c',
        _path_of_cat(),                $PROGRAM,
        $self->{run},                  $asked->{with_rows} ? 1 : 0
    );
    return \@command if $self->{is_mounted};
    return [qw(unshare -m --propagation unchanged sh -c), MOUNT, TRACEFS, @command];
}

# Returns the path of cat: bpftrace refuses an ambiguous name.
sub _path_of_cat {
    my ($path) = grep { -x } qw(/bin/cat /usr/bin/cat);
    return $path // '/bin/cat';
}

sub _understood {
    my ($self,  $text)  = @_;
    my ($clock, $names) = @$self{qw(clock names)};
    my $since_1970_s = $clock->wall_s - $clock->kernel_boot_s;    # bpftrace uses the kernel's clock
    return UnixBench::Observe::BpftraceOutput::sums(
        $text,
        name_of   => sub { $names->{ $_[0] } },
        wall_s_of => sub { $since_1970_s + $_[0] / 1e9 },
        with_rows => $self->{asked}{with_rows},
    );
}

# Takes the wait status of bpftrace, or undef. Returns the reason why it is not attached or has ended. If it could not
# raise its memory limit, that is not the reason.
sub _complaint {
    my ($self, $status) = @_;
    return 'bpftrace: '
        . UnixBench::Process::Server::complaint($status, $self->{output}, qr/\bERROR: (?!.*RLIMIT_MEMLOCK)/);
}

# Returns { number of a system call => its name }. The numbers differ between architectures, so they are taken from the
# headers of the C library, by running a compiler. Without a compiler the hash is empty.
sub call_names {
    for my $compiler ([split q{ }, $ENV{CC} // q{}], map { [$_] } qw(cc gcc clang)) {
        next if !@$compiler;
        my $macros =
            UnixBench::Process::Command::output_of([@$compiler, qw(-E -dM -include sys/syscall.h -x c /dev/null)]);
        return call_names_in($macros) if defined $macros;
    }
    return {};
}

# Takes the macros of <sys/syscall.h>, as "cc -E -dM" prints them; returns { number => name }. If a number has several
# names, a name with a macro SYS_ is preferred, then the shortest name, then the first one in the alphabet.
sub call_names_in {
    my ($text)  = @_;
    my %meaning = $text =~ /$MACRO/g;
    my @names   = grep { /\A[a-z0-9_]+\z/ && !$IS_NO_CALL{$_} } map { /\A(?:__NR|SYS)_(\w+)\z/ } keys %meaning;
    my %rank    = map  { $_ => exists $meaning{"SYS_$_"} ? 0 : 1 } @names;
    my (%known, %name);
    for my $name (sort { $rank{$a} <=> $rank{$b} || length $a <=> length $b || $a cmp $b } keys %rank) {
        my ($macro) = grep { exists $meaning{$_} } "__NR_$name", "SYS_$name";
        my $number  = _value($macro, \%meaning, \%known, 0);
        $name{$number} //= $name if defined $number && $number <= NUMBER_MAX;
    }
    return \%name;
}

# Returns the value of a macro: an integer, another macro, or a sum of these. Returns undef for a macro that refers to
# itself.
sub _value {
    my ($macro, $meaning, $known, $depth) = @_;
    return $known->{$macro} if exists $known->{$macro} || $depth > DEPTH_MAX || !exists $meaning->{$macro};
    $known->{$macro} = undef;
    my @terms  = map { s/\A\s+|\s+\z//gr } split /[+]/, $meaning->{$macro} =~ tr/()/  /r, -1;
    my @values = map { _integer($_) // _value($_, $meaning, $known, $depth + 1) } @terms;
    return $known->{$macro} if !@values || grep { !defined } @values;
    $known->{$macro} += $_ for @values;
    return $known->{$macro};
}

sub _integer {
    my ($term)   = @_;
    my ($digits) = $term =~ $INTEGER;
    return defined $digits && $digits =~ /\A0/ ? oct $digits : $digits;
}

1;
