package UnixBench::Halt;

# What is thrown when a run can't go on, and the test that was running has no part in that: the run ends and can be
# resumed. Where a text is wanted, it is its line.

use strict;
use warnings;

use Scalar::Util ();

use overload q{""} => sub { $_[0]->line }, fallback => 1;

# Takes the line that the user is told, with its newline.
sub new {
    my ($class, $line) = @_;
    return bless { line => $line }, $class;
}

sub line { my ($self) = @_; return $self->{line} }

# Takes what was thrown; returns whether it is one of these.
sub is_thrown {
    my ($thrown) = @_;
    return Scalar::Util::blessed($thrown) && $thrown->isa(__PACKAGE__) ? 1 : 0;
}

1;
