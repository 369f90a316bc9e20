#!/usr/bin/perl
# Checks the input data of the tests, the baseline and the logo.
use strict;
use warnings;

use Digest::SHA qw(sha256_hex);
use File::Temp  qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Needs qw(path_of skip_without);
use Place qw(text_of);

sub lines_with {
    my ($word, $text) = @_;
    return scalar grep { /\Q$word/ } split /\n/, $text;
}

my $text  = text_of('testdir/sort.src');
my @words = split ' ', $text;
is $text =~ tr/\n//,         360, 'sort.src: lines';
is lines_with('the', $text), 35,  'sort.src: lines with "the"';
cmp_ok abs(@words - 1200),        '<=', 12, 'sort.src: words';
cmp_ok abs(length($text) - 8550), '<=', 86, 'sort.src: bytes';

my $trace = text_of('testdir/large.txt');
is $trace =~ tr/\n//,          10_000, 'large.txt: lines';
is lines_with('gimp', $trace), 1_032,  'large.txt: lines with "gimp"';
my $SHA256 = '6d6923837a9356023619b7d63f93afd0f45cdde725e38043c8d47944c6c6e1f2';
is sha256_hex($trace), $SHA256, 'large.txt is the text that it always was';
for my $awk (grep { defined path_of($_ =~ s/ .*//r) } 'awk', 'mawk', 'gawk', 'original-awk', 'busybox awk') {
    is sha256_hex(scalar `LC_ALL=C $awk -f testdir/make-large.awk`), $SHA256, "large.txt by $awk";
}

my $program = text_of('testdir/cctest.c');
cmp_ok abs(($program =~ tr/\n//) - 160), '<=', 8,   'cctest.c: lines';
cmp_ok abs(length($program) - 3_600),    '<=', 100, 'cctest.c: bytes';
SKIP: {
    my ($compiler) =
        grep { system("$_ -fsyntax-only testdir/cctest.c >/dev/null 2>&1") == 0 } qw(gcc cc clang musl-gcc);
    skip_without(tool => 'a C compiler with its headers', 4) if !$compiler;
    my $object = tempdir(CLEANUP => 1) . '/cctest.o';
    for my $standard (qw(c89 c99 c11 c2x)) {
        my $said = `$compiler -std=$standard -pedantic -Wall -Wextra -O2 -c -o $object testdir/cctest.c 2>&1`;
        is $said, '', "cctest.c: no warning with $standard";
    }
}

SKIP: {
    skip_without(tool => 'dc', 1) if system('command -v dc >/dev/null 2>&1') != 0;
    my $root = `dc < testdir/dc.dat` =~ s/\\\n//gr;
    is $root,
        "1.414213562373095048801688724209698078569671875376948073176679737990732478462107038850387534327641572\n",
        'dc.dat: sqrt(2) to 99 decimals';
}

my $logo = text_of('pgms/unixbench.logo');
unlike $logo, qr/aborting|lps|MWIPS|-{71}|={72}/, 'unixbench.logo: no text that scripts search for in a report';

done_testing;
