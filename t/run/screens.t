# The last screen of a terminal of 80 columns and 24 lines, after a run, a comparison, a fleet and rank: it has the
# verdict and the next step, and no word is broken.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use LoadedRun;
use Needs qw(skip_without);
use Place qw(text_of);
use PseudoTerminal;
use Screen;
use TerminalRun qw(ended started_on);
use TestRun;

use constant { COLUMNS => 80, ROWS => 24 };

skip_without(machine => 'terminals') if !PseudoTerminal->new(COLUMNS);

# Disturbances by other processes do not change what is shown.
local $ENV{PERL5OPT} = "-I$FindBin::Bin/../lib -MPlayedLoad";

my $MACHINE = TestRun->new(env => { TERM => 'xterm' });

# Takes environment settings and words for Run; runs it on a terminal. Returns the text that it shows there, without the
# lines before the report, and the exit status.
sub shown {
    my ($env, @words) = @_;
    local $MACHINE->{env} = { %{ $MACHINE->{env} }, %$env };
    my $run   = started_on($MACHINE, COLUMNS, [0 .. 2], $^X, "$TestRun::HOME/Run", @words);
    my $ended = ended($run);
    return ($run->{terminal}->seen =~ s/\r\n/\n/gr =~ s/\A.*^={72}\n//smr, $ended->{status});
}

# Takes a text; returns the last lines that a terminal shows, with words for colours, such as "{red}".
sub last_screen {
    my ($text) = @_;
    my @rows   = split /\n/, Screen->new(COLUMNS)->feed($text =~ s/(?<!\r)\n/\r\n/gr)->shown;
    return join q{}, map { "$_\n" } @rows[($#rows < ROWS - 1 ? 0 : 2 - ROWS + $#rows) .. $#rows];
}

sub plain { my ($text) = @_; return $text =~ s/\e\[[0-9]*m//gr }

# Tests that the last screen has a verdict, with this label, and the next step, and that no line is too long.
sub is_screen {
    my ($name, $text, $label, $next) = @_;
    my $screen = last_screen($text);
    like($screen, qr/^$label +\S/m,  "$name: the last screen has the verdict");
    like($screen, qr/^Next +$next/m, "$name: and the next step") or diag $screen;
    my ($lines) = $label eq 'Index' ? plain($text) =~ /^((?:Warning: |Index ).*)/ms : plain($text);
    is_deeply([grep { length > COLUMNS } split /\n/, $lines], [], "$name: no line is broken by the terminal");
    return $screen;
}

my ($first)  = shown({ UB_OUTPUT_FILE_NAME => 'first' },  qw(-c 1 -i 3 index));
my ($second) = shown({ UB_OUTPUT_FILE_NAME => 'second' }, qw(-c 1 -i 3 index));

like(
    is_screen('a run', $first, 'Index', qr{./Run compare first OTHER$}),
    qr/^Trust +\{(?:green|yellow|red)\}[a-z]+\{\}: /m,
    'the level of trust has a colour'
);
is_screen('a second run', $second, 'Index', qr{./Run compare first second$});

my @COMPARE    = ('compare', map { $MACHINE->place('results', "$_.html") } qw(first second));
my ($compared) = shown({}, @COMPARE);
my $screen     = is_screen('a comparison', $compared, 'Verdict', qr/(?:measure|add) /);
like($screen, qr/^Trust +A \{\w+\}[a-z]+\{\}: .*^ +B \{\w+\}[a-z]+\{\}: /ms, 'the trust of both sides has colours');
like(plain($compared), qr/^File Copy 1024 bufsize 2000 maxblocks +[0-9.]+ +\S.*$/m,
    'its table has titles and verdicts');

my ($fleet) = shown({}, 'fleet', map { $MACHINE->place('results', "$_.html") } qw(first second first));
is_screen('a fleet', $fleet, 'Verdict', qr/\S/);
like($fleet, qr/^1[.] .* \e\[3[123]m[a-z]+\e\[m +measured$/m, 'a table has colours, too');

$MACHINE->write('results', 'old', text_of("$FindBin::Bin/../data/classic/1-copy"));
my ($ranked) = shown({}, 'rank', $MACHINE->place('results', 'old'));
is_screen('rank', $ranked, 'Index', qr{./Run compare old OTHER$}m);
is(scalar(() = $ranked =~ /^[> ] +[0-9.]+(?: to [0-9]+)?  \S/mg),
    13, 'rank: ten nearest, the best, the lowest, the own');
is_deeply([grep { length > COLUMNS } split /\n/, plain($ranked)], [], 'rank: no line is broken by the terminal');

my ($doctor) = shown({}, 'doctor');
is_deeply([grep { length > COLUMNS } split /\n/, $doctor], [], 'doctor: no line is broken by the terminal');

for my $env ({ NO_COLOR => 1 }, { TERM => 'dumb' }) {
    my ($name) = %$env;
    unlike((shown($env, @COMPARE))[0], qr/\e/, "$name: there are no colours");
}
unlike($MACHINE->run(@COMPARE)->{out}, qr/\e|^Next /m, 'in a file there are no colours and no block');

subtest 'an earlier result that can not be compared is not named' => sub {
    local $MACHINE->{env} = { %{ $MACHINE->{env} }, UB_TIME_FACTOR => '0.002' };
    my ($other) = shown({ UB_OUTPUT_FILE_NAME => 'other' }, qw(-c 1 -i 1 pipe));
    like($other, qr{^Next +./Run compare other OTHER$}m, 'another procedure');
    delete local $MACHINE->{env}{UB_TIME_FACTOR};
    my ($more) = shown({ UB_OUTPUT_FILE_NAME => 'more' }, qw(-c 2 -i 1 pipe));
    like($more, qr{^Next +./Run compare more OTHER$}m, 'another number of copies');
    my ($one) = shown({ UB_OUTPUT_FILE_NAME => 'one' }, qw(-c 1 -i 1 pipe));
    like($one, qr{^Next +./Run compare second one$}m, 'the newest that can be compared');
};

done_testing;
