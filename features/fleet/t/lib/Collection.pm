package Collection;

# The Ansible collection on this machine: its playbook, with hosts that are directories of this machine and are reached
# by SSH.

use strict;
use warnings;

use Cwd qw(abs_path);
use Exporter 'import';
use File::Basename   qw(dirname);
use File::Path       qw(make_path);
use File::Temp       ();
use IO::Socket::INET ();
use JSON::PP         ();

use Alive       qw(eventually of_environment);
use InPath      qw(path_of);
use Needs       qw(skip_without);
use TestProgram qw(write_file);

our @EXPORT_OK = qw(python);

my $ROOT = abs_path(dirname(__FILE__) . '/../../../..');

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

# Ends the server, and the runs that a failed test has left.
sub DESTROY {
    my ($self) = @_;
    return if $self->{owner} != $$ || !$self->{place};
    local $? = 0;
    kill KILL => of_environment('UNIXBENCH_FLEET=' . $self->place);
    kill TERM => $self->{sshd} if $self->{sshd};
    return;
}

# Returns a path in the place of the controller; directories of hosts are in "hosts", results in "results".
sub place { my ($self, @below) = @_; return join q{/}, "$self->{place}", @below }

# Takes common variables, and { host => its variables }. Writes the inventory. A server of this user is each host.
# Nothing may start Python there.
sub inventory {
    my ($self, $common, $hosts) = @_;
    $self->{vars} = {
        ansible_host               => '127.0.0.1',
        ansible_port               => $self->_serve,
        ansible_ssh_common_args    => '-F ' . $self->place('ssh_config'),
        ansible_ssh_args           => '-o ControlMaster=auto -o ControlPersist=10s',
        ansible_python_interpreter => '/nowhere/python',
        unixbench_run              => "$ROOT/Run",
        unixbench_results          => $self->place('results'),
        unixbench_directory        => $self->place('hosts') . '/{{ inventory_hostname }}',
        %$common
    };
    return write_file($self->place('inventory.json'),
        JSON::PP->new->canonical->encode({ all => { vars => $self->{vars}, hosts => $hosts } }));
}

# Starts an SSH server for this user; returns its port. Skips the test if that is not possible.
sub _serve {
    my ($self) = @_;
    my $here   = $self->place;
    my $sshd   = _sshd() or skip_without(machine => 'sshd');
    my $port   = IO::Socket::INET->new(LocalAddr => '127.0.0.1', Listen => 1)->sockport;
    for my $key (qw(key host_key)) {
        system(qw(ssh-keygen -q -t ed25519 -N), q{}, '-f', "$here/$key") == 0 or die "ssh-keygen: $?\n";
    }
    write_file("$here/sshd_config", <<"END");
ListenAddress 127.0.0.1:$port
HostKey $here/host_key
AuthorizedKeysFile $here/key.pub
PidFile none
StrictModes no
UsePAM no
PermitRootLogin yes
Subsystem sftp internal-sftp
END
    write_file("$here/ssh_config", <<"END");
Host *
    IdentityFile $here/key
    IdentitiesOnly yes
    StrictHostKeyChecking no
    UserKnownHostsFile /dev/null
    BatchMode yes
    LogLevel ERROR
END
    mkdir '/run/sshd', 0755 if !$<;
    $self->{sshd} = fork // die "fork: $!\n";
    exec $sshd, '-D', '-f', "$here/sshd_config", '-E', "$here/sshd.log" or die "$sshd: $!\n" if !$self->{sshd};
    my @ssh = ('ssh', '-n', '-q', '-F', "$here/ssh_config", '-p', $port, '127.0.0.1', 'true');
    skip_without(machine => 'sshd for this user') if !eventually(sub { !system @ssh }, 10);
    return $port;
}

# Returns the path of sshd, or undef. An ordinary user's PATH lacks its directory.
sub _sshd {
    local $ENV{PATH} = "$ENV{PATH}:/usr/local/sbin:/usr/sbin";
    return path_of('sshd');
}

# Takes further words; runs the playbook to its end. Returns status, and text: all that it printed.
sub play {
    my ($self, @words) = @_;
    return $self->run($self->_playbook, @words);
}

# Starts the playbook in a process group of its own; returns the number of that group.
sub started {
    my ($self) = @_;
    my $pid = fork // die "fork: $!\n";
    return $pid if $pid;
    setpgrp;
    open STDOUT, '>', $self->place('said') or die "said: $!\n";
    return $self->_become($self->_playbook);
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
