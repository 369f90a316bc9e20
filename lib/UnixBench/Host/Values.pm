package UnixBench::Host::Values;

# What single files of /proc and /sys say: a line, a number, a chosen word, a list of CPUs.

use strict;
use warnings;

use parent 'UnixBench::Host::Root';

use constant IDS_MAX => 65_536;    # more CPUs than Linux can have

# Takes a path; returns the first line there without blanks and NULs around it, or undef when that is empty.
sub line {
    my ($self, $path) = @_;
    my ($line) = ($self->text($path) // q{}) =~ /\A[\s\0]*([^\n]*?)[\s\0]*(?:\n|\z)/;
    return defined $line && length $line ? $line : undef;
}

# Takes a path; returns the whole number there, from 0, or undef when it is none or absurdly long.
sub number {
    my ($self, $path) = @_;
    return ($self->line($path) // q{}) =~ /\A(\d{1,15})\z/ ? 0 + $1 : undef;
}

# Takes a path; returns the word that stands in brackets among others, or undef.
sub chosen {
    my ($self, $path) = @_;
    return ($self->line($path) // q{}) =~ /[\[(]([\w-]+)[\])]/ ? $1 : undef;
}

# Takes a path; returns the numbers of the list there, such as "0-2,5", in order, none when there is no list.
sub ids {
    my ($self, $path) = @_;
    return $self->ids_of($self->line($path) // q{});
}

# Takes such a list; returns its numbers.
sub ids_of {
    my ($self, $list) = @_;
    my %ids;
    for my $range (split /[,\s]+/, $list) {
        my ($first, $last) = $range =~ /\A(\d{1,5})(?:-(\d{1,5}))?\z/ or next;
        @ids{ $first .. $last // $first } = ();
        last if keys %ids > IDS_MAX;
    }
    my @ids = sort { $a <=> $b } map { 0 + $_ } keys %ids;
    return @ids;
}

# Takes a directory and the beginning of a name; returns the paths of what is called so and a number there, in the
# order of the numbers.
sub numbered {
    my ($self, $directory, $beginning) = @_;
    my @numbers = sort { $a <=> $b } map { /\A\Q$beginning\E(\d{1,9})\z/ ? $1 : () } $self->names($directory);
    return map { "$directory/$beginning$_" } @numbers;
}

# Takes paths; returns the different lines there in the order of appearance, joined with commas, or undef.
sub distinct {
    my ($self, @paths) = @_;
    my %seen;
    my @lines = grep { defined && !$seen{$_}++ } map { scalar $self->line($_) } @paths;
    return @lines ? join ', ', @lines : undef;
}

1;
