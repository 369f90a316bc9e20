package UnixBench::Store::ClassicReport::Lines;

# Takes text reports out of what surrounds them: the markup of mails, posts and pages, and the prefixes of logs. The
# lines of two hosts in one log become two texts.

use strict;
use warnings;

use Exporter 'import';
use List::Util ();

use UnixBench::Catalog                     ();
use UnixBench::Store::ClassicReport::Dates qw(is_of_date);

our @EXPORT_OK = qw($TABLE $TITLE);

use constant {
    PREFIX_MOST  => 120,       # characters before a line of a report
    FORMS_MOST   => 32,        # forms of prefixes
    WRAPPED_MOST => 3,         # further lines into which a line is wrapped
    LINE_MOST    => 400,       # characters of a line that may be wrapped, or is continued by the rest of a longer one
    PARTS_MOST   => 20_000,    # characters of a line that may have several lines of a report
    LINES_LEAST  => 4,         # lines that have the same word in their prefix, if the word names a host
    ROWS_LEAST   => 2,         # lines of results that have the same prefix, if it is one
};

# The lines that each report has: the title of a test before its value, and those around the tests. They show where the
# prefix of a line ends. The progress of a run, such as "1 x Pipe Throughput  1 2 3", has no results.
my @FORMER = ('Arithmetic Test \(type = \w+\)', 'Recursion Test ?--? ?Tower of Hanoi', 'C Compiler Throughput');
our $TITLE = join q{|}, (map { quotemeta $_->{title} } UnixBench::Catalog::tests()), @FORMER;
our $TABLE = join q{|}, map { quotemeta $_->{title} } UnixBench::Catalog::categories();
my $ROW    = qr/(?<![0-9] x )(?<!\w)(?:$TITLE)(?: Test)? (?=[0-9-]|no measured|[*])/i;
my $RUN    = qr/(?<!\w)(?:[0-9]{1,9}|unknown) CPUs? in system;|(?<!system; )(?<!\w)running [0-9]{1,9} parallel/i;
my $HEAD   = qr/BYTE UNIX Benchmarks \(Version|Benchmark Run: |(?:$TABLE) (?:Index Values|Partial Index|Index Score)/i;
my $AROUND = qr/$RUN|$HEAD/;
my $START  = qr/$AROUND|$ROW/;
my $FACT   = qr/(?:System|OS|Machine|Language|Graphics|Note|CPU [0-9]+): /;

# How lines end that are not wrapped.
my $NUMBER = qr/(?:[0-9][0-9,]*(?:[.][0-9]+)?|---)/;
my $RESULT = qr/ (?:\(\S+ s(?:ecs)?, \S+ samples?\)|no measured results.*|$NUMBER $NUMBER $NUMBER)\z/;
my $CLOSED = qr{
    $RESULT | [ ]--[ ][0-9]+[ ]cop(?:y|ies)\z | Benchmarks[ ]\(Version[ ][^()]*\)\z
    | \A(?:Start[ ])?Benchmark[ ]Run:.*[0-9]:[0-9]{2}(?:[ ]\S+[ ][0-9]{4})?\z
    | [ ]parallel[ ]cop(?:y|ies)\b[^;]*\z
    | [ ]BASELINE[ ]RESULT[ ]INDEX\z
    | [ ]Index[ ]Score(?:[ ]\(Partial[ ]Only\))?:?[ ](?:$NUMBER(?:[ ][^0-9].*)?|none.*)\z
}xi;

# How lines end whose last number may have been cut.
my $IS_CUT = qr/(?:$NUMBER $NUMBER| Index Score(?: \(Partial Only\))?:?) [0-9]+\z/;

# What prefixes consist of: addresses, dates, times and numbers, and words. Words with letters beyond ASCII are taken as
# parts of a date.
my $QUAD    = qr/[0-9]{1,3}(?:[.][0-9]{1,3}){3}(?![0-9.])/;
my $HEX     = qr/(?=[0-9a-f:]{0,39}(?:[a-f]|::))[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}/i;
my $MOMENT  = qr/[0-9]+(?:[T_:.,\/+-]+[0-9]+)*Z?(?![T_:.,\/+-]*\w)/;
my $WORD    = qr/[\w\x80-\xff]+(?:[.-]+[\w\x80-\xff]+)*/;
my $ANY     = qr/[\w\x80-\xff]+(?:[:.,\/+-]+[\w\x80-\xff]+)*/;
my $BETWEEN = qr/[^\w\x80-\xff]*/;

# What marks code and quotations in Jira, Jekyll and BBCode.
my $TAG = qr{
    \{ (?: %[^%\n]{0,100}% | /?(?:noformat|code|quote|panel|color)[^{}\n]{0,100} ) \}
    | \[ /? (?:code|quote|pre|spoiler|size|color|font|mono|tt|b|i|u) (?: =[^\]\n]{0,100} )? \]
}xi;

