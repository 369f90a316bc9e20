package Cases;

# The results that all reports are tested with. A feature has further ones in a module of its folder t/lib/Cases, whose
# sub cases returns them.

use strict;
use warnings;

use Exporter 'import';

use Fixture    qw(@INDEX failed host interrupted measured quick_run result run skipped sliced tag tagged);
use OfFeatures qw(helpers);

our @EXPORT_OK = qw(%COUNT @TWO_MODES cases one_test rounds whole);

my @OF_FEATURES = helpers('Cases');

# The count of one copy of each test of the index in a pass.
our %COUNT = (
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

# The part of a test, from 0 to 1, that copies share; the rest scales.
my %SHARED =
    (execl => 0.02, fstime => 0.3, fsbuffer => 0.4, fsdisk => 0.25, spawn => 0.04, shell1 => 0.06, shell8 => 0.9);
my %IS_LONG = map { $_ => 1 } qw(dhry2reg whetstone-double pipe context1 syscall);

# Counts that cluster around two values.
our @TWO_MODES = (320_000, 901_000, 899_000, 318_000, 902_500, 900_100, 321_500, 898_000, 900_700, 899_300);

my $PIPE = measured('pipe', 1, 16_359_609);

# Returns the cases, each { name, result }.
sub cases {
    return (
        _case('one-copy',       [run(1, _index_tests(1))]),
        _case('several-copies', [_short_run(1), _short_run(4)]),
        _case('partial',        [run(1, $PIPE, measured('fstime-w', 1, 1_000_000.4))]),
        _case('categories',  _all_categories(), host => host(graphics => 'Mesa Intel(R) UHD Graphics 630 (CFL GT2)')),
        _case('failed',      [run(1, _index_tests_but_one())]),
        _case('all-failed',  [run(1, failed('pipe', 'not executable'))]),
        _case('skipped',     [run(2, skipped('2d-rects', 'graphics tests run as one copy'))]),
        _case('interrupted', [run(1, _interrupted_tests())], notes => ['interrupted by SIGINT']),
        _brief(),
        _case('huge',    [run(1, _huge_tests())]),
        _case('hostile', [run(1, _hostile_tests())], _hostile_facts()),
        _case('arm',     [run(1, $PIPE)], host  => _arm_host()),
        _case('notes',   [run(1, $PIPE)], notes => ['shortened passes', 'index.base was edited']),
        _case('misc',    [run(1, measured('hanoi', 1, 1_000_000), measured('arithoh', 1, 5_000_000))]),
        _case('empty',   []),
        _quick(),
        _case('disturbed', [_disturbed_run(1), _disturbed_run(4)], facts => _odd_facts()),
        _case('modes',     [run(1, measured('context1', 1, @TWO_MODES), $PIPE)]),
        (map { $_->can('cases')->() } @OF_FEATURES),
    );
}

# Takes a number of copies; returns a run of the whole index with usual values.
sub whole {
    my ($copies) = @_;
    return run($copies, map { one_test($_, $copies) } @INDEX);
}

# Takes a number of rounds and a number of copies; returns such a quick run.
sub rounds {
    my ($rounds, $copies) = @_;
    my @tests = map { sliced($_, $copies, map { $_ / 10 } _counts($_, $copies, $rounds)) } @INDEX;
    return quick_run($rounds, $copies, @tests);
}

# Takes the name of a test of the index, a number of copies and a number of passes (default: the usual one); returns the
# test.
sub one_test {
    my ($name, $copies, $passes) = @_;
    return measured($name, $copies, _counts($name, $copies, $passes || ($IS_LONG{$name} ? 10 : 3)));
}

# Returns counts of passes that vary as if by chance, but are always the same.
sub _counts {
    my ($name, $copies, $passes) = @_;
    my $per_copy = $COUNT{$name} / (1 + ($SHARED{$name} // 0) * ($copies - 1));
    my $seed     = length($name) + ord(substr $name, -1) + $copies;
    my $cv       = 0.002 + 0.03 * abs sin 7 * $seed;
    return map { sprintf '%.1f', $per_copy * (1 + $cv * sin(12.9898 * ($seed + $_**1.3))) } 1 .. $passes;
}

sub _case {
    my ($name, $runs, %facts) = @_;
    return { name => $name, result => result($runs, %facts) };
}

sub _index_tests {
    my ($copies) = @_;
    return map { measured($_, $copies, $COUNT{$_}) } @INDEX;
}

sub _index_tests_but_one {
    my @others = grep { $_->{name} ne 'syscall' } _index_tests(1);
    return (@others, failed('syscall', 'killed by SIGSEGV (pass 2, copy 1)', 24_657_547));
}

sub _short_run {
    my ($copies) = @_;
    my $spawn    = measured('spawn',  $copies, 247_371, 243_989);
    my $shell1   = measured('shell1', $copies, 4614,    4632);
    return run($copies, $spawn, $shell1);
}

# A quick run of seven rounds: two slices were disturbed, one of them was repeated, and one test lowers the precision.
sub _quick {
    my @tests = map { _sliced($_) } qw(dhry2reg pipe spawn shell8);
    $tests[-1] = tagged($tests[-1], { 3 => [tag('others', 'disturbed', 0.42)], 5 => [tag('others', 'note', 0.03)] });
    my $again  = { count => 80_211, time_s => 1.01, tags => [tag('run_queue', 'disturbed', 3)] };
    my @passes = @{ $tests[0]{passes} };
    $tests[0] = { %{ $tests[0] }, passes => [{ %{ shift @passes }, set_aside => [$again] }, @passes] };
    my %procedure = (kind => 'quick', time_factor => 1, work_factor => 1, seed => 1995, precision => 0.01);
    return _case(
        'quick', [quick_run(7, 1, @tests)],
        procedure => { %procedure, max_time_s => 120 },
        notes     => ['Quick run: estimate, not an official result'],
    );
}

# Takes the name of a test; returns a test of a quick run with a tenth of a long pass's count, a little different in
# each round.
sub _sliced {
    my ($name)    = @_;
    my $amplitude = $name eq 'spawn' ? 0.2 : 0.01;
    my @counts    = map { sprintf '%.0f', $COUNT{$name} / 10 * (1 + $amplitude * $_) } 0, 0.7, -0.4, 1, -1, 0.2, -0.6;
    return sliced($name, 1, @counts);
}

# A run with many disturbances that hardly any machine has at once.
sub _disturbed_run {
    my ($copies)  = @_;
    my @steal     = map { tag('steal', $_ > 0.05 ? 'disturbed' : 'note', $_) } 0.031, 0.12, 0.07;
    my $spawn     = measured('spawn',   $copies, 247_371, 191_919, 243_989);
    my $shell1    = measured('shell1',  $copies, 4614,    4590,    4632);
    my $rising    = measured('syscall', $copies, map { 24_000_000 + 400_000 * $_ } 0 .. 9);
    my $cold      = measured('pipe',    $copies, 14_359_609, map { 16_359_609 + 9_000 * ($_ % 3) } 1 .. 9);
    my $throttled = tag('throttled', 'disturbed', 12);
    return run(
        $copies,
        tagged($spawn,  { 1 => [tag('run_queue', 'note', 1)], 2 => [$steal[1], $throttled], 3 => [$steal[0]] }),
        tagged($shell1, { 3 => [$steal[2], tag('pressure_io', 'note', 0.014), tag('major_faults', 'note', 3.7)] }),
        $rising,
        $cold,
        failed('execl', 'killed by SIGSEGV (pass 1, copy 1)'),
    );
}

sub _odd_facts {
    return {
        kernel         => { debug       => [qw(PROVE_LOCKING KASAN)] },
        cpu            => { governor    => 'powersave', turbo => 'on' },
        cgroup         => { cpus        => 0.5 },
        virtualization => { hypervisor  => 'kvm' },
        scratch        => { file_system => 'tmpfs' },
        load           => [0.82, 0.4, 0.1],
    };
}

sub _all_categories {
    my @drawing = map { measured("2d-$_", 1, 5000, 5100) } qw(rects ellipse aashapes text blit window);
    my @misc    = (measured('sysexec', 1, 9_000), measured('grep', 1, 700));
    my $skipped = skipped('ubgears', 'graphics tests run as one copy');
    return [
        run(1, _index_tests(1), @drawing, measured('ubgears', 1, 4000.5, 4100.5), @misc),
        run(2, _index_tests(2), $skipped),
    ];
}

sub _interrupted_tests {
    my $reason = 'interrupted after 2 of 10 passes';
    return (measured('dhry2reg', 1, 781_324_834), interrupted('pipe', $reason, 16_359_609, 16_359_608));
}

sub _huge_tests {
    return (
        measured('dhry2reg', 1, 1.2e11),
        measured('syscall',  1, 1.2e14),
        measured('fsdisk',   1, 123_456_789_012.3),
        measured('pipe',     1, 9_999_999.9),
    );
}

sub _brief {
    my $host = host(cpus => _many_cpus());
    return _case('brief', [run(256, measured('dhry2reg', 256, 781_324_834))], host => $host, is_brief => 1);
}

sub _many_cpus {
    my @cpus =
        map { { id => $_, model => 'Big & Co', bogomips => 5000.5 + $_, flags => [qw(lm vmx)] } } 0 .. 255;
    @{$_}{qw(model bogomips)} = ('Little', '1000.0') for @cpus[128 .. 191];
    return \@cpus;
}

sub _arm_host {
    my %cpu  = (model => 'ARM Neoverse-N1', bogomips => '50.0', features => [qw(fp asimd evtstrm aes)]);
    my @cpus = ({ id => 0, %cpu }, { id => 1, %cpu }, { id => 2, model => 'ARM part 0xfff' });
    return host(machine => 'aarch64', cpus => \@cpus);
}

sub _nasty { return qq{<script>alert("1")</script>&'\t\e[31m\n} . '-' x 80 }

sub _hostile_tests {
    my $test = measured('pipe', 1, 16_359_609);
    my $copy = $test->{passes}[0]{copies}[0];
    $copy->{output} = "9 of tests (Partial Only)\n\xff<b>no newline";
    $copy->{data}{'note<i>'} = ["tab\tand \xe2\x80\xae turned"];
    my $fake = 'fake  12.0 MWIPS (10.0 s, 7 samples) System Benchmarks Index Score 9 ';
    return ($test, failed('syscall', qq{bad line "COUNT|0|1|lps": $fake}), failed('spawn', _nasty()));
}

sub _hostile_facts {
    my %host = (name => 'testserver' . _nasty(), version => "caf\xc3\xa9 \xff", uptime => "aborting\r\nnow   ");
    return (host => host(%host), notes => [_nasty()]);
}

1;
