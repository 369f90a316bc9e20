package Rooms;

# The rooms of lib/UnixBench and the features, and searches for modules that use them in the wrong direction.

use strict;
use warnings;

use Exporter 'import';

our @EXPORT_OK = qw(features modules rooms strangers unloaded);

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

# Takes modules, features, and the names of rooms from the lowest up; returns a line for each use of a module in a room
# above, or in a feature. A feature may use the rooms below the highest one, and the features that it declares. A fully
# qualified name is a use, like a line with use or require.
sub strangers {
    my ($modules, $features, @rooms) = @_;
    my %height = map { $rooms[$_] => $_ } 0 .. $#rooms;
    my @found;
    for my $module (sort keys %$modules) {
        my $room    = _room($module);
        my $highest = $height{$room} // ($features->{$room} ? $#rooms - 1 : next);
        my %is_used = map { $_ => 1 } $room, @{ $features->{$room} || [] };
        push @found, map { "$module uses $_" }
            grep { !$is_used{ _room($_) } && ($height{ _room($_) } // @rooms) > $highest }
            _named_in($modules->{$module});
    }
    return @found;
}

# Takes modules; returns a line for each module that calls another one without a line with use or require. Such a module
# would rely on a third one to load the other.
sub unloaded {
    my ($modules) = @_;
    my @found;
    for my $module (sort keys %$modules) {
        my $code      = $modules->{$module};
        my %is_loaded = map { $_ => 1 } $module, $code =~ /\b(?:use|require|parent) '?UnixBench::([\w:]+)/g;
        my %called    = map { $_ => 1 } map { _module_in($modules, $_) } $code =~ /\bUnixBench::(\w+(?:::\w+)*)/g;
        push @found, map { "$module calls $_" } grep { !$is_loaded{$_} } sort keys %called;
    }
    return @found;
}

# Takes a qualified name; returns the longest part of it that is a module, or nothing.
sub _module_in {
    my ($modules, $name) = @_;
    while (!$modules->{$name}) {
        $name =~ s/::\w+\z// or return;
    }
    return $name;
}

sub _named_in {
    my ($code) = @_;
    my %named  = map { $_ => 1 } $code =~ /\bUnixBench::((?:[A-Z]\w*::)*[A-Z]\w*)/g;
    my @named  = sort keys %named;
    return @named;
}

sub _room { my ($module) = @_; return $module =~ s/::.*//sr }

sub _code {
    my ($path) = @_;
    open my $file, '<:raw', $path or die "$path: $!\n";
    local $/ = undef;
    my $text = readline $file;
    return $text =~ s/^\s*#.*$//mgr;
}

1;
