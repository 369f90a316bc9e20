use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use ObservedPlan                   qw($EXTRA @OBSERVE);
use PlayedRun                      qw(plan);
use Screen;
use UnixBench::Plan::Plan;
use UnixBench::Progress::Estimate;
use UnixBench::Progress::Live;
use UnixBench::Progress::Plain;
use UnixBench::Progress::Terminal;

my @TESTS = qw(pipe execl);
my %QUICK = (seed => 1995, precision => 0.01, max_time_s => 40);
my $PLAN  = plan(\@TESTS, copies => [1, 2], @OBSERVE);

# Takes the columns of a terminal, or nothing for another output. Observes all tests of the plan; returns what is shown
# at the start of each, and the line in the end (undef for another output).
sub shown {
    my ($columns) = @_;
    open my $out, '>', \my $text or die "open: $!\n";
    my $progress = $columns ? on_terminal($columns, $out) : UnixBench::Progress::Plain->new(out => $out)->listeners;
    $progress->{extra_due}->((@{ $PLAN->{tests} }) x @{ $PLAN->{copies} }, $EXTRA) if $columns;
    my @shown;
    for my $copies (@{ $PLAN->{copies} }) {
        for my $test (@{ $PLAN->{tests} }) {
            my @which = ($test, { copies => $copies }, 0, $EXTRA);
            $progress->{extra_started}->(@which);
            push @shown, $columns ? line_of($columns, $text) : $text;
            $progress->{extra_done}->(@which) if $columns;
        }
    }
    $progress->{measured}->() if $columns;
    return ([@shown], $columns ? line_of($columns, $text) : undef);
}

# Takes columns and a handle; returns the listeners that show progress on such a terminal.
sub on_terminal {
    my ($columns, $out) = @_;
    my $terminal = UnixBench::Progress::Terminal->new(out => $out, env => {}, columns => sub { $columns });
    return UnixBench::Progress::Live->new(terminal => $terminal, plan => $PLAN)->listeners;
}

sub line_of {
    my ($columns, $text) = @_;
    my $screen = Screen->new($columns, is_breaking => 1);
    $screen->feed($text);
    return $screen->shown =~ s{[{]\w*[}]|\n+\z}{}gr;
}

my ($wide, $end) = shown(80);
is_deeply(
    [map { /\A[0-9]+ s left +([0-9]+ x .+?) +observing system calls\z/ ? $1 : $_ } @$wide],
    ['1 x Pipe Throughput', '1 x Execl Throughput', '2 x Pipe Throughput', '2 x Execl Throughput'],
    'the test that is observed is shown'
);
my @left = map { /([0-9]+) s left/ } @$wide;
is_deeply([sort { $b <=> $a } @left], \@left, 'the time left becomes less');
is(
    $left[0],
    sprintf('%.0f', UnixBench::Plan::Plan::extra_s($PLAN)),
    'at first the time left is that of all observed passes'
);
is($end, q{}, 'in the end no line is left');

open my $out, '>', \my $resumed or die "open: $!\n";
my $listeners = on_terminal(80, $out);
my ($pipe) = @{ $PLAN->{tests} };
$listeners->{extra_due}->($pipe, $EXTRA);
$listeners->{extra_started}->($pipe, { copies => 2 }, 1, $EXTRA);
like(line_of(80, $resumed), qr/\A1 s left /, 'passes that were observed before take no time');

my ($narrow) = shown(12);
is(scalar grep({ length > 11 } @$narrow), 0, 'the line fits in 12 columns');

my ($plain) = shown();
is(
    $plain->[-1],
    join(q{}, map { "$_: observing system calls\n" } map { ("$_ x Pipe Throughput", "$_ x Execl Throughput") } 1, 2),
    'without a terminal, each test has a line'
);

for my $case ([official => {}], [quick => { quick => \%QUICK }]) {
    my ($kind, $how) = @$case;
    my ($with, $without) =
        map { UnixBench::Progress::Estimate->new($_)->left_s }
        map { plan(\@TESTS, %$how, copies => [1, 2], @$_) } \@OBSERVE, [];
    my $short_passes_s = UnixBench::Plan::Plan::extra_s($PLAN);
    cmp_ok(abs($with - $without - $short_passes_s), '<', 1e-9, "$kind run: the time left includes the observed passes");
}

done_testing;
