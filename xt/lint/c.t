use strict;
use warnings;

use File::Temp ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Tree qw(is_here text);

# Each C program compiles without a warning, by each compiler that is here, at the ends of the scale; cppcheck
# finds nothing.
my $object  = File::Temp->new;
my @sources = glob 'src/*.c src/*/*.c xt/*.c t/lib/*.c t/interbench/*.c t/multiuser/*.c';
my $DIALECT = '-std=c17 -D_GNU_SOURCE= -Wall -Wextra';
my $PLACES  = '-Isrc -Isrc/base';
if (!has_opengl()) {
    diag 'not compiled: what needs the OpenGL headers, which are not here';
    @sources = grep { text($_) !~ m{<GL/} } @sources;
}

for my $compiler (qw(gcc clang)) {
SKIP: {
        skip "$compiler is not here", 1 if !is_here($compiler);
        for my $flags ('-O0', '-O3 -ffast-math -march=native') {
            for my $source (@sources) {
                my $said = qx($compiler $flags $DIALECT $PLACES @{[own_place($source)]} -c -o $object $source 2>&1);
                is($said, '', "$compiler $flags $source");
            }
        }
    }
}

SKIP: {
    skip 'cppcheck is not here', 1 if !is_here('cppcheck');
    my $checks = '--enable=warning,performance,portability --suppress=missingIncludeSystem';
    my $said   = qx(cppcheck --quiet --std=c17 $checks $PLACES src 2>&1);
    is($said, '', 'cppcheck');
}

done_testing;

# A driver of t/PROGRAM has the headers of src/PROGRAM.
sub own_place {
    my ($source) = @_;
    return $source =~ m{\At/(interbench|multiuser)/} ? "-Isrc/$1" : q{};
}

sub has_opengl {
    return system('${CC:-cc} -E -include GL/glx.h -x c /dev/null >/dev/null 2>&1') == 0;
}
