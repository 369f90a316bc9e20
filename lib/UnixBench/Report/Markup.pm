package UnixBench::Report::Markup;

# Elements of HTML and XML, in which every text from outside is cleaned and escaped, the texts of pages, and their style
# sheet.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Text    qw(clean);
use UnixBench::Report::Block qw(text_of);
use UnixBench::Report::Cell  qw(cell_text);

our @EXPORT_OK = qw(element markup_of source string_of trusted);

use constant MEDIUM => { sign => "\xc2\xb1", blank => "\xc2\xa0", is_whole => 1, is_grouped => 1 };

my %ENTITY   = ('&' => '&amp;', '<' => '&lt;', '>' => '&gt;', '"' => '&quot;', q{'} => '&#39;');
my %IS_VOID  = map { $_ => 1 } qw(meta link br hr);
my %IS_BLOCK = map { $_ => 1 } qw(
    html head body main section details table caption thead tbody tfoot tr td th ul li dl dt dd h1 h2 h3 p
    meta link title style summary div pre figure figcaption
);

# Takes a name, a hash of attributes if there are any, and content; returns markup. Content is markup made
# by this module, which is kept, or text from anywhere, which is cleaned and escaped.
sub element {
    my ($name, @content) = @_;
    my $attributes = ref $content[0] eq 'HASH' ? shift @content : {};
    my $tag        = join ' ', $name, map { qq{$_="} . _escaped($attributes->{$_}) . '"' } sort keys %{$attributes};
    my $end        = $IS_BLOCK{$name} ? "\n" : '';
    return trusted("<$tag>$end") if $IS_VOID{$name};
    my $inside = join '', map { source($_) } @content;
    my $start  = $inside =~ /\A</ && $end ? "\n" : '';
    return trusted("<$tag>$start$inside</$name>$end");
}

# Takes text that is markup already; returns it as markup. Use it only for text that the program itself contains.
sub trusted {
    my ($html) = @_;
    return bless \$html, __PACKAGE__;
}

# Takes markup or text, returns the HTML for it.
sub source {
    my ($content) = @_;
    return ref $content ? ${$content} : _escaped($content);
}

sub _escaped {
    my ($text) = @_;
    $text = clean($text);
    $text =~ s/([&<>"'])/$ENTITY{$1}/g;
    return $text;
}

# Takes a text; returns it as a string, for an attribute or an element that has strings only.
sub string_of { my ($text) = @_; return text_of($text, MEDIUM) }

# Takes a text, see UnixBench::Report::Block; returns its parts as markup or strings, a list.
sub markup_of {
    my ($text) = @_;
    return $text if !ref $text;
    return map { _part($_) } ref $text eq 'ARRAY' ? @$text : $text;
}

sub _part {
    my ($part) = @_;
    return ($part, $part =~ / \z/ ? trusted(q{ }) : ()) if !ref $part;
    return markup_of($part) if ref $part eq 'ARRAY';
    return cell_text($part, MEDIUM) if defined $part->{cell};
    my ($kind, $text) = %$part;
    return
          $kind eq 'strong' ? element('strong', markup_of($text))
        : $kind eq 'aside'  ? element('span', { class => 'quiet' }, markup_of($text))
        :                     element('code', string_of($text));
}

my $SHEET = <<'CSS';
:root { color-scheme: light dark; --ink: #17202a; --quiet: #556270; --paper: #f4f6f8; --sheet: #ffffff; --line: #d5dce3;
  --strong: #0b6b75; --weak: #a9500f; --bar: #7b8a98; --mark: #17202a; --alarm: #a3122a; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8ecf0; --quiet: #a4b0bc; --paper: #0e1216; --sheet: #171d23; --line: #323c46; --strong: #4cc0ca;
    --weak: #f0a45d; --bar: #75848f; --mark: #e8ecf0; --alarm: #ff9dab; }
}
* { box-sizing: border-box; }
body { margin: 0; padding: 1.5rem 1rem 4rem; color: var(--ink); background: var(--paper);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: break-word; }
main { max-width: 72rem; margin: 0 auto; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .25rem; }
h2 { font-size: 1.25rem; line-height: 1.3; margin: 0 0 .5rem; }
p { margin: .25rem 0; }
ul { margin: .25rem 0; padding-left: 1.25rem; }
a { color: inherit; }
a:focus-visible, summary:focus-visible { outline: .15rem solid var(--strong); outline-offset: .15rem; }
.quiet { color: var(--quiet); font-size: .9375rem; }
.notice { border-left: .25rem solid var(--weak); margin: .75rem 0; padding: .5rem 1rem; background: var(--sheet); }
section { margin: 1.5rem 0; padding: 1.25rem; background: var(--sheet); border: 1px solid var(--line);
  border-radius: .5rem; }
pre { margin: .5rem 0; padding: .75rem 1rem; background: var(--paper); overflow-x: auto; font-size: .875rem; }
code { font-size: .9375em; }
.numbers { display: flex; flex-wrap: wrap; gap: .5rem 2.5rem; align-items: flex-start; margin: 0; padding: 0;
  list-style: none; }
.numbers li, .timelines li { min-width: 0; overflow-wrap: anywhere; }
.value { font-size: 3rem; line-height: 1.1; font-weight: 700; margin: 0; font-variant-numeric: tabular-nums; }
.value .sure { font-size: 1.25rem; line-height: 1.3; font-weight: 600; }
.value.verdict { font-size: 2rem; }
.value.slower { color: var(--weak); }
.value.faster { color: var(--strong); }
.value.inconclusive, .value.unknown { color: var(--quiet); font-weight: 400; }
.value.vague { color: var(--quiet); font-size: 2.25rem; }
h1 strong { font-size: 1.75em; line-height: 1.2; }
footer { margin: 2rem 0 0; color: var(--quiet); }
h2 + table > caption, .quiet + .chart > caption, .heading + .chart > caption {
  position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
figure { margin: 1rem 0 .5rem; }
figcaption { text-align: center; color: var(--quiet); font-size: .8125rem; }
.timelines { display: grid; grid-template-columns: repeat(auto-fill, minmax(14rem, 1fr)); gap: 1rem 1.5rem;
  align-items: start; margin: 0; padding: 0; list-style: none; }
.tick.up { text-anchor: start; }
.step { stroke: var(--strong); stroke-width: 2; }
.step.drift { stroke: var(--weak); stroke-dasharray: 5 3; }
.event, .mean { stroke: var(--quiet); stroke-width: 1.5; }
.event.better { stroke: var(--strong); }
.event.worse { stroke: var(--alarm); stroke-width: 2.5; }
.event.provisional { stroke-dasharray: 6 3; }
.event.other { stroke-dasharray: 1 3; }
.timelines li { display: grid; grid-row: span 3; grid-template-rows: subgrid; grid-template-columns: minmax(0, 1fr);
  row-gap: 0; align-items: start; }
.timelines li p:first-child { align-self: end; }
.timelines .whole { grid-column: 1 / -1; }
.timelines .interval { stroke-width: 1; }
.timelines .run, .curves .run { r: 2.5px; }
.wide { grid-template-columns: minmax(0, 1fr); }
.wide .run { r: 2px; }
.timelines .tick { paint-order: stroke; stroke: var(--sheet); stroke-width: 4px; }
.curve { stroke: var(--strong); stroke-width: 1.5; stroke-opacity: .7; }
g:hover > .curve { stroke: var(--weak); stroke-width: 4; stroke-opacity: 1; }
.ideal { stroke: var(--quiet); stroke-dasharray: 6 4; }
.label.middle { text-anchor: middle; }
.label.end { text-anchor: end; }
text.label { fill: var(--ink); font-size: 12px; paint-order: stroke; stroke: var(--sheet); stroke-width: 4px; }
.leader { stroke: var(--quiet); }
rect.own { fill: var(--strong); fill-opacity: .35; stroke: var(--strong); }
circle.own { fill: var(--strong); stroke: var(--sheet); r: 5px; }
circle.own.doubtful { fill: var(--quiet); }
rect.own.doubtful { fill: var(--quiet); stroke: var(--quiet); }
.point { fill: var(--strong); stroke: var(--sheet); r: 5px; }
.point.slower { fill: var(--weak); }
.point.equal { fill: var(--bar); }
.point.inconclusive, .point.unknown { fill: var(--sheet); stroke: var(--mark); stroke-width: 2; }
.run, .pass, .machine { fill: var(--mark); fill-opacity: .55; }
.run.poor, .run.outlier, .run.slow { fill: var(--sheet); fill-opacity: 1; stroke: var(--quiet); stroke-width: 1.5; }
.run.outlier, .run.slow { stroke: var(--alarm); stroke-width: 2; }

table { border-collapse: collapse; width: 100%; margin: 1rem 0; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: .25rem 0; }
th, td { padding: .3rem .5rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
thead th { border-bottom-width: 2px; font-size: .875rem; color: var(--quiet); vertical-align: bottom; }
tbody th { font-weight: 400; }
caption, tbody th, tfoot th, td:not(.short) { overflow-wrap: anywhere; }
th.number, td.number { text-align: right; }
td.short { white-space: nowrap; overflow-wrap: normal; }
.chart tbody th, .chart tfoot th { min-width: 15rem; }
.stacked tbody th { min-width: 12rem; }
.stacked td.text { min-width: 8rem; }
tfoot th, tfoot td { font-weight: 700; border-bottom: 0; }
tfoot tr:first-child > * { border-top: 2px solid var(--line); }
td.missing { color: var(--alarm); }
.facts th { width: 11rem; color: var(--quiet); }
.plain tbody th { min-width: 6rem; }
.group { margin: 1rem 0; break-inside: avoid; }
summary { cursor: pointer; padding: .3rem 0; font-weight: 600; }

.chart th, .chart td { vertical-align: middle; }
.chart thead th { vertical-align: bottom; }
.chart th.picture, .chart td.picture { width: 34%; min-width: 12rem; padding: 0 .5rem; }
.chart td:last-child:not(.number) { min-width: 8.5rem; }
.chart th.picture { text-align: center; }
.chart tbody td, .chart tbody th { border-bottom-color: transparent; }
svg { display: block; width: 100%; overflow: visible; }
.tick { fill: var(--quiet); font-size: 12px; font-weight: 400; text-anchor: middle; }
.grid { stroke: var(--line); }
.bar { fill: var(--bar); }
.bar.slower { fill: var(--weak); }
.bar.worst { fill: var(--alarm); }
.interval { stroke: var(--mark); stroke-width: 3; }
.pass.disturbed { fill: none; stroke: var(--alarm); stroke-width: 1.5; }
.heading { margin-top: 1rem; padding: .25rem 0; font-weight: 600; break-after: avoid; }
caption .quiet, .heading .quiet { display: block; font-weight: 400; }
.band { fill: var(--line); fill-opacity: .5; }
@media (max-width: 60rem) {
  :root { font-size: 94%; }
  body { padding: 1rem .5rem 3rem; }
  h1 { font-size: 1.2rem; }
  pre { white-space: break-spaces; overflow-wrap: anywhere; }
  figure { margin: .75rem 0 .25rem; }
  section { margin: 1rem 0; padding: .9rem .7rem; }
  th, td { padding: .25rem .3rem; }
  .facts th { width: 7rem; }
  .chart tbody th, .chart tfoot th, .stacked tbody th, .chart th.picture, .chart td.picture,
  .chart td:last-child:not(.number), .stacked td.text { min-width: 0; }
  .stacked, .stacked tbody, .stacked tfoot, .chart, .chart tbody, .chart tfoot, .chart thead, .chart thead tr,
  .stacked caption, .chart caption { display: block; }
  .stacked thead, .chart thead th:not(.picture) { position: absolute; width: 1px; height: 1px; overflow: hidden;
    clip-path: inset(50%); }
  .chart thead tr > .picture { display: block; width: 100%; padding: 0; }
  .stacked tbody tr, .stacked tfoot tr { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr));
    padding: .4rem 0; border-bottom: 1px solid var(--line); }
  .chart tbody tr, .chart tfoot tr { display: flex; flex-wrap: wrap; justify-content: space-between; padding: .3rem 0; }
  .stacked tr:nth-child(n) > *, .chart tr:nth-child(n) > * { border: 0; padding: .05rem .3rem; text-align: left;
    width: auto; }
  .stacked tr > td, .chart tr > td { white-space: normal; }
  .stacked tr > th, .stacked td.text, .stacked td.missing { grid-column: 1 / -1; }
  .stacked tr > th { font-weight: 600; }
  .chart tr > th { flex: 1 0 100%; width: auto; }
  .chart tr > td.picture { order: 9; flex: 1 0 100%; width: 100%; padding: 0; }
  .stacked td:empty, .chart td:empty { display: none; }
  .stacked td[data-label]::before, .chart td[data-label]::before { content: attr(data-label) " "; color: var(--quiet);
    font-weight: 400; }
}
@media print {
  :root { color-scheme: light; font-size: 12px; --ink: #000; --quiet: #444; --paper: #fff; --sheet: #fff;
    --line: #bbb; --strong: #0b6b75; --weak: #a9500f; --mark: #000; --alarm: #800; }
  body { padding: 0; }
  section { padding: 0; border: 0; }
  h2, caption, thead { break-after: avoid; }
  tr, .timelines li { break-inside: avoid; }
  th, td { padding: .2rem .3rem; }
  .stacked { font-size: .875rem; }
  .stacked th, .stacked td { padding: .2rem; }
}
CSS

# The colours of a light page: { name => colour }.
my %LIGHT = ($SHEET =~ /\A:root \{(.*?)\}/s)[0] =~ /--(\w+): (#[0-9a-f]+);/g;

# Returns the style sheet of all pages.
sub sheet { return $SHEET }

# Takes the name of a colour, such as "ink"; returns the colour that it has on a light page.
sub colour { my ($name) = @_; return $LIGHT{$name} }

1;
