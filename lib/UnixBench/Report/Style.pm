package UnixBench::Report::Style;

use strict;
use warnings;

my $SHEET = <<'CSS';
:root { color-scheme: light dark; --ink: #1b1f24; --paper: #ffffff; --quiet: #57606a; --line: #d0d7de;
  --shade: #f3f5f7; --alarm: #a40e26; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e9ed; --paper: #14171b; --quiet: #a3acb6; --line: #3a424b; --shade: #1e2329;
    --alarm: #ff9a9a; }
}
* { box-sizing: border-box; }
body { margin: 0; padding: 1.5rem 1rem 3rem; color: var(--ink); background: var(--paper);
  font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 60rem; margin: 0 auto; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .25rem; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 .5rem; }
p { margin: .25rem 0; }
.quiet { color: var(--quiet); }
.missing { color: var(--alarm); text-align: left; }
.notes { border-left: .25rem solid var(--alarm); margin: 1rem 0; padding: .5rem 1rem .5rem 2rem;
  background: var(--shade); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: .25rem 0; }
th, td { padding: .3rem .6rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
thead th { border-bottom-width: 2px; }
tbody th { font-weight: 400; }
.wide th { overflow-wrap: break-word; }
td.text { min-width: 8rem; }
th.number, td.number { text-align: right; white-space: nowrap; overflow-wrap: normal; }
tfoot th, tfoot td { font-weight: 700; border-bottom: 0; border-top: 2px solid var(--line); }
.facts th { width: 9rem; color: var(--quiet); }
.remark { margin: 1rem 0; break-inside: avoid; }
summary { cursor: pointer; padding: .3rem 0; }
@media (max-width: 30rem) {
  body { font-size: 15px; padding: 1rem .6rem 2rem; }
  th, td { padding: .25rem .3rem; }
  .facts th { width: 6rem; }
}
@media print {
  :root { color-scheme: light; --ink: #000; --paper: #fff; --quiet: #444; --line: #999; --shade: #fff;
    --alarm: #700; }
  body { font-size: 10pt; padding: 0; }
  h2, caption { break-after: avoid; }
  tr { break-inside: avoid; }
}
CSS

# Returns the style sheet of the HTML report.
sub sheet { return $SHEET }

1;
