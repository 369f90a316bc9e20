use strict;
use warnings;

use FindBin qw($Bin);
use Test::More;

use lib map { "$Bin/$_" } qw(lib ../../../../t/lib);
use Place                 qw(text_of);
use InPath                qw(path_of);
use Needs                 qw(need_compiler skip_without);
use OptionCases           qw(read_lines);

need_compiler();

my $PAGE = 'features/interactive/share/interbench.1';

my $page     = text_of($PAGE);
my %sections = $page =~ /^[.]SH "?([^"\n]+)"?\n(.*?)(?=^[.]SH |\z)/gms;
like($page, qr/\A[.]TH INTERBENCH 1 /, 'the page is in section 1');

# Takes a macro (B, BI or BR) and its words; returns the text as it is read. Macros of two letters set words without
# blanks.
sub read_as {
    my ($macro, $words) = @_;
    my @words = map { s/\\-/-/gr =~ s/"//gr } $words =~ /("[^"]*"|\S+)/g;
    return join length $macro > 1 ? q{} : q{ }, @words;
}

# Takes the name of a section; returns the tags of its paragraphs, sorted.
sub tags {
    my ($name) = @_;
    my @tags;
    push @tags, read_as($1, $2) while $sections{$name} =~ /^[.]TP\n[.]([BIR]+) (.*)$/gm;
    @tags = sort @tags;
    return @tags;
}

# Options and their values have the same names in the help and in the page.
my ($help) = read_lines(['--help']);
my @usage = map { /^ +(-\S+(?: \S+)?)  / } @{ $help->{out} };
is(join("\n", tags('OPTIONS')), join("\n", sort @usage), 'the page has the options of --help');
cmp_ok(scalar @usage, '>', 30, 'there are more than 30 options');

# Tasks and loads: their names are fields of tables in the source.
for my $table ([tasks => 'TASKS', 'tasks.c'], [loads => 'LOADS', 'loads/*.c']) {
    my ($kind, $section, $files) = @$table;
    my @names = map { text_of($_) =~ /[.]name = "([^"]+)"/g } glob "features/interactive/src/$files";
    cmp_ok(scalar @names, '>', 7, "the source has more than 7 $kind");
    is(join("\n", tags($section)), join("\n", sort @names), "the page has the $kind of the program");
}

my @SECTIONS = (
    'NAME',     'SYNOPSIS',   'DESCRIPTION', 'OPTIONS',     'TASKS',       'LOADS', 'WHAT IS MEASURED',
    'EXAMPLES', 'PRIVILEGES', 'FILES',       'ENVIRONMENT', 'EXIT STATUS', 'DIFFERENCES FROM INTERBENCH 0.31',
    'SEE ALSO',
);
is(join("\n", $page =~ /^[.]SH "?([^"\n]+)/gm), join("\n", @SECTIONS), 'the page has the expected sections in order');

# All options that the text names exist.
my %options = map  { $_ => 1 } map { split /[, =]+/ } @usage;
my @unknown = grep { !$options{$_} } ($page =~ s/\\-/-/gr) =~ /(?<![\w"-])(--[a-z][a-z-]+)/g;
is("@unknown", q{}, 'the page names no unknown option');

# The program accepts the examples.
my @examples = map { s/\\-/-/gr } $sections{EXAMPLES} =~ /^[.]B interbench (.*)$/gm;
my @lines    = map {
    [map { s/"//gr } /((?:"[^"]*"|\S)+)/g]
} @examples;
my @seen = read_lines(@lines);
cmp_ok(scalar @examples, '>=', 5, 'the page has five examples or more');
is("@{ $seen[$_]{err} }", q{}, "the example is accepted: $examples[$_]") for 0 .. $#examples;

SKIP: {
    my $groff = path_of('groff') or skip_without(tool => 'groff', 1);
    is(qx($groff -man -Tutf8 -ww -z $PAGE 2>&1), q{}, 'groff has no warnings about the page');
}
is(join(q{ }, grep { length > 120 || /\s\z/ } split /\n/, $page),
    q{}, 'no line has more than 120 characters or ends with a blank');

done_testing();
