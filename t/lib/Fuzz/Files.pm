package Fuzz::Files;

# Files of /proc and /sys that exist in memory only.

use strict;
use warnings;

use parent 'UnixBench::Host::KernelFiles';

# Takes the paths of the files.
sub new {
    my ($class, @paths) = @_;
    return bless { paths => \@paths, text => {} }, $class;
}

# Takes the text of each file, in the order of the paths. Files without a text do not exist.
sub show {
    my ($self, @texts) = @_;
    $self->{text} = { map { $_ => shift @texts } @{ $self->{paths} } };
    return $self;
}

# These methods replace those that read files.
sub process_stats {
    my ($self) = @_;
    my %text = map { $_ => $self->{text}{"/proc/$_/stat"} } grep { /\A[0-9]+\z/ } $self->names('/proc');
    return { map { defined $text{$_} ? ($_ => $text{$_}) : () } keys %text };
}

sub text { my ($self, $path) = @_; return $self->{text}{$path} }

sub names {
    my ($self, $path) = @_;
    return map { m{\A\Q$path\E/([^/]+)} ? $1 : () } sort @{ $self->{paths} };
}

1;
