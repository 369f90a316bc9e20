package CDriver;

# C files of the tree with the headers that they include, and small C programs beside the tests of a feature, which call
# modules of its program, for tests with known answers. Built files are kept in build/drivers, named by the content of
# their sources; "make spotless" removes them.

use strict;
use warnings;

use Cwd            ();
use Digest::SHA    qw(sha256_hex);
use Exporter       qw(import);
use File::Basename ();
use File::Temp     ();

use Place qw(text_of);

our @EXPORT_OK = qw(driver include_places plain_program said_by texts_of);

my $PLAIN    = '-std=c17 -D_GNU_SOURCE -O1 -Wall -Wextra -Werror';
my $FLAGS    = "$PLAIN -D_FILE_OFFSET_BITS=64 -g -pthread";
my $SANITIZE = '-fsanitize=address,undefined -fno-sanitize-recover=all';

# The folder of the test that runs, and its feature.
my ($TESTS, $FEATURE) = Cwd::abs_path($0) =~ m{/((features/\w+)/.+)/};

my $PLACE = _place();
my $compiler;

# Takes the name of a driver beside the test, and names of modules in the folder src of its feature or in src/base.
# Builds a driver from them, with the sanitizers of the compiler if they work here, and returns its path. Dies with the
# compiler's messages.
sub driver {
    my ($name, @modules) = @_;
    my $checks  = _can_check() ? $SANITIZE : q{};
    my @objects = map { _object($_, "$FLAGS $checks") } "$TESTS/$name.c", map { _source($_) } @modules;
    return _built("cc -pthread $checks @objects -lm");
}

# Takes the path of a C file; builds a program from it and returns its path. It has no sanitizers: their memory would
# count.
sub plain_program {
    my ($path) = @_;
    return _built('cc ' . _object($path, $PLAIN));
}

# Returns whether a program with sanitizers can run here. They are made for one C library; the compiler may use another.
sub _can_check {
    my $empty   = "echo 'int main(void) { return 0; }' | cc $SANITIZE -x c -";
    my $program = eval { _built($empty) };
    return defined $program && system("$program 2>/dev/null") == 0;
}

sub _object {
    my ($path, $flags) = @_;
    my $places = join q{ }, map { "-I$_" } include_places($path);
    return _built("cc $flags $places -c $path", texts_of($path));
}

# Takes a command that builds a file, and the texts that it reads. Returns the path of the file; a file that was built
# before is used again. Dies with the command's messages.
sub _built {
    my ($command, @texts) = @_;
    $compiler //= qx(cc --version 2>&1);
    my $path = "$PLACE/" . sha256_hex($compiler, $command, @texts) . ($command =~ / -c / ? '.o' : q{});
    return $path if -e $path;
    my $said = qx($command -o $path.$$ 2>&1);
    die "$command: $said\n" if $? != 0;
    rename "$path.$$", $path or die "$path: $!\n";
    return $path;
}

# Returns the folder for built files. If the tree is read-only, that is a temporary folder.
sub _place {
    my $build = Cwd::abs_path(File::Basename::dirname(__FILE__) . '/../../build');
    mkdir "$build/drivers";
    return -w "$build/drivers" ? "$build/drivers" : File::Temp->newdir;
}

sub _source {
    my ($module) = @_;
    return -e "src/base/$module.c" ? "src/base/$module.c" : "$FEATURE/src/$module.c";
}

# Takes the path of a driver and its arguments; returns the lines that it prints. Dies if it fails.
sub said_by {
    my ($program, @words) = @_;
    open my $said, '-|', $program, @words or die "$program: $!";
    chomp(my @lines = <$said>);
    close $said or die "$program @words: status $?\n";
    return @lines;
}

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
