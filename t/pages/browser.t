# The browser of the tests ends in any case, and leaves nothing.

use strict;
use warnings;

use File::Path qw(remove_tree);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Alive   qw(eventually of_environment);
use Browser ();
use Needs   qw(skip_without);
use Place   qw(place);

skip_without(@{ Browser::why_not() }) if Browser::why_not();

my $place   = place();
my $browser = Browser->new;
my $home    = $browser->home;

sub opened {
    my ($html) = @_;
    open my $file, '>', "$place/x.html" or die "$place/x.html: $!\n";
    print {$file} $html;
    close $file;
    return $browser->open_file("$place/x.html");
}

subtest 'what goes wrong' => sub {
    opened('<!DOCTYPE html><title>x</title>');
    ok(!eval { $browser->seen('nothing.there'); 1 }, 'a mistake in our own code');
    like($@, qr/\AJavaScript: Uncaught ReferenceError: nothing is not defined/, 'is told');
    ok(!eval { $browser->open_file("$place/none.html"); 1 }, 'a page that is not there');
    like($@, qr/none[.]html: net::ERR_FILE_NOT_FOUND\n\z/, 'is told, too');
};

subtest 'a page that never ends' => sub {
    $browser->be_patient(2);
    ok(!eval { opened('<script>for (;;);</script>'); 1 }, 'is given up');
    like($@, qr/\AChromium has not answered for 2 s, asked for Page[.]/, 'with what was asked for');
};

subtest 'the end' => sub {
    cmp_ok(scalar of_environment($home), '>', 0, 'it is there');
    undef $browser;
    ok(eventually(sub { !of_environment($home) }), 'nothing of it is left running');
    ok(!-e $home,                                  'nor on the disk');
};

for my $way ('die "so\n"', 'kill TERM => $$; sleep 9', 'kill KILL => $$') {
    my $perl  = '$| = 1; my $b = Browser->new; print $b->home, "\n"; ' . $way;
    my $there = qx('$^X' '-I$FindBin::Bin/../lib' -Ilib -MBrowser -e '$perl' 2>/dev/null) =~ s/\n//r;
    like($there, qr{\A/.}, "$way: it was there");
    ok(eventually(sub { !of_environment($there) }), "$way: nothing is left running");
    ok($way =~ /KILL/ || !-e $there,                "$way: nor on the disk");
    remove_tree($there) if length $there;
}

done_testing;
