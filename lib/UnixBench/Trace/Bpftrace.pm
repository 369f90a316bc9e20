package UnixBench::Trace::Bpftrace;

# Follows the programs that this one starts by bpftrace, which counts in the kernel. It runs as long as a pipe to it is
# open: when this program is gone, so are the tracer, its probes, and a private tracefs that was mounted for it.

use strict;
use warnings;

use UnixBench::Base::Arguments       qw(named);
use UnixBench::Base::Files           ();
use UnixBench::Process::Command      ();
use UnixBench::Process::EventLoop    ();
use UnixBench::Process::Server       ();
use UnixBench::Trace::BpftraceOutput ();

use constant {
    START_S    => 30,       # until it is attached
    END_S      => 30,       # until it has printed its counts
    KEYS_LEAST => 4096,     # of a map
    KEYS_MOST  => 65_536,
    PAGES      => 1024,     # for each CPU: output that is not read yet
};

use constant {
    TRACEFS          => '/sys/kernel/tracing',
    PROCESSES_OF_ALL => 'pid:[4026531836]',      # PROC_PID_INIT_INO in the kernel's proc_ns.h
};

# Only /sys is made private, as / can't be in a chroot.
use constant MOUNT => 'mount --make-rprivate /sys && mount -t tracefs tracefs "$0" && exec "$@"';

use constant { NUMBER_MAX => 0x3fff_ffff, DEPTH_MAX => 10 };    # larger numbers are those of x32

my $MACRO   = qr/^#define[ \t]+(\w+)[ \t]+(\S.*?)[ \t\r]*$/am;
my $INTEGER = qr/\A(0[xX][0-9a-fA-F]{1,8}|0[0-7]{0,9}|[1-9][0-9]{0,9})[uUlL]{0,3}\z/;

# Macros that look like calls, but are limits and bases of numbers.
my %IS_NO_CALL = map { $_ => 1 } qw(syscalls arch_specific_syscall);

