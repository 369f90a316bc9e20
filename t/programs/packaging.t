# The recipes in packaging, and docs/packaging.md: licence, syntax, Perl modules, and whether the commands work.

use strict;
use warnings;

use Digest::MD5 ();
use File::Find  ();
use File::Temp  qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib", "$FindBin::Bin/../../lib";
use InPath             qw(path_of);
use Needs              qw(need_compiler note_without skip_without);
use SourceTree         qw(shell text_of);
use UnixBench::Version ();

my $ROOT     = "$FindBin::Bin/../..";
my $DOCUMENT = text_of("$ROOT/docs/packaging.md");
my $OE       = "openembedded/unixbench_$UnixBench::Version::VERSION.bb";

my $licence = Digest::MD5::md5_hex(text_of("$ROOT/LICENSE"));
like(text_of("$ROOT/packaging/$OE"), qr{"file://LICENSE;md5=$licence"}, 'OpenEmbedded knows the licence');

for my $case (['arch/PKGBUILD', 'bash'], ['alpine/APKBUILD', 'busybox', 'sh']) {
    my ($recipe, @shell) = @$case;
    if (!path_of($shell[0])) { note_without(tool => $shell[0]); next }
    is(shell("$ROOT/packaging", "@shell -n $recipe"), q{}, "$recipe is right for $shell[0]");
    is($?,                                            0,   "$recipe: exit status 0");
}

subtest 'the Perl modules that the suite loads' => sub {
    my @used = used_modules();
    my ($listed) = $DOCUMENT =~ /^    (B Config .*?)\n\n/ms;
    is_deeply([split q{ }, $listed], [@used], 'docs/packaging.md lists them')
        or diag "list these: @used";

    # Packages of OpenEmbedded: perl itself has the first three; Config.pm has a large second file.
    my @packages = map { lc "perl-module-$_" } map { s/::/-/gr } grep { !/^(?:strict|warnings|vars|Config)$/ } @used;
    my @depends  = text_of("$ROOT/packaging/$OE") =~ /^ +(perl-module-\S+) /mg;
    is_deeply(\@depends, [sort @packages, 'perl-module-config-heavy'], "$OE depends on them")
        or diag "depend on these: @packages";

    my ($beyond) = $DOCUMENT =~ /^Beyond Debian's `perl-base`, these are ([^.]*)[.]/m;
    my %in_base  = map { s{/}{::}gr => 1 } text_of("$ROOT/t/lib/PerlBase.pm") =~ m{\b([\w/]+)[.]pm\b}g;
    is_deeply([$beyond =~ /`(.*?)`/g], [grep { !$in_base{$_} } @used],
        'docs/packaging.md names those beyond perl-base');
};

subtest 'the commands of docs/packaging.md work in a fresh tree' => sub {
    need_compiler();
    skip_without(tool => 'GNU make') if `make --version 2>/dev/null` !~ /GNU Make/;
    my $tree = fresh_tree();

    # A few programs are enough, and short passes.
    delete local @ENV{qw(MAKEFLAGS UB_RESULTDIR UB_TMPDIR UB_CALLED_AS UB_BINDIR UB_TESTDIR)};
    local $ENV{MAKEFLAGS}      = q{PROGRAMS=execl\ syscall\ pipe};
    local $ENV{UB_TIME_FACTOR} = '0.02';
    local $ENV{HOME}           = tempdir(CLEANUP => 1);
    for my $command (map { /^    (.*)/ ? $1 : () } split /\n/, $DOCUMENT =~ s/^    B Config .*?\n\n//msr) {
        my ($compiler) = $command =~ /CC=(\S+)/;
        if ($compiler && !path_of($compiler)) { note_without(tool => $compiler); next }
        my $output = shell($tree, $command);
        is($?, 0, $command) or diag $output;
        like($output, qr/^System Call Overhead .*[0-9]$/m, 'it has a score') if $command =~ / syscall/;
    }
    is(shell($tree, 'find stage ! -type d'), q{}, 'uninstall leaves no file');
};

done_testing;

# Returns the names of the modules that the suite loads, except its own, sorted. Two are loaded without a statement:
# glob loads File::Glob, and File::Spec loads its part by a name that it computes.
sub used_modules {
    my %is_used = map { $_ => 1 } qw(File::Glob File::Spec::Unix);
    my $look    = sub {
        return if !-f || !/[.]pm\z/ && !m{/(?:Run|gfx-x11)\z};
        $is_used{$_} = 1 for text_of($_) =~ /^\s*(?:use|require)\s+([A-Za-z][\w:]*)/mg;
    };
    File::Find::find({ wanted => $look, no_chdir => 1 }, "$ROOT/lib", "$ROOT/Run", "$ROOT/pgms/gfx-x11");
    delete @is_used{ grep { /^UnixBench\b/ || /^v[0-9]/ } keys %is_used };
    return sort keys %is_used;
}

# Returns the path of a copy of the sources that has no built programs. It is removed at the end.
sub fresh_tree {
    my $tree = tempdir(CLEANUP => 1) . '/unixbench';
    local $ENV{tree} = $tree;
    shell($ROOT, 'mkdir "$tree" && cp -R Makefile Run *.md LICENSE build docs lib share src testdir pgms "$tree"');
    shell($tree, 'make clean');
    return $tree;
}
