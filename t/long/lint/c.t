use strict;
use warnings;

use File::Temp ();
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/../../../$_" } qw(t/lint/lib t/lib);
use CDriver                                 qw(include_places texts_of);
use Needs                                   qw(note_without skip_without);
use Passed;
use Tree qw(is_here text_of);

# Each C program compiles without a warning, with each compiler that is installed, with the lowest and the highest
# optimisation. cppcheck finds nothing.
my $object  = File::Temp->new;
my @sources = split /\n/, qx(find src features t lab -name '*.c' | sort);
my $DIALECT = '-std=c17 -D_GNU_SOURCE= -Wall -Wextra';
my @FOLDERS = ('src', glob 'features/*/src');
my $PLACES  = join q{ }, '-Isrc/base', map { "-I$_" } @FOLDERS;
if (!has_opengl()) {
    note_without(tool => 'the OpenGL headers');
    @sources = grep { text_of($_) !~ m{<GL/} } @sources;
}

my $passed = Passed->new(
    c => (map { scalar qx($_ --version 2>&1) } qw(gcc clang cppcheck)),
    map { system_headers($_) } qw(gcc clang)
);
for my $compiler (qw(gcc clang)) {
SKIP: {
        skip_without(tool => $compiler, 1) if !is_here($compiler);
        for my $flags ('-O0', '-O3 -ffast-math -march=native') {
            compiles("$compiler $flags $DIALECT", $_) for @sources;
        }
    }
}

SKIP: {
    skip_without(tool => 'cppcheck', 1) if !is_here('cppcheck');
    my $checks = '--inline-suppr --enable=warning,performance,portability --suppress=missingIncludeSystem';
    my $text   = join q{},  $checks, map { text_of($_) } split /\n/, qx(find @FOLDERS -type f | sort);
    my $tests  = join q{ }, map { "-i $_" } glob 'features/*/src/t';
    my $said   = $passed->has($text) ? q{} : qx(cppcheck --quiet --std=c17 $checks $PLACES $tests @FOLDERS 2>&1);
    is($said, '', 'cppcheck finds nothing in the programs') and $passed->add($text);
}
$passed->keep;

done_testing;

# Takes the words of a compiler and a source. The result depends on the source and all files that it includes. Stops
# before the assembler, which finds no errors of its own.
sub compiles {
    my ($compiler, $source) = @_;
    my $command = join q{ }, $compiler, map { "-I$_" } include_places($source);
    my $text    = join q{},  "$command $source", texts_of($source);
    my $said    = $passed->has($text) ? q{} : qx($command -S -o $object $source 2>&1);
    is($said, '', "no warning from $command $source") and $passed->add($text);
    return;
}

# Takes a compiler; returns the preprocessed text of all system headers that the sources include.
sub system_headers {
    my ($compiler) = @_;
    my %names      = map { $_ => 1 } map { text_of($_) =~ /^\s*#\s*include\s*<([^>]+)>/mg } @sources, split /\n/,
        qx(find @FOLDERS -name '*.h');
    my $all = File::Temp->new(SUFFIX => '.c');
    print {$all} map { "#if __has_include(<$_>)\n#include <$_>\n#endif\n" } sort keys %names;
    close $all or die "$all: $!\n";
    return scalar qx($compiler -D_GNU_SOURCE= -P -E $all 2>&1);
}

sub has_opengl {
    return system('${CC:-cc} -E -include GL/glx.h -x c /dev/null >/dev/null 2>&1') == 0;
}
