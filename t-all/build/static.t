# The static release: what is in it, and what it does without a C library that execl knows, and without Perl.

use strict;
use warnings;

use FindBin;
use JSON::PP ();
use Test::More;

use lib map { "$FindBin::Bin/../../$_" } qw(t-all/lib t/lib);
use InPath                               qw(path_of);
use Needs                                qw(need_tools skip_without);
use SourceTree                           qw(@DATA @SCRIPTS copy_of_tree shell text_of);
use TestProgram                          qw(write_file);
use UnixBench::Version;

skip_without(tool => 'GNU make') if `make --version 2>/dev/null` !~ /GNU Make/;
need_tools(qw(gcc tar xz readelf));

my $root = "$FindBin::Bin/../..";
my $tree = copy_of_tree('tree');
local $ENV{root} = $root;
my @copied = qw(features lib testdir Run);
shell($tree, "rm -rf pgms @copied; mkdir pgms; cp -R " . join q{ }, (map { qq{"\$root/$_"} } @copied), q{.});
shell($tree, "cp \"\$root/pgms/$_\" pgms") for @SCRIPTS;

# A release of three programs.
my $release = "unixbench-$UnixBench::Version::VERSION-";
my $make    = q{SOURCE_DATE_EPOCH=1 make -s static PROGRAMS='execl hanoi pipe' UB_GCC_OPTIONS=-O1};
my $said =
    shell($tree, "$make && cp $release*.xz first && touch src/*.c && umask 077 && $make && cmp first $release*.xz");
is($?, 0, 'two releases have the same bytes') or diag $said;
shell($tree, "mkdir out && tar -x --strip-components=1 -C out -f $release*.xz");
is(shell($tree, "sha256sum -c $release*.sha256 >/dev/null"), q{}, 'the checksum is right');
is($?,                                                       0,   'and fits');

my $out     = "$tree/out";
my @besides = map { qq{! -path "./$_/*"} } qw(features lib share);
my @lines   = map { s/\n//r } sort split /^/, shell($out, "find . -maxdepth 2 @besides");
my @PGMS    = (qw(build.info execl execl.static hanoi pipe), @SCRIPTS);
is_deeply(
    \@lines,
    [
        sort q{.},
        (map { "./$_" } qw(CHANGES.md LICENSE README.md USAGE.md Run docs docs/x features lib pgms share testdir)),
        (map { "./pgms/$_" } @PGMS),
        map { "./testdir/$_" } @DATA
    ],
    'the files of a release'
);

# Returns whether a program names a dynamic linker.
sub is_dynamic { return shell($out, "readelf -l pgms/$_[0]") =~ /program interpreter/ ? 1 : 0 }
is(is_dynamic('execl'), 1, 'execl is dynamically linked');
is(is_dynamic($_),      0, "$_ is statically linked") for qw(execl.static hanoi pipe);

# A static program has 0.7 MB of the C library, so those of the index share one file.
is(shell($out, '[ pgms/execl.static -ef pgms/pipe ] && echo same'),
    "same\n", 'the programs of the index are one file with several names');
like(shell($out, 'pgms/hanoi 0.01'),  qr/^COUNT[|]\d+[|]1[|]lps$/m, 'a program does its work');
like(shell($out, 'pgms/pipe 0.01 x'), qr/usage: pipe /,             'another name is another program');
like(
    shell($out, 'ln pgms/pipe other; ./other 0.01 2>&1'),
    qr/^ERROR[|].*several programs/,
    'an unknown name is refused'
);
is($? >> 8, 2, 'with exit status 2');

like(text_of("$out/pgms/build.info"), qr/^ldflags=-static\n(?:.*\n)*portable=yes$/m,
    'the record says how it was built');

# Runs the release; returns the linking of execl and the notes of its result.
sub measured {
    my $output = shell($out, 'UB_TIME_FACTOR=0.01 UB_OUTPUT_FILE_NAME=r UB_OUTPUT_JSON=true ./Run -q -i 1 -c 1 execl');
    is($?, 0, 'the release runs') or diag $output;
    my $result = JSON::PP::decode_json(text_of("$out/results/r.json"));
    my ($test) = @{ $result->{runs}[0]{tests} };
    return ($result->{build}{execl_linking}, join(q{; }, @{ $result->{notes} }), $test->{command}[0]);
}

my ($linking, $notes) = measured();
like($linking, qr/\Adynamically linked by /, 'the result says how execl is linked');
like(
    $notes,
    qr/portable build, .*; statically linked programs; execl is dynamically linked, as usual/,
    'so do the notes'
);

# A system with another C library has another linker.
my $execl = text_of("$out/pgms/execl");
$execl =~ s{(/lib\w*/)ld}{$1no} or die "execl has no dynamic linker\n";
write_file("$out/pgms/execl", $execl);
($linking, $notes) = measured();
like($linking, qr/\Astatically linked/, 'if execl can not be started, the static one is measured');
like($notes,   qr/statically linked programs, also execl: its score is not comparable/, 'and the notes say so');

# On i386, the objects of the one file share functions of the compiler.
for my $architecture (qw(i386 aarch64)) {
    my $compiler = { i386 => 'i686-linux-gnu-gcc', aarch64 => 'aarch64-linux-gnu-gcc' }->{$architecture};
SKIP: {
        skip_without(tool => $compiler, 2) if !path_of($compiler);
        $said = shell($tree, "make -s static CC=$compiler PROGRAMS='execl fstime spawn' UB_GCC_OPTIONS=-O3");
        is($?, 0, "a release for $architecture") or diag $said;
        $said = shell($tree, "tar -tf unixbench-$UnixBench::Version::VERSION-$architecture.tar.xz");
        like($said, qr{/pgms/spawn$}m, 'with its programs');
    }
}

mkdir "$out/bin" or die "bin: $!\n";
symlink path_of('sh'), "$out/bin/sh" or die "sh: $!\n";
is(
    shell($out, 'PATH="$PWD/bin" ./Run --version'),
    "./Run: there is no perl in PATH; install Perl 5.14 or newer\n",
    'without Perl there is one line'
);
is($? >> 8, 1, 'and exit status 1');

done_testing;
