# The record of a build, and builds that are the same everywhere.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Needs      qw(need_tools skip_without);
use SourceTree qw(copy_of_tree shell text_of);

skip_without(tool => 'GNU make') if `make --version 2>/dev/null` !~ /GNU Make/;
my $root = "$FindBin::Bin/../../..";

# Takes the arguments of record.sh, as words of the shell; returns the record as { key => value }.
sub record {
    my ($words) = @_;
    return { map { /^(\w+)=(.*)$/ ? ($1 => $2) : () } split /\n/, shell($root, "sh build/record.sh $words") };
}

is(shell($root, 'SOURCE_DATE_EPOCH=86400 sh build/record.sh --time'),
    "time=1970-01-02T00:00:00Z\n", 'the time of the build is SOURCE_DATE_EPOCH');
like(shell($root, 'sh build/record.sh --time'), qr/^time=20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$/, 'or now');

subtest 'native and portable' => sub {
    need_tools('gcc');
    my $native = record(q{gcc '-O3 -march=native' -s});
    is_deeply([sort keys %$native], [qw(compiler cpu flags ldflags libc version)], 'a native build has a CPU');
    is_deeply([sort keys %{ record(q{gcc -O3 ''}) }], [qw(compiler flags ldflags libc version)], 'no other flags');
    is(record(q{gcc -O3 '' yes})->{portable},                 'yes', 'a portable build says so');
    is(record(q{gcc '-O3 -march=native' '' yes})->{portable}, undef, 'not if a flag says otherwise');

    my $here = record(q{"$(command -v gcc) -B/x" '-O3 -isystem /a/b -I/c -I /d -ffile-prefix-map=/e=. -specs=/f/hard'}
            . q{ '-s -L/g -L /h -Wl,-rpath,/i' yes});
    is_deeply([@$here{qw(compiler flags ldflags)}], ['gcc', '-O3 -specs=hard', '-s'], 'a portable build has no path');
};

# Distributions set a level for all packages. UB_GCC_OPTIONS alone may choose that of the suite.
subtest 'the same code at each level of optimisation in CFLAGS' => sub {
    need_tools(qw(gcc objdump));
    my $tree = copy_of_tree('levels');
    my $code = sub {
        my ($words) = @_;
        shell($tree, "rm -f pgms/dhry2reg; make PORTABLE=yes PROGRAMS=dhry2reg $words programs");
        is($?, 0, "a build succeeds: $words");
        return shell($tree, 'objdump -d pgms/dhry2reg');
    };
    my $expected = $code->(q{});
    my $record   = text_of("$tree/pgms/build.info");
    like($expected, qr/<Proc_8>:/,                'the program can be disassembled');
    like($record,   qr/^flags=-O3 -ffast-math$/m, 'the record has the flags that were used');
    for my $words (qw(CFLAGS=-O2 CFLAGS=-Ofast CPPFLAGS=-Os LDFLAGS=-Os)) {
        ok($code->($words) eq $expected, "$words does not change the code");
        is(text_of("$tree/pgms/build.info") =~ s/^time=.*//mr, $record =~ s/^time=.*//mr, 'and the same is recorded');
    }
    ok($code->('CFLAGS=-O2 UB_GCC_OPTIONS=-Os') ne $expected, 'UB_GCC_OPTIONS changes it');
    like(text_of("$tree/pgms/build.info"), qr/^flags=-Os$/m, 'and is recorded');
};

# Two builds in other directories, at other times, by other users, in another language.
subtest 'the same bytes' => sub {
    need_tools('gcc');
    my @trees = map { copy_of_tree($_) } 'one', 'another-directory';
    my @odd = ('umask 022; LANG=C TZ=UTC0', 'umask 077; touch src/*.c Makefile; LANG=en_US.UTF-8 TZ=JST-9 USER=other');
    my $words = q{PORTABLE=yes PREFIX=/usr CFLAGS="-g -O2 -ffile-prefix-map=$PWD=." PROGRAMS="hanoi execl multiuser"};
    my $make  = "SOURCE_DATE_EPOCH=1 make -s $words";
    for my $tree (@trees) {
        my $odd = shift @odd;
        shell($tree, qq{$odd; export LANG TZ; $make DESTDIR="\$PWD/stage" install});
        is($?, 0, "the build in $tree succeeds");
    }
    local @ENV{qw(one other)} = map { "$_/stage" } @trees;
    is(shell('/', 'diff -r "$one" "$other"'), q{}, 'two builds have the same bytes');
    my $modes = 'find stage -printf "%p %m\n" | sort';
    is(shell($trees[0], $modes), shell($trees[1], $modes), 'and the same modes');
};

done_testing;
