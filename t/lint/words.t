use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Tree qw(files is_perl text_of);

# Rules for all text files that need no tool: blanks, line lengths, unfinished work, strict and warnings.
my $UNFINISHED = join '|', map { join '', @$_ } ['TO', 'DO'], ['FIX', 'ME'], ['(?<!X)XX', 'X(?!X)'];

my %FORBIDDEN = (
    'tabs'                  => qr/\t/,
    'blanks at the end'     => qr/[ \t]$/m,
    'no newline at the end' => qr/[^\n]\z/,
    'unfinished work'       => qr/$UNFINISHED/,
    'a path of one machine' => qr{/(?:root|work)/\w},
    'long lines'            => qr/^.{121}/m,
);
my %WANTED_IN_PERL = (strict => qr/^use strict;/m, warnings => qr/^use warnings;/m);

# Makefiles need tabs, and some recipes usually have them; a paragraph of prose or a row of a table may be a long line,
# and so may a line that is made.
my $HAS_TABS = qr{^(?:Makefile|features/\w+/build[.]mk|debian/rules)$};
my %MAY_HAVE = (tabs => $HAS_TABS, 'long lines' => qr/[.](?:md|csv|table)$/);

for my $path (grep { !m{^(?:(?:.*/)?t/(?:golden|data)|testdir)/|[.]png\z} } files()) {
    my $text    = text_of($path);
    my @allowed = grep { $path =~ $MAY_HAVE{$_} } keys %MAY_HAVE;
    my %found   = map  { $_ => 1 } grep { $text =~ $FORBIDDEN{$_} } keys %FORBIDDEN;
    delete @found{@allowed};
    my @missing = grep { is_perl($path) && $text !~ $WANTED_IN_PERL{$_} } keys %WANTED_IN_PERL;
    is(join(', ', (sort keys %found), map { "no $_" } @missing), '', $path);
}

# Documents, comments, messages and names of tests are plain English.

use constant WORDS_MOST => 25;

use constant WORDS_OF_TEXT => 3;    # a string with fewer words is a name or a value

# Takes the path of a file and its text; returns [line, sentence] for each sentence of its prose. The prose of a
# document is all except code; the prose of a program is its comments.
sub sentences {
    my ($path, $text) = @_;
    my @paragraphs =
          $path =~ /[.]md\z/    ? _of_markdown($text)
        : $path =~ /[.][ch]\z/  ? _of_c($text)
        : $path =~ /[.][1-8]\z/ ? _of_manual($text)
        :                         _of_script($text);
    my @sentences;
    for my $paragraph (@paragraphs) {
        my ($line, $prose) = @$paragraph;
        push @sentences, map { [$line, $_] } _split($prose);
    }
    return @sentences;
}

# Takes the path of a program and its text; returns [line, text] for each string of several words.
sub quoted {
    my ($path, $text) = @_;
    my @found;
    my $string = $path =~ /[.][ch]\z/ ? qr/"((?:[^"\\\n]|\\.)*)"/ : qr/(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)")/;
    my $number = 0;
    for my $line (split /\n/, $text) {
        $number++;
        next if $line =~ m{^\s*(?:#|/?[*])};
        while ($line =~ /$string/g) {
            my $quoted = $1 // $2;
            push @found, [$number, $quoted] if WORDS_OF_TEXT <= (() = $quoted =~ /\b[a-z]+\b/g);
        }
    }
    return @found;
}

# Takes the text of a Markdown document; returns [line, text] for each line of its code blocks and samples.
sub code {
    my ($text) = @_;
    my ($is_code, @found);
    my $number = 0;
    for my $line (split /\n/, $text) {
        $number++;
        my $is_fence = $line =~ /\A\s*```/;
        $is_code = !$is_code if $is_fence;
        push @found, [$number, $line =~ s/\A\s+//r] if !$is_fence && ($is_code || $line =~ /\A    /);
    }
    return @found;
}

sub _split {
    my ($prose) = @_;
    $prose =~ s/\s+/ /g;
    return grep { /\w/ } split /(?<=[.!?:;]) +(?=[A-Z`"'(\$\@%0-9])|(?<=[:;]) +/, $prose =~ s/\A //r;
}

# Rows of tables and items of lists are paragraphs; indented lines and fences are code.
sub _of_markdown {
    my ($text) = @_;
    my (@paragraphs, $is_code);
    my $number = 0;
    my $begin  = 1;
    for my $line (split /\n/, $text) {
        $number++;
        $is_code = !$is_code if $line =~ /\A\s*```/;
        next if $is_code || $line =~ /\A(?:    |\s*```)/;
        if ($line =~ /\A[|]/) {
            push @paragraphs, map { [$number, $_] } split /(?<!\\)[|]/, $line;
            $begin = 1;
            next;
        }
        $begin ||= $line =~ /\A\s*(?:#|[*-] |\d+[.] )/ || $line !~ /\S/;
        if    ($begin && $line =~ /\S/) { push @paragraphs, [$number, $line =~ s/\A\s*(?:#+|[*-]|\d+[.]) //r] }
        elsif ($line =~ /\S/)           { $paragraphs[-1][1] .= " $line" }
        $begin = $line !~ /\S/;
    }
    return @paragraphs;
}

sub _of_manual {
    my ($text) = @_;
    my @paragraphs;
    my $number = 0;
    for my $block (split /^[.](?:SH|SS|TP|PP|IP|nf|fi).*\n/m, $text) {
        my $prose = join q{ }, map { s/\A[.](?:BR?I?|RI|IR|RB|I) ?//r =~ s/"//gr } grep { !/\A[.]\\"/ } split /\n/,
            $block;
        push @paragraphs, [$number + 1, $prose =~ s/\\-/-/gr];
        $number += $block =~ tr/\n// + 1;
    }
    return @paragraphs;
}

sub _of_c {
    my ($text) = @_;
    my @paragraphs;
    while ($text =~ m{/[*](.*?)[*]/}gs) {
        my ($comment, $line) = ($1, 1 + (substr($text, 0, $-[0]) =~ tr/\n//));
        push @paragraphs, map { [$line, $_] } split /\n\s*\n/, $comment =~ s/^\s*[*]//gmr;
    }
    return @paragraphs;
}

sub _of_script {
    my ($text) = @_;
    my (@paragraphs, $is_open);
    my $number = 0;
    for my $line (split /\n/, $text) {
        $number++;
        last if $line =~ /\A__(?:END|DATA)__/;
        my ($comment) = $line =~ /\A\s*#(?!!|<<<|>>>|#)\s?(.*)/;
        push @paragraphs, [$number, $1] if !defined $comment && $line =~ /\s{2,}#\s(.*)/;
        if    (defined $comment && $is_open && $comment =~ /\S/) { $paragraphs[-1][1] .= " $comment" }
        elsif (defined $comment && $comment =~ /\S/)             { push @paragraphs, [$number, $comment] }
        $is_open = defined $comment && $comment =~ /\S/;
    }
    return @paragraphs;
}

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
my $FOREIGN = qr{\A(?:(?:.*/)?t/(?:golden|data)|testdir|pgms|LICENSE)};
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

sub _faults {
    my ($path, $line, $prose, @rules) = @_;
    return if $ALLOWED{$path} && $prose =~ $ALLOWED{$path};
    return map { "line $line: $_: $prose" } grep { $prose =~ $UNWANTED{$_} } @rules;
}

done_testing;
