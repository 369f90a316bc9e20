# The packages, and docs/packaging.md: placeholders, conflicts, Perl modules, installed documents, and whether the
# commands work.

use strict;
use warnings;

use File::Find ();
use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/../../../$_" } qw(t/lib lib);
use Needs                                   qw(need_compiler note_without path_of skip_without);
use SourceTree                              qw(fresh_tree shell text_of);

my $ROOT     = "$FindBin::Bin/../../..";
my $DOCUMENT = text_of("$ROOT/docs/packaging.md");

# A package => how it says that it conflicts with others that have bin/interbench.
my %CONFLICT = (
    'debian/control'               => qr/^Conflicts: interbench$/m,
    'packaging/rpm/unixbench.spec' => qr/^Conflicts: +interbench$/m,
);
like(text_of("$ROOT/$_"), $CONFLICT{$_}, "$_ names the conflict") for sort keys %CONFLICT;

subtest 'placeholders are found, and explained in one place' => sub {
    my @lines = split /\n/, shell($ROOT, 'packaging/placeholders.sh');
    is($? >> 8, 1, 'the script ends with exit status 1 if there are any');
    for my $package (sort keys %CONFLICT) {
        ok(scalar(grep { index($_, "$package:") == 0 } @lines), "it names $package");
    }
    my $place = tempdir(CLEANUP => 1);
    local $ENV{place} = $place;
    shell($ROOT,  'cp -R --parents SECURITY.md debian packaging $(find features -name galaxy.yml) "$place"');
    shell($place, q{find . -type f -exec sed -i 's/unixbench[.]invalid/bench.test/' {} +});
    is(shell($place, 'packaging/placeholders.sh'), q{}, 'it prints nothing if everything is filled in');
    is($?,                                         0,   'exit status 0');
};

# What a user without the sources reads.
subtest 'installed documents' => sub {
    my %place = map { $_ => tempdir(CLEANUP => 1) } 'unixbench', './Run';
    for my $command (sort keys %place) {
        local @ENV{qw(command place)} = ($command, $place{$command});
        is(shell($ROOT, 'sh build/documents.sh "$command" "$place"'), q{}, "$command: they are copied");
        my @documents = map { s{^\Q$place{$command}\E/}{}r } glob "$place{$command}/*.md $place{$command}/docs/*.md";
        is_deeply(
            [sort @documents],
            [sort qw(README.md USAGE.md CHANGES.md docs/tests.md), split q{ }, `cd "$ROOT"; echo docs/*.md`],
            'all of them'
        );
        my (@dead, @passages, @names);
        for my $document (@documents) {
            my $text  = text_of("$place{$command}/$document");
            my ($dir) = "$place{$command}/$document" =~ m{(.*)/};
            push @dead,     map { "$document: $_" } grep { !/^\w+:/ && !-e "$dir/$_" } $text =~ /\]\(([^)#]+)/g;
            push @passages, $document if $text =~ /<!--|make setup|clone the repository/;
            push @names,    $document if $text =~ m{(?<![\w/.-])[.]/Run\b};
        }
        is("@dead",     q{}, 'they have no dead links');
        is("@passages", q{}, 'nor passages about the source tree');
        is_deeply(\@names, $command eq './Run' ? \@names : [], 'nor another name of the command');
        like(text_of("$place{$command}/README.md"), qr/^    \Q$command\E --quick +an estimate/m, 'README has its name');
    }
    like(text_of("$place{unixbench}/USAGE.md"), qr/^    unixbench --setup$/m, 'so has USAGE');
    my $same = "$place{'./Run'}/docs/tests.md";
    is(text_of($same), text_of("$ROOT/share/tests.md"), 'a document without links and names stays as it is');
};

subtest 'the Perl modules that the suite loads' => sub {
    my @used = used_modules();
    my ($listed) = $DOCUMENT =~ /^    (B Config .*?)\n\n/ms;
    is_deeply([split q{ }, $listed], [@used], 'docs/packaging.md lists them')
        or diag "list these: @used";

    my ($beyond) = $DOCUMENT =~ /^Beyond Debian's `perl-base`, these are ([^.]*)[.]/m;
    my %in_base  = map  { s{/}{::}gr => 1 } text_of("$ROOT/t/lib/PerlBase.pm") =~ m{\b([\w/]+)[.]pm\b}g;
    my @beyond   = grep { !$in_base{$_} } @used;
    is_deeply([$beyond =~ /`(.*?)`/g], \@beyond, 'docs/packaging.md names those beyond perl-base');
};

subtest 'the commands of docs/packaging.md work in a fresh tree' => sub {
    need_compiler();
    skip_without(tool => 'GNU make') if `make --version 2>/dev/null` !~ /GNU Make/;
    my $tree = fresh_tree('unixbench');

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
    File::Find::find(
        { wanted => $look, no_chdir => 1 },
        map({ "$ROOT/$_" } qw(lib Run pgms/gfx-x11)),
        glob "$ROOT/features/*/lib"
    );
    delete @is_used{ grep { /^UnixBench\b/ || /^v[0-9]/ } keys %is_used };
    my @used = sort keys %is_used;
    return @used;
}
