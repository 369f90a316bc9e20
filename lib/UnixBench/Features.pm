package UnixBench::Features;

# Finds the features. Each is a folder of the suite's folder features, and can be removed. Its modules are in its folder
# lib, in the room of its name. The first one, such as UnixBench::Rank of the feature rank, has a sub declaration. This
# returns { key => value, ... } of the places where the feature takes part; names of modules are those in its room:
#
#   uses      [names of other features that it needs]
#   commands  { name => module }, see UnixBench::Command
#
# The other modules are loaded when they are needed.

use strict;
use warnings;

my $FOLDER = __FILE__ =~ s{UnixBench/Features[.]pm\z}{../features}r;

my @features = map { _declared($_) } _names();

# Returns the features by name: { name, the keys of its declaration }.
sub all { return @features }

# Takes a key of declarations whose value is { name => module, ... }; returns { name => package, ... } of all features.
sub packages {
    my ($key) = @_;
    my %package;
    for my $feature (@features) {
        my $modules = $feature->{$key} || {};
        $package{$_} = _room($feature->{name}) . "::$modules->{$_}" for keys %$modules;
    }
    return \%package;
}

# Takes the name of a package; loads its module, and returns the name.
sub loaded {
    my ($package) = @_;
    my $path = "$package.pm" =~ s{::}{/}gr;
    require $path;
    return $package;
}

# Returns the names of the features, sorted. A folder without modules is none.
sub _names {
    opendir my $directory, $FOLDER or return;
    my @names = sort grep { /\A[a-z]+\z/ && -d "$FOLDER/$_/lib" } readdir $directory;
    return @names;
}

sub _declared {
    my ($name) = @_;
    push @INC, "$FOLDER/$name/lib";
    return { %{ loaded(_room($name))->can('declaration')->() }, name => $name };
}

sub _room { my ($name) = @_; return 'UnixBench::' . ucfirst $name }

1;
