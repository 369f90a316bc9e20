# What a terminal shows: the progress, and the last screen after a run and a comparison. The last screen, of 80 columns
# and 24 lines, has the verdict and the next step, and no word is broken.

use strict;
use warnings;

use FindBin;
use POSIX ();
use Test::More;

use lib "$FindBin::Bin/../lib";
use Golden qw(is_golden no_golden_left_over);
use Needs  qw(skip_without);
use PseudoTerminal;
use Screen;
use TerminalRun qw(ended is_screen plain progress shown started_on until_seen);
use TestRun     qw(eventually of_environment states);
use UnixBench::Call::NextStep;

use constant COLUMNS => 80;

skip_without(machine => 'terminals') if !PseudoTerminal->new(COLUMNS);

# A shell makes its background commands ignore some signals; these tests need their default effect.
$SIG{$_} = 'DEFAULT' for qw(INT TERM HUP TSTP);

my %PROGRAMS = (pipe => 'steady', spawn => 'steady', execl => 'segfault', syscall => 'hold');
my @OFFICIAL = qw(-c 1 -c 2 -i 3 pipe execl spawn);
my @QUICK    = qw(--quick -c 2 --seed 1996 --precision 20 --max-time 0.1 pipe execl spawn);

# Returns a place with programs that always count the same; syscall stops at the starts in held_at.
sub place {
    my (%with) = @_;
    my $test = TestRun->new(programs => \%PROGRAMS);
    mkdir $test->place('hold') or die "mkdir: $!\n";
    my %hold = (UB_HOLD => $test->place('hold'), UB_HOLD_AT => $with{held_at} // q{});
    $test->{env} = { TERM => 'xterm', UB_SWAY => 0.01, %hold, %{ $with{env} || {} } };
    return $test;
}

# Takes the number of columns, words and environment; returns the film of a run on a terminal (see Screen).
sub film {
    my ($columns, $words, %env) = @_;
    my $run = started_on(place(env => \%env), $columns, [0 .. 2], @$words);
    is(ended($run)->{status}, 1, "@$words: exit status 1");
    return Screen->new($columns)->feed(progress($run->{terminal}->seen))->film;
}

# t/unit/Progress/live.t has the lines of other widths.
is_golden('official-40.txt', film(40,  [@OFFICIAL[2 .. $#OFFICIAL]]));
is_golden('quick-200.txt',   film(200, \@QUICK));

my $PLAIN = join q{},
    map { "\n$_ x Pipe Throughput  1 2 3\n\n$_ x Execl Throughput  1\n\n$_ x Process Creation  1\n" } 1, 2;
my $ABORTING = 'Run: "Execl Throughput": killed by SIGSEGV (pass 1, copy 1); aborting this test' . "\n";
my $WARMING  = $ABORTING =~ s/pass 1, copy 1/warm-up/r;

# Returns the progress on a terminal that cannot redraw lines, without messages about failures.
sub plain_progress {
    my ($test, $columns, @words) = @_;
    my $run = started_on($test, $columns, [0 .. 2], @words);
    ended($run);
    return progress($run->{terminal}->seen) =~ s/\Q$ABORTING\E|\Q$WARMING\E//gr;
}

subtest 'an official run if no line can be redrawn' => sub {
    is(plain_progress(place(env => { TERM => 'dumb' }), 80, @OFFICIAL), $PLAIN, 'TERM is dumb');
    is(plain_progress(place(env => { TERM => q{} }),    80, @OFFICIAL), $PLAIN, 'TERM is empty');
    my $in_lines = qr/\A(?!.*\e).*\n1 x Pipe Throughput \n  \S+pipe 0[.]01\n  1: 1010/s;
    like(plain_progress(place(), 80, '-v', @OFFICIAL), $in_lines, '-v prints lines');
    is(plain_progress(place(), 80, '-q', @OFFICIAL), q{}, '-q prints no progress');
    my $test = place();
    my $run  = started_on($test, COLUMNS, [0, 2], @OFFICIAL);
    is(progress(ended($run)->{out}),     $PLAIN,        'standard output is a file');
    is(progress($run->{terminal}->seen), $ABORTING x 2, 'the terminal shows only the failures');
};

# Starts a run on a terminal and waits until it is held in the second pass of three; returns the place and the run.
sub held {
    my (@command) = @_;
    my $test      = place(held_at => 2);
    my $run       = started_on($test, COLUMNS, [0 .. 2], @command);
    ok(until_seen($run, qr/pass 2 of 3.*\r/), 'the second pass begins');
    ok($test->is_held,                        'the second pass is held');
    return ($test, $run);
}

# Returns the text that the terminal shows at the end.
sub shown_in_the_end {
    my ($run) = @_;
    return Screen->new(80)->feed(progress($run->{terminal}->seen))->shown;
}

my @HELD = qw(-c 1 -i 3 syscall);

subtest 'stopped, resized and continued' => sub {
    my ($test, $run) = held(@HELD);
    my $before = progress($run->{terminal}->seen);
    $run->{terminal}->resize(30);
    kill STOP => $run->{pid};
    ok(eventually(sub { states($run->{pid}) eq 'T' }), 'the run is stopped');
    kill CONT => $run->{pid};
    is(ended($run)->{status}, 0, 'the continued run succeeds');
    my $after = substr progress($run->{terminal}->seen), length $before;
    is_golden('resized.txt', Screen->new(30)->feed($after)->film);
};

subtest 'Ctrl-C' => sub {
    my ($test, $run) = held(@HELD);
    $run->{terminal}->type("\cC");
    is(ended($run)->{signal}, POSIX::SIGINT(), 'dies of it');
    my $left = "\n1 x System Call Overhead  interrupted after 1 of 3 passes\n";
    is(shown_in_the_end($run), $left, 'the line of the interrupted test is left');
    is_deeply([of_environment($test->place)], [], 'no process is left');
};

subtest 'Ctrl-Z and fg' => sub {
    my $typed = "set -m; '$^X' '$TestRun::HOME/Run' @HELD; echo; echo stopped; fg";
    my ($test, $run) = held('/bin/sh', '-c', $typed);
    $run->{terminal}->type("\cZ");
    is(ended($run)->{status}, 0, 'the continued run succeeds');
    my $alone = qr/^stopped\n.*^1 x System Call Overhead +500[.]0  variation 0 %\n\z/ms;
    like(shown_in_the_end($run), $alone, 'the score is in a line of its own');
};

subtest 'in the background' => sub {
    my $run =
        started_on(place(), COLUMNS, [0 .. 2], '/bin/sh', '-c', "set -m; '$^X' '$TestRun::HOME/Run' @HELD & wait");
    ended($run);
    my $seen = progress($run->{terminal}->seen);
    unlike($seen, qr/\e\[J/, 'nothing is redrawn or cleared in the background');
    like($seen, qr/^1 x System Call Overhead +500[.]0  /m, 'permanent lines are printed in the background');
};

subtest 'a limit of file sizes below the size of the journal' => sub {
    my $small = 'ulimit -f 40; exec "$0" "$@"';
    my $run   = started_on(place(), COLUMNS, [0 .. 2],
        '/bin/sh', '-c', $small, $^X, "$TestRun::HOME/Run", qw(-c 1 -i 100 syscall));
    is(ended($run)->{status}, 1, 'the run fails');
    like($run->{terminal}->seen, qr/={72}.*^Run: (?:can't write|no space left)/ms, 'the reason follows the report');
    is(shown_in_the_end($run), q{}, 'no line of progress is left');
};

# Disturbances by other processes do not change what is shown.
local $ENV{PERL5OPT} = "-I$FindBin::Bin/../lib -MPlayedLoad";

my $MACHINE = TestRun->new(env => { TERM => 'xterm' });

my ($first) = shown($MACHINE, { UB_OUTPUT_FILE_NAME => 'first' }, qw(-c 1 -i 3 index));
subtest 'the classic report is unchanged on the terminal' => sub {
    my $line = q{=} x 72 . "\n";
    like($first, qr/\A\Q@{[$MACHINE->text('first')]}\E.*^UnixBench /ms, 'before warnings and block');
    my $test  = place();
    my $quiet = started_on($test, COLUMNS, [0 .. 2], qw(-q -c 1 -i 2 pipe syscall));
    ended($quiet);
    my $seen = $quiet->{terminal}->seen =~ s/\r\n/\n/gr =~ s/^Run: (?:$TestRun::OF_THE_MACHINE) .*\n(?:  .*\n)*//mgr;
    is($seen, $line . $test->report(q{}), '-q: it is there, and nothing else');
};

my ($second) = shown($MACHINE, { UB_OUTPUT_FILE_NAME => 'second' }, qw(-c 1 -i 3 index));

# Takes what a terminal shows, and the next step unless the trust is poor; returns the pattern of the next step.
sub step {
    my ($shown, $next) = @_;
    $next = UnixBench::Call::NextStep::after_poor() if plain($shown) =~ /^Trust +poor: /m;
    return qr{\Q$next\E$};
}

is_screen('a run', $first, 'Index', step($first, './Run report first --details'));
my $is_first_poor = plain($first) =~ /^Trust +poor: /m;
is_screen('a second run', $second, 'Index',
    step($second, $is_first_poor ? './Run report second --details' : './Run compare first second'));

my @COMPARE = (compare => map { $MACHINE->place('results', "$_.html") } qw(first second));
my ($compared) = shown($MACHINE, {}, @COMPARE);
is_screen('a comparison', $compared, 'System Benchmarks index', qr/(?:measure|add) /);
like(plain($compared), qr/^File Copy 1024 bufsize 2000 maxblocks +[0-9.]+ +\S.*$/m, 'titles and verdicts');

like($first, qr/^Trust +\e\[3[1-3]m(?:good|fair|poor)\e\[m: /m, 'the word of trust has a colour');
for my $env ({ NO_COLOR => 1 }, { TERM => 'dumb' }) {
    my ($name)   = %$env;
    my ($report) = shown($MACHINE, $env, report => $MACHINE->place('results', 'first.html'));
    like($report, qr/^Trust +(?:good|fair|poor): /m, "$name: it has none");
}
unlike($MACHINE->run(@COMPARE)->{out}, qr/^Next /m, 'in a file there is no block');

subtest 'Ctrl-C in a quick run' => sub {
    my $test = place();
    my $run  = started_on($test, COLUMNS, [0 .. 2], '--quick', qw(-c 1 hanoi));
    ok(eventually(sub { $test->report('.journal') =~ /\n/ }), 'the run has started');
    kill INT => $run->{pid};
    is(ended($run)->{signal}, POSIX::SIGINT(), 'the run is interrupted');
    my $seen = plain($run->{terminal}->seen =~ s/\r\n/\n/gr);
    like($seen, qr{^Next +./Run --resume \S+\n\z}m, 'the last line resumes it');
    is(scalar(() = $seen =~ /--resume/g), 1, 'no other line does');
    unlike($seen, qr/more time|precision after/, 'there is no advice for a run that was not interrupted');
};

# Where the block of a run goes, by which of the outputs is a terminal.
for my $case (
    ['./Run | tee log',      [2], qr/\A(?!.*^Trust )/ms,              qr/\A(?!.*^Trust ).*Index Score/ms],
    ['./Run 2> errors',      [1], qr/Index Score.*^Trust .*^Next /ms, qr/\A\z/],
    ['./Run 2>&1 | tee log', [],  qr/\A\z/,                           qr/\A(?!.*^Trust ).*Index Score/ms],
    )
{
    my ($name, $handles, $on_terminal, $in_file) = @$case;
    my $run   = started_on($MACHINE, COLUMNS, $handles, qw(-c 1 -i 1 pipe));
    my $ended = ended($run);
    like($run->{terminal}->seen =~ s/\r\n/\n/gr, $on_terminal, "$name: the terminal");
    like($ended->{out},                          $in_file,     "$name: standard output");
}

no_golden_left_over();
done_testing();
