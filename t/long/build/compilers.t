# Older compilers, which refuse newer standards of C and lack what came with them, are enough: all programs are built
# without a warning, and each does a little work.

use strict;
use warnings;

use File::Compare qw(compare);
use File::Temp    ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Needs      qw(need_tools);
use Place      qw(text_of write_file write_program);
use SourceTree qw(shell);

my $ROOT  = "$FindBin::Bin/../../..";
my $PLACE = File::Temp->newdir;
need_tools('gcc');
my %work = shell($ROOT, 'make -s brief') =~ /^(\S+) (.*)$/mg;

# What gcc has got since 4.8: a header, operators and a builtin function.
mkdir "$PLACE/old" or die "old: $!\n";
write_file("$PLACE/old/stdatomic.h", "#error since gcc 4.9\n");
write_file(
    "$PLACE/old/since.h", join q{},
    "#undef __has_include\n",
    map { "#define $_ since_gcc_4_8\n" } qw(_Atomic _Generic __builtin_add_overflow __builtin_mul_overflow)
);

# Writes a compiler that is gcc 4.8 as far as that goes, and refuses these standards; returns its path.
sub gcc_without {
    my (@standards) = @_;
    my $refused     = join '|', map { "-std=$_" } @standards;
    my $refusal     = 'echo "unrecognized option $word" >&2; exit 1';
    my $old         = "-isystem $PLACE/old -include since.h";
    return write_program("$PLACE/gcc-without-$standards[-1]",
        qq{#!/bin/sh\nfor word; do case \$word in $refused) $refusal ;; esac; done\nexec gcc $old "\$@"\n});
}

# Takes a name, a compiler and more words for make. Builds all programs; returns the directory.
sub built {
    my ($name, $compiler, @words) = @_;
    my $said =
        shell($ROOT, "make -s GRAPHIC_TESTS= PORTABLE=yes PROGDIR='$PLACE/$name' CC='$compiler' @words programs");
    is($said, q{}, "$name: all programs are built without a warning");
    return "$PLACE/$name";
}

# Takes a directory of programs, and the names of programs; tests that each does its work.
sub work {
    my ($directory, @names) = @_;
    my @faults = grep { shell($ROOT, "'$directory/$_' $work{$_} </dev/null >/dev/null 2>&1") || $? } @names;
    is("@faults", q{}, "$directory: each program does its work");
    return;
}

sub flags_of {
    my ($directory) = @_;
    return text_of("$directory/build.info") =~ /^flags=(.*)$/m ? $1 : 'none';
}

my $usual = built('gcc', 'gcc');
work($usual, sort keys %work);
is(flags_of($usual), '-O3 -ffast-math', 'the usual standard is not recorded');
for my $case ([[qw(c17 gnu17 c18)], '-std=c11'], [[qw(c17 gnu17 c18 c11 gnu11)], '-std=gnu99']) {
    my ($refused, $standard) = @$case;
    my $directory = built("with$standard", gcc_without(@$refused));
    is(flags_of($directory), "-O3 -ffast-math $standard", "$standard is recorded");
    my @different = grep { compare("$usual/$_", "$directory/$_") } sort keys %work;
    is(join(q{ }, grep { $_ ne 'interbench' } @different), q{}, "$standard: the measured programs have the same bytes");
    work($directory, @different);
}
work(built('c99', 'gcc', 'STANDARD=-std=c99 UB_GCC_OPTIONS=-O1'), sort keys %work);

done_testing;
