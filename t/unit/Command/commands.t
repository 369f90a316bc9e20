use strict;
use warnings;

use Cwd        ();
use File::Path qw(make_path);
use File::Temp ();
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/../../$_" } qw(../lib lib);
use Golden                               qw(is_golden no_golden_left_over);
use Place                                qw(place touch write_file write_program);
use UnixBench::Base::Files;
use UnixBench::Catalog;
use UnixBench::Command::Explain;
use UnixBench::CLI::Declaration qw(options_of);
use UnixBench::Command;
use UnixBench::Features;
use UnixBench::CLI::Environment;
use UnixBench::Setup::Preparation;

my $home  = Cwd::abs_path("$FindBin::Bin/../../..");
my @names = map { $_->{name} } UnixBench::Catalog::tests();
my @parts = ('One loop', 'What limits it', 'What it does not tell', 'History');
my $words = UnixBench::Base::Files::content("$home/share/tests.md");

# The file also has sections about tests of features that are not here.
my %is_test  = map { $_ => 1 } @names;
my @sections = grep {
    grep { $is_test{$_} }
        @{ $_->{names} }
} UnixBench::Command::Explain::parsed($words);

# Takes names of tests; returns their explanation.
sub explained { return UnixBench::Command::Explain::of($home, "$home/pgms", @_) }

subtest 'share/tests.md is complete' => sub {
    is_deeply([sort map { @{ $_->{names} } } @sections], [sort @names], 'each test is in one section');
    for my $section (@sections) {
        my @titles = map { /\A[*][*](.+?):[*][*] \S.*[.]\z/ ? $1 : 'none' } @{ $section->{paragraphs} };
        is_deeply(\@titles, \@parts, "four parts that end with full stops: @{ $section->{names} }");
    }
    unlike($words, qr/[^\n -~]/, 'the file is ASCII');
    my @odd = grep { tr/`// % 2 } map { split /\n\s*\n/ } $words;
    is_deeply(\@odd, [], 'backquotes come in pairs');
};

my $text = explained(@names);
is_deeply([sort $text =~ /^(\S+): /mg], [sort @names], 'each test is explained');
is(scalar(() = $text  =~ /^  One loop: /mg), scalar @sections, 'tests of the same section share one explanation');
is_deeply([grep { length > 79 || /\s\z|[`*{}]/ } split /\n/, $text], [], 'lines are short, and without Markdown');
is_deeply([explained(qw(fsdisk pipe fstime-w dc)) =~ /^(\S+): /mg],  [qw(pipe fstime-w fsdisk dc)], 'in their order');
is_golden('dhry2reg.txt', explained('dhry2reg'));

my %LINE = (
    ubgears => "pgms/ubgears -time 20 -v\n  3 passes of 20 seconds (each takes about 25); unit fps, baseline 33.4\n",
    dc      => "pgms/looper 30 dc < testdir/dc.dat\n  3 passes of 30 seconds\n",
    C       => "pgms/looper 60 gcc -o \$UB_SCRATCH/cctest cctest.c\n  3 passes of 60 seconds\n",
);
like(explained($_), qr/\A[^\n]+\n  \Q$LINE{$_}\E\n/, "the command and the passes of $_") for sort keys %LINE;

my %test = (name => 'x', title => 'X', command => ['x'], passes_wanted => 2, seconds => 5, pass_s => 5);
my $long = join q{ }, ('12345') x 12;
is(
    UnixBench::Command::Explain::section(["**A:** $long `b -c`, *d*."], \%test),
    "x: X\n  x\n  2 passes of 5 seconds\n\n  A: $long\n    b -c, d.\n",
    'Markdown is removed, and code is not split'
);

