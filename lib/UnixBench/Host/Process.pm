package UnixBench::Host::Process;

# How this process was started, as far as the measured programs inherit it: libraries that are loaded into them, nice
# value, scheduling class, CPUs.

use strict;
use warnings;

use constant { NICE => 16, POLICY => 38, ENTRIES_MOST => 20 };    # fields of /proc/self/stat behind the name, from 0

my %VARIABLE = map { lc $_ => $_ } qw(LD_PRELOAD LD_AUDIT LD_LIBRARY_PATH GLIBC_TUNABLES);

# The names of sched(7), by number.
my %CLASS = (
    0 => 'SCHED_OTHER',
    1 => 'SCHED_FIFO',
    2 => 'SCHED_RR',
    3 => 'SCHED_BATCH',
    5 => 'SCHED_IDLE',
    6 => 'SCHED_DEADLINE',
    7 => 'SCHED_EXT',
);

# Takes files => UnixBench::Host::Values and env => { variable => value }.
sub new {
    my ($class, %with) = @_;
    return bless {%with}, $class;
}

# Returns { ld_preload, ld_audit, ld_library_path, glibc_tunables, preload_file (what /etc/ld.so.preload names), nice,
# class, cpus (the list of those that it may use, where that is not all) }, each undef where it is not set or not known.
sub facts {
    my ($self) = @_;
    my ($env, $files) = @$self{qw(env files)};
    my %set  = map { $_ => _text($env->{ $VARIABLE{$_} }) } keys %VARIABLE;
    my @stat = split q{ }, ($files->text('/proc/self/stat') // q{}) =~ s/.*[)]//sr;
    return {
        %set,
        preload_file => $self->_preload_file,
        nice         => ($stat[NICE] // q{}) =~ /\A(-?[0-9]{1,2})\z/ ? 0 + $1                  : undef,
        class        => defined $stat[POLICY]                        ? $CLASS{ $stat[POLICY] } : undef,
        cpus         => scalar $self->_cpus,
    };
}

sub _text {
    my ($value) = @_;
    return defined $value && $value =~ /\S/ ? "$value" : undef;
}

# Names with blanks or colons between them; the rest of a line behind "#" is a comment.
sub _preload_file {
    my ($self) = @_;
    my @lines  = split /\n/, $self->{files}->text('/etc/ld.so.preload') // q{};
    my @names  = grep { length } map { split /[\s:]+/, s/#.*//r } @lines;
    return @names ? join q{ }, @names > ENTRIES_MOST ? (@names[0 .. ENTRIES_MOST - 1], '...') : @names : undef;
}

sub _cpus {
    my ($self)   = @_;
    my $files    = $self->{files};
    my ($list)   = ($files->text('/proc/self/status') // q{}) =~ /^Cpus_allowed_list:\s*(\S+)/m or return;
    my %is_usual = map { $_ => 1 } $files->ids('/sys/devices/system/cpu/online');
    my %is_own   = map { $_ => 1 } $files->ids_of($list);
    return (grep { !$is_own{$_} } keys %is_usual) ? $list : undef;
}

1;
