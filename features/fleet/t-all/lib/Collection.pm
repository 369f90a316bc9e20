package Collection;

# The Ansible collection on this machine: its playbooks, with hosts that are directories, and its Python modules.

use strict;
use warnings;

use Cwd qw(abs_path);
use Exporter 'import';
use File::Basename qw(dirname);
use File::Path     qw(make_path);
use File::Temp     ();
use JSON::PP       ();

use Alive       qw(of_environment);
use TestProgram qw(content write_file);

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
    my $above   = $self->place('ansible_collections');
    make_path("$above/unixbench");
    write_file("$above/__init__.py",        q{});
    write_file($self->place('ansible.cfg'), "[defaults]\n");
    symlink "$ROOT/features/fleet/ansible", "$above/unixbench/fleet" or die "link: $!\n";
    return $self;
}

# Ends the runs that a failed test has left.
sub DESTROY {
    my ($self) = @_;
    local $? = 0;
    kill KILL => of_environment('UNIXBENCH_FLEET=' . $self->place) if $self->{owner} == $$ && $self->{place};
    return;
}

# Returns a path in the place of the controller; host directories are in "hosts", results in "results".
sub place { my ($self, @below) = @_; return join q{/}, "$self->{place}", @below }

# Takes common variables, and { host => its variables }. Writes the inventory. Hosts are directories of this machine.
sub inventory {
    my ($self, $common, $hosts) = @_;
    my %vars = (
        ansible_connection  => 'local',
        unixbench_results   => $self->place('results'),
        unixbench_directory => $self->place('hosts') . '/{{ inventory_hostname }}',
        %$common
    );
    make_path($self->place('hosts'));
    return write_file($self->place('inventory.json'),
        JSON::PP->new->canonical->encode({ all => { vars => \%vars, hosts => $hosts } }));
}

# Writes a program that stands for ssh, and fails like ssh if no host can be reached; returns its path.
sub no_ssh {
    my ($self) = @_;
    my $path = write_file($self->place('no-ssh'), "#!/bin/sh\necho 'ssh: no route to host' >&2\nexit 255\n");
    chmod 0755, $path or die "$path: $!\n";
    return $path;
}

# Takes the name of a playbook, and further words. Runs it to its end; returns status, and text: all that it printed.
sub play {
    my ($self, $playbook, @words) = @_;
    return $self->run('ansible-playbook', '-i', $self->place('inventory.json'), "unixbench.fleet.$playbook", @words);
}

# Takes a command; runs it with the collection in its path and without the settings of this user. Returns the same.
sub run {
    my ($self, @command) = @_;
    my $pid = open(my $out, '-|') // die "fork: $!\n";
    if (!$pid) {
        my %env = (
            HOME => $self->place('home'),
            (map { +"ANSIBLE_$_" => $self->place } qw(COLLECTIONS_PATH COLLECTIONS_PATHS)),
            PYTHONPATH              => $self->place,
            PYTHONDONTWRITEBYTECODE => 1,
            ANSIBLE_CONFIG          => $self->place('ansible.cfg'),
            ANSIBLE_NOCOLOR         => 1,
        );
        @ENV{ keys %env } = values %env;
        open STDIN,  '<',  '/dev/null' or die "stdin: $!\n";
        open STDERR, '>&', \*STDOUT    or die "stderr: $!\n";
        exec @command or die "$command[0]: $!\n";
    }
    local $SIG{ALRM} = sub { kill KILL => $pid; die "@command: no end\n" };
    alarm $LIMIT_S;
    my $text = do { local $/ = undef; readline $out };
    close $out;
    alarm 0;
    return { status => $? >> 8, text => $text };
}

# Returns the events of the record, as hashes.
sub events {
    my ($self) = @_;
    return map { JSON::PP::decode_json($_) } split /\n/, content($self->place('results/record.jsonl'));
}

# Returns the lines of the list of machines, without the first one and the reasons, as "host phase try outcome".
sub outcomes {
    my ($self) = @_;
    my (undef, @lines) = split /\n/, content($self->place('results/machines.csv'));
    return map { join q{ }, (split /,/)[0, 2 .. 4] } @lines;
}

1;
