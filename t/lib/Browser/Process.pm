package Browser::Process;

# Chromium without a window, in a process group and with a home of its own, which end with this object.

use strict;
use warnings;

use File::Temp   ();
use POSIX        ();
use Scalar::Util ();

use Alive  qw(eventually of_environment);
use InPath qw(path_of);

# Where Chromium expects its two pipes; numbers that nobody else uses.
use constant { FROM_US => 3, TO_US => 4, APART => 60 };

# Nothing of its own accord goes to the network, and the same glyphs are drawn everywhere.
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

my %running;    # what is to be ended before objects are destroyed in no order at all
END { local $?; $_->end for values %running }

# Why there is none here, or undef.
sub why_not { return path_of('chromium') ? undef : [tool => 'chromium'] }

# Starts it.
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

# Its own directory.
sub home { my ($self) = @_; return $self->{home}->dirname }

# What it writes to and reads from.
sub handles { my ($self) = @_; return @$self{qw(to from)} }

# The last lines that it has said of itself.
sub said {
    my ($self) = @_;
    open my $file, '<', "$self->{home}/said" or return q{};
    my @lines = grep { !/\bdbus\b/ } <$file>;
    return join q{}, @lines > 20 ? @lines[-20 .. -1] : @lines;
}

# Ends it and all that it has started, where it was started.
sub end {
    my ($self) = @_;
    return if $self->{owner} != $$;
    my $pid = delete $self->{pid} or return;
    delete $running{$pid};
    kill KILL => -$pid;
    waitpid $pid, 0;
    kill KILL => of_environment($self->home);    # those that have left the group
    eventually(sub { !of_environment($self->home) });
    return;
}

sub DESTROY {
    my ($self) = @_;
    local ($@, $!, $?);
    $self->end;
    return;
}

# The pipes are moved out of each other's way first. What Perl has opened is closed by exec.
sub _become {
    my ($home, $in, $out) = @_;
    POSIX::setpgid(0, 0);
    %ENV = (%ENV, LC_ALL => 'C.UTF-8', map { $_ => "$home" } qw(HOME XDG_CONFIG_HOME XDG_CACHE_HOME XDG_RUNTIME_DIR));
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
