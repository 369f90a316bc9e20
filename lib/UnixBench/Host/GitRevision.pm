package UnixBench::Host::GitRevision;

# Which revision a tree was checked out at, read from what git keeps there; without git.

use strict;
use warnings;

my $HASH = qr/[0-9a-f]{40}(?:[0-9a-f]{24})?/;

# Takes a function that takes an absolute path and returns the file's text, or undef, and the tree's directory; returns
# the hash of the commit, or undef where there is none.
sub of {
    my ($read, $tree) = @_;
    my $directory = _directory($read, "$tree/.git");
    my $head      = _line($read, "$directory/HEAD");
    my $hash      = _hash($head);
    return $hash if defined $hash;
    my ($ref) = $head =~ m{\Aref: (refs/[^\0]+)\z} or return;
    return if $ref =~ m{/[.][.]/};
    my $common = _beside($directory, _line($read, "$directory/commondir"));
    return _hash(_line($read, "$directory/$ref")) // _hash(_line($read, "$common/$ref"))
        // _packed($read, $common, $ref);
}

# In a further working tree .git is a file that says where the directory is.
sub _directory {
    my ($read, $path) = @_;
    my ($there) = _line($read, $path) =~ /\Agitdir: (.+)\z/;
    return defined $there ? _beside($path =~ s{/[.]git\z}{}r, $there) : $path;
}

sub _beside {
    my ($directory, $there) = @_;
    return $there =~ m{\A/} ? $there : length $there ? "$directory/$there" : $directory;
}

sub _packed {
    my ($read, $directory, $ref) = @_;
    my ($hash) = ($read->("$directory/packed-refs") // q{}) =~ /^($HASH) \Q$ref\E$/m;
    return $hash;
}

sub _hash {
    my ($line) = @_;
    return $line =~ /\A($HASH)\z/ ? $1 : undef;
}

sub _line {
    my ($read, $path) = @_;
    my ($line) = ($read->($path) // q{}) =~ /\A([^\n]*)/;
    return $line;
}

1;
