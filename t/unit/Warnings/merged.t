use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Cases qw(cases);
use UnixBench::Warnings::All;
use UnixBench::Warnings::Wording qw(merged);

# The warnings at the end of a run: one text for each cause, over all tests and all runs.

my %of_passes = (level => 'disturbed', worst => 0.2, passes => 3, badly => 1, of => 40, titles => ['A', 'B']);
my @modes     = ({ rate => 100, share => 0.25 }, { rate => 200, share => 0.75 });

# Takes a kind and the values of a warning; returns the warning.
sub warning { my ($kind, %values) = @_; return { kind => $kind, test => undef, copies => undef, %values } }

# Takes a kind, the name of a test and values; returns a warning about that test.
sub of_test { my ($kind, $test, %values) = @_; return warning($kind, test => $test, title => "Title $test", %values) }

my $STEAL   = 'Measure at another hour or on another host. If it stays, it is what this machine delivers.';
my %by_load = (cv => 0.071, is_by_load => 1);
my $VARIED  = 'Look for other load, power saving or busy neighbours, or measure longer (-i, or --max-time).';

# [what is merged, warnings, texts].
my @CASES = (
    ['no warning',                         [],                                    []],
    ['what other load explains of a test', [of_test(varied => 'pipe', %by_load)], []],
    [
        'a disturbance of one run',
        [warning(steal => %of_passes)],
        ["3 of 40 passes: the hypervisor kept CPUs waiting for up to 20 % of the time. $STEAL"]
    ],
    [
        'a disturbance of two runs',
        [
            warning(steal => %of_passes, copies => 1),
            warning(steal => %of_passes, copies => 4, passes => 2, worst => 0.5)
        ],
        ["5 of 80 passes: the hypervisor kept CPUs waiting for up to 50 % of the time. $STEAL"]
    ],
    [
        'a disturbance whose lowest value is the worst',
        [map { warning(overlap => %of_passes, worst => $_) } 0.9, 0.4, 0.8],
        [
                  '9 of 120 passes: for up to 60 % of a pass, not all copies were running. '
                . 'Stop programs that keep CPUs busy, or make an official run, whose passes are longer.'
        ]
    ],
    [
        'a disturbance of a single pass',
        [warning(steal => %of_passes, passes => 1, of => 1)],
        ["1 of 1 pass: the hypervisor kept CPUs waiting for up to 20 % of the time. $STEAL"]
    ],
    [
        'CPUs that the tests could not use, in two runs',
        [map { warning(affinity => %of_passes, worst => 2, copies => $_) } undef, 4],
        [
                  'The tests could use only 2 CPUs of those that are online. '
                . 'To measure the whole machine, start ./Run without taskset and outside a restricted control group.'
        ]
    ],
    [
        'a variation of one test',
        [of_test(varied => 'pipe', cv => 0.071)],
        ["Title pipe varies by 7.1 % from pass to pass (coefficient of variation). $VARIED"]
    ],
    [
        'a variation of one test in two runs',
        [map { of_test(varied => 'pipe', cv => 0.071, copies => $_) } 1, 4],
        ["1 copy: Title pipe varies by 7.1 % from pass to pass (coefficient of variation). $VARIED"]
    ],
    [
        'a variation of two tests, one of them in two runs',
        [of_test(varied => 'a', cv => 0.06), of_test(varied => 'b', cv => 0.3), of_test(varied => 'a', cv => 0.08)],
        ["Some scores vary by more than 5 % from pass to pass, Title b most: by 30 %. $VARIED"]
    ],
    [
        'slow first passes',
        [of_test(first_pass => 'a', behind => 0.1), of_test(first_pass => 'b', behind => 0.05)],
        [
                  'The first pass of 2 tests was up to 10 % slower than the others: Title a and Title b. '
                . 'Measure again right away.'
        ]
    ],
    [
        'trends',
        [map { of_test(trend => $_, rise => -0.1) } qw(a b c d e)],
        [
                  '5 tests got faster or slower from first to last pass: Title a, Title b, Title c and 2 others. '
                . 'Let the machine rest and measure again. A change that remains is an effect of load.'
        ]
    ],
    [
        'modes',
        [map { of_test(modes => $_, modes => \@modes) } qw(a b)],
        ['2 tests have two modes: Title a and Title b. Quote both rates, and compare machines mode by mode.']
    ],
    [
        'modes of one test',
        [of_test(modes => 'a', modes => \@modes)],
        [
                  'Title a has two modes: 100.0 in 25 % and 200.0 in 75 % of the passes. '
                . 'Quote both rates, and compare machines mode by mode.'
        ]
    ],
    [
        'a warning about the machine',
        [warning('turbo'), warning(nice => nice => 5), warning(hypervisor => hypervisor => 'kvm')],
        ['The tests ran with the nice value 5. Start ./Run without nice, and measure again.']
    ],
    [
        'kinds in the order of their first warning, the worst warning of each',
        [
            warning(nice => nice => 5),
            of_test(varied => 'pipe', cv => 0.071),
            warning(steal => %of_passes),
            of_test(varied => 'pipe', cv => 0.072)
        ],
        [
            'The tests ran with the nice value 5. Start ./Run without nice, and measure again.',
            "Title pipe varies by 7.2 % from pass to pass (coefficient of variation). $VARIED",
            "3 of 40 passes: the hypervisor kept CPUs waiting for up to 20 % of the time. $STEAL"
        ]
    ],
);
for my $case (@CASES) {
    my ($what, $warnings, $texts) = @$case;
    is_deeply([merged(@$warnings)], $texts, $what);
}

subtest 'every case has at most one text for each kind' => sub {
    for my $case (cases()) {
        my @warnings = UnixBench::Warnings::All::of($case->{result});
        my %kinds    = map { $_->{kind} => 1 } grep { $_->{kind} !~ /\A(?:turbo|hypervisor)\z/ } @warnings;
        is(scalar(() = merged(@warnings)), scalar keys %kinds, $case->{name} // 'a case');
    }
};

done_testing;
