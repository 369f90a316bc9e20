package NetworkHosts;

# Several hosts on this one machine, for tests of programs that reach hosts by SSH. Each host is a NetworkHosts::Host.
# They and the test are connected by a bridge that only they can see. All hosts end with the object, or with the test.

use strict;
use warnings;

use Exporter 'import';
use File::Temp ();
use JSON::PP   ();

use InPath             qw(path_of);
use Needs              qw(need_tools skip_without);
use NetworkHosts::Host ();
use TestProgram        qw(content write_file);

our @EXPORT_OK = qw(enter_network);

# Addresses for tests of networks (RFC 2544).
use constant {
    OWN_ADDRESS => '198.18.0.254/24',
    ADDRESS     => '198.18.0.%d',
};

# Runs this test again in a network of its own, in which hosts can be started. A test calls this before anything else.
# Skips the test if the machine can't have such networks. Signals end the test with its hosts.
sub enter_network {
    if ($ENV{UB_IN_NETWORK}) {
        $SIG{$_} = sub { exit 1 }
            for qw(HUP INT TERM);
        return;
    }
    need_tools(qw(unshare nsenter ip mount find ssh ssh-keygen));
    skip_without(machine => 'sshd') if !_sshd();
    skip_without(machine => 'network namespaces, as root')
        if system 'unshare --net --mount --pid --uts --ipc --fork ip link add x type veth peer name y 2>/dev/null';
    local $ENV{UB_IN_NETWORK} = 1;
    exec qw(unshare --net --mount), $^X, (map { "-I$_" } grep { !ref } @INC), $0, @ARGV
        or die "unshare: $!\n";
}

# Takes at most 250 names of hosts; starts the hosts. Dies if one can't be started. An optional hash before the names
# has the key shared: a directory of this machine, which is /srv on all hosts. Everything else there is read-only.
sub new {
    my ($class, @names) = @_;
    my %with = ref $names[0] ? %{ shift @names } : ();
    my $self = bless { place => File::Temp->newdir, names => [@names], owner => $$ }, $class;
    $self->_make_keys;
    _run(qw(ip link add fleet type bridge));
    _run(qw(ip address add), OWN_ADDRESS, qw(dev fleet));
    _run(qw(ip link set),    $_,          'up') for qw(fleet lo);
    my %number = map { $names[$_] => $_ + 1 } 0 .. $#names;
    $self->_write('sshd/hosts', join q{}, "127.0.0.1 localhost\n", map { _address($number{$_}) . " $_\n" } @names);
    $self->{host} = { map { $_ => $self->_host($_, number => $number{$_}, %with) } @names };
    $_->boot for map { $self->{host}{$_} } @names;
    $self->_write_config;
    return $self;
}

# Takes a name; returns the NetworkHosts::Host.
sub host {
    my ($self, $name) = @_;
    return $self->{host}{$name} || die "$name: no such host\n";
}

# Returns the path of a configuration file for ssh, with which the names of the hosts are known.
sub ssh_config { my ($self) = @_; return "$self->{place}/config" }

# Makes the names of the hosts known to all calls of ssh in this network.
sub be_known {
    my ($self) = @_;
    _run(qw(mount --bind), $self->ssh_config, '/etc/ssh/ssh_config');
    return;
}

# Takes the name of a host and a command line; runs it there by ssh. Returns its output, and sets $? to its wait status.
sub ssh {
    my ($self, $name, $line) = @_;
    open my $from, '-|', qw(ssh -n -q -F), $self->ssh_config, $name, "exec 2>&1; $line" or die "ssh: $!\n";
    local $/ = undef;
    my $text = readline $from;
    close $from;
    return $text // q{};
}

# Takes { name of a host => { variable => value } } with variables of hosts, which may be empty, and perhaps one key
# "all" with variables of all hosts. Writes an inventory for Ansible; returns its path.
sub inventory {
    my ($self, %variables) = @_;
    my %all       = (ansible_ssh_common_args => '-F ' . $self->ssh_config, %{ delete $variables{all} || {} });
    my $inventory = { all => { vars => \%all, hosts => { map { $_ => $variables{$_} || {} } @{ $self->{names} } } } };
    return $self->_write('inventory.json', JSON::PP->new->canonical->pretty->encode($inventory));
}

# Ends all hosts, and the bridge.
sub DESTROY {
    my ($self) = @_;
    return if $self->{owner} != $$;
    local ($?, $@) = (0, q{});
    delete $self->{host};
    system qw(ip link delete fleet);
    return;
}

# Makes a key of the hosts, a key of their user, and what sshd needs to know them.
sub _make_keys {
    my ($self) = @_;
    mkdir "$self->{place}/sshd" or die "mkdir: $!\n";
    _run(qw(ssh-keygen -q -t ed25519 -C), 'test', '-N', q{}, '-f', "$self->{place}/$_") for qw(key sshd/host_key);
    $self->_write('sshd/authorized_keys', content("$self->{place}/key.pub"));
    $self->_write('known_hosts',          'hosts ' . content("$self->{place}/sshd/host_key.pub"));
    $self->_write('sshd/config',          <<'END');
HostKey /run/sshd/host_key
AuthorizedKeysFile /run/sshd/authorized_keys
PidFile none
UsePAM no
PrintLastLog no
PrintMotd no
PasswordAuthentication no
MaxStartups 100
END
    return;
}

sub _host {
    my ($self, $name, %with) = @_;
    return NetworkHosts::Host->new(
        %with,
        name    => $name,
        address => _address($with{number}),
        files   => "$self->{place}/sshd",
        sshd    => _sshd(),
    );
}

sub _address { my ($number) = @_; return sprintf ADDRESS, $number }

sub _write_config {
    my ($self) = @_;
    my @hosts = map { "Host $_\n    HostName " . $self->host($_)->address . "\n" } @{ $self->{names} };
    $self->_write('config', join(q{}, @hosts) . <<"END");
Host *
    User root
    IdentityFile $self->{place}/key
    IdentitiesOnly yes
    UserKnownHostsFile $self->{place}/known_hosts
    GlobalKnownHostsFile /dev/null
    HostKeyAlias hosts
    BatchMode yes
    ConnectTimeout 5
    LogLevel ERROR
END
    return;
}

sub _write {
    my ($self, $name, $text) = @_;
    return write_file("$self->{place}/$name", $text);
}

# Returns the path of sshd, or undef. An ordinary user's PATH lacks its directory.
sub _sshd {
    local $ENV{PATH} = "$ENV{PATH}:/usr/local/sbin:/usr/sbin";
    return path_of('sshd');
}

sub _run {
    my (@command) = @_;
    system(@command) == 0 or die "@command: failed\n";
    return;
}

1;
