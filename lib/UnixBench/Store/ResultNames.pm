package UnixBench::Store::ResultNames;

# Finds the result, or the unfinished run, that a word of the command line means: a path, the bare name of a run in the
# directory of results, a directory, which stands for all results in it, or a pattern (*, ?, [..]) of such names. A
# result is read from its best file: the page, which has all data, then the JSON, then the text report.

use strict;
use warnings;

use File::Basename qw(basename dirname);
use File::Spec     ();

use UnixBench::Base::Arguments    qw(named);
use UnixBench::Base::Files        ();
use UnixBench::Base::Text         qw(clean fixed nearest);
use UnixBench::Base::Result       qw(@SUFFIXES);
use UnixBench::Base::ResultSchema ();
use UnixBench::Store::Document    qw(HEAD_SIZE ends_of has_data);
use UnixBench::Store::OutputFiles ();
use UnixBench::Store::ResultFile  ();
use UnixBench::Summary            ();

use constant MTIME   => 9;     # of the values that stat returns
use constant TEXT_MB => 16;    # a larger file is not a text report

# The suffixes of files with data, the best first, and those of files that may belong to a result although they have no
# data.
my @WITH_DATA      = qw(.html .json);
my $WITHOUT_SCORES = qr/[.](?:html|csv|log)/;

# Files in the directory of results that belong to other commands.
my $OTHER = qr{(?:/history-accepted[.]log|-cpus[.](?:html|json))\z};

