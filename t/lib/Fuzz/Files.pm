package Fuzz::Files;

# Files of /proc and /sys that are nowhere but here.

use strict;
use warnings;

use parent 'UnixBench::Host::KernelFiles';

# Takes their paths.
sub new {
    my ($class, @paths) = @_;
    return bless { paths => \@paths, text => {} }, $class;
}

# Takes the text of each; those for which none is left are not there.
sub show {
    my ($self, @texts) = @_;
    $self->{text} = { map { $_ => shift @texts } @{ $self->{paths} } };
    return $self;
}

# In place of the two that read.
sub text { my ($self, $path) = @_; return $self->{text}{$path} }

sub names {
    my ($self, $path) = @_;
    return map { m{\A\Q$path\E/([^/]+)} ? $1 : () } sort @{ $self->{paths} };
}

1;
