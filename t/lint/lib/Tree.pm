package Tree;

# The tree that the lint tests check: its files, and the rooms of lib/UnixBench and the features. Loading this
# module changes to the root of the tree.

use strict;
use warnings;

use Cwd ();
use Exporter 'import';
use File::Basename ();

use lib map { File::Basename::dirname(__FILE__) . "/../../$_" } qw(lib ../lib);
use Place                                                       qw(text_of);
use UnixBench::Features                                         qw(loaded);

our @EXPORT_OK = qw(
    features files flags_of is_here is_perl is_program is_removed modules perl_files perl_part rooms test_folders
    text_of
);

chdir File::Basename::dirname(Cwd::abs_path(__FILE__)) . '/../../..' or die "chdir: $!\n";

# Returns whether a tool can be run.
sub is_here {
    my ($tool) = @_;
    return system("$tool --version >/dev/null 2>&1") == 0;
}

# Returns whether a file is a module, a test or a script in Perl.
sub is_perl {
    my ($path) = @_;
    return $path =~ /[.](?:pm|t|pl)$/ || text_of($path) =~ m{\A#!.*\bperl\b|^#!perl$}m;
}

# Returns the Perl text of a file, without the shell script that it may begin with.
sub perl_part {
    my ($path) = @_;
    return text_of($path) =~ s/\A.*(?=^#!perl$)//msr;
}

# Returns the folders of tests: those of the core, of features, and of large programs.
sub test_folders { return ('t', sort glob 'features/*/t features/*/src/t') }

# Returns the files of the tree, also those that were not added to Git yet. It leaves out files that were built, or that
# runs wrote.
sub files {
    my @files = grep { -f } split /\n/, qx(git ls-files -co --exclude-standard 2>/dev/null);
    return @files if @files;
    my @places = qw(.ci build debian docs features lib packaging pgms/*.sh pgms/gfx-x11 share src t testdir lab);
    my @all    = split /\n/, qx(find Run *.md LICENSE Makefile @places -type f 2>/dev/null);
    return grep { !m{\A(?:build/(?:axe|passed|drivers)|t/long/screenshots)/} } @all;
}

# Takes a name; returns whether it is that of a feature that was removed. Git knows it, or there is no Git.
sub is_removed {
    my ($name) = @_;
    return !-d "features/$name" && (!-e '.git' || length qx(git ls-files features/$name)) ? 1 : 0;
}

# Returns the paths of all Perl files of the tree: modules, tests and scripts.
sub perl_files {
    my @perl = sort grep { is_perl($_) } files();
    return @perl;
}

# Takes the path of a Perl file; returns whether runs load it. Others are tests, scripts, and what these load.
sub is_program {
    my ($path) = @_;
    return $path =~ m{\A(?:Run\z|pgms/|(?:features/\w+/)?lib/)};
}

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

# Takes declarations of features; returns the flags of their options, and of those of their formats, that no command of
# the core has.
sub flags_of {
    my (@declared) = @_;
    my %is_of_core =
        map { $_ => 1 }
        map { _flags(loaded("Command::$_")->can('declaration')->()) } qw(Compare Explain Measure Report);
    my @formats  = map { @{ $_->{formats} || [] } } @declared;
    my @commands = map { $_->() } map { values %{ $_->{commands} || {} } } @declared;
    return grep { !$is_of_core{$_} } (map { "--$_->{kind}" } grep { defined $_->{text} } @formats),
        map { _flags($_) } @declared, @commands;
}

# Takes a declaration, or a group of options; returns the flags of its options.
sub _flags {
    my ($of) = @_;
    return map { !ref ? $_ : $_->{flag} // _flags($_) } @{ $of->{options} || [] }, @{ $of->{groups} || [] };
}

sub _code { my ($path) = @_; return text_of($path) =~ s/^\s*#.*$//mgr }

1;
