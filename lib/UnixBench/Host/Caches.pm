package UnixBench::Host::Caches;

# The caches of Linux' processors.

use strict;
use warnings;

use constant CPU => '/sys/devices/system/cpu';

my %KB = (K => 1, M => 1024, G => 1024**2);

# Makes one. files: a Host::Values.
sub new {
    my ($class, %given) = @_;
    return bless {%given}, $class;
}

# Returns [{ level, type, size_kb, count }, ...] of what is online, in this order, or undef when nothing is known. A
# cache that several CPUs share counts once; type is the kernel's word, "Data", "Instruction" or "Unified".
sub facts {
    my ($self) = @_;
    my %sharers;
    for my $cpu ($self->{files}->numbered(CPU, 'cpu')) {
        for my $directory ($self->{files}->numbered("$cpu/cache", 'index')) {
            my ($kind, $cpus) = $self->_cache($directory) or next;
            $sharers{$kind}{ length $cpus ? $cpus : $cpu } = 1;
        }
    }
    my @caches = sort { _order($a, $b) } map { _counted($_, $sharers{$_}) } keys %sharers;
    return @caches ? \@caches : undef;
}

# Its level, type and size in one text, and the CPUs that share it.
sub _cache {
    my ($self, $directory) = @_;
    my ($level, $type, $size, $cpus) =
        map { $self->{files}->line("$directory/$_") // q{} } qw(level type size shared_cpu_list);
    my $kind = "$level $type $size";
    return $kind =~ /\A[1-9] \w{1,40} \d{1,9}[KMG]\z/ ? ($kind, $cpus) : ();
}

sub _counted {
    my ($kind, $sharers) = @_;
    my ($level, $type, $size, $unit) = $kind =~ /\A(\d) (\w+) (\d+)(\w)\z/;
    return { level => 0 + $level, type => $type, size_kb => $size * $KB{$unit}, count => scalar keys %$sharers };
}

sub _order {
    my ($first, $second) = @_;
    return
           $first->{level} <=> $second->{level}
        || $first->{type} cmp $second->{type}
        || $second->{size_kb} <=> $first->{size_kb};
}

1;
