package UnixBench::Setup::Installation;

# How what is missing can be installed here, in commands and in words. Decides, runs nothing.

use strict;
use warnings;

use UnixBench::Setup::Packages ();

# Makes one. has_program: a function that tells whether a program is in PATH; has_file: the same for a path; euid:
# the user.
sub new {
    my ($class, %given) = @_;
    my $self = bless {%given}, $class;
    $self->{manager} = UnixBench::Setup::Packages::manager(@given{qw(has_program has_file)});
    return $self;
}

# Takes what is missing (see Setup::missing); returns the commands that install what there are packages for, each a
# list of words; none where no package manager is known.
sub commands {
    my ($self, @missing) = @_;
    my @things = map { $_->{package} } grep { $self->_has_package($_) } @missing;
    return if !@things;
    my @sudo = $self->_needs_root && $self->{has_program}->('sudo') ? 'sudo' : ();
    return map { [@sudo, @$_] } UnixBench::Setup::Packages::commands($self->{manager}, @things);
}

# Takes what is missing; returns one line that says why this user can't run the commands, or undef.
sub refusal {
    my ($self, @missing) = @_;
    my $program = $self->{manager}{program};
    return _named(@missing) . "; $program must not be run as root: call ./Run --setup as an ordinary user"
        if $self->_refuses_root;
    return if !$self->_needs_root || $self->{has_program}->('sudo');
    my $command = _line($self->commands(@missing));
    return _named(@missing) . "; --setup needs root or sudo to install that: ask an administrator for: $command";
}

# Takes what is missing; returns one line that names all of it and the commands that install it.
sub message {
    my ($self, @missing) = @_;
    my $text = _named(@missing);
    return "$text; install by your system's package manager" if !$self->{manager};
    my $command = _line($self->commands(@missing));
    my $who     = $self->_refuses_root ? 'not as root' : $self->refusal ? 'as root' : './Run --setup does that';
    $text .= "; install by: $command ($who)" if length $command;
    my @unknown = map { $_->{what} } grep { !$self->_has_package($_) } @missing;
    $text .= "; $self->{manager}{program} has no package for " . join ' and ', @unknown if @unknown;
    return $text;
}

# Takes what is missing although the commands were run; returns one line that names it.
sub failure {
    my ($self, @missing) = @_;
    return _named(@missing) . ', even after the installation';
}

sub _named {
    my (@missing) = @_;
    return 'missing: ' . join ', ', map { "$_->{what} ($_->{needed_for})" } @missing;
}

# Commands as one types them.
sub _line {
    my (@commands) = @_;
    return join ' && ', map { join ' ', @$_ } @commands;
}

sub _has_package {
    my ($self, $missing) = @_;
    return $self->{manager} && UnixBench::Setup::Packages::has($self->{manager}, $missing->{package});
}

sub _needs_root {
    my ($self) = @_;
    return $self->{euid} != 0 && !$self->{manager}{refuses_root};
}

sub _refuses_root {
    my ($self) = @_;
    return $self->{euid} == 0 && $self->{manager}{refuses_root};
}

1;
