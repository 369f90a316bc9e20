use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Disturbed qw(own_mounts undisturbed whole_in_the_end);
use LoadedRun qw(eventually waited);
use Needs     qw(skip_without);

my $why_not = own_mounts();
skip_without(@$why_not) if $why_not;

my $EXPECTED = undisturbed();

# Takes results or tmp; returns a place with a file system for that directory which is soon full.
sub small_place {
    my ($directory) = @_;
    my $test = Disturbed::place();
    Disturbed::make_small($test, $directory);
    return $test;
}

for my $directory (qw(results tmp)) {
    my $test = small_place($directory);
    whole_in_the_end(
        "$directory full when 10 lines are written",
        $EXPECTED,
        $test,
        sub {
            my (undef, $run) = @_;
            eventually(sub { ($test->report('.journal') =~ tr/\n//) >= 10 });
            Disturbed::full_for_a_while($test, $run, $directory);
        }
    );
}

subtest 'messages when the disk is full' => sub {
    my $test = small_place('results');
    my $run  = $test->started(qw(-q -i 60 -c 2 syscall));
    eventually(sub { $test->report('.journal') =~ /"pass"/ });
    Disturbed::fill($test->place('results'));
    my $ended = waited($run);
    my $base  = $test->place('results') . qr{/[^/\n]+};
    is($ended->{status}, 1, 'exit status 1');
    my $full = 'No space left on device';
    like($ended->{err}, qr/\ARun: can't write $base[.](?:journal|log): $full$/m, 'the first message names the file');
    like($ended->{err}, qr/^Run: can't write $base[.]html: $full$/m, 'other files that cannot be written are named');
    my $resume = qr/the finished passes are kept; to resume: [.]\/Run --resume $base/;
    like($ended->{err}, qr/^Run: $resume\n\z/m, 'the last message says how to resume');
    like($ended->{out}, qr/^   Note: interrupted: can't write $base[.]\w+: No space left/m, 'the report has a note');
};

# Shell commands that fill the disk. The first copy may have filled it before the second is ready.
my %FILLS = (
    'its standard output' => 'yes',
    'many files'          => 'n=0; while echo x >"$UB_SCRATCH/$n"; do n=$((n + 1)); done; yes >"$UB_SCRATCH/0"',
);
for my $what (sort keys %FILLS) {
    subtest "a program that fills the disk by $what" => sub {
        my $test = small_place('tmp');
        $test->put(syscall => "( $FILLS{$what} ) 2>/dev/null\nexit 3");
        my $run = $test->run(qw(-q -i 2 -c 2 syscall hanoi));
        is($run->{status}, 1, 'a program that fills the disk: exit status 1');
        my $filled = qr/syscall filled the disk: its files took [0-9]{3} KB/;
        like($test->report(q{}), qr/^System Call Overhead +no measured results: (?:[^\n]*; )?$filled[ ;]/m, 'its size');
        is(scalar(keys %{ $test->scores }), 1, 'other tests are measured');
        is_deeply([grep { /journal/ } $test->reports], [], 'the run is complete');
    };
}

subtest 'a limit on file sizes is not a full disk' => sub {
    my $test      = TestRun->new;
    my @limited   = ($^X, "$TestRun::HOME/Run", qw(-q -c 1 -i 60 hanoi));
    my $run       = waited($test->started_by(qw(sh -c), 'ulimit -f 8; exec "$0" "$@"', @limited));
    my $too_large = qr/^Run: can't write \S+: File too large: raise the limit on file sizes [(]ulimit -f[)]$/m;
    like($run->{err}, $too_large, 'the message names the limit on file sizes');
    unlike($run->{err}, qr/space/, 'the message does not mention space');
    $test->put(hanoi => 'head -c 5000000 /dev/zero >"$UB_SCRATCH/file" || exit 3');
    $run = waited($test->started_by(qw(sh -c), 'ulimit -f 4000; exec "$0" "$@"', @limited));
    like($run->{err}, qr/; see the limit on file sizes [(]ulimit -f[)] [(]pass 1, copy 1[)]; /, 'the limit is named');
};

subtest 'a disk that is full at the start' => sub {
    for my $directory (qw(results tmp)) {
        my $test = small_place($directory);
        Disturbed::fill($test->place($directory));
        my $ended = $test->run(qw(-q -c 1 syscall));
        is($ended->{status}, 1, "$directory is full: exit status 1");
        like($ended->{err}, qr/\ARun: [^\n]+\n\z/, "$directory is full: one line of message");
        Disturbed::empty($test->place($directory));
        is_deeply([glob $test->place($directory, '*')], [], "$directory is full: no file is left");
    }
};

done_testing();
