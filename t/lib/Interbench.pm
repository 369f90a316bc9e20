package Interbench;

# Runs pgms/interbench for tests: never for the kept calibration of this user, and with small files.

use strict;
use warnings;

use Exporter qw(import);
use JSON::PP ();
use Test::More;

use Alive       qw(eventually group);
use TestProgram qw(command content finish run scratch start);

our @EXPORT_OK = qw(allowed_cpus begin children end_of interbench is_clean json_of);

my $CACHE = scratch();

# The environment of each.
sub _env { return { XDG_CACHE_HOME => $CACHE, TMPDIR => $_[0] // $CACHE, UB_SCRATCH => undef } }

# Starts it with -c and these words; %$how as for TestProgram's start, and scratch, its TMPDIR.
sub begin {
    my ($how, @words) = @_;
    my $command = [@{ $how->{before} // [] }, @{ command('interbench', '-c', @words) }];
    return start($command, %$how, env => _env($how->{scratch}));
}

sub end_of { return finish($_[0]) }

# Runs it to its end: { status, out, err }.
sub interbench { my ($how, @words) = @_; return finish(begin($how, @words)) }

# Runs it with --json and returns what that says, with the result under "result"; dies when there is none.
sub json_of {
    my ($how, @words) = @_;
    my $file   = scratch() . '/result.json';
    my $result = interbench($how, @words, '--json', $file);
    open my $in, '<', $file or die "no result: $result->{err}\n";
    local $/ = undef;
    return { %{ JSON::PP->new->decode(scalar <$in>) }, result => $result };
}

# The children of a running one by name: { load => pid, task => pid, guardian => pid }, once all those are there.
sub children {
    my ($running, @names) = @_;
    my %found;
    eventually(
        sub {
            %found = _children($running->{pid});
            return !grep { !$found{$_} } @names;
        }
    );
    return \%found;
}

sub _children {
    my ($parent) = @_;
    my %found;
    for my $stat (map { content($_) } glob '/proc/[0-9]*/stat') {
        my ($pid, $name, $of) = $stat =~ /\A(\d+) \((?:interbench-)?(\w+)\) \S (\d+)/ or next;
        $found{$name} = $pid if $of == $parent;
    }
    return %found;
}

# Tests that nothing of it is left: no process of the groups of its children, no file.
sub is_clean {
    my ($children, $directory, $what) = @_;
    my @left = @{ eventually(sub { my @all = _alive($children); return @all ? 0 : [] }) || [_alive($children)] };
    is "@left",                                     '', "$what: no process is left";
    is join(' ', TestProgram::entries($directory)), '', "$what: no file is left" if defined $directory;
    return;
}

sub _alive {
    my ($children) = @_;
    return map { group($_) } values %$children;
}

# The CPUs that a process, by default this one, may use.
sub allowed_cpus {
    my ($process) = @_;
    my ($list)    = content('/proc/' . ($process // 'self') . '/status') =~ /^Cpus_allowed_list:\s*(\S+)/m;
    return map { /(\d+)-(\d+)/ ? $1 .. $2 : $_ } split /,/, $list // q{};
}

1;