# How pages and JSON begin, even if they are torn.
my $BEGIN_OF_PAGE = '<!DOCTYPE html>';
my $BEGIN_OF_JSON = '{"format":"' . UnixBench::Base::ResultSchema::FORMAT . q{"};

my $PATTERN = qr/[*?[]/;

my $REPORT = qr/BYTE UNIX Benchmarks \(Version /;
my $PART   = qr/parallel\W+cop(?:y|ies)\b|Index\W+(?:Score|Values)|Partial\W+Index/i;    # of a report without that line
my $SCORES = qr/\A"?Concurrency"?,|^>>>> score: /m;                                      # of a CSV file, and of a log
my $JSON   = qr/"format"\s*:\s*"@{[UnixBench::Base::ResultSchema::FORMAT]}"/;

# Takes directory => the directory of the results that are named without a path.
sub new {
    my ($class, @given) = @_;
    return bless named(\@given, qw(directory)), $class;
}

# Takes a word; returns the files that it means, { path, notice, is_of_directory } each. notice is a line about a file
# that is read instead of the given one, or undef. is_of_directory tells that the word is a directory. Then files that
# have the name of a result, but can't be one, are returned, too. A directory without a result, or a file that is none,
# does not hide the run of that name. Other files of a directory are returned, too, with why, the line that
# refuses them. A directory without results stands for those in it, one level below; what else it has, such as the
# reports on a fleet, is not a result that was left out. Files of a pattern also have pattern, the path that it has in
# the directory in which it matches. Dies with a line for each reason if there is none.
sub files {
    my ($self,   $word)   = @_;
    my ($report, $number) = UnixBench::Store::ResultFile::file_of($word);
    if (defined $number) {
        my $file = $self->file($report);
        return { %$file, path => "$file->{path}#$number" };
    }
    my $is_there = -e $word;
    my @files    = -d $word ? _files_in($word) : $is_there ? _or_better($word) : ();
    return @files if grep { $_->{is_result} } @files;
    my @below = -d $word ? _files_below($word) : ();
    return (@below, grep { !defined $_->{why} } @files) if grep { $_->{is_result} } @below;
    push @files, @below;
    my @places = !$is_there ? $self->_places($word) : $word eq _base($word) ? $self->_own_places($word) : ();
    my ($best) = grep { defined } map { scalar _best(_base($_)) } @places;
    return { path => $best, notice => scalar _why_instead($word) } if defined $best;
    return @files if grep { !defined $_->{why} } @files;
    my @matching = $is_there ? () : map { _matching($_) } @places;
    return @matching if @matching;
    die $self->_not_found($word) if !$is_there;
    my @left_out = UnixBench::Store::ResultFile::left_out(map { [@$_{qw(path why)}] } @files);
    die clean($word) . " has no results\n", map { "$_\n" } @left_out;
}

# Takes a path that may be a pattern of names, with or without a suffix; returns the files that it matches. Several
# files of one run count once, and a directory stands for its results.
sub _matching {
    my ($pattern) = @_;
    return if $pattern !~ $PATTERN;
    require File::Glob;
    my (%of, @files);
    push @{ $of{ -d $_ ? $_ : _base($_) } }, $_ for map { File::Glob::bsd_glob($pattern . $_, 0) } q{}, @WITH_DATA;
    for my $base (sort keys %of) {
        my ($path) = @{ $of{$base} } > 1 ? _best($base) // $base : @{ $of{$base} };
        push @files, -d $path ? _files_in($path) : -f _ ? _or_better($path) : ();
    }
    my @used = grep { $_->{is_result} || _is_bad($_->{path}) } @files;
    return map { +{ %$_, pattern => $pattern, is_of_directory => 1 } } @used;
}

sub _why_instead {
    my ($word) = @_;
    my $why = -d $word ? 'that directory has no results' : -e _ ? 'that file is not a result' : return;
    return clean($word) . ": $why; the run of that name is read\n";
}

# Takes a word; returns its only file, as files() does. The key others has those of its directory that are left out,
# [path, line that refuses it] each. Dies if there is none, or more than one.
sub file {
    my ($self,  $word)    = @_;
    my ($first, @further) = $self->files($word);
    return { %$first, others => [] } if !@further;
    my (@found, @others);
    for my $file ($first, @further) {
        my $why = @found > 1 ? undef : $file->{why} // UnixBench::Store::ResultFile::why_not($file->{path});
        push @found,  defined $why ? ()                    : $file;
        push @others, defined $why ? [$file->{path}, $why] : ();
    }
    return { %{ $found[0] }, others => \@others } if @found == 1;
    my @results = grep { $_->{is_result} } $first, @further;
    my $what    = (-d $word ? 'the directory ' : 'the pattern ') . clean($word);
    die "$what has " . @results . " results; name one of them\n" if @found;
    die clean($word) . " has no results\n", map { "$_\n" } UnixBench::Store::ResultFile::left_out(@others);
}

# Takes paths of results, directories or patterns. Returns { path => the summary of the result or, of several, [{ label
# (the path), summary }, ...], the newest first }, and [path, line that refuses it] of other files there. Dies with one
# line if there is no result.
sub read_all {
    my (@paths) = @_;
    my (%of, @refused);
    for my $path (@paths) {
        my ($sides, @others) = -d $path || !-e _ && $path =~ $PATTERN ? _sides($path) : ();
        die $others[0][1] if $sides && !@$sides;
        $of{$path} = $sides // UnixBench::Store::ResultFile::summary($path);
        push @refused, @others;
    }
    return (\%of, @refused);
}

sub _sides {
    my ($path) = @_;
    my (@sides, @refused);
    for my $file (__PACKAGE__->new(directory => q{.})->files($path)) {
        my $summary = defined $file->{why} ? undef : eval { UnixBench::Store::ResultFile::summary($file->{path}) };
        push @sides, { label => $file->{path}, summary => $summary } if $summary;
        push @refused, [$file->{path}, $file->{why} // $@] if !$summary;
    }
    my %began = map { $_ => UnixBench::Summary::began($_->{summary}) // 0 } @sides;
    return ([sort { $began{$b} <=> $began{$a} } @sides], @refused);
}

# Takes perhaps how many are needed; returns the files with data in the directory of results, the newest first. It reads
# no more files than necessary, and only their heads.
sub newest_first {
    my ($self, $most) = @_;
    my @bases = -d $self->{directory} ? _bases_in($self->{directory}) : ();
    my %time  = map { $_ => _time_of($_) } @bases;
    my @paths;
    for my $base (sort { $time{$b} <=> $time{$a} || $a cmp $b } @bases) {
        last if defined $most && @paths >= $most;
        push @paths, _with_data($base) // ();
    }
    return @paths;
}

sub _time_of {
    my ($base) = @_;
    my ($path) = grep { -f } (map { $base . $_ } @WITH_DATA), $base;
    return defined $path ? (stat $path)[MTIME] : 0;
}

# Takes the path of a result's file; returns the word that names the result: without a path if it is in the directory of
# results, and without a suffix if that leads to the file.
sub word {
    my ($self, $path) = @_;
    my $base = _base($path);
    my $word = (_best($base) // q{}) eq $path ? $base : $path;
    return dirname($word) eq $self->{directory} ? basename($word) : $word;
}

# Takes a word that names an unfinished run, or one of its files; returns the absolute path that its files have in
# common. Dies with one line if there is no such run, or if it is finished or from a log.
sub unfinished {
    my ($self, $word) = @_;
    my @places = map  { File::Spec->rel2abs($_) } $self->_places($word);
    my ($base) = grep { -e "$_.journal" || -l "$_.journal" } map { ($_, _base($_)) } @places;
    return $base if defined $base;
    my ($best) = grep { defined } map { scalar _best(_base($_)) } @places;
    my $procedure = (defined $best && eval { UnixBench::Store::ResultFile::summary($best) } || {})->{procedure} || {};
    die 'the run ' . clean($word) . " is from a log of measure.sh, which can't be resumed: measure again\n"
        if $procedure->{runner} && $procedure->{interruption};
    die 'the run ' . clean($word) . " is finished: there is nothing to resume\n" if defined $best;
    my $has_path   = $word =~ m{/};
    my $directory  = $has_path ? dirname($word) : $self->{directory};
    my @unfinished = UnixBench::Store::OutputFiles::unfinished($directory);
    my $hint       = @unfinished ? '; unfinished runs there: ' . join(q{ }, map { clean($_) } @unfinished) : q{};
    die 'there is no run ' . clean($word) . ($has_path ? q{} : ' in ' . clean($directory)) . "$hint\n";
}

sub _places {
    my ($self, $word) = @_;
    return ($word, $self->_own_places($word));
}

# Returns where the directory of results has the run of that name, or nothing if the word is a path.
sub _own_places {
    my ($self, $word) = @_;
    return $word =~ m{/} ? () : "$self->{directory}/$word";
}

sub _files_in {
    my ($directory) = @_;
    my @files;
    for my $base (_bases_in($directory)) {
        my $best = _best($base);
        my $path = $best // _bad($base);
        my @more = defined $path ? [$path] : map { [$_, UnixBench::Store::ResultFile::why_not($_)] } _others($base);
        push @files, map {
            { path => $_->[0], notice => undef, is_of_directory => 1, is_result => defined $best, why => $_->[1] }
        } @more;
    }
    return @files;
}

# Takes a directory without results; returns the files of those in it that have some, the first one with a notice, and
# a file with why for each directory that can't be read.
sub _files_below {
    my ($directory) = @_;
    my $path = $directory =~ s{(?<=.)/+\z}{}r;
    opendir my $entries, $directory or die "can't read " . clean($directory) . ": $!\n";
    my (%files, @files);
    for my $below (sort grep { -d } map { "$path/$_" } grep { !/\A[.]/ } readdir $entries) {
        my @below = eval { _files_in($below) };
        push @files, { path => $below, notice => undef, why => $@ } if $@;
        $files{$below} = \@below if grep { $_->{is_result} } @below;
    }
    my @with  = sort keys %files;
    my $named = @with > 1 ? @with . ' directories' : clean(basename($with[0] // q{}));
    unshift @files, map { @{ $files{$_} } } @with;
    my ($first) = grep { $_->{is_result} } @files;
    $first->{notice} = clean($path) . ": reading the results one level below, in $named\n" if $first;
    return @files;
}

# Returns the paths that the files of runs in a directory have in common. Temporary files are none of them.
sub _bases_in {
    my ($directory) = @_;
    opendir my $entries, $directory or die "can't read " . clean($directory) . ": $!\n";
    my @names = grep { !/\A[.]/ && !defined UnixBench::Base::Files::maker_of($_) } readdir $entries;
    my %bases = map  { _base("$directory/$_") => 1 } @names;
    closedir $entries;
    my @sorted = sort keys %bases;
    return @sorted;
}

sub _base { my ($path) = @_; return (UnixBench::Store::OutputFiles::split_path($path))[0] }

sub _with_data {
    my ($base) = @_;
    my ($path) = grep { -f && _is_data(_head($_)) } map { $base . $_ } @WITH_DATA, q{};
    return $path;
}

sub _best {
    my ($base) = @_;
    my $best = _with_data($base);
    return $best if defined $best;
    my @alone  = -e "$base.journal" ? () : map { "$base$_" } qw(.log .html .csv);
    my ($text) = grep { -f && _kind($_) ne 'other' } -e $base ? $base : @alone;
    return $text;
}

# Takes the path that the files of a run have in common, none of which is a result. Returns the file that was probably
# meant to be one, or undef: not a plain file, unreadable, empty or torn.
sub _bad {
    my ($base) = @_;
    my ($bad)  = grep { _is_bad($_) } (map { $base . $_ } @WITH_DATA), $base;
    return $bad;
}

# Takes that path; returns the other files, without those that only the suite needs, and those of an unfinished run.
sub _others {
    my ($base) = @_;
    return if -e "$base.journal";
    return grep { -f && $_ !~ $OTHER } map { $base . $_ } grep { $_ ne '.journal' } q{}, @SUFFIXES;
}

sub _is_bad {
    my ($path) = @_;
    return 0 if -d $path || !-e _ && !-l $path;
    return 1 if !-f $path;
    my $head = _head($path) // return 1;
    return 0 if $path !~ /[.](?:html|json)\z/;
    return 1 if !length $head;
    return 0 if length $head == HEAD_SIZE;
    my ($begin) = $path =~ /[.]json\z/ ? $BEGIN_OF_JSON : $BEGIN_OF_PAGE;
    return index($begin, $head) == 0 || index($head, $begin) == 0 && $head !~ m{</html>\s*\z} ? 1 : 0;
}

# Takes an existing file; returns it, or a better one of the same run, as files() does, and is_result: whether it may be
# one. A pipe can be read only once.
sub _or_better {
    my ($path) = @_;
    my $kind   = -f $path ? _kind($path) : 'unknown';
    my %given  = (path => $path, notice => undef, is_result => $kind ne 'other');
    return \%given if $kind eq 'unknown' || $kind eq 'data';
    my $best = _best(_base($path));
    return \%given if !defined $best || $best eq $path || !_is_same_run($path, $best);
    return {
        path      => $best,
        is_result => 1,
        notice    => clean($path) . ': reading ' . clean($best) . ", which has the data of this run\n"
    };
}

# Returns "data", "text" for a classic report, "scores" for a log or a CSV file with scores, or "other".
sub _kind {
    my ($path) = @_;
    my $head = _head($path) // return 'other';
    return 'data' if _is_data($head);
    return 'text' if _has_report($path, $head);
    return $head =~ $SCORES ? 'scores' : 'other';
}

sub _is_data {
    my ($head) = @_;
    return defined $head && (has_data(\$head) || $head =~ /\A\s*[{]/ && $head =~ $JSON);
}

# Takes the path and the beginning of a file; returns whether it has a text report. Without the line of the version, the
# parser decides.
sub _has_report {
    my ($path, $head) = @_;
    return 1 if $head =~ $REPORT;
    return 0 if $head =~ /\0/;
    my $text = length $head < HEAD_SIZE ? $head : eval { UnixBench::Base::Files::text_within($path, sub { TEXT_MB }) };
    return 0 if !defined $text || $text !~ $PART;
    require UnixBench::Store::ClassicReport;
    my $has_one = eval { UnixBench::Store::ClassicReport::summary($text) ? 1 : 0 };
    return $has_one // 1;
}

sub _head {
    my ($path) = @_;
    my ($head) = ends_of($path);
    return $head;
}

# Returns whether another file has the result of a text report: the same scores. A log, a CSV file and a page without
# data have no scores of their own.
sub _is_same_run {
    my ($path, $other) = @_;
    return scalar $path =~ /$WITHOUT_SCORES\z/ if _kind($path) ne 'text';
    my @scores = map { _scores($_) } $path, $other;
    return $scores[0] eq $scores[1];
}

sub _scores {
    my ($path)  = @_;
    my $summary = eval { UnixBench::Store::ResultFile::summary($path) } or return q{};
    my @tests   = map { @{ $_->{tests} } } @{ $summary->{runs} };
    return join "\n", sort map { "$_->{title} " . fixed($_->{score}) } grep { defined $_->{score} } @tests;
}

sub _not_found {
    my ($self, $word) = @_;
    my $directory = $self->{directory};
    my $shown     = clean($word);
    return "there is no file $shown\n" if $word =~ m{/};
    my @names   = -d $directory ? map { basename($_) } grep { defined _best($_) } _bases_in($directory) : ();
    my $nearest = nearest($word, @names);
    my $hint    = defined $nearest ? '; did you mean ' . clean($nearest) . q{?} : q{};
    return "there is no file $shown, and no run of that name in " . clean($directory) . "$hint\n";
}

1;
