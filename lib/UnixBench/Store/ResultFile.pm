package UnixBench::Store::ResultFile;

# Reads files: results, and the summaries that comparisons need. A result is a page or JSON, which
# UnixBench::Store::Document checks; a summary may come from a text report, too.

use strict;
use warnings;

use UnixBench::Base::Format         qw(clean);
use UnixBench::Base::SafeRead       ();
use UnixBench::Store::ClassicReport ();
use UnixBench::Store::Document      ();
use UnixBench::Store::PageData      qw(has_data result_in);

# JSON_MB and TEXT_MB limit the size of a file. A result of 16,000 copies is smaller, and so is any text around a text
# report.
use constant { SHOWN_MAX => 160, JSON_MB => 256, TEXT_MB => 16 };

my $BOM     = "\xef\xbb\xbf";
my $IS_JSON = qr/\A(?:$BOM)?\s*\{/;

# Takes the path of a result's page or JSON, or of a text report of any UnixBench; returns its summary, see
# UnixBench::Store::Summary. Dies with one line if the file can't be read, is something else, was changed, or
# contradicts itself.
sub summary {
    my ($path) = @_;
    my $text = _text($path);
    return _summary_in_text($path, $text) if $text !~ $IS_JSON;
    return eval { UnixBench::Store::Document::summary(\$text) } // die _no_result($path, $@);
}

# Takes the path of a result's page or JSON; returns the result. Dies with one line if the file can't be read, is
# something else, was changed, or contradicts itself.
sub result {
    my ($path) = @_;
    my $text = _text($path);
    die _no_result($path, 'a text report, without the data of the passes') if $text !~ $IS_JSON && _is_report($text);
    my $result = eval { UnixBench::Store::Document::of(\$text) } // die _no_result($path, $@);
    delete @$result{qw(format summary gain remarks sha256)};
    return $result;
}

# Returns the text of a file, or the JSON in a page.
sub _text {
    my ($path)  = @_;
    my $text    = UnixBench::Base::SafeRead::text($path, \&_limit_mb);
    my $decoded = UnixBench::Base::SafeRead::from_utf16(\$text);
    $text = $decoded if defined $decoded;
    substr $text, 0, length $BOM, q{} if substr($text, 0, length $BOM) eq $BOM;
    return $text if !has_data(\$text);
    return result_in(\$text) // die _no_result($path, 'a page whose end is missing; copy it again');
}

sub _limit_mb {
    my ($beginning) = @_;
    return $beginning =~ $IS_JSON || has_data(\$beginning) ? JSON_MB : TEXT_MB;
}

sub _is_report {
    my ($text) = @_;
    return eval { UnixBench::Store::ClassicReport::summary($text) } || $@;
}

sub _summary_in_text {
    my ($path, $text) = @_;
    my $summary = eval { UnixBench::Store::ClassicReport::summary($text) };
    return $summary // die _no_result($path, $@ || UnixBench::Store::ClassicReport::likeness($text));
}

# Returns the line that refuses a file: with the reason, or with a reference to what the file is.
sub _no_result {
    my ($path, $why) = @_;
    return clean($path) . " is $$why\n" if ref $why;
    return clean($path) . ' is not a result: ' . _why($why) . "\n";
}

sub _why {
    my ($why) = @_;
    chomp $why;
    return substr clean($why), 0, SHOWN_MAX;
}

1;
