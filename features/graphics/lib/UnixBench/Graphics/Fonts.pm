package UnixBench::Graphics::Fonts;

# The fonts that a virtual display needs for the tests of text.

use strict;
use warnings;

use List::Util ();

# The lists of fonts of X servers on different systems, and a pattern for the fonts that the tests of text use.
my @FONTS = map { "$_/misc/fonts.dir" } qw(/usr/share/fonts/X11 /usr/share/X11/fonts /usr/share/fonts
    /usr/share/fonts/xorg /usr/local/share/fonts /opt/X11/share/fonts /opt/homebrew/share/fonts/X11);
my $IS_FOR_X11 = qr/-jisx0208[.]1983-/;

# Takes UnixBench::Host::Machine; returns whether the fonts are installed. A display that the user has needs none here.
sub is_there {
    my ($host) = @_;
    return 1 if ($host->display // q{}) eq 'given';
    return defined List::Util::first { $host->content($_) =~ $IS_FOR_X11 } @FONTS;
}

1;
