# Opens each page of the gallery in a real browser and checks it: on a screen, a phone, a tablet and paper, with light
# and dark colours. Pages that passed before and have not changed are left out. To look at a few pages in any case:
#   UB_PAGES=quick,eight prove -Ilib t/long/pages/pages.t
# Pages with findings are left in t/long/screenshots, with pictures.

use strict;
use warnings;

use File::Path qw(make_path);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Browser ();
use Gallery qw(gallery);
use Needs   qw(note_without skip_without);
use Passed  ();
use Place   qw(place text_of write_file);

use constant SHOWN => 4;    # findings of a kind that are printed

skip_without(@{ Browser::why_not() }) if Browser::why_not();
my $AXE     = "$FindBin::Bin/../../../build/axe/axe.min.js";
my $HAS_AXE = -r $AXE;
note_without(tool => 'axe-core') if !$HAS_AXE;
binmode Test::More->builder->$_, ':encoding(UTF-8)' for qw(output failure_output todo_output);

#<<< a table
my %SCREEN = (width => 1280, height => 800);
my %PHONE  = (width => 375,  height => 667, is_phone => 1);
my %LOOK   = (
    '1280-light' => { %SCREEN, may_scroll => 1, has_first => 1 },
    '1280-dark'  => { %SCREEN, may_scroll => 1, scheme => 'dark', axe => 'colours' },
    '375-light'  => { %PHONE, has_first => 1, axe => 'structure' },
    '820-light'  => { width => 820, height => 1100 },
    '718-print'  => { width => 718, height => 1047, medium => 'print' },
);
#>>>
my @CODE    = map { text_of($_) } "$FindBin::Bin/page.js", $HAS_AXE ? $AXE : ();
my $browser = Browser->new(@CODE);

# Takes the path of a page, the name of a look, and whether its texts are so long that they may leave the first screen;
# returns what is wrong, a text each.
sub findings {
    my ($path, $name, $is_hostile) = @_;
    my %look   = %{ $LOOK{$name} };
    my %has    = map { $_ => delete $look{$_} } qw(may_scroll has_first axe);
    my $found  = sub { my ($call) = @_; return @{ $browser->seen("return $call") } };
    my @found  = $browser->show($path, %look);
    my $layout = "layoutFindings($look{width}, " . ($has{may_scroll} ? 'true' : 'false') . ')';
    push @found, $found->('contentFindings()'), $found->($layout);
    push @found, $found->("firstFindings($look{width}, $look{height})") if $has{has_first} && !$is_hostile;
    $browser->seen('openAll(true)');
    push @found, $found->($layout);
    push @found, $found->("axeFindings('$has{axe}')") if $has{axe} && $HAS_AXE;
    my %once = map { $_ => 1 } @found;
    my @once = sort keys %once;
    return @once;
}

# Each line is a look, the finding that has to be there, a body, and perhaps a style: these faults are found.
my @FAULTS = map { [split / *\| */, $_, 4] } split /\n/, <<'END';
375-light | sticks out: div | <div>x</div> | div { width: 500px }
1280-light | sticks out: p | <p>x</p> | p { margin-left: -5px }
1280-light | sticks out: div | <details><summary>x</summary><div>y</div></details> | div { width: 2000px }
1280-light | overlap: p "one" | <p>one</p><p>two</p> | p + p { margin-top: -10px }
375-light | cut off: p | <p>much text</p> | p { width: 20px; overflow: hidden; white-space: nowrap }
718-print | sticks out: div | <div>x</div> | @media print { div { width: 800px } }
1280-light | beyond its picture: circle | <svg width="20" height="20"><circle cx="30" r="2"/></svg> |
1280-light | not on the first screen: h1 | <p>x</p> | h1 { margin-top: 790px }
1280-light | needless: script | <script>1</script> |
1280-light | console: .*hello | <script>console.log("hello")</script> |
1280-light | a script of the machine has run | <script>window.pwned = 1</script> |
1280-light | attribute: p .*onclick | <p onclick="1">x</p> |
1280-light | request: file:.*there.png | <p>x</p> | p { background: url(there.png) }
1280-light | request: http://there | <p>x</p> | p { background: url(http://there.invalid/x.png) }
1280-dark | color-contrast | <p>Pale</p> | @media (prefers-color-scheme: dark) { p { color: #999 } }
END

subtest 'planted faults are found' => sub {
    my $place   = place();
    my $written = sub {
        my ($body, $style) = @_;
        return write_file("$place/page name.html", <<"PAGE");
<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Title</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>* { margin: 0 } $style</style></head>
<body><main><h1>Title</h1>$body</main></body></html>
PAGE
    };
    my $good = $written->('<p>All is <b>well</b>.</p>', 'body { background: #fff; color: #111 }');
    is_deeply([findings($good, $_)], [], "a page without faults: $_") for sort keys %LOOK;
    for my $fault (@FAULTS) {
        my ($look, $finding, $body, $style) = @$fault;
        next if $finding =~ /order|contrast/ && !$HAS_AXE;
        my @found = findings($written->($body, $style // q{}), $look);
        ok((grep { /$finding/ } @found), "$look: $finding") or diag explain \@found;
    }
};

my %wanted = map  { $_ => 1 } split /,/, $ENV{UB_PAGES} // q{};
my @pages  = grep { !%wanted || $wanted{ $_->{name} } } gallery();
my $passed = Passed->new(pages => @CODE, text_of(__FILE__), scalar qx(chromium --version 2>/dev/null));
my $folder = "$FindBin::Bin/../screenshots";
make_path($folder);
unlink glob "'$folder'/*";

for my $page (@pages) {
    my $text = "$page->{name} $page->{html}";
    if (!%wanted && $passed->has($text)) { pass("$page->{name}: unchanged since it passed"); next }
    my $path     = write_file("$folder/$page->{name}.html", $page->{html});
    my $is_sound = 1;
    for my $look (sort keys %LOOK) {
        my @found = findings($path, $look, scalar $page->{name} =~ /hostile/);
        $browser->picture("$folder/$page->{name}-$look.png") if @found || %wanted;
        next if ok(!@found, "$page->{name}: $look");
        $is_sound = 0;
        diag map { "   $_\n" } @found[0 .. (@found > SHOWN ? SHOWN : @found) - 1];
    }
    $passed->add($text) if $is_sound;
    unlink $path if $is_sound && !%wanted;
}
$passed->keep if !%wanted;

done_testing;
