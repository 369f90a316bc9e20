package HostTree;

# Machines that are made of files: invented ones, and recorded ones, each in one file, such as those of t/data/hosts. It
# has the path of a file of that machine, then its lines, each after two blanks. A file with one line is "PATH = LINE".
# "\0" stands for a byte of 0, "\\" for a backslash, and "\c" at the end for a text whose last line has no end. A line
# with "#" at its beginning is a comment.

use strict;
use warnings;

use Exporter 'import';
use File::Basename qw(basename dirname);
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
    my (%text, $path);
    for my $line (grep { !/\A#/ } split /^/, text_of(($folder // $RECORDED) . "/$name")) {
        if    ($line =~ m{\A(/.*?) = (.*)\z}s) { $text{$1} = $2 }
        elsif ($line =~ m{\A(/\N*)\n\z})       { $text{ $path = $1 } = q{} }
        elsif ($line =~ /\A  (.*)\z/s)         { $text{$path} .= $1 }
        else                                   { die "$name: a line without a path: $line" }
    }
    for my $text (values %text) {
        $text =~ s/\\c\n\z//;
        $text =~ s/\\([0\\])/$CHARACTER{$1}/g;
    }
    return %text;
}

# Takes the same; returns the directory that has them, which exists until the end of the test.
sub recorded_tree {
    my ($name) = @_;
    return $tree{$name} //= host_tree(recorded_files($name));
}

1;
