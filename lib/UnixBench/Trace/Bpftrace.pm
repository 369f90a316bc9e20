package UnixBench::Trace::Bpftrace;

# Follows what this program starts by bpftrace, which counts in the kernel. It lives as long as a pipe to it is open:
# when this program is gone, so is the tracer, its probes, and a tracefs mounted for it, which nobody else can see.

use strict;
use warnings;

use UnixBench::Base::Files           ();
use UnixBench::Process::EventLoop    ();
use UnixBench::Process::Server       ();
use UnixBench::Trace::BpftraceOutput ();
use UnixBench::Trace::Needs          ();

use constant {
    START_S    => 30,       # until it is attached
    END_S      => 30,       # until it has said what it counted
    KEYS_LEAST => 4096,     # of a map
    KEYS_MOST  => 65_536,
    PAGES      => 1024,     # for what is printed and not read yet, for each CPU
};

# /sys alone is made private: in a chroot / can't be.
use constant MOUNT => 'mount --make-rprivate /sys && mount -t tracefs tracefs "$0" && exec "$@"';

# Takes process => UnixBench::Process::Process, clock => UnixBench::Base::Clock, dir, a private directory, programs, the
# directory of those for bpftrace, name_of => function from the number of a system call to its name or undef, has_names,
# whether it knows any, is_mounted, whether tracefs is, and perhaps start_s, how long it may take until it is attached.
sub new {
    my ($class, %with) = @_;
    my %files = map { $_ => "$with{dir}/bpftrace.$_" } qw(output sums);
    return bless { start_s => START_S, %files, %with }, $class;
}

# What it is called in reports.
sub name { return 'bpftrace' }

# Starts it, and returns when all that this program starts from then on is followed. Takes what is asked: program =>
# "syscalls" or "sequence", with_rows, and processes, how many there may be at once. Dies with one line, and leaves
# nothing behind, when it can't be attached.
sub attach {
    my ($self, %asked) = @_;
    die "bpftrace knows calls by their numbers: to name them a C compiler is needed\n"
        if $asked{program} eq 'sequence' && !$self->{has_names};
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

# The words that start a copy: the same, as it is followed anyway.
sub wrapped { my ($self, $words) = @_; return $words }

# Ends it and returns what it has counted, see UnixBench::Trace::BpftraceOutput. Dies with one line when it has ended
# before that.
sub detach {
    my ($self) = @_;
    my $ended = $self->{server}->status;
    $self->_let_go;
    my $status = $self->{server}->ended_within(END_S);
    $self->{server}->stop;
    die $self->_complaint($ended // $status) . "\n" if defined $ended || !defined $status || $status;
    return $self->_understood(UnixBench::Base::Files::content($self->{sums}) // q{});
}

# Ends it, whatever it has counted.
sub give_up {
    my ($self) = @_;
    $self->_let_go;
    my $server = delete $self->{server} or return;
    $server->ended_within(END_S);
    $server->stop;
    return;
}

# Its child reads a pipe to its end, and bpftrace ends with its child.
sub _let_go {
    my ($self) = @_;
    my $input = delete $self->{input} or return;
    close $input;
    return;
}

# bpftrace starts its child when all probes are attached: so that is what says that they are.
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
    return [qw(unshare -m --propagation unchanged sh -c), MOUNT, UnixBench::Trace::Needs::TRACEFS, @command];
}

# bpftrace wants a path, and only one.
sub _path_of_cat {
    my ($path) = grep { -x } qw(/bin/cat /usr/bin/cat);
    return $path // '/bin/cat';
}

sub _understood {
    my ($self,  $text)  = @_;
    my ($asked, $clock) = @$self{qw(asked clock)};
    return UnixBench::Trace::BpftraceOutput::sequence($text, name_of => $self->{name_of})
        if $asked->{program} eq 'sequence';
    my $since_1970_s = $clock->wall_s - $clock->kernel_boot_s;    # bpftrace has the kernel's clock
    return UnixBench::Trace::BpftraceOutput::sums(
        $text,
        name_of   => $self->{name_of},
        wall_s_of => sub { $since_1970_s + $_[0] / 1e9 },
        with_rows => $asked->{with_rows},
    );
}

# Why it is not attached, or has ended. That it can't raise its limit of memory is no error.
sub _complaint {
    my ($self, $status) = @_;
    return 'bpftrace: '
        . UnixBench::Process::Server::complaint($status, $self->{output}, qr/\bERROR: (?!.*RLIMIT_MEMLOCK)/);
}

1;
