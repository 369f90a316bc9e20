use strict;
use warnings;

use FindBin;
use List::Util qw(max min);
use Test::More;

use lib "$FindBin::Bin/../lib";
use Needs qw(skip_without);
use PseudoTerminal;
use TerminalRun qw(ended started_on);
use TestRun;
use UnixBench::Call::NextStep;

# What a terminal shows after the report: warnings, then a block to be copied. Elsewhere nothing follows the report.

use constant { BLOCK_WIDTH => 72, WARNINGS_MOST => 10 };

skip_without(machine => 'terminals') if !PseudoTerminal->new(80);

my @WORDS = qw(-c 1 -c 2 -i 2 index);
my @FEW   = qw(-c 1 -i 2 pipe syscall);
my $LINE  = q{=} x 72 . "\n";

# Returns a place with a setting that a warning names. The passes of the fake programs vary, which is another warning.
sub place { return TestRun->new(env => { TERM => 'xterm', GLIBC_TUNABLES => 'glibc.malloc.check=0' }) }

# Takes a place, the width of a terminal and words; returns what Run shows on the terminal, without messages about the
# machine before the run.
sub shown {
    my ($test, $columns, @words) = @_;
    my $run = started_on($test, $columns, [0 .. 2], @words);
    is(ended($run)->{status}, 0, "$columns columns: the run succeeds");
    return $run->{terminal}->seen =~ s/\r\n/\n/gr =~ s/^Run: (?:$TestRun::OF_THE_MACHINE) .*\n(?:  .*\n)*//mgr;
}

# t/report/end-block.t has more widths.
for my $columns (40, 80, 200) {
    my $test   = place();
    my $shown  = shown($test, $columns, @WORDS);
    my $report = $test->report(q{});
    my $from   = index $shown, $LINE . $report;
    cmp_ok($from, '>', 0, "$columns columns: the classic report is unchanged");
    my ($warnings, $block) = substr($shown, $from + length $LINE . $report) =~ /\A(.*?)^(UnixBench .*)\z/ms;
    is_block($block        // q{}, $columns);
    are_warnings($warnings // q{}, $columns);
}

subtest 'called in the directory above the results' => sub {
    my $test = place();
    $test->{cwd} = $test->place;
    like(shown($test, 80, @FEW), qr{^Page +results/\S+[.]html$}m, 'the path of the page is relative');
};

subtest '-q on a terminal' => sub {
    my $test  = place();
    my $shown = shown($test, 80, '-q', @FEW);
    is($shown, $LINE . $test->report(q{}), 'is the classic report and nothing else');
};

subtest 'a pipe' => sub {
    my $test = place();
    my $run  = $test->run(@FEW);
    is(substr($run->{out}, index $run->{out}, $LINE), $LINE . $test->report(q{}), 'ends with the classic report');
};

done_testing;

# Tests that the block has its parts in order, is narrow enough, and is the last thing on the terminal.
sub is_block {
    my ($block, $columns) = @_;
    my @labels = $block =~ /^([A-Z]\w+) /mg;
    is_deeply(\@labels, [qw(UnixBench Index Machine Trust Page Next)], "$columns columns: the parts of the block");
    my @lines = grep    { !/\APage / } split /\n/, $block =~ s/\e\[[0-9]*m//gr;    # no path is broken
    my $width = max map { length } @lines;
    cmp_ok($width, '<=', min(BLOCK_WIDTH, $columns), "$columns columns: the block is narrow enough");
    my $next = UnixBench::Call::NextStep::after_poor();
    $next = 'OTHER' if $block !~ /^Trust +(?:\e\S+)?poor/m;
    $next = join '\s+', map { quotemeta } split q{ }, $next;
    like($block, qr/ $next\n\z/, "$columns columns: the block is the end");
    return;
}

# Tests that warnings are few, short, and one for each cause.
sub are_warnings {
    my ($warnings, $columns) = @_;
    my @texts = split /^(?=Warning: )/m, $warnings =~ s/\A\n+|\n+\z//gr;
    cmp_ok(scalar @texts, '<=', WARNINGS_MOST, "$columns columns: there are at most ten warnings");
    is(scalar(grep { /GLIBC_TUNABLES/ } @texts), 1, "$columns columns: one of them is about both runs");
    is(scalar(grep { tr/\n// > 2 } @texts),      0, "$columns columns: each has at most two lines");
    my $width = max map { length } split /\n/, $warnings;
    cmp_ok($width, '<=', $columns, "$columns columns: no warning is wider than the terminal");
    return;
}
