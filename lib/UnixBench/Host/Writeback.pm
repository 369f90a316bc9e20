package UnixBench::Host::Writeback;

# Whether pages are on their way to a disk; on systems that do not tell, none is.

use strict;
use warnings;

use UnixBench::Host::Root ();

# Takes what stands before /proc, nothing by default.
sub new {
    my ($class, $before) = @_;
    return bless { root => UnixBench::Host::Root->new($before) }, $class;
}

# Returns whether some page is being written right now.
sub is_under_way {
    my ($self) = @_;
    my ($kb)   = ($self->{root}->text('/proc/meminfo') // q{}) =~ /^Writeback:\s+([0-9]{1,15}) kB$/m;
    return ($kb // 0) > 0;
}

1;
