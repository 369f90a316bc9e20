package Passed;

# Texts that have passed a slow check before and need not be checked again. The result depends only on the text and the
# settings. They are kept in build/passed, a file for each check with a line for each text; "make spotless" removes
# them.

use strict;
use warnings;

use Digest::SHA qw(sha256_hex);

# Takes the name of a check and the texts of its settings, such as the tool's version.
sub new {
    my ($class, $check, @settings) = @_;
    my $self = bless { file => "build/passed/$check", settings => sha256_hex(@settings), now => {} }, $class;
    $self->{before} = { map { $_ => 1 } _lines($self->{file}) };
    return $self;
}

# Returns whether this text has passed before.
sub has {
    my ($self, $text) = @_;
    my $sum = $self->_sum($text);
    $self->{now}{$sum} = 1 if $self->{before}{$sum};
    return $self->{now}{$sum};
}

# Records that this text has passed.
sub add {
    my ($self, $text) = @_;
    $self->{now}{ $self->_sum($text) } = 1;
    return;
}

# Saves the texts that passed in this run. Other texts from before are dropped.
sub keep {
    my ($self) = @_;
    mkdir 'build/passed';
    open my $file, '>', "$self->{file}.$$" or die "$self->{file}.$$: $!\n";
    print {$file} map { "$_\n" } sort keys %{ $self->{now} };
    close $file or die "$self->{file}.$$: $!\n";
    rename "$self->{file}.$$", $self->{file} or die "$self->{file}: $!\n";
    return;
}

sub _sum {
    my ($self, $text) = @_;
    return sha256_hex("$self->{settings} $text");
}

sub _lines {
    my ($path) = @_;
    open my $file, '<', $path or return;
    chomp(my @lines = <$file>);
    return @lines;
}

1;
