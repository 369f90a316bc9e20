package UnixBench::Host::Memory;

# The memory that Linux has, and how it is paged.

use strict;
use warnings;

# Makes one. files: a Host::Values.
sub new {
    my ($class, %given) = @_;
    return bless {%given}, $class;
}

# Returns { total_kb, swap_kb, huge_pages => { transparent, count, size_kb } }, each undef where it is not known.
# transparent is the kernel's word, "always", "madvise" or "never"; count is that of the pages set aside.
sub facts {
    my ($self) = @_;
    my $text   = $self->{files}->text('/proc/meminfo') // q{};
    my %number = $text =~ /^(\w+):\s+(\d{1,15})(?: kB)?$/mg;
    my ($total_kb, $swap_kb, $count, $size_kb) =
        map { defined $number{$_} ? 0 + $number{$_} : undef } qw(MemTotal SwapTotal HugePages_Total Hugepagesize);
    return {
        total_kb   => $total_kb,
        swap_kb    => $swap_kb,
        huge_pages => {
            transparent => scalar $self->{files}->chosen('/sys/kernel/mm/transparent_hugepage/enabled'),
            count       => $count,
            size_kb     => $size_kb,
        },
    };
}

1;
