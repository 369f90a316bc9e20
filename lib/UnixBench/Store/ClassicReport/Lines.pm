package UnixBench::Store::ClassicReport::Lines;

# The lines of a text report in any form: mail, log, terminal or web page.

use strict;
use warnings;

use constant PREFIX_MOST => 120;    # characters

my $RUN       = qr/(?:[0-9]{1,9} CPUs? in system; )?running [0-9]{1,9} parallel cop(?:y|ies)\b/;
my $PAGE      = qr/<(?:!doctype html|html|table|pre)\b/i;
my $CLASSIC   = qr/BYTE UNIX Benchmarks \(Version|Benchmark Run: [0-9]+ CPUs?; [0-9]+ parallel process/;
my $CELL      = "\x1f";
my %CHARACTER = (lt => q{<}, gt => q{>}, amp => q{&}, quot => q{"}, apos => q{'}, nbsp => q{ });

# Takes text of any kind; returns its lines with single blanks. Removes the marks of quoted mail, control sequences, the
# prefixes of a log and HTML tags. Turns the tables of a classic web page into those of a text report.
sub of {
    my ($text) = @_;
    my @lines  = is_page($text) ? _lines_of_page($text) : split /[\r\n]+/, $text;
    return _without_prefix(map { _plain($_) } @lines);
}

# Takes text; returns whether it is a web page.
sub is_page {
    my ($text) = @_;
    return $text =~ $PAGE;
}

sub _plain {
    my ($line) = @_;
    $line =~ s/\A[\s>]+//;
    $line =~ s/\e\[[0-9;]*[A-Za-z]//g;
    $line =~ s/\xc2\xa0/ /g;
    $line =~ s/\s*[|][\s|]*\z//;
    return join q{ }, split q{ }, $line;
}

# Removes the prefix that a log puts before each line, and lines without it. The first line that begins a run shows the
# prefix. Its numbers may change, as in a time of day.
sub _without_prefix {
    my (@lines) = @_;
    return @lines if grep { /\A$RUN/ } @lines;
    my ($prefix) = map { /\A(.{1,${\PREFIX_MOST}}?)$RUN/ ? $1 : () } @lines;
    return @lines if !defined $prefix;
    my @parts   = split /((?<![a-z])(?<![a-z]-)[0-9]+)/, $prefix =~ s/ \z//r;
    my $pattern = join q{}, map { $_ % 2 ? '[0-9]+' : quotemeta $parts[$_] } 0 .. $#parts;
    return map { _plain($_) } map { /\A$pattern(?: (.*))?\z/ ? $1 // q{} : () } @lines;
}

# Takes a web page; returns its lines. A row of a table becomes one line. The end of any other block ends a line.
sub _lines_of_page {
    my ($page) = @_;
    $page =~ s/<!--(?:(?!<!--).)*?-->//gs;
    $page =~ s{<(script|style)\b(?:(?!<(?:script|style)\b).)*?</\1>}{}gis;
    $page =~ s{(<tr\b(?:(?!<tr\b).)*?(?:</tr>|(?=<tr\b)|\z))}{$1 =~ tr/\r\n/  /r}geis;
    $page =~ s{</t[dh]>}{$CELL}gi;
    $page =~ s{<(?:br\b|/(?:p|tr|h[1-6]|div|li|pre|table)\b)[^<>]*>}{\n}gi;
    $page =~ s/<[a-z\/!][^<>]*>//gi;
    my @lines = map { _unescaped($_) } split /[\r\n]+/, $page;
    my %table = (rows => [], is_classic => scalar grep { /$CLASSIC/ } @lines);
    return map { /$CELL/ ? _lines_of_row(\%table, split /$CELL/) : _run_line($_) } @lines;
}

sub _unescaped {
    my ($line) = @_;
    return $line =~ s{&(?:([a-z]{2,4})|\#([0-9]{1,3}));}{defined $1 ? $CHARACTER{$1} // "&$1;" : chr($2 & 0xff)}ger;
}

# Takes the table so far and the cells of a row; returns the lines of a text report. A row of the classic page has
# title, score, unit, time, samples, baseline and index. Rows of other pages are not read.
sub _lines_of_row {
    my ($table, @cells) = @_;
    @cells = map { _plain($_) } @cells;
    my $line = join q{ }, grep { length } @cells;
    return if !$table->{is_classic};
    my ($of, $word, $mark, $value) = $line =~ /\A(.+?) (Partial )?Index(?: Score)?( \(Partial Only\))?:? ([0-9.,]+)\z/;
    return _table_lines($table, $of, defined $word || defined $mark, $value) if defined $of && @{ $table->{rows} };
    my ($title, $score, $unit, $time, $samples, $baseline, $index) = @cells;
    return $line if @cells < 5 || $time !~ /\A[0-9.]+ s\z/ || $samples !~ /\A[0-9]+\z/;
    my $is_based = ($baseline // q{}) =~ /\A[0-9.,]+\z/ && ($index // q{}) =~ /\A[0-9.,]+\z/;
    push @{ $table->{rows} }, "$title $baseline $score $index" if $is_based;
    return "$title $score $unit ($time, $samples samples)";
}

# Takes a line; if it begins a run, returns it in the form of the text report, else unchanged.
sub _run_line {
    my ($line) = @_;
    my ($cpus, $copies) = $line =~ /\A\s*Benchmark Run: ([0-9]+) CPUs?; ([0-9]+) parallel process(?:es)?\s*\z/;
    return defined $copies ? "$cpus CPUs in system; running $copies parallel copies of tests" : $line;
}

sub _table_lines {
    my ($table, $title, $is_partial, $index) = @_;
    my $head = $title . ($is_partial ? ' Partial Index' : ' Index Values') . ' BASELINE RESULT INDEX';
    return ($head, splice(@{ $table->{rows} }), "$title Index Score $index");
}

1;
