package Calls;

# Which C files of a program call functions of which others, and circles among them.

use strict;
use warnings;

use Exporter 'import';

our @EXPORT_OK = qw(calls circles);

# Takes { path of a C file => its text }; returns { path => [paths of the files whose functions it names] }, without its
# own. Static functions, and main, belong to their file alone.
sub calls {
    my ($texts) = @_;
    my %code = map { $_ => _code($texts->{$_}) } keys %$texts;
    my %home;
    for my $path (sort keys %code) {
        $home{$_} = $path
            for grep { $_ ne 'main' } $code{$path} =~ /^(?!static\b|typedef\b)\w[\w \t*]*?\b(\w+)[(][^;{}]*?[)]\n[{]/mg;
    }
    my %calls;
    for my $path (keys %code) {
        my %named = map { $home{$_} => 1 } grep { $home{$_} } $code{$path} =~ /\b(\w+)\b/g;
        delete $named{$path};
        $calls{$path} = [sort keys %named];
    }
    return \%calls;
}

# Takes such calls; returns each group of files that all reach each other, as a list of paths.
sub circles {
    my ($calls) = @_;
    my %reaches = map { $_ => _reached($calls, $_) } keys %$calls;
    my (%seen, @circles);
    for my $path (sort keys %reaches) {
        next if $seen{$path};
        my @group = grep { $reaches{$path}{$_} && $reaches{$_}{$path} } sort keys %reaches;
        $seen{$_} = 1 for @group;
        push @circles, \@group if @group;
    }
    return @circles;
}

sub _reached {
    my ($calls, $from) = @_;
    my %reached;
    my @next = @{ $calls->{$from} };
    while (defined(my $path = shift @next)) {
        push @next, @{ $calls->{$path} } if !$reached{$path}++;
    }
    return \%reached;
}

# Returns the text without comments and strings.
sub _code {
    my ($text) = @_;
    return $text =~ s{/[*].*?[*]/|"(?:[^"\\\n]|\\.)*"}{}gsr;
}

1;
