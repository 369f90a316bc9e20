# What users get: the release of the sources, a clone, and the static release.

use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use JSON::PP ();
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Needs      qw(need_tools path_of skip_without);
use SourceTree qw(@SCRIPTS copy_of_tree shell text_of);
use Place      qw(write_file);
use UnixBench::Version;

skip_without(tool => 'GNU make') if `make --version 2>/dev/null` !~ /GNU Make/;
need_tools(qw(gcc git readelf sha256sum tar xz));

my $ROOT   = "$FindBin::Bin/../../..";
my $NAME   = "unixbench-$UnixBench::Version::VERSION";
my $COMMIT = 'git init -q . && git add -A && git -c user.name=A -c user.email=a@bench.test commit -qm one';
my $MADE   = 'sha256sum share/unixbench.1 share/completion/*/*unixbench*';
my $HANOI  = 'make -s PROGRAMS=hanoi programs && pgms/hanoi -n 1 2>&1 | grep -c COUNT';

subtest 'the release of the sources' => sub {
    my $tree = copy_of_tree('tree');
    like(shell($tree, 'make -s dist'), qr/^make dist needs a git checkout$/m, 'a tree without git is refused');
    write_file("$tree/.gitignore", "unixbench-*\npgms/hanoi\n");
    shell($tree, $COMMIT);
    is(shell($tree, 'umask 022; make -s dist'), shell($tree, "sha256sum $NAME.tar.gz"), 'the checksum is printed');
    shell($tree, "mv $NAME.tar.gz first; touch -d tomorrow src/*.c; git status --short");
    shell($tree, 'umask 077; TZ=JST-9 LANG=de_DE make -s dist');
    is(shell($tree, "cmp first $NAME.tar.gz; rm first"),         q{}, 'two tarballs have the same bytes');
    is(shell($tree, "sha256sum -c --quiet $NAME.tar.gz.sha256"), q{}, 'the checksum fits');
    write_file("$tree/src/hanoi.c", "not C\n");
    like(shell($tree, 'make -s dist'), qr/^1 changed files? .* not committed/m, 'a change that is left out is named');
    shell($tree, "mkdir out && tar -x -C out -f $NAME.tar.gz");
    is(shell("$tree/out/$NAME", $MADE),  sums_of_made($tree), 'the tarball has the manual page and the completions');
    is(shell("$tree/out/$NAME", $HANOI), "1\n",               'the tarball has what was committed, and can be built');
};

my $tree = copy_of_tree('tree');
local $ENV{root} = $ROOT;
my @copied = qw(features lib testdir Run);
shell($tree, "rm -rf pgms @copied; mkdir pgms; cp -R " . join q{ }, (map { qq{"\$root/$_"} } @copied), q{.});
shell($tree, "cp \"\$root/pgms/$_\" pgms") for @SCRIPTS;

subtest 'the static release' => sub {
    my $make = q{SOURCE_DATE_EPOCH=1 make -s static PROGRAMS='execl hanoi pipe' UB_GCC_OPTIONS=-O1};
    my $said =
        shell($tree, "$make && cp $NAME-*.xz first && touch src/*.c && umask 077 && $make && cmp first $NAME-*.xz");
    is($?, 0, 'two releases have the same bytes') or diag $said;
    shell($tree, "mkdir out && tar -x --strip-components=1 -C out -f $NAME-*.xz && sha256sum -c $NAME-*.sha256");
    is($?, 0, 'the checksum fits');
    my $out        = "$tree/out";
    my %is_dynamic = map { $_ => shell($out, "readelf -l pgms/$_") =~ /program interpreter/ ? 1 : 0 }
        qw(execl execl.static hanoi pipe);
    is_deeply(\%is_dynamic, { execl => 1, 'execl.static' => 0, hanoi => 0, pipe => 0 }, 'execl alone is dynamic');
    ok(!-e "$out/src", 'it has no sources');
    is(shell($out, $MADE), sums_of_made($tree), 'it has the manual page and the completions');

    # A static program has 0.7 MB of the C library, so those of the index share one file.
    is(shell($out, '[ pgms/execl.static -ef pgms/pipe ] && echo same'), "same\n", 'the index is one file');
    like(shell($out, 'pgms/pipe 0.01 x'), qr/usage: pipe /, 'whose name says which program it is');
    like(text_of("$out/pgms/build.info"), qr/^ldflags=-static\n(?:.*\n)*portable=yes$/m, 'the record says so');
    my ($linking, $notes) = measured($out);
    like($linking, qr/\Adynamically linked by /,      'the result, too');
    like($notes,   qr/; statically linked programs;/, 'and its notes');

    # A system with another C library has another linker.
    my $execl = text_of("$out/pgms/execl");
    $execl =~ s{(/lib\w*/)ld}{$1no} or die "execl has no dynamic linker\n";
    write_file("$out/pgms/execl", $execl);
    ($linking) = measured($out);
    like($linking, qr/\Astatically linked/, 'if execl can not be started, the static one is measured');

    mkdir "$out/bin" or die "bin: $!\n";
    symlink path_of('sh'), "$out/bin/sh" or die "sh: $!\n";
    my $perl = "./Run: there is no perl in PATH; install Perl 5.14 or newer\n";
    is(shell($out, 'PATH="$PWD/bin" ./Run --version'), $perl, 'without Perl there is one line');
    is($? >> 8,                                        1,     'and exit status 1');
};

