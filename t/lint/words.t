use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Prose qw(code quoted sentences);
use Tree  qw(files is_perl text_of);

# Documents, comments, messages and names of tests are plain English.

use constant WORDS_MOST => 25;

# Phrases that readers stumbled over, and what to write instead.
my %UNWANTED = (
    'is no X: write "is not a X"'              => qr/(?<!here )\b(?:is|are|was|were) no\b(?! (?:longer|more)\b)/,
    'nobody, somebody: name who acts'          => qr/(?<!as-)(?<!user )(?<!user ")\b(?:no|some)body\b(?!')/i,
    'go on with: write "resume" or "continue"' => qr/\b(?:go|goes|gone|going|went) on with\b/i,
    'in place of: write "instead of"'          => qr/\bin place of\b/i,
    'amid: write "during"'                     => qr/\bamid\b/i,
    'so many, so much: write the number'       => qr/\bso (?:many|much)\b/i,
    'held against: write "compared with"'      => qr/\b(?:held|hold|holds) .{0,40}\bagainst\b/i,
    'a sentence that begins with "Of"'         => qr/\AOf\b/,
    'all the same: write "anyway"'             => qr/\ball the same\b/i,
    'nor: write another sentence'              => qr/\A(?!.*\bneither\b).*\bnor\b/i,
);

# The same in quotes and in the code blocks of documents, where a text may be data.
my @IN_QUOTES = grep { !/nor/ } sort keys %UNWANTED;

# Texts that are not ours, or that a test needs as they are.
my $FOREIGN = qr{\A(?:(?:.*/)?t(?:-all)?/(?:golden|data)|testdir|pgms|LICENSE)};
my %ALLOWED = (
    't/lint/words.t'               => qr/./,
    't/lint/lib/Prose.pm'          => qr/./,
    'lib/UnixBench/Store/Notes.pm' => qr/in place of/,
);

my @documents = grep { /[.](?:md|[1-8])\z/ } files();
my @programs  = grep { !/$FOREIGN/ && (is_perl($_) || /[.](?:c|h|sh)\z/) } files();

for my $path (@documents, @programs) {
    my $text  = text_of($path);
    my @found = map { _faults($path, $_->[0], $_->[1], sort keys %UNWANTED) } sentences($path, $text);
    push @found, map { _faults($path, $_->[0], $_->[1], @IN_QUOTES) } quoted($path, $text)
        if $path !~ /[.](?:md|[1-8])\z/;
    push @found, map { _faults($path, $_->[0], $_->[1], @IN_QUOTES) } code($text) if $path =~ /[.]md\z/;
    is(join("\n", @found), q{}, "$path is in plain English");
}

for my $path (grep { m{\A(?:README|USAGE|docs/|share/tests)} } @documents) {
    my @long = map { "line $_->[0]: $_->[1]" }
        grep { WORDS_MOST < (() = $_->[1] =~ /(?<!\S)\S*\w\S*/g) } sentences($path, text_of($path));
    is(join("\n", @long), q{}, "$path has no sentence of more than @{[WORDS_MOST]} words");
}

done_testing;

sub _faults {
    my ($path, $line, $prose, @rules) = @_;
    return if $ALLOWED{$path} && $prose =~ $ALLOWED{$path};
    return map { "line $line: $_: $prose" } grep { $prose =~ $UNWANTED{$_} } @rules;
}
