package UnixBench::Fleet::File;

# Reads the list of a fleet: a CSV file with a line for each try to measure a host. Its first line names the columns, of
# which others than these are ignored. Texts that a spreadsheet would take for formulas begin with an apostrophe, as in
# all CSV files for people; it is removed.

use strict;
use warnings;

use File::Basename qw(dirname);
use File::Spec     ();

use UnixBench::Base::Files ();
use UnixBench::Base::Text  qw(clean shown);

use constant { LIMIT_MB => 64, BOM => "\xef\xbb\xbf" };

my @COLUMNS  = qw(host outcome reason result);
my @OUTCOMES = qw(measured failed unreachable refused running untried);

# Takes the path of a list; returns its tries in the order of the file, { host, outcome, reason (or undef), file (the
# path of the result, or undef) } each. Dies with one line if the file can't be read, or if a line of it is wrong.
sub tries {
    my ($path) = @_;
    my $text   = UnixBench::Base::Files::text_within($path, sub { LIMIT_MB });
    my @tries  = eval { _tries($text, dirname(File::Spec->rel2abs($path))) };
    return @tries if @tries;
    chomp(my $why = $@);
    die clean($path) . " is not a list of hosts: $why\n";
}

sub _tries {
    my ($text, $directory) = @_;
    my ($head, @records)   = _records($text =~ s/\A@{[BOM]}//r =~ s/\n?\z/\n/r);
    die 'it is empty; its first line has to be ' . join(q{,}, @COLUMNS) . "\n" if !$head;
    my %is_there = map { $_ => 1 } @{ $head->{fields} };
    my ($missing) = grep { !$is_there{$_} } @COLUMNS;
    die "line 1: the column \"$missing\" is missing; the columns are " . join(q{,}, @COLUMNS) . "\n"
        if defined $missing;
    my @tries;
    for my $record (@records) {
        my $try = eval { _try($head->{fields}, $record->{fields}, $directory) };
        die "line $record->{line}: $@" if !$try;
        push @tries, $try;
    }
    die "it has no host after its first line\n" if !@tries;
    return @tries;
}

# A field in quotation marks may have commas, and line breaks. Empty lines are left out.
sub _records {
    my ($text) = @_;
    my ($line, $next, @fields, @records) = (1, 1);
    while ($text =~ /\G(?:"((?:[^"]+|"")*)"|([^",\r\n]*))(,|\r?\n|\r\z)/gc) {
        my ($quoted, $plain, $end) = ($1, $2, $3);
        $next += ($quoted // q{}) =~ tr/\n//;
        push @fields, defined $quoted ? $quoted =~ s/""/"/gr : $plain;
        next if $end eq q{,};
        push @records, { line => $line, fields => [@fields] } if "@fields" =~ /\S/;
        ($line, @fields) = (++$next);
    }
    die "line $line: a quotation mark is wrong; double those within a field\n" if (pos $text // 0) < length $text;
    return @records;
}

sub _try {
    my ($columns, $fields, $directory) = @_;
    die @$fields . ' fields instead of ' . @$columns . "; put a field with commas in quotation marks\n"
        if @$fields != @$columns;
    my %try;
    @try{@$columns} = map { s/\A\s+|\s+\z//gr =~ s/\A'(?=[=+\-@\t\r])//r } @$fields;
    die "the name of the host is missing\n" if !length $try{host};
    die 'the host "' . shown($try{host}) . "\" has a character that can't be printed\n"
        if clean($try{host}) ne $try{host};
    die 'the outcome has to be '
        . join(', ', @OUTCOMES[0 .. $#OUTCOMES - 1])
        . " or $OUTCOMES[-1], not \""
        . shown($try{outcome}) . "\"\n"
        if !grep { $_ eq $try{outcome} } @OUTCOMES;
    my $file = delete $try{result};
    die "the outcome is measured, but the result is missing\n" if $try{outcome} eq 'measured' && !length $file;
    die "a host that is $try{outcome} has no result; leave that field empty\n"
        if length $file && $try{outcome} !~ /\A(?:measured|failed)\z/;
    die "the path of the result has a NUL byte\n" if $file =~ /\0/;
    return {
        host    => $try{host},
        outcome => $try{outcome},
        reason  => length $try{reason} ? $try{reason}                           : undef,
        file    => length $file        ? File::Spec->rel2abs($file, $directory) : undef,
    };
}

1;