subtest 'the commands of RELEASING.md' => sub {
    need_tools('gpg');
    my $keys = tempdir(CLEANUP => 1);
    local $ENV{GNUPGHOME} = $keys;
    local $ENV{MAKEFLAGS} = q{PROGRAMS=execl\ hanoi UB_GCC_OPTIONS=-O1};
    my $user = 'A <a@bench.test>';
    shell($tree, "gpg --batch --pinentry-mode loopback --passphrase '' --quick-generate-key '$user'");
    shell($tree, "rm -rf out first; $COMMIT; git config user.name A; git config user.email a\@bench.test");
    my @commands = text_of("$ROOT/RELEASING.md") =~ /`((?:cat|git|gpg|make(?! reference)|sha256sum) [^`]+)`/g;
    cmp_ok(scalar @commands, '>=', 6, 'they are found');

    for my $command (map { s/\bVERSION\b/$UnixBench::Version::VERSION/gr } @commands) {
        my $said = shell($tree, $command);
        is($?, 0, $command) or diag $said;
    }
    like(shell($tree, "git tag -v $UnixBench::Version::VERSION"), qr/Good signature/, 'the tag is signed');
    like(shell($tree, 'gpg --verify SHA256SUMS.asc'),             qr/Good signature/, 'the checksums are signed');
    is(() = text_of("$tree/SHA256SUMS") =~ /^[0-9a-f]{64} /mg, 2, 'there are two');
    shell($tree, 'gpgconf --kill all; rm -r .git');
};

# Debian's C library for armhf needs ARMv7, whatever the flags are.
subtest 'static releases for other CPUs' => sub {
    my %compilers = (
        armv5  => 'arm-linux-gnueabi-gcc',
        armv6  => q{arm-linux-gnueabi-gcc' CFLAGS='-march=armv6 -mfpu=vfp -mfloat-abi=softfp},
        armhf  => 'arm-linux-gnueabihf-gcc -march=armv6 -mfpu=vfp -marm',
        mipsel => 'mipsel-linux-gnu-gcc'
    );
    need_tools(map { /([\w-]+)/ } sort values %compilers);
    for my $cpu (sort keys %compilers) {
        my $said = shell($tree, "make -s static PROGRAMS='execl whetstone-double' CC='$compilers{$cpu}'");
        is($?, 0, "$cpu: the release is made")             or diag $said;
        ok(-e "$tree/$NAME-$cpu.tar.xz", "$cpu: its name") or diag $said;
    }
};

done_testing;

# Takes a tree; returns the checksums of the manual page and the completions that it makes.
sub sums_of_made {
    my ($of) = @_;
    return shell($of, "place=\$(mktemp -d); build/reference --built \$place; cd \$place; $MADE; rm -r \$place");
}

# Runs a release; returns the linking of execl and the notes of its result.
sub measured {
    my ($out) = @_;
    my $output = shell($out, 'UB_TIME_FACTOR=0.01 UB_OUTPUT_FILE_NAME=r UB_OUTPUT_JSON=true ./Run -q -i 1 -c 1 execl');
    is($?, 0, 'the release runs') or diag $output;
    my $result = JSON::PP::decode_json(text_of("$out/results/r.json"));
    return ($result->{build}{execl_linking}, join q{; }, @{ $result->{notes} });
}
