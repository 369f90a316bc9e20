package Browser::Code;

# The JavaScript that looks at pages from within, beside them.

use strict;
use warnings;

use File::Basename qw(dirname);

my $HERE  = dirname(__FILE__);
my $AXE   = "$HERE/../../../build/axe/axe.min.js";
my @PARTS = qw(naming layout content contrast tables scales pictures);

# Why axe-core (https://github.com/dequelabs/axe-core) is not here, or undef.
sub why_no_axe { return -r $AXE ? undef : [tool => 'axe-core'] }

# Where it is looked for.
sub path_of_axe { return $AXE }

# All of it, as one text; that of axe-core, which finds what keeps people from using a page, where that is here.
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
