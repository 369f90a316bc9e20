# The browser of the tests: it always ends, and leaves no process and no file.

use strict;
use warnings;

use File::Path qw(remove_tree);
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/../../$_" } qw(t-all/lib t/lib);
use Alive                                qw(eventually of_environment);
use Browser                              ();
use Needs                                qw(skip_without);
use Place                                qw(place write_file);

skip_without(@{ Browser::why_not() }) if Browser::why_not();

my $place = place();

# Chromium keeps a socket in the directory for temporary files, and is killed before it removes it.
my $temporary = place();
local $ENV{TMPDIR} = "$temporary";
my $browser = Browser->new;
my $home    = $browser->home;

sub opened {
    my ($html) = @_;
    return $browser->open_file(write_file("$place/x.html", $html));
}

subtest 'errors in JavaScript and missing pages' => sub {
    opened('<!DOCTYPE html><title>x</title>');
    ok(!eval { $browser->seen('nothing.there'); 1 }, 'an error in JavaScript dies');
    like($@, qr/\AJavaScript: Uncaught ReferenceError: nothing is not defined/, 'an error in JavaScript is reported');
    ok(!eval { $browser->open_file("$place/none.html"); 1 }, 'a missing page dies');
    like($@, qr/none[.]html: net::ERR_FILE_NOT_FOUND\n\z/, 'a missing page is reported');
};

subtest 'a page that never ends' => sub {
    $browser->be_patient(2);
    ok(!eval { opened('<script>for (;;);</script>'); 1 }, 'a page that never ends dies after the time limit');
    like($@, qr/\AChromium has not answered for 2 s, asked for Page[.]/, 'the message names the method');
};

subtest 'the end of the browser' => sub {
    cmp_ok(scalar of_environment($home), '>', 0, 'the browser has processes');
    undef $browser;
    ok(eventually(sub { !of_environment($home) }), 'the ended browser leaves no process');
    ok(!-e $home,                                  'the ended browser leaves no directory');
};

for my $way ('die "so\n"', 'kill TERM => $$; sleep 9', 'kill KILL => $$') {
    my $perl = '$| = 1; my $b = Browser->new; print $b->home, "\n"; ' . $way;
    my $there =
        qx('$^X' '-I$FindBin::Bin/../lib' '-I$FindBin::Bin/../../t/lib' -Ilib -MBrowser -e '$perl' 2>/dev/null) =~
        s/\n//r;
    like($there, qr{\A/.}, "$way: the browser was started");
    ok(eventually(sub { !of_environment($there) }), "$way: no process is left");
    ok($way =~ /KILL/ || !-e $there,                "$way: no directory is left");
    remove_tree($there) if length $there;
}

is_deeply([glob "$temporary/*"], [], 'nothing is left in the directory for temporary files');

done_testing;
