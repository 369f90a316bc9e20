use strict;
use warnings;

use Fcntl qw(F_GETFL F_SETFL O_NONBLOCK);
use FindBin;
use POSIX ();
use Test::More;

use lib "$FindBin::Bin/../lib";
use Alive    qw(eventually of_environment);
use Rendered qw(resealed);
use TestRun  qw(waited);
use UnixBench::Base::Files;

use constant NOTE => 'x' x 300_000;

$SIG{$_} = 'DEFAULT' for qw(INT TERM HUP);
$SIG{PIPE} = 'IGNORE';

# Fills a pipe; returns both of its ends.
sub full_pipe {
    pipe my $reader, my $writer or die "pipe: $!\n";
    fill($writer);
    return ($reader, $writer);
}

# Fills a pipe up to its last page; other processes may write to it, too.
sub fill {
    my ($writer) = @_;
    vec(my $wanted = q{}, fileno $writer, 1) = 1;
    syswrite $writer, 'x' x POSIX::PIPE_BUF() while select undef, my $is_free = $wanted, undef, 0;
    return;
}

# t/run/interrupted.t has other signals.
subtest 'SIGTERM while progress is not read' => sub {
    my $test = TestRun->new;
    (my $reader, $test->{stdout}) = full_pipe();
    my $run = $test->started(qw(-c 1 hanoi));
    ok(eventually(sub { $test->report('.journal') =~ /\n/ }), 'the run has started');
    kill TERM => $run->{pid};
    my $ended = waited($run);
    is($ended->{signal}, POSIX::SIGTERM(), 'SIGTERM ends the run');
    like($test->report(q{}),     qr/^ +Note: interrupted by SIGTERM$/m,             'the report is written');
    like($test->report('.html'), qr/interrupted/,                                   'the page is written');
    like($ended->{err},          qr{^Run: the finished passes are kept; to resume}, 'the message says how to resume');
    is_deeply([of_environment($test->place)], [], 'no process is left');
    is_deeply([$test->left],                  [], 'the scratch directory is empty');
    close $reader;
};

# Reads a handle slowly to its end; returns the text.
sub read_slowly {
    my ($reader) = @_;
    my $text = q{};
    1 while select(undef, undef, undef, 0.001) == 0 && sysread $reader, $text, 4096, length $text;
    return $text;
}

subtest 'a non-blocking standard output' => sub {
    my $test = TestRun->new;
    my $path = $test->place('one.json');
    is($test->run(qw(-q -c 1 -i 1 hanoi --json), $path)->{status}, 0, 'a run gives a result');
    my $long = resealed(UnixBench::Base::Files::content($path) =~ s/"notes": ?\[\K/"@{[NOTE]}",/gr);
    $test->write(q{.}, 'long.json', $long);
    for my $kind (qw(html json)) {
        pipe my $reader, my $writer or die "pipe: $!\n";
        fcntl $writer, F_SETFL, O_NONBLOCK | fcntl $writer, F_GETFL, 0;
        my $run = do {
            local $test->{stdout} = $writer;
            $test->started('report', $test->place('long.json'), "--$kind", q{-});
        };
        close $writer;
        my $text = read_slowly($reader);
        is(waited($run)->{status}, 0, "--$kind - to a non-blocking output succeeds");
        is($text,                  UnixBench::Base::Files::content($test->place("long.$kind")), 'the page is complete')
            if $kind eq 'html';
        like($text, qr/x{1000}.*\}\n\z/s, 'the JSON is complete') if $kind eq q{json};
    }
};

done_testing();
