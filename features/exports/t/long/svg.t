# The picture of a result in a browser: in its own window, and where a forum shows it.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../../../../t/lib);
use Browser                        ();
use Gallery                        qw(results);
use Needs                          qw(skip_without);
use Place                          qw(place write_file);
use UnixBench::Compare::Published;
use UnixBench::Report::Formats;
use UnixBench::Report::View;

skip_without(@{ Browser::why_not() }) if Browser::why_not();

use constant NAMES => qw(two quick sixteen-disturbed skipped misc empty long-titles);

# Returns the size of the picture, and what is wrong with its texts: beyond the picture, or on another one.
use constant LOOK => <<'END';
(() => {
  const root = document.documentElement.getBoundingClientRect();
  const texts = [...document.querySelectorAll('text')];
  const boxes = texts.map(text => text.getBoundingClientRect());
  const isOn = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
  const found = texts.flatMap((text, place) => {
    const box = boxes[place];
    const isBeyond = box.left < 12 || box.right > root.width - 12 || box.bottom > root.height;
    return [
      ...(isBeyond ? [`${text.textContent}: beyond it`] : []),
      ...texts.slice(0, place).flatMap((other, before) =>
        isOn(box, boxes[before]) ? [`${text.textContent}: on ${other.textContent}`] : []),
    ];
  });
  return { width: root.width, found };
})()
END

my @PUBLISHED = UnixBench::Compare::Published::results("$FindBin::Bin/../../../..");
my %RESULT    = map { $_->{name} => $_->{result} } results();
my $place     = place();
my $pictures  = $ENV{UB_PICTURES} // $place;
my $browser   = Browser->new;
my @look      = (width => 700, height => 400, scheme => 'dark');

for my $name (NAMES) {
    my $view = UnixBench::Report::View->new(result => $RESULT{$name}, published => sub { @PUBLISHED });
    my $path = write_file("$pictures/$name.svg", UnixBench::Report::Formats::of_result('export svg', $view));
    is_deeply([$browser->show($path, @look)], [], "$name: the browser has no complaints");
    my $seen = $browser->seen('return ' . LOOK);
    is($seen->{width}, 640, "$name: it is 640 pixels wide");
    is_deeply($seen->{found}, [], "$name: all texts have room");
    $browser->picture("$pictures/$name.png");
    my ($file) = $path =~ m{([^/]+)\z};
    my $page = write_file("$pictures/$name.html", qq{<!DOCTYPE html><title>x</title><img src="$file" alt="x">});
    $browser->show($page, @look);
    is($browser->seen('return document.images[0].naturalWidth'), 640, "$name: a page can show it");
}

done_testing;
