package Outcomes;

# Results in which tests ended in every way, for the tests of their reports.

use strict;
use warnings;

use Exporter 'import';

use Fixture qw(@INDEX failed host interrupted measured result run skipped);

our @EXPORT_OK = qw(hostile_text outcomes);

# Returns [name, result] for each kind of result.
sub outcomes {
    return (_passed(), _refused(), _interrupted(), _skipped(), _hostile(), ['empty', result([], asked => ['all'])]);
}

sub _passed {
    my @tests = map { measured($_, 1, 1_000_000, 1_000_100, 1_000_050) } @INDEX;
    return ['passed', result([run(1, @tests)], asked => ['index'])];
}

# A result whose tests have every kind of status, for two numbers of copies.
sub _refused {
    my @tests = (
        measured('pipe',  1, 1000, 1010, 990),
        measured('spawn', 1, 1000),
        failed('syscall', 'killed by SIGSEGV (pass 2, copy 1)', 24_657_547),
        skipped('2d-rects', 'skipped: no X display; set DISPLAY or install xvfb'),
    );
    my @more = (measured('pipe', 4, 1000, 1010, 990), skipped('2d-rects', 'skipped: graphics tests run as one copy'));
    return ['refused', result([run(1, @tests), run(4, @more)], asked => [qw(pipe spawn syscall 2d-rects)])];
}

sub _interrupted {
    my @tests = (measured('spawn', 1, 9, 9), interrupted('pipe', 'interrupted after 1 of 10 passes', 9));
    return ['interrupted', result([run(1, @tests)])];
}

sub _skipped {
    my $test = skipped('2d-rects', 'skipped: there is no program x11perf; install it');
    return ['skipped', result([run(1, $test)], asked => ['all'])];
}

# Returns bytes that readers of reports must take for text only.
sub hostile_text {
    my $markup   = q{]]><x a='"'>&amp;</testcase>};
    my $protocol = "\n1..9\nok 9\nBail out!";
    return "1 # SKIP \\# \x54ODO $markup$protocol\t\0\e[31m\xff\xed\xa0\x80\xef\xbf\xbe caf\xc3\xa9 \\";
}

sub _hostile {
    my $pipe   = { %{ measured('pipe', 1, 1000, 1001) }, title => 'Pipe ' . hostile_text(), unit => hostile_text() };
    my @others = (failed('syscall', hostile_text()), skipped('spawn', "# \x54ODO " . hostile_text()));
    return ['hostile', result([run(1, $pipe, @others)], asked => ['all'], host => host(name => hostile_text()))];
}

1;
