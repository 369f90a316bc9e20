package Collection;

# The Ansible collection on this machine: its playbook, with hosts that are directories of this machine and are reached
# by a program that stands for ssh.

use strict;
use warnings;

use Cwd qw(abs_path);
use Exporter 'import';
use File::Basename qw(dirname);
use File::Path     qw(make_path);
use File::Temp     ();
use JSON::PP       ();

use Place qw(of_environment write_file write_program);

our @EXPORT_OK = qw(python);

my $ROOT = abs_path(dirname(__FILE__) . '/../../../..');

# Stands for ssh, and for the shell of the user on the host.
my $SSH = <<'END';
#!/bin/sh
for command; do :; done
exec sh -c "$command"
END

our $LIMIT_S = 600;    # a playbook that takes longer never ends

# Returns the path of the Python that runs Ansible, or undef.
sub python {
    my ($path) = qx(ansible-playbook --version 2>/dev/null) =~ m{^ *python version = .*\((/\S+)\)$}m;
    return $path;
}

# Returns a controller with the collection, without results.
sub new {
    my ($class) = @_;
    my $self    = bless { place => File::Temp->newdir, owner => $$ }, $class;
    my $above   = $self->place('ansible_collections/unixbench');
    make_path($above, $self->place('hosts'));
    write_file($self->place('ansible.cfg'), "[defaults]\n");
    symlink "$ROOT/features/fleet/ansible", "$above/fleet" or die "link: $!\n";
    return $self;
}

# Ends the runs that a failed test has left.
sub DESTROY {
    my ($self) = @_;
    return if $self->{owner} != $$ || !$self->{place};
    local $? = 0;
    kill KILL => of_environment('UNIXBENCH_FLEET=' . $self->place);
    return;
}

# Returns a path in the place of the controller; directories of hosts are in "hosts", results in "results".
sub place { my ($self, @below) = @_; return join q{/}, "$self->{place}", @below }

# Takes common variables, and { host => its variables }. Writes the inventory. Nothing may start Python there.
sub inventory {
    my ($self, $common, $hosts) = @_;
    $self->{vars} = {
        ansible_ssh_executable     => write_program($self->place('ssh'), $SSH),
        ansible_python_interpreter => '/nowhere/python',
        unixbench_run              => "$ROOT/Run",
        unixbench_results          => $self->place('results'),
        unixbench_directory        => $self->place('hosts') . '/{{ inventory_hostname }}',
        %$common
    };
    return write_file($self->place('inventory.json'),
        JSON::PP->new->canonical->encode({ all => { vars => $self->{vars}, hosts => $hosts } }));
}

# Takes further words; runs the playbook to its end. Returns status, and text: all that it printed.
sub play { my ($self, @words) = @_; return $self->run($self->_playbook, @words) }

# Takes further words; starts the playbook in a process group of its own, and returns the number of that group.
sub started {
    my ($self, @words) = @_;
    my $pid = fork // die "fork: $!\n";
    return $pid if $pid;
    setpgrp;
    open STDOUT, '>', $self->place('said') or die "said: $!\n";
    return $self->_become($self->_playbook, @words);
}

sub _playbook {
    my ($self) = @_;
    return ('ansible-playbook', '-i', $self->place('inventory.json'), 'unixbench.fleet.accept');
}

# Takes a command; runs it with the collection in its path and without the settings of this user. Returns the same.
sub run {
    my ($self, @command) = @_;
    my $pid = open(my $out, '-|') // die "fork: $!\n";
    $self->_become(@command) if !$pid;
    local $SIG{ALRM} = sub { kill KILL => $pid; die "@command: no end\n" };
    alarm $LIMIT_S;
    my $text = do { local $/ = undef; readline $out };
    close $out;
    alarm 0;
    return { status => $? >> 8, text => $text };
}

# Becomes that command.
sub _become {
    my ($self, @command) = @_;
    my %env = (
        HOME                    => $self->place('home'),
        ANSIBLE_CONFIG          => $self->place('ansible.cfg'),
        ANSIBLE_NOCOLOR         => 1,
        PYTHONDONTWRITEBYTECODE => 1,
        map { +"ANSIBLE_$_" => $self->place } qw(COLLECTIONS_PATH COLLECTIONS_PATHS),
    );
    @ENV{ keys %env } = values %env;
    open STDIN,  '<',  '/dev/null' or die "stdin: $!\n";
    open STDERR, '>&', \*STDOUT    or die "stderr: $!\n";
    exec @command or die "$command[0]: $!\n";
}

1;
