package UnixBench::Host::Sysctl;

# What BSD and macOS tell by sysctl(8), where there is no /proc of Linux.

use strict;
use warnings;

# Each fact: its place, the names that different systems have for it, and what is read of their values.
my $NUMBER = qr/\A(\d{1,15})\s*\z/;
my $WORD   = qr/\A([\w-]+)\s*\z/;
my @FACTS  = (
    ['kernel hz',                 qr/\bhz = (\d{1,6})\b/,         'kern.clockrate'],
    ['kernel clock_source',       qr/\A(\S+)\s*\z/,               'kern.timecounter.hardware'],
    ['cpu sockets',               $NUMBER,                        'hw.packages'],
    ['cpu cores',                 $NUMBER,                        'hw.physicalcpu', 'kern.smp.cores'],
    ['cpu threads',               $NUMBER,                        'hw.logicalcpu',  'hw.ncpu'],
    ['cpu numa_nodes',            $NUMBER,                        'vm.ndomains'],
    ['cpu microcode',             $WORD,                          'machdep.cpu.microcode_version'],
    ['memory total_kb',           $NUMBER,                        'hw.memsize', 'hw.physmem64', 'hw.physmem'],
    ['memory swap_kb',            $NUMBER,                        'vm.swap_total'],
    ['virtualization hypervisor', $WORD,                          'kern.vm_guest'],
    ['load',                      qr/(\d[\d.]*(?: \d[\d.]*){2})/, 'vm.loadavg'],
    ['uptime_s',                  qr/sec = (\d{1,15})\b/,         'kern.boottime'],
);

# What makes of a text the fact: bytes are KB then, and the time of the start is how long ago it was.
my %MADE = (
    total_kb => sub { $_[0] / 1024 },
    swap_kb  => sub { $_[0] / 1024 },
    load     => sub {
        [map { 0 + $_ } split q{ }, $_[0]]
    },
    uptime_s => sub { $_[1] - $_[0] },
);

# Makes one. run and now: see Host.
sub new {
    my ($class, %given) = @_;
    return bless {%given}, $class;
}

# Takes what Facts::facts returns; puts in what is missing there and known here.
sub complete {
    my ($self, $facts) = @_;
    for my $row (@FACTS) {
        my ($place, $pattern, @names) = @$row;
        my ($fact, @groups) = reverse split / /, $place;
        my $group = @groups ? $facts->{ $groups[0] } : $facts;
        next if defined $group->{$fact};
        my $text = $self->_first($pattern, @names) // next;
        my $made = $MADE{$fact};
        $group->{$fact} = $made ? $made->($text, $self->{now}->()) : $text =~ $NUMBER ? 0 + $text : $text;
    }
    return;
}

sub _first {
    my ($self, $pattern, @names) = @_;
    for my $name (@names) {
        my $text = $self->{run}->(['sysctl', '-n', $name]);
        return $1 if defined $text && $text =~ $pattern;
    }
    return;
}

1;
