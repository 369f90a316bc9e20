package UnixBench::Store::ResultFile;

# Reads files: results, and the summaries that comparisons need. A result is a page or JSON; a summary may come from a
# text report, too. The checksum decides: JSON without one, or with a wrong one, is refused. What was measured is read,
# with the scores and indexes as they were reported. Everything else is computed again. A run, which reads its own page,
# needs no memory for the parser of text reports.

use strict;
use warnings;

use UnixBench::Base::Files        ();
use UnixBench::Base::JSON         ();
use UnixBench::Base::ResultSchema ();
use UnixBench::Base::Shape        ();
use UnixBench::Base::Text         qw(clean counted shown);
use UnixBench::Features           qw(loaded);
use UnixBench::Store::Document    qw(END_OF_PAGE begin_of ends_of has_data result_in);
use UnixBench::Store::Measured    ();
use UnixBench::Summary            ();
use UnixBench::Version            ();
use UnixBench::Warnings::Trust    ();

# JSON_MB and TEXT_MB limit the size of a file. A result of 16,000 copies is smaller, and so is any text around a text
# report.
use constant { SHOWN_MAX => 160, JSON_MB => 256, TEXT_MB => 16 };

use constant ALIKE_MOST => 10;    # files that are named which are left out for the same reason

my $BOM     = "\xef\xbb\xbf";
my $IS_JSON = qr/\A(?:$BOM)?\s*\{(?!%|[\/\w]|"(?:dt|log)":)/;    # markup as {noformat}, and logs of LAVA and Docker

my $FIRST = '{"format":';
my $HEAD  = qr/\A\Q$FIRST\E"\Q${\UnixBench::Base::ResultSchema::FORMAT}\E","schema":([0-9]+),
    (?:"formulas":([0-9]+),)?"summary":(.*),\z/xs;

my $CHANGED    = 'it was changed after it was written: its checksum (sha256, at its end) does not match';
my $ANEW       = q{another program wrote it anew, so its checksum can't be checked; give the file that Run wrote};
my $OTHER_JSON = 'JSON, but not from UnixBench';
my $UNSEALED   = 'it has no checksum (sha256, at its end); give the file that Run wrote';

# Takes the path of a result's page or JSON, or of a text report of any UnixBench, see file_of(). Returns its summary,
# see UnixBench::Summary. For a text report it may also take copies and cpus. Dies with one line if the file
# can't be read, is something else, was changed, or contradicts itself. If it is a result that another release wrote,
# what it is, such as "a result of ...", is also stored in the text that other_writer refers to.
sub summary {
    my ($path,    %how)  = @_;
    my ($of_text, $text) = text_summary($path, %how);
    return $of_text if $of_text;
    my $summary = eval { _sealed_summary(\$text) || UnixBench::Summary::of(_result_of(\$text)) };
    return $summary if $summary;
    ${ $how{other_writer} } = ${$@} if $how{other_writer} && ref $@;
    die _no_result($path, $@);
}

# Takes what summary() takes; returns the summary of a text report, or else undef and the text of a result, for
# result(). Dies with one line if the file can't be read, or is neither.
sub text_summary {
    my ($path, %how)    = @_;
    my ($file, $number) = file_of($path);
    my $text = _text($file);
    return _summary_in_text($path, $text, %how, number => $number) if $text !~ $IS_JSON;
    die _no_result($path, 'that file has one result') if defined $number;
    return (undef, $text);
}

# Takes a path, and what summary() takes besides; returns the summaries of all results in the file: a log may have
# several text reports. Dies as summary() does.
sub summaries {
    my ($path, %how) = @_;
    my @summaries = $path =~ /[.](?:html|json)\z/ || !-e $path ? () : _summaries_in(_text($path), %how);
    return @summaries ? @summaries : summary($path, %how);
}

# Takes a path, and what summary() takes besides; returns the outlines of all results in it, see
# UnixBench::Summary::Outline. If the summary in the head of a page has the right checksum, and the page has an end,
# nothing else is read.
sub outlines {
    my ($path, %how) = @_;
    my $summary = summary_in_head($path);
    require UnixBench::Summary::Outline;
    return map { UnixBench::Summary::Outline::of($_) } $summary // summaries($path, %how);
}

# Takes the path of a result, which may be FILE#N for the N-th report in a text. Returns the path of the file, and N or
# undef.
sub file_of {
    my ($path) = @_;
    return -e $path || $path !~ /\A(.+)#([1-9][0-9]{0,5})\z/s ? ($path, undef) : ($1, $2);
}

# Takes the path of a file; returns the line that refuses it, or undef if it is a result.
sub why_not {
    my ($path) = @_;
    return eval { summary($path) } ? undef : $@;
}

# Takes [path, line that refuses this file] for each file that is left out; returns sentences that name the files, as
# all commands print them. If many have the same reason, the last ones are counted.
sub left_out {
    my (@refused) = @_;
    my (%files, @reasons);
    for my $file (@refused) {
        my ($path, $line) = (clean($file->[0]), $file->[1] =~ s/\n\z//r);
        my $reason = $line =~ s/\Q$path\E/\0/r;
        push @reasons,             $reason if !$files{$reason};
        push @{ $files{$reason} }, $line;
    }
    return map { _of_reason($_, @{ $files{$_} }) } @reasons;
}

sub _of_reason {
    my ($reason, @lines) = @_;
    my @others = splice @lines, @lines > ALIKE_MOST ? ALIKE_MOST : @lines;
    my ($before, $after) = split /\0/, $reason, 2;
    my $files = counted(scalar @others, 'other file', 'other files');
    return (@lines, @others ? $before . $files . $after =~ s/\A is /: /r : ());
}

# Takes the path of a result's page or JSON, and its text if that was read already; returns the result. Dies with one
# line if the file can't be read, is something else, was changed, or contradicts itself.
sub result {
    my ($path, @read) = @_;
    my $text = _text($path, @read);
    if ($text !~ $IS_JSON) {
        _summary_in_text($path, $text);
        die _no_result($path, 'a text report, without the data of the passes');
    }
    return eval { _result_of(\$text) } // die _no_result($path, $@);
}

# Takes a reference to the JSON of a result; returns the whole document, in which nothing that was computed is checked.
# Dies with the reason, a line, if it is refused, and with a reference to what it is if this version can't read it.
sub document {
    my ($json) = @_;
    die _unfinished($json) if $$json =~ /\A\{"head":/;
    my $document = _decoded($$json);
    my $format   = ref $document eq 'HASH'   ? $document->{format} // q{}                              : q{};
    my $other    = $format =~ /\Aunixbench-/ ? 'a file of UnixBench without scores, ' . shown($format) : $OTHER_JSON;
    die "$other\n" if $format ne UnixBench::Base::ResultSchema::FORMAT;
    _check_version(@$document{qw(schema version)});
    _check_seal($json, $document);
    UnixBench::Store::Measured::check($document);
    return $document;
}

sub _unfinished {
    my ($journal) = @_;
    my ($version) = $$journal =~ /\A\N*?"fingerprint":\{[^{}]*?"version":"([0-9.]+)"/;
    my $is_own    = ($version // $UnixBench::Version::VERSION) eq $UnixBench::Version::VERSION;
    return "an unfinished run; use --resume to finish it\n" if $is_own;
    return "an unfinished run of UnixBench $version; resume it with that version\n";
}

sub _result_of {
    my ($json) = @_;
    my $document = document($json);
    UnixBench::Store::Measured::strip($document);
    $document->{schema} = UnixBench::Base::ResultSchema::SCHEMA;
    return $document;
}

sub _check_seal {
    my ($json, $document) = @_;
    die "$UNSEALED\n" if !defined $document->{sha256} || ref $document->{sha256};
    my $is_right = _is_sealed($json);
    return if $is_right;
    die defined $is_right ? "$CHANGED\n" : "$ANEW\n";
}

sub _text {
    my ($path, $text) = @_;
    $text //= UnixBench::Base::Files::text_within($path, \&_limit_mb);
    die _no_result($path, 'UTF-16, not UTF-8; convert it with iconv') if $text =~ /\A(?:\xff\xfe|\xfe\xff)/;
    substr $text, 0, length $BOM, q{} if substr($text, 0, length $BOM) eq $BOM;
    return $text if !has_data(\$text);
    return result_in(\$text) // die _no_result($path, 'a page whose end is missing; copy it again');
}

# Takes the path of a page; returns the summary in its head, or undef if it has none, or a wrong one.
sub summary_in_head {
    my ($path) = @_;
    return if $path !~ /[.]html\z/ || !-f $path;
    my ($head, $end) = ends_of($path) or return;
    my $begin = begin_of('summary');
    my $from  = index $head, $begin;
    return if $from < 0 || $end ne END_OF_PAGE || $head !~ /\A<!DOCTYPE html>/;
    $from += length $begin;
    my $json = substr $head, $from, index($head, '<', $from) - $from;
    return _sealed_summary(\$json);
}

sub _limit_mb {
    my ($beginning) = @_;
    return $beginning =~ $IS_JSON || has_data(\$beginning) ? JSON_MB : TEXT_MB;
}

sub _summary_in_text {
    my ($path, $text, %how) = @_;
    require UnixBench::Store::ClassicReport;
    my $summary = eval { UnixBench::Store::ClassicReport::summary($text, %how) };
    return $summary if $summary;
    my $why     = $@;
    my $is_json = eval { UnixBench::Base::JSON::decode($text); 1 };
    die _no_result($path, $why || ($is_json ? $OTHER_JSON : UnixBench::Store::ClassicReport::likeness($text)));
}

# Returns the summaries of all text reports in a text; none if it is something else.
sub _summaries_in {
    my ($text, %how) = @_;
    return if $text =~ $IS_JSON;
    require UnixBench::Store::ClassicReport;
    return eval { UnixBench::Store::ClassicReport::summaries($text, %how) };
}

# Returns the line that refuses a file: with the reason, or with a reference to what the file is.
sub _no_result {
    my ($path, $why) = @_;
    return clean($path) . " is $$why\n" if ref $why;
    chomp $why;
    return clean($path) . ' is not a result: ' . substr(clean($why), 0, SHOWN_MAX) . "\n";
}

# Takes a reference to JSON. Returns the summary in the first line, or undef unless the checksum of the JSON is right,
# and this version would compute the same summary.
sub _sealed_summary {
    my ($json) = @_;
    my ($schema, $formulas, $line) = _is_sealed($json) ? substr($$json, 0, index $$json, "\n") =~ $HEAD : ();
    return if !defined $line || !UnixBench::Base::ResultSchema::has_own_formulas($schema, $formulas);
    my $summary = eval { _checked_summary($line) };
    return $summary;
}

# Takes the JSON of a summary; returns the summary. The limits of trust are those of this version. Dies if it is not as
# this version writes it.
sub _checked_summary {
    my ($json)     = @_;
    my $shape      = UnixBench::Base::ResultSchema::shape('summary');
    my $summary    = _decoded($json);
    my $difference = UnixBench::Base::Shape::difference($summary, $shape);
    die "$difference\n" if defined $difference;
    $summary->{trust} = UnixBench::Warnings::Trust::judged_again($summary) if $summary->{trust};
    return $summary;
}

# Returns whether the checksum is right. Returns undef if there is none, or if another program has written the data in
# another form.
sub _is_sealed {
    my ($json) = @_;
    return substr($$json, 0, length $FIRST) eq $FIRST ? UnixBench::Store::Document::is_sound($json) : undef;
}

sub _decoded {
    my ($json) = @_;
    my $data = eval { UnixBench::Base::JSON::decode($json) };
    return $data if defined $data;
    my $why = $@ || "null\n";
    chomp $why;
    my ($byte)  = $why  =~ / at byte ([0-9]+)\z/;
    my $is_torn = $json !~ /\}\s*\z/ || defined $byte && $byte >= length $json;
    $why .= ': its end is missing; copy it again' if $is_torn && substr($json, 0, length $FIRST) eq $FIRST;
    die "$why\n";
}

sub _check_version {
    my ($schema, $version) = @_;
    my ($writer, $own)     = UnixBench::Base::ResultSchema::other_writer($schema, $version) or return;
    my $what = "a result of $writer, which $own can't read; use that version, or measure again";
    die \$what;
}

# Features make results, with passes, from files of other kinds, such as logs, for the command report. (A text report
# becomes a summary in UnixBench::Store::ClassicReport, which no feature extends.) A feature declares for each kind:
#   word    what the help calls such a file
#   about   a sentence on it for the help of the command report
#   reader  a module with two subs:
#     likeness   takes a reference to a text; returns words that describe such a file in a message, or nothing if the
#                text is something else
#     read_file  takes the path of a file, and its text if that was read already. Returns nothing if it is something
#                else, or a function that takes a UnixBench::Call and returns the result. Both die with one line
#                if no result can be made of the file
# It also declares files of its own in the directory of results, with other keys:
#   name    NAME of the file NAME.log, in small letters. No result can have this name
#   about   what it has

# Takes a reference to a text; returns words that describe it, or undef if no feature knows such a file.
sub likeness {
    my ($text) = @_;
    return _first(sub { $_[0]->can('likeness')->($text) });
}

# Takes the path of a file, and its text if that was read already; returns what the first reader that knows the file
# returns, or undef.
sub read_file {
    my (@file) = @_;
    return _first(sub { $_[0]->can('read_file')->(@file) });
}

sub _first {
    my ($ask) = @_;
    for my $kind (grep { $_->{reader} } UnixBench::Features::list('files')) {
        my $found = $ask->(loaded($kind->{reader}));
        return $found if defined $found;
    }
    return;
}

1;
