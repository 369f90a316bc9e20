package UnixBench::Base::UTF8;

# Characters as bytes of UTF-8.

use strict;
use warnings;

use Exporter 'import';

use constant { HIGH => 0xd800, LOW => 0xdc00, BEHIND => 0xe000, REPLACEMENT => 0xfffd };

our @EXPORT_OK = qw($MULTIBYTE);

# A character of UTF-8 that is not ASCII, as bytes; Unicode 15, table 3-7.
our $MULTIBYTE = qr{
      [\xc2-\xdf] [\x80-\xbf]
    | (?! \xe0 [\x80-\x9f] | \xed [\xa0-\xbf]) [\xe0-\xef] [\x80-\xbf]{2}
    | (?! \xf0 [\x80-\x8f] | \xf4 [\x90-\xbf]) [\xf0-\xf4] [\x80-\xbf]{3}
}x;

# Byte order mark => how unpack reads what follows.
my %UNITS = ("\xff\xfe" => 'v*', "\xfe\xff" => 'n*');

# Takes a reference to bytes; returns them as UTF-8 where they are UTF-16 with a byte order mark, else undef. Half of a
# surrogate pair becomes U+FFFD.
sub from_utf16 {
    my ($bytes) = @_;
    return if length $$bytes < 2;
    my $units = $UNITS{ substr $$bytes, 0, 2 } // return;
    my @units = unpack $units, substr $$bytes, 2;
    my $text  = q{};
    while (@units) {
        my $code    = shift @units;
        my $is_pair = $code >= HIGH && $code < LOW && @units && $units[0] >= LOW && $units[0] < BEHIND;
        $code = 0x10000 + ($code - HIGH) * 0x400 + shift(@units) - LOW if $is_pair;
        $text .= chr($code >= HIGH && $code < BEHIND ? REPLACEMENT : $code);
    }
    utf8::encode($text);
    return $text;
}

1;