subtest 'a missing share/tests.md is an error, not a missing section' => sub {
    my $place = place();
    make_path("$place/share", "$place/pgms");
    my $of = sub { return UnixBench::Command::Explain::of("$place", "$place/pgms", @_) };
    is(eval { $of->('pipe') }, undef, 'without share/tests.md, nothing is explained');
    like($@, qr{\Acan't read \Q$place\E/share/tests[.]md: No such file or directory; [^\n]+\n\z}, 'one line says so');
    write_file("$place/share/tests.md",  "### pipe\n\n**One loop:** A.\n");
    write_file("$place/pgms/index.base", "pipe|10|lps|?\n");
    my $pipe = "pipe: Pipe Throughput\n  pgms/pipe 10\n  10 passes of 10 seconds\n\n  One loop: A.\n";
    is($of->('pipe'), $pipe, 'a damaged baseline is left out');
    like($of->('dc'), qr/\Adc: [^\n]+\n  pgms[^\n]+\n  3 passes[^\n]+\n\z/, 'a test without a section has its command');
};

# Tests where features are found, where their options and groups stand among those of a command, and what users see of a
# feature that can't be used.

# Takes options that features add to "report"; returns the flags of its own options, and those of all.
sub flags_with {
    my (@options) = @_;
    my @own = map { $_->{flag} } options_of(UnixBench::Command::declaration('report'));
    no warnings 'redefine';
    my $list = \&UnixBench::Features::list;
    local *UnixBench::Features::list = sub { return ($list->(@_), $_[0] eq 'options' ? @options : ()) };
    return (\@own, [map { $_->{flag} } options_of(UnixBench::Command::declaration('report'))]);
}

sub option {
    my ($flag, $follows) = @_;
    return { follows => { report => $follows }, flag => $flag, text => 'do something' };
}

subtest 'an option stands behind the one that it follows' => sub {
    my $group = { follows => { report => '--json' }, options => [option('--of-group'), '--markdown'] };
    my ($own, $all) =
        flags_with(option('--second', '--json'), option('--after', '--json'), $group, option('--lonely', '--gone'));
    my ($at) = grep { $all->[$_] eq '--json' } 0 .. $#$all;
    my @three = qw(--second --after --of-group);
    is_deeply([@$all[$at + 1 .. $at + 4]], [@three, '--markdown'], 'also several of them, and those of a group');
    is_deeply([sort @$all], [sort @$own, @three, qw(--lonely --markdown)], 'no option is lost');
};

subtest 'modules of features are found from any directory' => sub {
    chdir "$FindBin::Bin/../../.." or die "chdir: $!\n";
    my $relative = qx{$^X -Ilib -MUnixBench::Features -e 'print join q{ }, grep { m{/features/} && !m{^/} } \@INC'};
    is($?,        0,   'the features are found by a relative path');
    is($relative, q{}, 'their folders have absolute paths');
};

# What a module of the feature "aside" returns as its declaration, and what users read of it.
my %BROKEN = (
    'a syntax error'      => ['my = {}',               qr/syntax error at \S*Aside[.]pm line \d+, .*? /],
    'no hash'             => ['[]',                    qr/its declaration is not a hash /],
    'an unknown key'      => ['{ comands => {} }',     qr/its declaration has an unknown key, comands /],
    'a feature of itself' => ["{ uses => ['aside'] }", qr/it uses itself: aside aside /],
);

subtest 'a feature that can not be used takes no part, and all commands work' => sub {
    my $tree   = File::Temp->newdir;
    my $folder = "$tree/features/aside/lib/UnixBench";
    make_path($folder, "$tree/features/user/lib/UnixBench");
    is(system("cp -R '$FindBin::Bin/../../../lib' '$FindBin::Bin/../../../Run' '$tree'"), 0, 'the core is copied');
    my $user = q(sub { { module => 'User::Saying', takes => 'nothing', purpose => 'say something' } });
    write_file("$tree/features/user/lib/UnixBench/User.pm", module(User => "{ commands => { saying => $user } }"));
    my $run = sub { return qx('$^X' '$tree/Run' $_[0] 2>&1) };

    for my $case (sort keys %BROKEN) {
        my ($declaration, $why) = @{ $BROKEN{$case} };
        write_file("$folder/Aside.pm", module(Aside => $declaration));
        my ($line, $help) = $run->('--help') =~ /\A(.*?\n)(.*)\z/s;
        is($?, 0, "$case: --help works");
        like($line, qr{\ARun: the feature aside can't be used: $why[(]in \Q$tree\E/features/aside[)]\n\z}, 'a line');
        like($help, qr/^  saying +say something$/m, "$case: other features are used");
    }
    $run->('--bisect');
    is($? >> 8, 128, 'without the feature of --bisect, "git bisect run" stops');
    write_file("$folder/Aside.pm", module(Aside => '{}'));
    is($run->('--version') =~ tr/\n//, 1, 'an empty declaration is none');
    my $missing_module =
        qr{\ARun: the feature user can't be used: Can't locate UnixBench/User/Saying[.]pm in \@INC [(]in \S+[)]\n\z};
    like($run->('saying'), $missing_module, 'a module that is missing when it is needed: one line');
};

# Takes the name of a feature and the code that its declaration returns; returns its module.
sub module {
    my ($name, $code) = @_;
    return "package UnixBench::$name;\nsub declaration {\n$code\n}\n1;\n";
}

# A fake host that has everything except the things that are passed to new.
package FakeHost {

    sub new {
        my ($class, @missing) = @_;
        return bless { map { $_ => 1 } @missing }, $class;
    }
    sub has_program { my ($self, $name) = @_; return !$self->{$name} }
    sub display     { return 'virtual' }
    sub language    { my ($self) = @_; return { charmap => $self->{locale} ? 'ASCII' : 'UTF-8' } }
    sub cpu_kind    { return 'this one' }
}

# Takes words of the command line, a tree with built programs, and things that the host does not have; returns the
# findings of the preparation.
sub findings {
    my ($tests, $tree, @missing) = @_;
    local @ENV{qw(CC CFLAGS UB_GCC_OPTIONS MAKE)} = (q{}, q{}, q{}, 'make');
    return UnixBench::Setup::Preparation->new(
        home     => "$tree",
        options  => UnixBench::Command::parse(split q{ }, $tests),
        settings => UnixBench::CLI::Environment::read_from({}, "$tree"),
        warn     => sub { die "it is said: $_[0]" },
        host     => FakeHost->new(@missing),
    )->findings;
}

sub tree {
    my ($flags) = @_;
    my $tree = place();
    make_path(map { "$tree/$_" } qw(pgms src build testdir));
    touch("$tree/Makefile", "$tree/testdir/large.txt");
    write_file("$tree/pgms/build.info", "compiler=cc\nflags=$flags\ncpu=another\n");
    write_program("$tree/pgms/$_", "#!/bin/sh\n") for qw(pipe looper);
    return $tree;
}

my $built = tree('-O2');
my %none  = (missing => { map { $_ => undef } qw(run tests locale) }, map { $_ => undef } qw(refusal why_build makes));
is_deeply(findings('pipe', $built), \%none, 'a complete machine has no findings');
is_deeply(findings('pipe', $built, 'locale'), \%none, 'nor has one without a locale that the test does not need');

my $missing = findings('pipe dc grep', $built, qw(dc grep locale))->{missing};
is_deeply([map { $_->{what} } @{ $missing->{tests}{things} }], [qw(dc grep)], 'missing things are listed by use');
like($missing->{tests}{text},  qr/\Amissing: dc [(]for dc[)], grep [(]for grep[)]; install with: /, 'with the remedy');
like($missing->{locale}{text}, qr/\Athe locale en_US.utf8 is missing: /, 'the locale has a text of its own');
is($missing->{run}, undef, 'nothing is missing to run');

my $found = findings('syscall', $built, 'make');
is($found->{why_build}, 'syscall is not built', 'the reason for a build is given');
like($found->{missing}{run}{text}, qr/\Amissing: make [(]to build[)]/, 'tools that the build needs are missing');
is($found->{makes}, "$built/testdir/large.txt", 'the input that the build makes is named');
ok(!-e "$built/pgms/syscall", 'nothing is built');

my $native = tree('-march=native');
my $other  = qr/\Athe programs were built for another CPU/;
like(findings('pipe', $native)->{why_build}, $other, 'programs for another CPU are built again');
unlink "$native/Makefile" or die "Makefile: $!\n";
like(findings('pipe', $native)->{refusal}, $other, 'and refused without sources');

no_golden_left_over();
done_testing;
