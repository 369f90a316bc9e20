package FleetTrial;

# A fleet of hosts with real SSH, measured by the Ansible collection. While the controller runs, the hosts are watched.
# Afterwards, the record and the list can be read.

use strict;
use warnings;

use File::Basename qw(dirname);
use File::Path     qw(make_path);
use File::Temp     ();
use JSON::PP       ();
use POSIX          ();
use Time::HiRes    ();

use NetworkHosts ();
use TestProgram  qw(content);

use constant PATIENCE_S => 1800;    # for the whole controller

# Takes the path of a release, which is in the root of its tree, a hash { host => hypervisor }, and further variables of
# the collection. Starts the hosts. The collection is that of the tree.
sub new {
    my ($class, $release, $shares, %variables) = @_;
    my $self = bless { place => File::Temp->newdir, shares => $shares, log => q{}, seen_at_once => {} }, $class;
    make_path("$self->{place}/collections/ansible_collections/unixbench");
    symlink dirname($release) . '/features/fleet/ansible',
        "$self->{place}/collections/ansible_collections/unixbench/fleet"
        or die "link: $!\n";
    $self->{hosts} = NetworkHosts->new(sort keys %$shares);
    my %all = (unixbench_release => $release, unixbench_results => "$self->{place}/results", %variables);
    $self->{inventory} =
        $self->{hosts}->inventory(all => \%all, map { $_ => { unixbench_shares => $shares->{$_} } } keys %$shares);
    return $self;
}

sub names {
    my ($self) = @_;
    my @names = sort keys %{ $self->{shares} };
    return @names;
}

sub host { my ($self, $name)  = @_; return $self->{hosts}->host($name) }
sub ssh  { my ($self, @words) = @_; return $self->{hosts}->ssh(@words) }

# Takes the name of a host; returns its hypervisor.
sub hypervisor { my ($self, $name) = @_; return $self->{shares}{$name} }

# Returns the directory of results.
sub results { my ($self) = @_; return "$self->{place}/results" }

# Takes the name of a playbook and further words; runs it to its end. Returns its exit status.
sub play {
    my ($self, @words) = @_;
    $self->begin(@words);
    return $self->finish;
}

# Takes a directory; returns the variables with which Ansible writes to that directory alone. By default it would find
# the connections to hosts of an earlier trial.
sub ansible_in {
    my ($place) = @_;
    return (
        ANSIBLE_HOME                 => "$place/ansible",
        ANSIBLE_SSH_CONTROL_PATH_DIR => "$place/connections",
        ANSIBLE_COLLECTIONS_PATHS    => "$place/collections",
    );
}

# Takes that directory; ends the connections that Ansible keeps.
sub end_connections {
    my ($place) = @_;
    system "ssh -q -o ControlPath='$_' -O exit host 2> /dev/null" for glob "$place/connections/*";
    return;
}

# Takes the name of a playbook and further words; starts it.
sub begin {
    my ($self, $playbook, @words) = @_;
    $self->{controller} = fork // die "fork: $!\n";
    return if $self->{controller};
    setpgrp;
    %ENV = (%ENV, ansible_in($self->{place}), ANSIBLE_FORKS => 20, PYTHONDONTWRITEBYTECODE => 1);
    open STDIN,  '<',  '/dev/null'          or die "stdin: $!\n";
    open STDOUT, '>>', "$self->{place}/log" or die "log: $!\n";
    open STDERR, '>&', \*STDOUT             or die "stderr: $!\n";
    exec 'ansible-playbook', '-v', '-i', $self->{inventory}, "unixbench.fleet.$playbook", @words
        or die "ansible-playbook: $!\n";
}

# Waits for the end of the playbook, and watches the hosts meanwhile; returns its exit status. Takes a function that is
# called again and again (optional). It may kill the controller, and start another playbook.
sub finish {
    my ($self, $meanwhile) = @_;
    my $until_s = Time::HiRes::time() + PATIENCE_S;
    until (waitpid $self->{controller}, POSIX::WNOHANG) {
        die "the controller does not end:\n" . $self->log if Time::HiRes::time() > $until_s;
        $self->_look;
        $meanwhile->() if $meanwhile;
        Time::HiRes::sleep(0.2);
    }
    delete $self->{controller};
    return $? >> 8;
}

# Kills the controller, with all of its processes.
sub kill_controller {
    my ($self) = @_;
    kill KILL => -$self->{controller};
    waitpid delete $self->{controller}, 0;
    return;
}

# Takes the name of a host; returns whether a measured program runs there. A stopped one does not.
sub is_measuring {
    my ($self, $name) = @_;
    return scalar grep { m{\A/\S+/release/pgms/} } @{ $self->host($name)->running };
}

# Returns the hypervisors on which two hosts were seen measuring at the same time.
sub seen_at_once {
    my ($self) = @_;
    my @names = sort keys %{ $self->{seen_at_once} };
    return @names;
}

# Returns what the controller has printed.
sub log { my ($self) = @_; return content("$self->{place}/log") }

# Takes the name of a file of the results; returns its text.
sub text { my ($self, $name) = @_; return content($self->results . "/$name") }

# Returns the events of the record, as hashes.
sub events {
    my ($self) = @_;
    return map { JSON::PP::decode_json($_) } split /\n/, $self->text('record.jsonl');
}

# Returns the lines of the list as hashes: host, shares, phase, try, outcome, reason, result. No field of it has quotes
# except the reason.
sub lines {
    my ($self) = @_;
    my ($first, @lines) = split /\n/, $self->text('machines.csv');
    my @columns = split /,/, $first;
    return map { my %line; @line{@columns} = /("(?:[^"]|"")*"|[^,]*)(?:,|\z)/g; \%line } @lines;
}

# Ends the connections and the hosts.
sub DESTROY {
    my ($self) = @_;
    local ($?, $@) = (0, q{});
    $self->kill_controller if $self->{controller};
    end_connections($self->{place});
    return;
}

# Notes the hypervisors on which more than one host measures.
sub _look {
    my ($self) = @_;
    my %count;
    $count{ $self->{shares}{$_} }++ for grep { $self->is_measuring($_) } $self->names;
    $self->{seen_at_once}{$_} = 1 for grep { $count{$_} > 1 } keys %count;
    return;
}

1;
