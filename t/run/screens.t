# The last screen of a terminal of 80 columns and 24 lines, after a run and a comparison: it has the verdict and the
# next step, and no word is broken.

use strict;
use warnings;

use FindBin;
use POSIX ();
use Test::More;

use lib "$FindBin::Bin/../lib";
use Alive qw(eventually);
use LoadedRun;
use Needs qw(skip_without);
use PseudoTerminal;
use TerminalRun qw(ended is_screen plain shown started_on);
use TestRun;
use UnixBench::Call::NextStep;

use constant COLUMNS => 80;

skip_without(machine => 'terminals') if !PseudoTerminal->new(COLUMNS);

# Disturbances by other processes do not change what is shown.
local $ENV{PERL5OPT} = "-I$FindBin::Bin/../lib -MPlayedLoad";

my $MACHINE = TestRun->new(env => { TERM => 'xterm' });

my ($first) = shown($MACHINE, { UB_OUTPUT_FILE_NAME => 'first' }, qw(-c 1 -i 3 index));
subtest 'the classic report is unchanged on the terminal' => sub {
    my $line = q{=} x 72 . "\n";
    like($first, qr/\A\Q@{[$MACHINE->text('first')]}\E.*^UnixBench /ms, 'before warnings and block');
    my $test  = TestRun->new(env => { TERM => 'xterm' });
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

my @COMPARE = ('compare', map { $MACHINE->place('results', "$_.html") } qw(first second));
my ($compared) = shown($MACHINE, {}, @COMPARE);
is_screen('a comparison', $compared, 'System Benchmarks index', qr/(?:measure|add) /);
like(plain($compared), qr/^File Copy 1024 bufsize 2000 maxblocks +[0-9.]+ +\S.*$/m,
    'its table has titles and verdicts');

like($first, qr/^Trust +\e\[3[1-3]m(?:good|fair|poor)\e\[m: /m, 'the word of trust has a colour');
for my $env ({ NO_COLOR => 1 }, { TERM => 'dumb' }) {
    my ($name)   = %$env;
    my ($report) = shown($MACHINE, $env, report => $MACHINE->place('results', 'first.html'));
    like($report, qr/^Trust +(?:good|fair|poor): /m, "$name: it has none");
}
unlike($MACHINE->run(@COMPARE)->{out}, qr/^Next /m, 'in a file there is no block');

subtest 'Ctrl-C' => sub {
    my $test = TestRun->new(env => { TERM => 'xterm' });
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
done_testing;
