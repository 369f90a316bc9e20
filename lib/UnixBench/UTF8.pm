package UnixBench::UTF8;

use strict;
use warnings;

use Exporter 'import';

our @EXPORT_OK = qw($MULTIBYTE);

# A character of UTF-8 that is not ASCII, as bytes; Unicode 15, table 3-7.
our $MULTIBYTE = qr{
      [\xc2-\xdf] [\x80-\xbf]
    | (?! \xe0 [\x80-\x9f] | \xed [\xa0-\xbf]) [\xe0-\xef] [\x80-\xbf]{2}
    | (?! \xf0 [\x80-\x8f] | \xf4 [\x90-\xbf]) [\xf0-\xf4] [\x80-\xbf]{3}
}x;

1;
