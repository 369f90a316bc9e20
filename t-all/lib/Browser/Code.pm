package Browser::Code;

# The JavaScript that inspects pages from inside the browser.

use strict;
use warnings;

use File::Basename qw(dirname);

my $HERE  = dirname(__FILE__);
my $AXE   = "$HERE/../../../build/axe/axe.min.js";
my @PARTS = qw(naming layout content contrast tables scales pictures multiples timelines figures first);

# Returns the tool that is missing if axe-core (https://github.com/dequelabs/axe-core) is not installed, or undef.
sub why_no_axe { return -r $AXE ? undef : [tool => 'axe-core'] }

# Returns the path where axe-core is expected.
sub path_of_axe { return $AXE }

# Returns all the JavaScript as one text. It includes axe-core, which finds obstacles for disabled users, if that is
# installed.
sub code {
    return join "\n", map { _content($_) } (map { "$HERE/$_.js" } @PARTS), why_no_axe() ? () : ($AXE, "$HERE/axe.js");
}

sub _content {
    my ($path) = @_;
    open my $file, '<:encoding(UTF-8)', $path or die "$path: $!\n";
    local $/ = undef;
    return scalar <$file>;
}

1;
