package DoctoredHost;

# An invented machine for doctor: the context of a run with given properties, and the findings of a preparation.

use strict;
use warnings;

use UnixBench::CLI::Environment;
use UnixBench::Command;
use UnixBench::Call::Request;
use UnixBench::Call::ThisMachine;

# Takes the home of the suite and these named arguments, all optional:
#     words    command line (default: pipe)
#     env      environment of the suite
#     facts    facts about the host that replace the default
#     found    findings of the preparation
#     missing  a program that the host does not have
#     quota, limits, display, charmap    of the host
sub new {
    my ($class, $home, %is) = @_;
    my $self   = bless {%is}, $class;
    my %places = (home => $home, settings => UnixBench::CLI::Environment::read_from($is{env} || {}, $home));
    $self->{context} = UnixBench::Call::Request->new(
        %places,
        options => UnixBench::Command::parse(split q{ }, $is{words} // 'pipe'),
        machine => UnixBench::Call::ThisMachine->new(%places, host => $self, facts => $self),
    );
    return $self;
}

sub context     { my ($self) = @_; return $self->{context} }
sub findings    { my ($self) = @_; return { missing => {}, %{ $self->{found} || {} } } }
sub usable_cpus { return 2 }
sub display     { my ($self) = @_; return $self->{display} }
sub quota       { my ($self) = @_; return $self->{quota} }
sub name        { return 'marvin' }
sub limits      { my ($self) = @_; return $self->{limits} || {} }
sub space       { return { device => 1, free_kb => undef } }
sub has_program { my ($self, $program) = @_; return $program ne ($self->{missing} // q{}) }

sub language {
    my ($self, $lang) = @_;
    return { lang => $lang, charmap => $self->{charmap} // 'UTF-8', collate => 'UTF-8' };
}

# Returns the facts about the host.
sub facts {
    my ($self) = @_;
    my %texts = map { $_ => 'x' } qw(system os release version machine platform uptime);
    return { %texts, name => 'marvin', cpus => [{ model => 'x' }, { model => 'x' }], %{ $self->{facts} || {} } };
}

1;
