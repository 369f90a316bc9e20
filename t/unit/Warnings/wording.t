# The texts of warnings: of one, of several of a kind, and at the end of a run.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Cases qw(cases);
use UnixBench::Warnings::All;
use UnixBench::Warnings::Wording qw(merged);

my %passes = (worst  => 0.2, passes      => 3, badly     => 1, of => 40);
my %load   = (passes => 3,   badly       => 2, of        => 9);
my %worst  = (others => 0.7, another_run => 2, run_queue => 9, pressure_cpu => 0.2);
my %cause  = map { $_ => { cause => $_, worst => $worst{$_}, passes => 3, badly => 1 } } keys %worst;
my %reach  = (rounds => 7, wanted => 0.01, of => 'S');
my $YES    = { name => 'yes', pid => 7, cpus => 1, passes => 2 };
my @MODES  = ({ rate => 100, share => 0.25 }, { rate => 200, share => 0.75 });

# Takes a kind and the values of a warning; returns the warning.
sub warning { my ($kind, %values) = @_; return { kind => $kind, test => undef, copies => undef, %values } }

# Takes a kind, the name of a test and values; returns a warning about that test.
sub of_test { my ($kind, $test, %values) = @_; return warning($kind, test => $test, title => "Title $test", %values) }

# [what was seen at the end of a run, warnings].
#<<< a table
my @CASES = (
    ['Other load: load average 0.82.', warning(load => load => 0.82, causes => [])],
    ['Other load: 0.70 CPUs used (2 of 9 passes).', warning(load => %load, load => 0.82, causes => [$cause{others}])],
    ['Other load: 0.70 CPUs used, 2 other Runs, 9 processes waited (slight in 3 of 9 passes, which disturbed none).',
        warning(load => %load, badly => 0, causes => [@cause{qw(others another_run run_queue pressure_cpu)}])],
    ['Other load: waiting for a CPU 20 %, above all yes (2 of 9 passes).',
        warning(load => %load, causes => [{ %{ $cause{pressure_cpu} }, by => [$YES] }])],
    ['S index: precision after 7 rounds is 1.8 % (wanted 1 %).',
        warning(precision => %reach, half_width => 0.018, is_index => 1)],
    ['The mean of all scores: precision after 7 rounds is unknown (wanted 1 %).',
        warning(precision => %reach, half_width => undef, of => undef)],
    ['Title a has two modes: 100.0 in 25 % and 200.0 in 75 % of the passes.', of_test(modes => 'a', modes => \@MODES)],
    ['2 tests have two modes: Title a and Title b.', map { of_test(modes => $_, modes => \@MODES) } qw(a b)],
    ['Title a got 5 % faster from first to last pass.', of_test(trend => 'a', rise => 0.05)],
    ['Title a got 5 % slower from first to last pass.', of_test(trend => 'a', rise => -0.05)],
    ['4 copies: Title a got 9 % slower from first to last pass.',
        map { of_test(trend => 'a', rise => -$_ / 100, copies => $_ == 9 ? 4 : 1) } 3, 9],
    ['5 tests got faster or slower from first to last pass: Title a, Title b, Title c and 2 others.',
        map { of_test(trend => $_, rise => -0.1) } qw(a b c d e)],
    ['1 copy: Title a varies by 7.1 % from pass to pass (coefficient of variation).',
        map { of_test(varied => 'a', cv => 0.071, copies => $_) } 1, 4],
    ['Some scores vary by more than 5 % from pass to pass, Title b most: by 30 %.',
        of_test(varied => 'a', cv => 0.06), of_test(varied => 'b', cv => 0.3), of_test(varied => 'a', cv => 0.08)],
    ['Changed during the run: a; b; c\n; d.', warning(changes => changes => ['a', 'b', "c\n", 'd'])],
    ['Traced by gdb: A and B.', warning(tracer => tracer => 'gdb', traced => ['A', 'B'])],
    ['Loaded into every measured program: LD_PRELOAD (/x.so) and /etc/ld.so.preload (a\tb).',
        warning(preload => set => [[LD_PRELOAD => '/x.so'], ['/etc/ld.so.preload' => "a\tb"]])],
    ['The measured programs have LD_LIBRARY_PATH (/l).', warning(libraries => set => [[LD_LIBRARY_PATH => '/l']])],
    ['The nice value of the tests is 5.', warning(nice => nice => 5)],
    ['The scheduling class of the tests is SCHED_FIFO.', warning(class => class => 'SCHED_FIFO')],
    ['A control group limits CPU time to that of 0.50 of 2 CPUs.', warning(quota => cpus => 0.5, of => 2)],
    ['The CPU frequency governor is "power\nsave".', warning(governor => governor => "power\nsave")],
    ['The scratch files are in memory (tmpfs).', warning(scratch => file_system => 'tmpfs')],
    ['The language of the tests is "C", with text in ASCII instead of UTF-8.',
        warning(locale => lang => 'C', charmap => 'ASCII')],
    ['The kernel was built with debugging options: KASAN and KCSAN.',
        warning(debug_kernel => debug => [qw(KASAN KCSAN)])],
    ['The clock of the machine was set back by 3600 s during the run.', warning(clock => set_s => -3600.4)],
    ['The clock of the machine was set forward by 86400 s during the run.', warning(clock => set_s => 86_400)],
    ['3 of 40 passes: the hypervisor kept CPUs waiting for up to 20 % of the time; '
        . 'yes (PID 7) used 1.00 CPUs in 2 passes.',
        warning(steal => %passes, by => [$YES])],
    ['5 of 80 passes: the hypervisor kept CPUs waiting for up to 50 % of the time.',
        warning(steal => %passes, copies => 1), warning(steal => %passes, copies => 4, passes => 2, worst => 0.5)],
    ['9 of 120 passes: for up to 60 % of a pass, not all copies were running.',
        map { warning(overlap => %passes, worst => $_) } 0.9, 0.4, 0.8],
    ['The tests can use only 2 CPUs of those that are online.',
        map { warning(affinity => %passes, worst => 2, copies => $_) } undef, 4],
    [undef, of_test(varied => 'pipe', cv => 0.07, is_by_load => 1)],
);
#>>>
for my $case (@CASES) {
    my ($seen, @warnings) = @$case;
    my @texts = merged(@warnings);
    my $kind  = $warnings[0]{kind};
    is(scalar @texts, defined $seen ? 1 : 0, "$kind: one text, unless other load explains it");
    my $advice = UnixBench::Warnings::Wording::of($warnings[0])->{advice};
    is("@texts", "$seen $advice", "$kind: $seen") if defined $seen;
    like($advice, qr/\A[.A-Z0-9](?!.*[{}]|.*  ).*[.]\z/, "$kind: the advice is a sentence");
}
my ($modes, $alone) = map { UnixBench::Warnings::Wording::of($_) } of_test(modes => 'context1', modes => \@MODES),
    warning(steal => %passes, copies => 4);
