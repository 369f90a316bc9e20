package HostileMarkdown;

use strict;
use warnings;

use Exporter 'import';

our @EXPORT_OK = qw(@WORDS);

# Words with a meaning in Markdown, with harmless ones between them.
our @WORDS = split q{ }, <<'END';
| || \| \\| \ ` `` ``` `x` **x** __x__ *a* _b_ ~~x~~ ~x~ [a](http://x.y) ![a](b) [^1] [[x]] [ ] {{x}} {% $x^2$
<b> </td> <script>alert(1)</script> <!-- --> <http://x.y> &amp; &#64;all & @all @org/team (@x) "@x", user@host.org
#1 a/b#2 GH-3 x/gh-3 !4 $5 %6 ~label &7 :smile: :100: :) #
http://x.y HTTPS://X.Y www.x.y www. x.com ftp://a.b mailto:a@b.c //x /close ::: > - + * 1. 1) ## == === --- +- -- --all
-x -1 1.2 12:34:56 1:2 a:b (x) (a_b) "x_y" foo( f(x_y) `foo' x' a. b.c. ... @ /a/b C:\x word another 12.5 it's Recursion
END
push @WORDS, "\0", "\n", "\e[31m", "\xff", "caf\xc3\xa9", "\xe2\x80\xae", q{  }, map { $_ x 90 } qw(x - ` |-);

1;
