package Browser::PlantedFaults;

# Pages with one planted fault each, and the finding that must report it.

use strict;
use warnings;

use Exporter 'import';

our @EXPORT_OK = qw(planted_faults);

# Returns the pages, each a hash of:
#     name
#     what     the check that must find the fault, see Browser::Inspection
#     finding  a pattern that the finding matches
#     body     HTML
#     style    CSS
sub planted_faults {
    return map { _fault($_) } split /\n\n/, <<'END' }
wide
375-light: layout
sticks out of the page: main > div "x"
<div>x</div>
div { width: 500px }

left
1280-light: layout
sticks out of the page: main > p "x"
<p>x</p>
p { margin-left: -5px }

scroller
375-light: layout
scrolls by itself: main > div
<div><p>x</p></div>
div { overflow: auto } p { width: 2000px }

paper
718-print: layout
scrolls by itself: main > div
<div><p>x</p></div>
div { overflow: auto } p { width: 900px }

overlap
1280-light: layout
overlap: main > p "one", and: main > p "two"
<p>one</p><p>two</p>
p + p { margin-top: -10px }

drawn
1280-light: layout
overlap: svg > text "one"
<svg width="200" height="40" role="img" aria-label="x"><text x="9" y="20">one</text><text x="19" y="25">two</text></svg>
text { fill: #000 }

cut
375-light: layout
cut off: main > p "much text"
<p>much text</p>
p { width: 20px; overflow: hidden; white-space: nowrap }

ellipsis
1280-light: layout
cut off: main > p
<p>much text</p>
p { width: 40px; overflow: hidden; white-space: nowrap; text-overflow: ellipsis }

low
1280-light: layout
cut off: main > p "x"
<p>x</p>
p { height: 9px; overflow: hidden }

runs_out
375-light: layout
runs out of its box: main > p
<p>much text</p>
p { width: 20px; white-space: nowrap }

broken
820-light: layout
breaks within a word: table > tr > th "Throughput"
<table><tr><th scope="row">Throughput</th></tr></table>
th { width: 30px; overflow-wrap: anywhere }

broken_name
1280-light: layout
breaks within a name: table > tr > th.short "ip-10-0-0-1"
<table><tr><th class="short" scope="row">ip-10-0-0-1</th></tr></table>
th { width: 30px }

folded
1280-light, opened: layout
sticks out of the page: details > div
<details><summary>x</summary><div>y</div></details>
div { width: 2000px }

in_print
718-print: layout
sticks out of the page
<div>x</div>
@media print { div { width: 800px } }

pale
1280-light, opened: contrast
contrast: main > p "x", 2.85, not 4.5
<p>x</p>
p { color: #999 }

dark
375-dark, opened: contrast
contrast: main > p
<p>x</p>
@media (prefers-color-scheme: dark) { body { background: #222 } h1 { color: #fff } }

mark
1280-light, opened: contrast
contrast: svg > rect, 1.61, not 3
<svg role="img" aria-label="x"><rect width="9" height="9"></rect></svg>
rect { fill: #ccc }

script
does nothing
needless: main > script
<script>1</script>

message
does nothing
console: hello
<script>console.log("hello")</script>

exception
does nothing
exception: Uncaught
<script>nothing.at.all</script>

dialog
does nothing
dialog: alert hello
<script>alert("hello")</script>

pwned
does nothing
a script of the machine has run
<script>window.pwned = 1</script>

handler
does nothing
attribute onclick="1": main > p "x"
<p onclick="1">x</p>

javascript
does nothing
attribute href="javascript:1"
<a href="javascript:1">x</a>

link
does nothing
attribute href="//there"
<a href="//there">x</a>

icon
does nothing
needless: main > link
<link rel="icon" href="there.png">

icon_that_acts
does nothing
attribute onload="1": main > link
<link rel="icon" href="data:image/svg+xml,x" onload="1">

description
does nothing
attribute content="javascript:1"
<meta property="other" content="javascript:1">

request
does nothing
request: file:.*there.png
<p>x</p>
p { background: url(there.png) }

elsewhere
does nothing
request: http://there.invalid/x.png
<p>x</p>
p { background: url(http://there.invalid/x.png) }

on_paper
does nothing meanwhile
request: file:.*there.png
<p>x</p>
@media print { p { background: url(there.png) } }

sheets
printed
9 sheets, for
<p>1</p><p>2</p><p>3</p><p>4</p><p>5</p><p>6</p><p>7</p><p>8</p><p>9</p>
p { break-after: page }

first
printed
it begins with First
<p>First</p>
@media print { main { display: flex; flex-direction: column-reverse } }

title_below
1280-light: first
not on the first screen: main > h1
<p>x</p>
h1 { margin-top: 790px }

number_below
375-light: first
not on the first screen: section.headline > div.value "1"
<section class="headline"><div class="value">1</div></section>
.value { margin-top: 600px; font-size: 60px }

number_beside
375-light: first
not on the first screen: section.headline > div.value "1"
<section class="headline"><div class="value">1</div></section>
.value { margin-left: -9px }

trust_below
1280-light: first
not on the first screen: section.headline > span.chip.trust "good"
<section class="headline"><span class="chip trust">good</span></section>
.chip { display: block; margin-top: 760px }

strip_below
375-light: first
not on the first screen: section.headline > figure
<section class="headline"><figure>x</figure></section>
figure { height: 640px }

no_verdict
375-light: first
no verdict on the first screen
<section class="headline">x</section><section id="pair-0">x</section>

no_number
1280-light: first
no number on the first screen
<section id="run-0"><table class="chart"><tfoot><tr><td>x</td></tr></tfoot></table></section>

no_headline
375-light: first
no headline on the first screen
<section id="run-0">x</section>

no_trust
1280-light: first
no trust on the first screen
<section class="headline">x</section><section id="run-0">x</section>

no_strip
1280-light: first
no strip on the first screen
<section class="headline">Place 1 of 9 published results for one copy</section>

axe
375-light, opened: axe
heading-order:
<h4>x</h4>

axe_folded
375-light, opened: axe
heading-order:
<details><summary>x</summary><h4>x</h4></details>

axe_pale
1280-light: axe
color-contrast: Element has insufficient
<p>Pale</p>
p { color: #999 }

axe_pale_in_the_dark
375-dark: axe
color-contrast: Element has insufficient
<p>Pale</p>
@media (prefers-color-scheme: dark) { p { color: #999 } }

axe_small_on_a_phone
375-dark: axe
target-size:
<a href="#a" class="a">a</a><a href="#b" class="a">b</a>
.a { display: inline-block; width: 9px; height: 9px; overflow: hidden }
END

sub _fault {
    my ($text) = @_;
    my ($name, $what, $finding, $body, @style) = split /\n/, $text;
    return { name => $name, what => $what, finding => $finding, body => $body, style => "@style" };
}

1;
