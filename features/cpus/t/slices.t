use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../lib ../../../lib ../../../t/lib);
use Needs                          qw(need_built skip_without);
use Place                          qw(content place write_file);
use TestProgram                    qw(command is_error run waits_at_gate);
use UnixBench::Base::Clock         ();
use UnixBench::Cpus::Slices        ();
use UnixBench::Host::KernelFiles   ();

# The programs place and taken; and slices, with programs that report known numbers.

my $place = place();
mkdir "$place/$_" or die "mkdir: $!\n" for qw(bin proc);

# Takes the name of a program, and what it reports; makes it. It takes the time that it reports.
sub program {
    my ($name, @lines) = @_;
    my $said = join "\n", @lines;
    my $path = write_file("$place/bin/$name", "#!/bin/sh\nsleep 0.2\ncat >&2 <<END\n$said\nEND\n");
    return chmod 0755, $path;
}

my $path = write_file("$place/bin/place", qq{#!/bin/sh\necho "\$@" >> $place/started\nshift 2\nexec "\$@"\n});
chmod 0755, $path;
write_file("$place/proc/stat", "cpu  1 1 1 1 1 1 1 0\ncpu0 1 1 1 1 1 1 1 0\n");
my %settings = (home => "$place", bindir => "$place/bin", tmpdir => "$place/tmp", testdir => "$place");
my $files    = UnixBench::Host::KernelFiles->new(root => "$place");
my $SLICES =
    UnixBench::Cpus::Slices->new(clock => UnixBench::Base::Clock->new, files => $files, settings => \%settings);

# Takes keys of a slice; returns what is measured.
sub measured { return $SLICES->measured({ key => 'x', what => 'alone', test => 'dhry2reg', cpus => [0], @_ }) }

# Returns the line of a copy that waited for that part of 0.2 s.
sub used { my ($part) = @_; return 'USED|200000|200000|1|1|1|1|1|1|' . 200_000 * $part }

sub near { my ($value, $expected, $name) = @_; return cmp_ok(abs($value - $expected), '<', 0.001 * $expected, $name) }

subtest 'copies on their CPUs' => sub {
    program('dhry2reg', 'COUNT|1000|1|lps', 'TIME|0.2', used(0));
    my $slice = measured(what => 'all', cpus => [3, 5]);
    near($slice->{rate},    10_000, 'the rate of both');
    near($slice->{seconds}, 0.4,    'their time');
    my @started = sort split /\n/, content("$place/started");
    like($started[0], qr{\A3 20 \S+/dhry2reg 0[.]2\z}, 'the first on its CPU, after 20 ms of work');
    like($started[1], qr{\A5 20 \S+/dhry2reg 0[.]2\z}, 'the second');
    is_deeply([glob "$place/tmp/*/copy*/*"], [], 'scratch files are removed');
};

subtest 'time of other processes' => sub {
    program('dhry2reg', 'COUNT|1000|1|lps', 'TIME|0.2', used(0.5));
    my $slice = measured();
    near($slice->{rate},     10_000, 'the time for which a copy waited for others is left out');
    near($slice->{waited_s}, 0.1,    'and reported');
    program('dhry2reg', 'COUNT|1000|1|lps', 'TIME|0.2', used(1));
    near(measured()->{rate}, 250_000, 'at most 98 % of it');
    program('dhry2reg', 'COUNT|1000|1|lps', 'TIME|0.2');
    my $unknown = measured();
    near($unknown->{rate}, 5000, 'without that time, nothing is left out');
    is($unknown->{waited_s}, undef, 'it is unknown');
    program('context1', 'COUNT|1000|1|lps', 'TIME|0.2', used(0.5));
    near(measured(what => 'place', test => 'context1', cpus => ['0,1'])->{rate},
        5000, 'two processes wait for each other');
};

subtest 'pieces' => sub {
    program('taken', 'PIECES0|100:300|900:400', 'PIECES1|2000:500', 'COUNT|198800|1|us', 'TIME|0.2', used(0));
    my $slice = measured(what => 'taken', test => undef, cpus => [0]);
    is_deeply(
        [map { [$_->[0], map { sprintf '%.6f', $_ } @$_[1, 2]] } @{ $slice->{pieces} }],
        [[0, '0.000100', '0.000300'], [0, '0.000900', '0.000400'], [0, '0.002000', '0.000500']],
        'of all lines, in order'
    );
    is($slice->{stolen_s},    undef, 'what was stolen is unknown, since /proc/stat stands still');
    is($slice->{throttled_s}, undef, 'a quota is unknown');
};

subtest 'a copy that is not on its CPU between two looks at the clock' => sub {
    my @right = ('COUNT|1000|1|lps', 'TIME|0.2', 'USED|200000|200000|1|1|1|1|1|1|0');
    for my $wrong (['clock is wrong', qr/200000[|]/, '300000|'], ['counted nothing', qr/1000/, '0']) {
        my ($why, $from, $to) = @$wrong;
        program('dhry2reg', @right);
        my $text = content("$place/bin/dhry2reg");
        write_file("$place/bin/right",    $text);
        write_file("$place/bin/dhry2reg", $text =~ s/$from/$to/r);
        my $always = content("$place/bin/dhry2reg");
        my $once   = "mv $place/bin/right $place/bin/dhry2reg; chmod 755 $place/bin/dhry2reg";
        write_file("$place/bin/dhry2reg", $always =~ s/^sleep/$once\nsleep/mr);
        near(measured()->{rate}, 5000, "$why: the slice is measured again");
        write_file("$place/bin/dhry2reg", $always);
        like(eval { measured(); 1 } // $@, qr/\Ax: .*$why/, "$why: at most ten times");
    }
};

subtest 'a copy that fails' => sub {
    program('dhry2reg', 'ERROR|it broke');
    is(eval { measured(); 1 } // $@, "x: it broke\n", 'the condition and the reason');
    my $looks = unlink "$place/started";
    no warnings qw(once redefine);
    local *UnixBench::Process::stops = sub { return $looks++ > 1 };
    is(eval { measured(); 1 } // $@,                    "x: it broke\n", 'after a stop, the slice is measured again');
    is(scalar(() = content("$place/started") =~ /\n/g), 2,               'once');
};

$SLICES->release;
is_deeply([glob "$place/tmp/*"], [], 'the scratch directory is removed');

# The programs place and taken.

subtest 'the programs' => sub {
    need_built(qw(place taken));
    skip_without(machine => 'Linux') if $^O ne 'linux';
    my @CPUS = UnixBench::Host::KernelFiles::ids_of(UnixBench::Host::KernelFiles->new->allowed_cpus // q{});

    my @wrong = ('place', 'place 0', 'place 0 0', 'place x 0 true', 'place 0,x 0 true', 'place 8192 0 true');
    for my $words (@wrong, 'place 0 1001 true', 'taken', 'taken x', 'taken 1 1') {
        is_error(run(command(split q{ }, $words)), 2, 'usage', $words);
    }
    is_error(run(command('place', 8000,     0, '/bin/true')), 1, q{can't be bound},     'a CPU that is not there');
    is_error(run(command('place', $CPUS[0], 0, '/none')),     1, 'execv: No such file', 'a program that is not there');

    subtest 'a process on the chosen CPUs' => sub {
        for my $cpus ($CPUS[-1], join q{,}, @CPUS[0, -1]) {
            my $ran = run(command(
                'place', $cpus, 0, '/bin/sh', '-c', 'cat /proc/self/status; echo $UB_TIME $UB_USED ${UB_GATE-none}'
            ));
            my ($list) = $ran->{out} =~ /^Cpus_allowed_list:\s*(\S+)$/m;
            my %given  = map { $_ => 1 } split /,/, $cpus;
            is_deeply([UnixBench::Host::KernelFiles::ids_of($list)], [sort { $a <=> $b } keys %given], "CPUs $cpus");
            like($ran->{out}, qr/^1 1 none$/m, 'the program reports its time and what it used, and passes no gate');
        }
    };

    subtest 'the gate' => sub {
        waits_at_gate('place', command('place', $CPUS[0], 0, command('taken', 0.01)->[0], 0.01), 0);
        waits_at_gate('taken', command('taken', 0.01), 0);
    };

    subtest 'taken time' => sub {
        my $ran     = run(command('taken', 0.05), env => { UB_USED => 1 });
        my ($count) = $ran->{err}                                         =~ /^COUNT[|]([0-9]+)[|]1[|]us$/m;
        my ($time)  = $ran->{err}                                         =~ /^TIME[|]([0-9.]+)$/m;
        my @pieces  = map { [split /:/] } map { split /[|]/ } $ran->{err} =~ /^PIECES[0-9]+[|](.*)$/mg;
        my $missing = 0;
        $missing += $_->[1] for @pieces;
        cmp_ok(abs($count + $missing - $time * 1e6), '<=', 2 + @pieces, 'the count and the pieces are the whole time');
        like($ran->{err}, qr/^USED[|]/m, 'it reports what it used');
        is(scalar(grep { $_->[1] < 200 } @pieces), 0, 'a piece has 0.2 ms at least');
    };
};

done_testing;
