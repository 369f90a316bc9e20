use strict;
use warnings;

use FindBin qw($Bin);
use Test::More;

use lib "$Bin/../lib";
use InPath      qw(path_of);
use Needs       qw(need_compiler skip_without);
use OptionCases qw(read_lines);

need_compiler();

my $PAGE = 'share/interbench.8';

sub contents {
    my ($file) = @_;
    open my $handle, '<', $file or die "$file: $!";
    local $/ = undef;
    return scalar <$handle>;
}

my $page     = contents($PAGE);
my %sections = $page =~ /^[.]SH "?([^"\n]+)"?\n(.*?)(?=^[.]SH |\z)/gms;

# A line of the macros B, BI and BR as it is read: those of two letters set their words side by side.
sub read_as {
    my ($macro, $words) = @_;
    my @words = map { s/\\-/-/gr =~ s/"//gr } $words =~ /("[^"]*"|\S+)/g;
    return join length $macro > 1 ? q{} : q{ }, @words;
}

# What stands in front of the paragraphs of a section.
sub tags {
    my ($name) = @_;
    my @tags;
    push @tags, read_as($1, $2) while $sections{$name} =~ /^[.]TP\n[.]([BIR]+) (.*)$/gm;
    return sort @tags;
}

# Options with their values, as the usage and the page name them.
my ($help) = read_lines(['--help']);
my @usage = map { /^ +(-\S+(?: \S+)?)  / } @{ $help->{out} };
is(join("\n", tags('OPTIONS')), join("\n", sort @usage), 'the options of the page are those of --help');
cmp_ok(scalar @usage, '>', 40, 'which are many');

# Names stand in tables.
for my $table ([tasks => 'TASKS', 'tasks.c'], [loads => 'LOADS', 'loads/*.c']) {
    my ($kind, $section, $files) = @$table;
    my @names = map { contents($_) =~ /[.]name = "([^"]+)"/g } glob "src/interbench/$files";
    cmp_ok(scalar @names, '>', 7, "$kind in their table");
    is(join("\n", tags($section)), join("\n", sort @names), "$kind of the page are those of the program");
}

my @SECTIONS = (
    'NAME',     'SYNOPSIS',   'DESCRIPTION', 'OPTIONS',     'TASKS',       'LOADS', 'WHAT IS MEASURED',
    'EXAMPLES', 'PRIVILEGES', 'FILES',       'ENVIRONMENT', 'EXIT STATUS', 'DIFFERENCES FROM INTERBENCH 0.31',
    'SEE ALSO',
);
is(join("\n", $page =~ /^[.]SH "?([^"\n]+)/gm), join("\n", @SECTIONS), 'sections');

# Each option that the text names is there.
my %options = map  { $_ => 1 } map { split /[, =]+/ } @usage;
my @unknown = grep { !$options{$_} } ($page =~ s/\\-/-/gr) =~ /(?<![\w"-])(--[a-z][a-z-]+)/g;
is("@unknown", q{}, 'no option is named that is not there');

# The examples are accepted.
my @examples = map { s/\\-/-/gr } $sections{EXAMPLES} =~ /^[.]B interbench (.*)$/gm;
my @lines    = map {
    [map { s/"//gr } /((?:"[^"]*"|\S)+)/g]
} @examples;
my @seen = read_lines(@lines);
cmp_ok(scalar @examples, '>=', 5, 'examples');
is("@{ $seen[$_]{err} }", q{}, "example: $examples[$_]") for 0 .. $#examples;

SKIP: {
    my $groff = path_of('groff') or skip_without(tool => 'groff', 1);
    is(qx($groff -man -Tutf8 -ww -z $PAGE 2>&1), q{}, 'nothing to warn of');
}
is(join(q{ }, grep { length > 120 || /\s\z/ } split /\n/, $page), q{}, 'no line is long or ends in blanks');

done_testing();
