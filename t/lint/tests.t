use strict;
use warnings;

use Cwd            ();
use File::Basename ();
use File::Find     ();
use File::Path     qw(make_path);
use File::Temp     ();
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib);
use Place                          qw(write_file);
use Tree                           qw(files is_here is_program perl_files test_folders text_of);

# Rules for the files of the tests: recorded texts, skipped tests, and which files the checkers of code read.
my @tests = found(qr/[.]t\z/,        test_folders());
my @files = found(qr/[.](?:t|pm)\z/, test_folders());

is_deeply([grep { !-e test_of($_) } found(qr/./, 't/golden')], [], 'each file of t/golden is that of a test');

for my $test (grep { text_of($_) =~ /^use Golden\b.*\bis_golden\b/m } @tests) {
    ok(text_of($test) =~ /^no_golden_left_over[(][)];$/m, "$test finds recorded texts that it does not ask for");
}

for my $file (grep { $_ ne 't/lib/Needs.pm' } @files) {
    ok(text_of($file) !~ /\bskip_all *=>|\bskip[ (]+["'\$]/, "$file skips tests only through Needs");
}

for my $file (grep { $_ ne 't/lib/Needs.pm' } @files) {
    my ($imported) = text_of($file) =~ /use Needs +qw[(]([^)]*)[)]/;
    my %has        = map  { $_ => 1 } split q{ }, $imported // q{};
    my @lacking    = grep { !$has{$_} } text_of($file) =~ /(?<![\w:>])(skip_without|need_\w+)[(]/g;
    is("@lacking", q{}, "$file imports what it calls of Needs");
}

subtest 'checkers of code read every Perl file of the tree' => sub {
    my $back    = Cwd::getcwd();
    my $tree    = File::Temp->newdir;
    my @program = qw(Run features/x/lib/UnixBench/X.pm lib/UnixBench/Y.pm);
    my @script  = qw(build/a features/x/build/b features/x/lab/c lab/d t/e.t);
    for my $path (@program, @script) {
        make_path("$tree/" . File::Basename::dirname($path));
        write_file("$tree/$path", "#!/usr/bin/env perl\n");
    }
    chdir $tree or die "$tree: $!\n";
    is_deeply([perl_files()], [sort @program, @script], 'without Git');
    if (is_here('git')) {
        write_file('.gitignore', "/t/\n");
        is(system('git init -q && git add Run'), 0, 'a repository with one file is made');
        is_deeply([perl_files()], [sort @program, grep { !m{^t/} } @script], 'with Git, also files not yet added');
    }
    chdir $back or die "$back: $!\n";
    is_deeply([sort(grep { is_program($_) } @program, @script)], [sort @program], 'those that runs load are programs');
};

# lintian takes the long line of data in a recorded page for a program without its source.
my @overrides = text_of('debian/source/lintian-overrides') =~ /source-is-missing \[(\S+)\]/g;
my $is_named  = join q{|}, map { join '.*', map { quotemeta } split /[*]/, $_, -1 } @overrides;
is_deeply([grep { /[.]html\z/ && !/\A(?:$is_named)\z/ } files()], [], 'lintian is told of each recorded page');

# Takes a pattern and folders; returns the paths of the files below them that match, sorted.
sub found {
    my ($pattern, @folders) = @_;
    my @found;
    File::Find::find({ wanted => sub { push @found, $_ if -f && /$pattern/ }, no_chdir => 1 }, @folders);
    @found = sort @found;
    return @found;
}

# Takes the path of a file of t/golden; returns the path of the test that owns it.
sub test_of {
    my ($path) = @_;
    return $path =~ s{\At/golden/(.*)/[^/]*\z}{t/$1.t}r;
}

# Takes the path of a document, a heading, and a pattern for the first cell of the table's head; returns the rows of the
# table below that heading.
sub rows {
    my ($document, $heading, $first) = @_;
    my ($text) = text_of($document) =~ /^\Q$heading\E\n(.*?)(?:^## |\z)/ms or die "$document has no $heading\n";
    return map { [split /\s*(?<!\\)[|]\s*/] } grep { /^[|] (?!$first [|]|-)/ } split /\n/, $text;
}

# Takes what a row is about, the cell that names its test, and a pattern for what follows the file: a name, and perhaps
# a case. Tests that they exist.
sub is_there {
    my ($what, $proof, $form) = @_;
    my ($file, $name,  $case) = ($proof // q{}) =~ /\A`([\w\/-]+[.]t)`: $form\z/;
    return if !ok(defined $file && -e $file, "$what: the row names a file");
    like(text_of($file), qr/["'](?:[^"'\n]* )?\Q$name\E/, "$file has \"$name\"");
    like(text_of($file), qr/[[\s'"]\Q$case\E\b/,          "$file has \"$case\"")
        if length($case // q{});
    return;
}

# Checks the tables of faults: every row names an existing test, as `FILE`: NAME or `FILE`: NAME: CASE. If a name is
# built while the test runs, the row has its constant part.

my @faults = rows('t/run/README.md', '# Faults', qr/fault/);
push @faults,
    map { rows($_, '## Faults', qr/fault/) } grep { text_of($_) =~ /^## Faults$/m } glob 'features/*/README.md';
cmp_ok(scalar @faults, '>=', 40, 'the table has at least forty faults');
for my $row (@faults) {
    my (undef, $fault, $seen, $status, $proof) = @$row;
    like($status, qr/\A(?:[0-4]|12[58]|the signal)\z/, "$fault: the exit status is from 0 to 4 or \"the signal\"");
    is_there($fault, $proof, qr/([^:]+)(?:: (.+))?/);
}

done_testing;