# Takes files => UnixBench::Host::KernelFiles, has_program => function that tells whether a program is in PATH, and
# euid. Returns in words why bpftrace can't be used, as far as that is known without starting it, or undef.
sub lacking {
    my (%with) = @_;
    my ($files, $has_program) = @with{qw(files has_program)};
    return 'bpftrace is not installed' if !$has_program->('bpftrace');
    return 'bpftrace needs root' if $with{euid};
    return 'bpftrace needs BTF, which this kernel has not: no /sys/kernel/btf/vmlinux'
        if !grep { $_ eq 'vmlinux' } $files->names('/sys/kernel/btf');
    return 'bpftrace needs tracefs, which this kernel has not' if !has_tracefs($files) && !_knows_tracefs($files);
    return 'bpftrace needs the process numbers of the host, and this container has its own'
        if ($files->target('/proc/self/ns/pid') // PROCESSES_OF_ALL) ne PROCESSES_OF_ALL;
    return;
}

# Takes the same files. Returns whether tracefs is mounted.
sub has_tracefs {
    my ($files) = @_;
    return scalar grep { $_ eq 'events' } $files->names(TRACEFS);
}

sub _knows_tracefs {
    my ($files) = @_;
    return ($files->text('/proc/filesystems') // q{}) =~ /\btracefs$/m;
}

# Takes process => UnixBench::Process::Process, clock => UnixBench::Base::Clock, dir => a private directory, programs =>
# the directory of those for bpftrace, names => { number of a system call => its name }, is_mounted => whether tracefs
# is mounted, and perhaps start_s => the longest time until it is attached.
sub new {
    my ($class, @given) = @_;
    my $given = named(\@given, qw(process clock dir programs names is_mounted start_s));
    my %files = map { $_ => "$given->{dir}/bpftrace.$_" } qw(output sums);
    return bless { start_s => START_S, %files, %$given }, $class;
}

# Returns its name for reports.
sub name { return 'bpftrace' }

# Starts it. When this returns, all that this program starts is followed. Takes program => "syscalls" or "sequence",
# with_rows, and processes => the most at once. Dies with one line, and leaves nothing behind, if it can't be attached.
sub attach {
    my ($self, %asked) = @_;
    die "bpftrace knows calls by their numbers: to name them a C compiler is needed\n"
        if $asked{program} eq 'sequence' && !%{ $self->{names} };
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

# Returns the words that start a copy: the same ones, as it is followed anyway.
sub wrapped { my ($self, $words) = @_; return $words }

# Ends it. Returns what it has counted, see UnixBench::Trace::BpftraceOutput. Dies with one line if it ended too early.
sub detach {
    my ($self) = @_;
    my $ended = $self->{server}->status;
    $self->_let_go;
    my $status = $self->{server}->ended_within(END_S);
    $self->{server}->stop;
    die $self->_complaint($ended // $status) . "\n" if defined $ended || !defined $status || $status;
    return $self->_understood(UnixBench::Base::Files::content($self->{sums}) // q{});
}

# Ends it without asking for its counts.
sub give_up {
    my ($self) = @_;
    $self->_let_go;
    my $server = delete $self->{server} or return;
    $server->ended_within(END_S);
    $server->stop;
    return;
}

# Closes the pipe: its child, cat, then ends, and bpftrace ends with its child.
sub _let_go {
    my ($self) = @_;
    my $input = delete $self->{input} or return;
    close $input;
    return;
}

# Returns the command. bpftrace starts its child, cat, when all probes are attached, so the output of cat says so.
sub _command {
    my ($self) = @_;
    my $asked  = $self->{asked};
    my $keys   = $asked->{with_rows} ? KEYS_MOST : KEYS_LEAST;
    $keys = 2 * $asked->{processes} if $keys < 2 * ($asked->{processes} // 0);
    my @command = (
        qw(env),
        "BPFTRACE_MAP_KEYS_MAX=$keys",
        "BPFTRACE_MAX_MAP_KEYS=$keys",
        ($asked->{program} eq 'sequence' ? 'BPFTRACE_PERF_RB_PAGES=' . PAGES : ()),
        qw(bpftrace -B none -f json -o),
        $self->{sums},
        '-c',
        _path_of_cat(),
        "$self->{programs}/$asked->{program}.bt",
        $self->{run},
        $asked->{with_rows} ? 1 : 0
    );
    return \@command if $self->{is_mounted};
    return [qw(unshare -m --propagation unchanged sh -c), MOUNT, TRACEFS, @command];
}

# bpftrace requires a path that is not ambiguous.
sub _path_of_cat {
    my ($path) = grep { -x } qw(/bin/cat /usr/bin/cat);
    return $path // '/bin/cat';
}

sub _understood {
    my ($self, $text) = @_;
    my ($asked, $clock, $names) = @$self{qw(asked clock names)};
    my $name_of = sub { $names->{ $_[0] } };
    return UnixBench::Trace::BpftraceOutput::sequence($text, name_of => $name_of)
        if $asked->{program} eq 'sequence';
    my $since_1970_s = $clock->wall_s - $clock->kernel_boot_s;    # bpftrace has the kernel's clock
    return UnixBench::Trace::BpftraceOutput::sums(
        $text,
        name_of   => $name_of,
        wall_s_of => sub { $since_1970_s + $_[0] / 1e9 },
        with_rows => $asked->{with_rows},
    );
}

# Returns why it is not attached, or has ended. A failure to raise its memory limit is not an error.
sub _complaint {
    my ($self, $status) = @_;
    return 'bpftrace: '
        . UnixBench::Process::Server::complaint($status, $self->{output}, qr/\bERROR: (?!.*RLIMIT_MEMLOCK)/);
}

# Returns the names of system calls by their numbers, which differ between architectures: asks the headers of the C
# library by way of a compiler. Without one there are none.
sub call_names {
    for my $compiler ([split q{ }, $ENV{CC} // q{}], map { [$_] } qw(cc gcc clang)) {
        next if !@$compiler;
        my $macros =
            UnixBench::Process::Command::output_of([@$compiler, qw(-E -dM -include sys/syscall.h -x c /dev/null)]);
        return call_names_in($macros) if defined $macros;
    }
    return {};
}

# Takes the macros of <sys/syscall.h>, as "cc -E -dM" prints them. Returns { number => name }. Of several names for a
# number it prefers one with a macro SYS_ as well, then the shortest, then the first in the alphabet.
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

# Returns the value of a macro, which is an integer, another macro, or a sum of these. A macro that refers to itself has
# none.
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