like($modes->{advice}, qr{context1 10 -p same[.] The other one: pgms/context1 10 -p apart}, 'advice names both modes');
like($alone->{seen},   qr/\A4 copies: 3 of 40 passes: the hypervisor /, 'a warning alone has its number of copies');
my %runner = (%passes, runner => 'measure.sh');
my @advice = map { UnixBench::Warnings::Wording::of(warning($_ => %runner))->{advice} } qw(affinity others);
like($advice[0], qr/ start sh measure[.]sh without taskset /, 'for a machine without Perl, advice names measure.sh');
like($advice[1], qr/ On that machine, top names those /,      '... and no command of Run');
my $before = UnixBench::Warnings::Wording::before(warning(swap => worst => 2));
is($before->{seen}, 'Memory is being swapped: 2 pages a second.', 'a disturbance before a run');

subtest 'every case has at most one text for each kind, in the order of the warnings' => sub {
    for my $case (cases()) {
        my @warnings = UnixBench::Warnings::All::of($case->{result});
        my %kinds    = map { $_->{kind} => 1 } @warnings;
        is(scalar(() = merged(@warnings)), scalar keys %kinds, $case->{name} // 'a case');
    }
    my @two = merged(warning(nice => nice => 5), warning(steal => %passes), warning(nice => nice => 6));
    is_deeply([map { /(nice|hypervisor)/ } @two], [qw(nice hypervisor)], 'two kinds');
};

done_testing;
