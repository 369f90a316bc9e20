package GraphicsRun;

# ./Run with the real gfx-x11, ubgears, x11perf and Xvfb, and no display given; x11perf does few repetitions.

use strict;
use warnings;

use parent 'TestRun';

use Exporter         ();
use IO::Socket::UNIX ();
use Socket           qw(SOCK_STREAM);

use Alive qw(of_environment);

our @EXPORT_OK = qw(commands_like commands_of servers why_not);
BEGIN { *import = \&Exporter::import }

# Why that can't be done here, or undef.
sub why_not {
    for my $program (qw(Xvfb x11perf)) {
        return "$program is not here" if !grep { -x "$_/$program" } split /:/, $ENV{PATH};
    }
    return -x "$TestRun::HOME/pgms/ubgears" ? undef : 'ubgears is not built: make';
}

# Takes what TestRun takes, and is_quick => 0 for an x11perf that takes its time.
sub new {
    my ($class, %with) = @_;
    my %program = map { $_ => "../../pgms/$_" } qw(gfx-x11 ubgears);
    my $path    = ($with{is_quick} // 1) ? "$TestRun::BIN/quick:$ENV{PATH}" : $ENV{PATH};
    my %env     = (PATH => $path, DISPLAY => q{}, XAUTHORITY => q{}, UB_TIME_FACTOR => '0.01');
    my $before  = { map { $_ => 1 } _traces() };
    my $self    = $class->SUPER::new(
        %with,
        programs => { %program, %{ $with{programs} || {} } },
        env      => { %env,     %{ $with{env}      || {} } },
    );
    $self->{before} = $before;
    return $self;
}

# Takes a run's place; returns the numbers of its X servers.
sub servers { my ($self) = @_; return commands_of($self, 'Xvfb') }

# Takes a run's place and the name of a program, maybe with words behind it; returns the numbers of its processes that
# were called so.
sub commands_of {
    my ($self, $words) = @_;
    return commands_like($self, qr{\A(?:\S*/)?\Q$words\E });
}

# The same for a pattern of the whole command.
sub commands_like {
    my ($self, $pattern) = @_;
    return grep { _command($_) =~ $pattern } of_environment($self->place);
}

# Whether no X server of this run, by now ended, has left a lock or a socket. Those of others, who are there, do not
# count.
sub has_sockets_as_before {
    my ($self) = @_;
    my @new    = grep { !$self->{before}{$_} } _traces();
    return !grep { !IO::Socket::UNIX->new(Type => SOCK_STREAM, Peer => $_) } @new;
}

sub _traces { return glob '/tmp/.X*-lock /tmp/.X11-unix/*' }

sub _command {
    my ($pid) = @_;
    open my $file, '<', "/proc/$pid/cmdline" or return q{};
    local $/ = undef;
    return (scalar(<$file>) // q{}) =~ tr/\0/ /r;
}

1;
