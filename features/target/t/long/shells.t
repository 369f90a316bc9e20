use strict;
use warnings;

use FindBin;

use lib "$FindBin::Bin/../../../../t/lib";
use Needs qw(need_tools);

# measure.sh by every shell that may be the one of a small system: all its cases.
need_tools(qw(dash busybox mksh bash zsh));
local $ENV{UB_SHELLS} = 'dash,busybox ash,mksh,bash,zsh';
exec $^X, (map { "-I$_" } @INC), "$FindBin::Bin/../script.t" or die "script.t: $!\n";
