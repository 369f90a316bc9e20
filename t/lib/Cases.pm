package Cases;

# The results that every report is tested with.

use strict;
use warnings;

use Exporter 'import';

use Fixture qw(failed host interrupted measured result run skipped);

our @EXPORT_OK = qw(cases);

my %COUNT = (
    'dhry2reg'         => 781_324_834,
    'whetstone-double' => 10_300.1,
    'execl'            => 93_528,
    'fstime'           => 645_027.2,
    'fsbuffer'         => 229_505.4,
    'fsdisk'           => 1_288_742.6,
    'pipe'             => 16_359_609,
    'context1'         => 3_373_378,
    'spawn'            => 247_371,
    'shell1'           => 5_817,
    'shell8'           => 2_184,
    'syscall'          => 24_657_547,
);

my @INDEX =
    qw(dhry2reg whetstone-double execl fstime fsbuffer fsdisk pipe context1 spawn syscall shell1 shell8);

sub _index_tests {
    my ($copies) = @_;
    return map { measured($_, $copies, $COUNT{$_}) } @INDEX;
}

sub _graphics_tests {
    return ((map { measured("2d-$_", 1, 5000, 5100, 5050) } qw(rects ellipse aashapes text blit window)),
        measured('ubgears', 1, 4000.5, 4100.5));
}

my @CASES = (
    ['one-copy' => result([run(1, _index_tests(1))])],
    [
        'several-copies' => result(
            [
                run(
                    1,
                    measured('spawn',  1, 247_371, 242_919, 243_989),
                    measured('shell1', 1, 4614,    4590,    4632)
                ),
                run(4, measured('spawn', 4, 61_842, 60_729, 60_997), measured('shell1', 4, 4614, 4590, 4632)),
            ]
        )
    ],
    ['partial' => result([run(1, measured('pipe', 1, 16_359_609), measured('fstime-w', 1, 1_000_000.4))])],
    [
        'categories' => result(
            [
                run(
                    1, _index_tests(1),
                    _graphics_tests(), measured('sysexec', 1, 9_000),
                    measured('grep', 1, 700)
                ),
                run(2, _index_tests(2), skipped('ubgears', 'graphics tests run as one copy')),
            ],
            host => host(graphics => 'llvmpipe (LLVM 15.0.6, 256 bits)')
        )
    ],
    [
        'failed' => result(
            [
                run(
                    1,
                    (grep { $_->{name} ne 'syscall' } _index_tests(1)),
                    failed('syscall', 'killed by SIGSEGV (pass 2, copy 1)', 24_657_547)
                )
            ]
        )
    ],
    ['all-failed' => result([run(1, failed('pipe', 'not executable'))])],
    ['skipped'    => result([run(2, skipped('2d-rects', 'graphics tests run as one copy'))])],
    [
        'interrupted' => result(
            [
                run(
                    1,
                    measured('dhry2reg', 1, 781_324_834),
                    interrupted('pipe', 'interrupted after 2 of 10 passes', 16_359_609, 16_359_608)
                )
            ],
            notes => ['interrupted by SIGINT: this report has what was measured before']
        )
    ],
    [
        'brief' =>
            result([run(256, measured('dhry2reg', 256, 781_324_834))], host => host(cpus => _many_cpus())),
        brief => 1
    ],
    [
        'huge' => result(
            [
                run(
                    1,
                    measured('dhry2reg', 1, 1.2e11),
                    measured('syscall',  1, 1.2e14),
                    measured('fsdisk',   1, 123_456_789_012.3),
                    measured('pipe',     1, 9_999_999.9)
                )
            ]
        )
    ],
    ['hostile' => _hostile()],
    ['arm'     => result([run(1, measured('pipe', 1, 16_359_609))], host => _arm_host())],
    [
        'notes' => result(
            [run(1, measured('pipe', 1, 16_359_609))],
            notes => ['shortened passes: not the official procedure', 'index.base was edited']
        )
    ],
    ['misc'  => result([run(1, measured('hanoi', 1, 1_000_000), measured('arithoh', 1, 5_000_000))])],
    ['empty' => result([])],
);

# Returns the cases, each { name, result, options }.
sub cases {
    return map {
        my ($name, $result, %options) = @$_;
        { name => $name, result => $result, options => \%options }
    } @CASES;
}

sub _many_cpus {
    my %flags = (flags => [qw(lm vmx)]);
    return [
        (
            map { { id => $_, model => 'Big & Co', bogomips => sprintf('%.1f', 5000 + $_ / 10), %flags } }
                0 .. 127
        ),
        (map { { id => $_, model => 'Little',   bogomips => '1000.0', %flags } } 128 .. 191),
        (map { { id => $_, model => 'Big & Co', bogomips => '5999.9', %flags } } 192 .. 255),
    ];
}

sub _arm_host {
    my @features = qw(fp asimd evtstrm aes);
    my @cpus = map { { id => $_, model => 'ARM Neoverse-N1', bogomips => '50.0', features => \@features } } 0,
        1;
    push @cpus, { id => 2, model => 'ARM part 0xfff' };
    return host(machine => 'aarch64', cpus => \@cpus);
}

sub _hostile {
    my $nasty = qq{<script>alert("1")</script>&'\t\e[31m\n} . '-' x 80;
    my $test  = measured('pipe', 1, 16_359_609);
    $test->{passes}[0]{copies}[0]{output} = "9 of tests (Partial Only)\n\xff<b>no newline";
    $test->{passes}[0]{copies}[0]{data}{'note<i>'} = "tab\tand \xe2\x80\xae turned";
    my $line =
        'bad line "COUNT|0|1|lps": fake  12.0 MWIPS (10.0 s, 7 samples) System Benchmarks Index Score 9 ';
    my %host = (name => "testserver$nasty", version => "caf\xc3\xa9 \xff", uptime => "aborting\r\nnow   ");
    return result(
        [run(1, $test, failed('syscall', $line), failed('spawn', $nasty))],
        host  => host(%host),
        notes => [$nasty]
    );
}

1;