# Other ones become blanks.
my %ENTITY = (lt => q{<}, gt => q{>}, amp => q{&}, quot => q{"}, apos => q{'}, ndash => q{-});
%ENTITY = (%ENTITY, map { ($_ => chr, sprintf('x%x', $_) => chr) } 0x21 .. 0x7e);

# Takes text of any kind; returns its lines with single blanks, without markup and prefixes, as [lines], .... Lines
# whose prefixes name different hosts are in different lists. The first list has the lines without such a prefix. If no
# line has the beginning of a report's line, nothing is removed or joined.
sub texts {
    my ($text) = @_;
    my @plain  = grep { length } map { _plain($_) } _rows(_lines_of_csv(_messages($text)));
    return \@plain if !grep { $_ =~ $START } @plain;
    my @lines = map { +{ text => $_, origin => q{}, _prefix_of($_) } } @plain;
    my @forms = _forms(grep { $_->{tokens} && @{ $_->{tokens} } } @lines);
    my %of    = (q{} => []);
    for my $line (@lines) {
        my ($form) = defined $line->{at} ? undef : grep { $line->{text} =~ $_->[0] } @forms;
        $line->{text} =~ s/$form->[0]// if $form;
        substr $line->{text}, 0, $line->{at} // 0, q{};
        push @{ $of{ $form ? $form->[1] : $line->{origin} } }, $line->{text};
    }

    # Decimal commas become points: all numbers of reports have one decimal.
    return
        map { [
        map { /\A(?:$FACT|CPU )/ ? $_ : s/(?<![0-9.,])([0-9]+),([0-9])(?![0-9.,])/$1.$2/gr }
            _unwrapped(map { _parts($_) } @{ $of{$_} })
        ] } sort keys %of;
}

# Takes a text; returns it. If it begins with the heading of a CSV file of scores, each row that is as long becomes a
# line for the number of copies and one for each score.
sub _lines_of_csv {
    my ($text) = @_;
    return $text if $text !~ /\A"?Concurrency"?,/;
    my ($titles, @rows) = map {
        [map { s/\A"|"\z//gr =~ s/""/"/gr } s/\s*\z/,/r =~ /\G("(?:[^"]|"")*"|[^,]*),/g]
    } split /^/, $text;
    my @lines;
    for my $row (@rows) {
        my ($copies, @scores) = @$row;
        my $is_row = @$row == @$titles && !grep { length && !/\A[0-9]+[.][0-9]\z/ } @scores;
        push @lines, $is_row ? "running $copies parallel copies of tests" : join q{,}, @$row;
        push @lines, map { "$titles->[$_] = $row->[$_]" } grep { $is_row && length $row->[$_] } 1 .. $#$row;
    }
    return join "\n", @lines;
}

# Takes a text; returns it with the output of the device for the messages of LAVA, in JSON or YAML, and without others.
sub _messages {
    my ($text) = @_;
    my $output = qr/\btarget\b[^\n]{0,100}?\bmsg"?: ?(?|"((?:[^"\\]|\\.)*)"|'([^']*)')/;
    my $of     = sub { join q{}, map { s/\\u001b/\e/gr =~ s{\\(["\\/])}{$1}gr } $_[0] =~ $output };
    return $text =~ s/^(?:- )?(\{"?dt"?:[^\n]*)/$of->($1)/gemr;
}

# Returns the lines of a text. Breaks of HTML, and those of text in JSON, end lines. Removes control sequences and tags.
# Words that begin alike are written as <(?:br|p), because <br|<p takes quadratic time if that character is repeated.
sub _rows {
    my ($text) = @_;
    $text = _without_typography($text) if $text =~ /[\x80-\xff]/;
    $text =~ s/\e(?:\][^\a\e]{0,200}(?:\a|\e\\)|\[[0-9;?]{0,20}[A-Za-z]|[()][A-Z0-9])|\[[0-9;]{1,20}m//g;
    $text =~ s{(<tr\b[^<]*(?:<(?!/?t(?:r|able)\b)[^<]*)*)}{$1 =~ s/(\s+)/$1 =~ tr{\r\n}{} ? q{ } : $1/ger}gie;
    $text =~ s{<(?:br\s*/?|/(?:p|div|li|tr|pre|h[1-6]))>|\\[nr]}{\n}gi;
    $text =~ s{</?[A-Za-z][^<>\n]{0,300}>|</?t[dhr]\b[^<>\n]{0,300}(?=<)|\\t|$TAG}{ }g;    # also torn cells
    $text =~ s/&(?|(nbsp|lt|gt|amp|quot|apos|ndash)|#0*([0-9]{1,3})|#(x[0-9a-f]{1,2}));/$ENTITY{lc $1} \/\/ q{ }/gie;
    return split /[\r\n\f\x0b]+/, $text;
}

# Returns a text with ASCII for other blanks, dashes, quotation marks and full-width characters, and without characters
# that have no width, bullets and lines of frames.
sub _without_typography {
    my ($text) = @_;
    $text        =~ s/\xe2(?:\x80[\x8b-\x8f\xaa-\xae]|\x81[\xa0-\xa4])|\xef\xbb\xbf|\xc2\xad//g;
    $text        =~ s/\xc2\xa0|\xe2(?:\x80[\x80-\x8a\xaf]|\x81\x9f)|\xe3\x80\x80|(?<=[\x00-\x7f])\xa0/ /g;
    $text        =~ s/\xe2(?:\x80[\x90-\x93]|\x88\x92)/-/g;
    $text        =~ s/\xe2\x80[\x94\x95]/--/g;
    $text        =~ s/\xe2\x80[\x98-\x9f]/"/g;
    $text        =~ s/\xef\xbc([\x81-\xbf])/chr(ord($1) - 0x60)/ge;
    $text        =~ s/\xef\xbd([\x80-\x9e])/chr(ord($1) - 0x20)/ge;
    $text        =~ s/\xe2(?:[\x94-\x97][\x80-\xbf]|\x80[\xa2\xa3])|\xc2\xb7/ /g;
    return $text =~ s/\xe2\x80[\xa8\xa9]|\xc2\x85/\n/gr;
}

# Returns a line with single blanks, without the marks of quotations, lists, tables and emphasis around it.
sub _plain {
    my ($line) = @_;
    $line =~ s/\\(?=[[:punct:]])//g;
    $line =~ s/[*]{2}|`|(?<!\w)__|__(?!\w)|[|]/ /g;
    $line = join q{ }, split q{ }, $line;
    $line =~ s/\A[^\w(\x80-\xff]+//;
    return scalar reverse reverse($line) =~ s/\A(?:[\s"'*~=,;\\]|-{4,}+)+//r;    # from the end: that takes linear time
}

# Returns where the part of a report begins in a line, whether it is around results or is one, and the tokens of the
# prefix before it; or nothing if there is no such part.
sub _prefix_of {
    my ($text)    = @_;
    my ($prefix)  = $text =~ /\A(.{0,${\PREFIX_MOST}}?)$START/ or return;
    my $part      = substr $text, length $prefix, LINE_MOST;
    my $is_around = $part                =~ /\A$AROUND/       ? 1 : 0;
    my $is_row    = !$is_around && $part =~ /\A$ROW.*$RESULT/ ? 1 : 0;
    return (at => length $prefix, is_around => $is_around, is_row => $is_row, tokens => [_tokens($prefix)]);
}

# Returns the tokens of a prefix, { text, is_date, is_pid }. The number of a process stands in brackets after its name.
sub _tokens {
    my ($prefix) = @_;
    my @tokens;
    while ($prefix =~ /($QUAD|$HEX)|($MOMENT)|($WORD)/g) {
        my ($address, $moment, $word, $before) = ($1, $2, $3, substr $prefix, 0, $-[0]);
        push @tokens,
            {
            text    => $address // $moment // $word,
            is_date => defined $moment || defined $word && ($word =~ /[\x80-\xff]/ || is_of_date($word)) ? 1 : 0,
            is_pid  => defined $moment                  && $before =~ /\w\[\z/                           ? 1 : 0,
            };
    }
    return @tokens;
}

# Takes lines with prefixes; notes which host each names. Returns [pattern, host] of each form of prefix: the next lines
# may have the same one. Words before the title of a test belong to the title unless several rows have them.
sub _forms {
    my (@found) = @_;
    my (%alike, %rows, %form, %count);
    push @{ $alike{ @{ $_->{tokens} } } }, $_->{tokens} for @found;
    for my $prefixes (values %alike) {
        for my $at (0 .. $#{ $prefixes->[0] }) {
            _mark_names(map { $_->[$at] } @$prefixes);
        }
    }
    for my $line (@found) {
        $line->{origin} = join q{ }, map { $_->{text} } grep { $_->{is_name} } @{ $line->{tokens} };
        $rows{ $line->{origin} } += $line->{is_row};
    }
    for my $line (@found) {
        if (length $line->{origin} && $rows{ $line->{origin} } < ROWS_LEAST) {
            $line->{origin} = q{};
            $line->{at}     = 0 if !$line->{is_around};
            next;
        }
        my @parts   = map { $_->{is_name} ? quotemeta($_->{text}) . '(?![\w])' : $ANY } @{ $line->{tokens} };
        my $pattern = join($BETWEEN, q{}, @parts) . '[^\\w(\\x80-\\xff]*';
        $form{$pattern} = [qr/\A$pattern/, $line->{origin}];
        $count{$pattern}++;
    }
    my @usual = grep { $count{$_} >= ROWS_LEAST && (length $form{$_}[1] || 2 * $count{$_} >= @found) } keys %form;
    @usual = sort { $count{$b} <=> $count{$a} || $a cmp $b } @usual;
    return map { $form{$_} } splice @usual, 0, FORMS_MOST;
}

# Takes the tokens at one place of prefixes that have as many; notes whether they name a host. A word does if it is not
# another one in each few lines. Dates and numbers do if few values alternate: "1: " and "2: ".
sub _mark_names {
    my (@tokens) = @_;
    my %count;
    $count{ $_->{text} }++ for @tokens;
    my $is_rare = @tokens < LINES_LEAST * keys %count;
    my $changes = grep { $tokens[$_]{text} ne $tokens[$_ - 1]{text} } 1 .. $#tokens;
    my $is_word = grep { !$_->{is_date} } @tokens;
    my $is_name = $is_word ? keys %count == 1 || !$is_rare : keys %count > 1 && !$is_rare && 4 * $changes >= @tokens;
    $_->{is_name} = $is_name && !$_->{is_pid} for @tokens;
    return;
}

# Returns the parts of a line, if it has several lines of a report.
sub _parts {
    my ($line) = @_;
    return $line if length $line > PARTS_MOST;
    my @parts;
    my @pieces = split /(?<=[ )])(?=$START)/, $line;
    return $line if @pieces == 1 && $line !~ /\ABYTE UNIX /;
    for my $piece (@pieces) {
        my $is_open = @parts && length $parts[-1] <= LINE_MOST && $piece !~ /\A$AROUND/;
        if ($is_open && _plain($parts[-1]) !~ $CLOSED) { $parts[-1] .= $piece }
        else                                           { push @parts, $piece }
    }
    return map { _plain($_) } map { /\ABYTE UNIX / ? split(/ (?=$FACT)|(?<=bogomips\)) /, $_) : $_ } @parts;
}

# Returns lines, with those joined that a program has wrapped.
sub _unwrapped {
    my (@lines) = @_;
    my @whole;
    while (defined(my $line = shift @lines)) {
        my ($joined, $more) = _joined($line, @lines[0 .. List::Util::min($#lines, WRAPPED_MOST - 1)]);
        splice @lines, 0, $more if defined $joined;
        push @whole, $joined // $line;
    }
    return @whole;
}

# Takes a line and those after it; returns the line with the rest of it, and the number of lines that the rest has.
# Returns nothing if it is not wrapped.
sub _joined {
    my ($line, @next) = @_;
    return if length $line > LINE_MOST;
    return if $line =~ $CLOSED && !($line =~ $IS_CUT && @next && $next[0] =~ /\A[0-9]*[.]?[0-9]+\z/);
    return ("$line$next[0]", 1) if $line =~ $CLOSED;
    return if !grep { /\A$START/ } map { join $_, $line, @next } q{ }, q{};
    for my $more (1 .. @next) {
        return if length $next[$more - 1] > LINE_MOST || $next[$more - 1] =~ /\A$START/;
        my ($joined) = grep { /\A$START/ && /$CLOSED/ } map { join $_, $line, @next[0 .. $more - 1] } q{ }, q{};
        return ($joined, $more) if defined $joined;
    }
    return;
}

1;
