package HostTree;

# Machines that are made of files: invented ones, and recorded ones, each in one file, such as those of t/data/hosts. It
# has the path of a file of that machine, then its lines, each after two blanks. A file with one line is "PATH = LINE".
# A path such as "cpu{0,1}" is that of several files; a list such as "{32K|48K}" in their text has the part of each. In
# the text of a single file, such lists have the parts of lines that are repeated, up to an empty line. "\0" stands for
# a byte of 0, "\\" for a backslash, and "\c" at the end for a text whose last line has no end. A line with "#" at its
# beginning is a comment.

use strict;
use warnings;

use Exporter 'import';
use File::Basename qw(basename dirname);
use File::Glob     qw(bsd_glob);
use File::Path     qw(make_path);
use File::Temp     ();

use Place qw(text_of write_file);

our @EXPORT_OK = qw(host_tree recorded_files recorded_hosts recorded_tree);

my $RECORDED  = dirname(__FILE__) . '/../data/hosts';
my %CHARACTER = (0 => "\0", q{\\} => q{\\});

my @kept;    # directories that exist until the end of the test
my %tree;

# Takes { path => text }; writes the files below a temporary directory and returns that directory.
sub host_tree {
    my (%text) = @_;
    push @kept, my $root = File::Temp->newdir;
    for my $path (sort keys %text) {
        make_path(dirname("$root$path"));
        write_file("$root$path", $text{$path});
    }
    return "$root";
}

# Returns the names of the recorded machines.
sub recorded_hosts {
    return map { basename($_) } glob "$RECORDED/*";
}

# Takes the name of a recorded machine, and perhaps the folder that has its file; returns { path => text } of its files.
sub recorded_files {
    my ($name, $folder) = @_;
    my (%written, $path, %text);
    for my $line (grep { !/\A#/ } split /^/, text_of(($folder // $RECORDED) . "/$name")) {
        if    ($line =~ m{\A(/.*?) = (.*)\z}s) { $written{$1} = $2 }
        elsif ($line =~ m{\A(/\N*)\n\z})       { $written{ $path = $1 } = q{} }
        elsif ($line =~ /\A  (.*)\z/s)         { $written{$path} .= $1 }
        else                                   { die "$name: a line without a path: $line" }
    }
    for my $paths (keys %written) {
        my @paths = bsd_glob($paths);
        @text{@paths} = @paths > 1 ? _parts($written{$paths}, scalar @paths) : join q{},
            map { _parts($_) } split /(?<=\n\n)/, $written{$paths};
    }
    for my $text (values %text) {
        $text =~ s/\\c\n\z//;
        $text =~ s/\\([0\\])/$CHARACTER{$1}/g;
    }
    return %text;
}

# Takes a text and perhaps a number, by default the length of its first list; returns that number of texts: with the
# first part of each list, with the second ...
sub _parts {
    my ($text, $number) = @_;
    $number //= $text =~ /[{](.*?)[}]/ ? 1 + $1 =~ tr/|// : 1;
    return map { my $at = $_; $text =~ s/[{](.*?)[}]/(split m{[|]}, $1)[$at]/ger } 0 .. $number - 1;
}

# Takes the name of a recorded machine; returns the directory that has its files until the end of the test.
sub recorded_tree {
    my ($name) = @_;
    return $tree{$name} //= host_tree(recorded_files($name));
}

1;
