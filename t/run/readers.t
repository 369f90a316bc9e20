use strict;
use warnings;

use Fcntl qw(F_GETFL F_SETFL O_NONBLOCK);
use FindBin;
use POSIX ();
use Test::More;

use lib "$FindBin::Bin/../lib";
use Fixture qw(resealed);
use TestRun qw(eventually of_environment waited);
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

# t/run/stopped.t has other signals.
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

$SIG{$_} = 'DEFAULT' for qw(INT TERM HUP);

# Takes the name of a program and the text of a shell script; returns a place in whose PATH the program is that script.
sub place_with {
    my ($program, $text) = @_;
    my $test = TestRun->new;
    mkdir $test->place('path') or die "mkdir: $!\n";
    chmod 0755, $test->write('path', $program, "#!/bin/sh\n$text\n") or die "chmod: $!\n";
    $test->{env} = { PATH => $test->place('path') . ":$ENV{PATH}" };
    return $test;
}

# Returns whether the helper has recorded its start.
sub has_started { my ($test) = @_; return -e $test->place('started') }

# A script that hangs in a second process and has a child.
my $HANG = '>>"${0%/path/*}/started"; sleep 1000 & exec sleep 1000';

# Run waits ten seconds for each of these. All are started now and tested below, sync first: after five minutes Run
# would print a second message about it.
my @ONE      = qw(-q -c 1 -i 1 hanoi);
my @GIVEN_UP = map { +{ does => $_, test => place_with(who => $_) } } $HANG, 'exec yes';
$_->{run} = $_->{test}->started(@ONE) for @GIVEN_UP;
my $SYNC     = place_with(sync => $HANG);
my $SYNC_RUN = $SYNC->started(@ONE);

subtest 'a sync that hangs' => sub {
    my $line = qq(Run: waiting for "sync", which has not ended after 10 s\n);
    ok(eventually(sub { (UnixBench::Base::Files::content($SYNC_RUN->{err}) // q{}) =~ /\Q$line\E/ }),
        'a sync that hangs is reported');
    kill TERM => $SYNC_RUN->{pid};
    my $ended = waited($SYNC_RUN);
    is($ended->{signal}, POSIX::SIGTERM(), 'a run with a hanging sync can be ended');
    ok(eventually(sub { !of_environment($SYNC->place) }), 'no process is left');
    like($ended->{err}, qr/\A\Q$line\ERun: the finished passes are kept; to resume: [^\n]+\n\z/, 'both in order');
};

subtest 'a command that does not end, or prints too much' => sub {
    my $late = 'did not end within 10 s';
    my %why  = ($HANG => $late, 'exec yes' => qr/printed more than 16 MB|$late/);
    for my $case (@GIVEN_UP) {
        my ($does, $test) = @$case{qw(does test)};
        my $run = waited($case->{run});
        is($run->{status}, 0, "the run succeeds in spite of: $does");
        like($run->{err}, qr/\ARun: stopped "who -r": it (?:$why{$does})\n\z/, "one line of message for: $does");
        ok(eventually(sub { !of_environment($test->place) }), "no process is left of: $does");
    }
};

for my $signal (qw(INT TERM HUP)) {
    subtest "SIG$signal while a command hangs" => sub {
        my $test = place_with(uname => $HANG);
        my $run  = $test->started(qw(-q -c 1 hanoi));
        ok(eventually(sub { has_started($test) }), 'Run waits for the command');
        kill $signal => $run->{pid};
        is(waited($run)->{signal}, POSIX->can("SIG$signal")->(), 'the signal ends Run');
        ok(eventually(sub { !of_environment($test->place) }), 'no process is left');
    };
}

done_testing;
