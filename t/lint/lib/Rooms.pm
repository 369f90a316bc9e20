package Rooms;

# The rooms of lib/UnixBench and the features, and searches for modules that use them in the wrong direction.

use strict;
use warnings;

use Exporter 'import';

our @EXPORT_OK = qw(features modules rooms);

my $LIB = 'lib/UnixBench';

# Takes the text of DESIGN.md; returns the names of the rooms in its table, from the lowest up.
sub rooms {
    my ($design) = @_;
    my ($table)  = $design =~ /^## Rooms\n(.*?)^##? /ms or die "DESIGN.md has no rooms\n";
    return $table =~ /^[|] (?!room)(\w+)/mg;
}

# Takes the root of a tree; returns { room of a feature => [the rooms of the features that it uses] }.
sub features {
    my ($root) = @_;
    my %uses;
    for my $path (glob "$root/features/*/$LIB/*.pm") {
        my ($room) = $path        =~ m{(\w+)[.]pm\z};
        my ($used) = _code($path) =~ /^ +(?:return \{ )?uses +=> \[qw\(([^)]*)\)\]/m;
        $uses{$room} = [map { ucfirst } split q{ }, $used // q{}];
    }
    return \%uses;
}

# Takes the root of a tree; returns { name of a module, below UnixBench => its code, without comments }.
sub modules {
    my ($root) = @_;
    my @paths  = split /\n/, qx(cd '$root' && find $LIB features/*/$LIB -name '*.pm' 2>/dev/null);
    return { map { s{.*\b$LIB/}{}r =~ s/[.]pm\z//r =~ s{/}{::}gr => _code("$root/$_") } @paths };
}

sub _code {
    my ($path) = @_;
    open my $file, '<:raw', $path or die "$path: $!\n";
    local $/ = undef;
    my $text = readline $file;
    return $text =~ s/^\s*#.*$//mgr;
}

1;
