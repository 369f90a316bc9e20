package UnixBench::Host::Root;

# The files of /proc and /sys; those of a recorded machine stand elsewhere.

use strict;
use warnings;

# Takes what stands before /proc and /sys, nothing by default.
sub new {
    my ($class, $before) = @_;
    my $self = bless { before => $before // '' }, $class;
    $self->{before} =~ s{/+$}{};
    return $self;
}

# Takes an absolute path; returns the text of that file, or undef when it can't be read.
sub text {
    my ($self, $path) = @_;
    return if $path =~ /\0/;    # what names a file may be anything
    open my $file, '<', "$self->{before}$path" or return;
    local $/ = undef;
    my $text = <$file>;
    close $file;
    return $text;
}

# Takes an absolute path; returns where that link leads to, or undef when it is none.
sub target {
    my ($self, $path) = @_;
    return readlink "$self->{before}$path";
}

# Takes the absolute path of a directory; returns the names in it, none when it can't be read.
sub names {
    my ($self, $path) = @_;
    opendir my $directory, "$self->{before}$path" or return;
    my @names = grep { !/^[.]{1,2}$/ } readdir $directory;
    closedir $directory;
    return @names;
}

1;
