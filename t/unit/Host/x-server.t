# Whether a display can be opened: a server that accepts, refuses, wants a key, is silent, or is not there.

use strict;
use warnings;

use FindBin;
use IO::Socket::INET;
use List::Util ();
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Place qw(place write_file);
use UnixBench::Host::XServer;

use constant KEY => "\1\2|\n" x 4;

my $listener = List::Util::first { defined }
map { IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => 6000 + $_, Listen => 5) } 1000 .. 1100;
die "no port is free\n" if !$listener;
my $number = $listener->sockport - 6000;

# Takes the environment, and what the server answers to a request for each connection; returns the error, or "open".
sub opened {
    my ($env, @answers) = @_;
    my $pid = fork // die "fork: $!\n";
    if (!$pid) {
        for my $answer (@answers) {
            my $client = $listener->accept;
            sysread $client, my $request, 1000;
            syswrite $client, $answer->($request);
        }
        require POSIX;
        POSIX::_exit(0);
    }
    my $is_open = eval { UnixBench::Host::XServer->connected({ DISPLAY => "127.0.0.1:$number.0", %$env }) };
    my $said    = $is_open ? 'open' : $@;
    kill KILL => $pid;
    waitpid $pid, 0;
    return $said;
}

sub accepts { return pack 'C x S2 S', 1, 11, 0, 0 }
sub refuses { return pack 'C2 S2 S a*', 0, 9, 11, 0, 3, "go away\e\n\0\0\0" }

# A file of keys, and one that is torn.
my $keys  = pack('n (n/a*)4', 256, 'here', $number,     'MIT-MAGIC-COOKIE-1', KEY);
my $other = pack('n (n/a*)4', 256, 'here', $number + 1, 'MIT-MAGIC-COOKIE-1', 'another');
my $place = place();
my %file  = map { $_->[0] => write_file("$place/$_->[0]", $_->[1]) } ['good', $other . $keys],
    ['torn', substr $keys, 0, 30];

is(opened({}, \&accepts), 'open', 'a server that accepts');
socketpair my $socket, my $peer, Socket::PF_UNIX(), Socket::SOCK_STREAM(), 0 or die "socketpair: $!\n";
for my $case ([$socket, $^O eq 'linux' ? $$ : undef, 'of a local server'], [$listener, undef, 'elsewhere']) {
    is(bless({ socket => $case->[0] }, 'UnixBench::Host::XServer')->pid, $case->[1], "the process: $case->[2]");
}
like(opened({}, \&refuses), qr/\Ago away\S*\n\z/, 'the reason of one that refuses');
is(opened({}, sub { q{} }), "it closed the connection\n", 'a server that ends');
my $with_key = sub { index($_[0], KEY) == 30 + 2 ? accepts() : refuses() };
is(opened({ XAUTHORITY => $file{good} }, $with_key), 'open', 'the key of this display is used');
like(opened({ XAUTHORITY => $file{torn} }, $with_key), qr/\Ago away/, 'a torn file has no key');

for my $case (
    [':64999',          qr/\ANo such file/],
    ['nonsense',        qr/\Ait is not the name/],
    ["127.0.0.1:59000", qr/refused|argument/i]
    )
{
    my ($name, $why) = @$case;
    eval { UnixBench::Host::XServer->connected({ DISPLAY => $name }) };
    like($@, qr/$why.*\n\z/, "$name can't be opened");
}
is(UnixBench::Host::XServer->connected({ DISPLAY => '/private/tmp/org.xquartz:0' }), undef, 'known to libraries');

done_testing;
