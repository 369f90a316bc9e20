package CSource;

# C files of the tree, and the headers that they include.

use strict;
use warnings;

use Exporter 'import';

use Place qw(text_of);

our @EXPORT_OK = qw(include_places texts_of);

# Returns the folders in which a file finds headers of the tree.
sub include_places {
    my ($path) = @_;
    return ('src', 'src/base', $path =~ m{\A(features/\w+)/} ? "$1/src" : ());
}

# Returns the texts of a C file and of all files of the tree that it includes.
sub texts_of {
    my ($path) = @_;
    my @places = include_places($path);
    my (%seen, @texts);
    my @paths = ($path);
    while (defined(my $next = shift @paths)) {
        next if $seen{$next}++;
        my $text   = text_of($next);
        my $beside = $next =~ s{/[^/]*\z}{}r;
        push @texts, $text;
        for my $name ($text =~ /^\s*#\s*include\s*["<]([^">]+)[">]/mg) {
            push @paths, grep { -e } map { "$_/$name" } $beside, @places;
        }
    }
    return @texts;
}

1;
