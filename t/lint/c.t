use strict;
use warnings;

use File::Temp ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib", "$FindBin::Bin/../lib";
use Needs qw(note_without skip_without);
use Passed;
use Tree qw(is_here text);

# Each C program compiles without a warning, by each compiler that is here, at the ends of the scale; cppcheck
# finds nothing.
my $object  = File::Temp->new;
my @sources = glob 'src/*.c src/*/*.c src/*/*/*.c xt/*.c t/lib/*.c t/interbench/*.c t/multiuser/*.c';
my $DIALECT = '-std=c17 -D_GNU_SOURCE= -Wall -Wextra';
my $PLACES  = '-Isrc -Isrc/base';
my $ALL     = "$PLACES -Isrc/interbench -Isrc/multiuser";
if (!has_opengl()) {
    note_without(tool => 'the OpenGL headers');
    @sources = grep { text($_) !~ m{<GL/} } @sources;
}

my $passed = Passed->new(c => map { qx($_ --version 2>&1) } qw(gcc clang cppcheck));
for my $compiler (qw(gcc clang)) {
SKIP: {
        skip_without(tool => $compiler, 1) if !is_here($compiler);
        for my $flags ('-O0', '-O3 -ffast-math -march=native') {
            compiles("$compiler $flags $DIALECT $PLACES", $_) for @sources;
        }
    }
}

SKIP: {
    skip_without(tool => 'cppcheck', 1) if !is_here('cppcheck');
    my $checks = '--enable=warning,performance,portability --suppress=missingIncludeSystem';
    my $text   = join q{}, $checks, map { text($_) } split /\n/, qx(find src -type f | sort);
    my $said   = $passed->has($text) ? q{} : qx(cppcheck --quiet --std=c17 $checks $ALL src 2>&1);
    is($said, '', 'cppcheck') and $passed->add($text);
}
$passed->keep;

done_testing;

# Takes the words of a compiler and a source. What the compiler says depends on the source with all that it includes.
sub compiles {
    my ($compiler, $source) = @_;
    my $command = join q{ }, $compiler, own_place($source);
    my $text    = "$command $source" . qx($command -E $source 2>&1);
    my $said    = $passed->has($text) ? q{} : qx($command -c -o $object $source 2>&1);
    is($said, '', "$command $source") and $passed->add($text);
    return;
}

# The sources of a program of many files, and its drivers in t, have the headers of src/PROGRAM.
sub own_place {
    my ($source) = @_;
    return $source =~ m{\A(?:src|t)/(interbench|multiuser)/} ? "-Isrc/$1" : q{};
}

sub has_opengl {
    return system('${CC:-cc} -E -include GL/glx.h -x c /dev/null >/dev/null 2>&1') == 0;
}
