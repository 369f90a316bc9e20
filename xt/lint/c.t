use strict;
use warnings;

use File::Temp ();
use FindBin;
use Test::More;

# Each C program compiles without a warning, by each compiler that is here, at the ends of the scale; cppcheck
# finds nothing.
chdir "$FindBin::Bin/../.." or die "chdir: $!\n";
my $object = File::Temp->new;

for my $compiler (qw(gcc clang)) {
SKIP: {
        skip "$compiler is not here", 1 if system("$compiler --version >/dev/null 2>&1") != 0;
        for my $flags ('-O0', '-O3 -ffast-math -march=native') {
            for my $source (glob 'src/*.c xt/*.c') {
                my $said = qx($compiler $flags -std=c17 -Wall -Wextra -Isrc -c -o $object $source 2>&1);
                is($said, '', "$compiler $flags $source");
            }
        }
    }
}

SKIP: {
    skip 'cppcheck is not here', 1 if system('cppcheck --version >/dev/null 2>&1') != 0;
    my $checks = '--enable=warning,performance,portability --suppress=missingIncludeSystem';
    my $said   = qx(cppcheck --quiet --std=c17 $checks -Isrc src 2>&1);
    is($said, '', 'cppcheck');
}

done_testing;
