package Interbench;

# Runs of pgms/interbench for tests.

use strict;
use warnings;

use Exporter qw(import);
use Test::More;

use Place       qw(eventually group);
use TestProgram qw(command content finish scratch start);

our @EXPORT_OK = qw(allowed_cpus begin cells_of children end_of interbench is_clean measured);

my $PLACE = scratch();

# Takes a hash and words of the command line; starts interbench with -c. The hash has the keys of TestProgram's start,
# before (words before the command) and scratch (its TMPDIR).
sub begin {
    my ($how, @words) = @_;
    my $command = [@{ $how->{before} // [] }, @{ command('interbench', '-c', @words) }];
    return start($command, %$how, env => { TMPDIR => $how->{scratch} // $PLACE });
}

sub end_of { return finish($_[0]) }

# Runs interbench to its end; returns { status, out, err }.
sub interbench { my ($how, @words) = @_; return finish(begin($how, @words)) }

# The values of a cell in the protocol, in order.
my @VALUES =
    (qw(frames on_time late dropped work wake_p50 wake_p99), qw(p50 p95 p99 p99_9 max deviation throughput noisy));

# Takes an ended program that has printed the protocol; returns a hash for each cell: load, task, and the values, undef
# if they are unknown.
sub cells_of {
    my ($ended) = @_;
    my @cells;
    while ($ended->{err} =~ /^cell[.](\w+)[.](\w+)[|](.*)$/mg) {
        my %cell = (load => $1, task => $2);
        @cell{@VALUES} = map { $_ eq '-' ? undef : $_ } split /[|]/, $3;
        push @cells, \%cell;
    }
    return @cells;
}

# Runs interbench with the protocol; returns its cells.
sub measured { my (@words) = @_; return cells_of(interbench({}, @words, '--protocol')) }

# Takes a running interbench and names; waits for children with these names, and returns the process numbers of all: {
# load => pid, task => pid, guardian => pid }.
sub children {
    my ($running, @names) = @_;
    my %found;
    eventually(sub {
        %found = _children($running->{pid});
        return !grep { !$found{$_} } @names;
    });
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

# Tests that no process of the children's groups is left, and no file in the directory, if one is given.
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

# Takes the number of a process (default: this one); returns the CPUs that it may use.
sub allowed_cpus {
    my ($process) = @_;
    my ($list)    = content('/proc/' . ($process // 'self') . '/status') =~ /^Cpus_allowed_list:\s*(\S+)/m;
    return map { /(\d+)-(\d+)/ ? $1 .. $2 : $_ } split /,/, $list // q{};
}

1;
