package Browser::Process;

# Chromium without a window, in a process group and a home directory of its own; both end with the object.

use strict;
use warnings;

use File::Temp   ();
use POSIX        ();
use Scalar::Util ();

use Alive  qw(eventually of_environment);
use InPath qw(path_of);

# The file descriptors where Chromium expects its two pipes, and one that is used by nothing else while they are moved.
use constant { FROM_US => 3, TO_US => 4, APART => 60 };

# With these options Chromium does not use the network by itself, and draws the same glyphs on every machine.
my @FLAGS = qw(
    --headless --no-sandbox --no-zygote --disable-gpu --disable-quic --no-first-run --no-default-browser-check
    --disable-background-networking --disable-component-update --disable-component-extensions-with-background-pages
    --disable-sync --disable-default-apps --disable-extensions --disable-breakpad --disable-crash-reporter
    --disable-dev-shm-usage --disable-domain-reliability --disable-client-side-phishing-detection --no-pings
    --metrics-recording-only
    --password-store=basic --use-mock-keychain --force-color-profile=srgb --font-render-hinting=none
    --remote-debugging-pipe
);
push @FLAGS, '--host-resolver-rules=MAP * ~NOTFOUND', '--disable-features=Translate,OptimizationHints,MediaRouter';

my %running;    # browsers to end first: at the end Perl destroys objects in any order
END { local $?; $_->end for values %running }

# Returns the tool that is missing, as [tool => 'chromium'], or undef.
sub why_not { return path_of('chromium') ? undef : [tool => 'chromium'] }

# Starts Chromium; dies if there is no pipe or no process for it.
sub new {
    my ($class) = @_;
    my $self    = bless { home => File::Temp->newdir, owner => $$ }, $class;
    pipe my $their_in,  $self->{to}   or die "pipe: $!\n";
    pipe $self->{from}, my $their_out or die "pipe: $!\n";
    binmode $_ for $self->{to}, $self->{from};
    $self->{pid} = fork // die "fork: $!\n";
    if (!$self->{pid}) { _become($self->{home}, $their_in, $their_out) }
    POSIX::setpgid($self->{pid}, $self->{pid});
    Scalar::Util::weaken($running{ $self->{pid} } = $self);
    return $self;
}

# Returns the path of its home directory.
sub home { my ($self) = @_; return $self->{home}->dirname }

# Returns two handles: one to write to Chromium, one to read from it.
sub handles { my ($self) = @_; return @$self{qw(to from)} }

# Returns the last 20 lines that Chromium has printed, without those about D-Bus.
sub said {
    my ($self) = @_;
    open my $file, '<', "$self->{home}/said" or return q{};
    my @lines = grep { !/\bdbus\b/ } <$file>;
    return join q{}, @lines > 20 ? @lines[-20 .. -1] : @lines;
}

# Ends Chromium and all processes that it has started. Does nothing in a fork of the process that started Chromium.
sub end {
    my ($self) = @_;
    return if $self->{owner} != $$;
    my $pid = delete $self->{pid} or return;
    delete $running{$pid};
    kill KILL => -$pid;
    waitpid $pid, 0;
    kill KILL => of_environment($self->home);    # processes that have left the group
    eventually(sub { !of_environment($self->home) });
    return;
}

sub DESTROY {
    my ($self) = @_;
    local ($@, $!, $?);
    $self->end;
    return;
}

# Becomes Chromium, in the forked process. The pipes are moved apart first, so that neither replaces the other. Exec
# closes the handles that Perl has opened.
sub _become {
    my ($home, $in, $out) = @_;
    POSIX::setpgid(0, 0);
    %ENV = (
        %ENV,
        LC_ALL => 'C.UTF-8',
        map { $_ => "$home" } qw(HOME TMPDIR XDG_CONFIG_HOME XDG_CACHE_HOME XDG_RUNTIME_DIR)
    );
    open STDIN,  '<',  '/dev/null'  or POSIX::_exit(126);
    open STDOUT, '>',  "$home/said" or POSIX::_exit(126);
    open STDERR, '>&', \*STDOUT     or POSIX::_exit(126);
    POSIX::dup2(fileno $in,  APART);
    POSIX::dup2(fileno $out, APART + 1);
    POSIX::dup2(APART,       FROM_US);
    POSIX::dup2(APART + 1,   TO_US);
    POSIX::close($_) for APART, APART + 1;
    no warnings "exec";
    { exec 'chromium', @FLAGS, "--user-data-dir=$home/profile", 'about:blank' }
    POSIX::_exit(127);
}

1;
