use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../../../lib ../../../t/lib);
use Needs                          qw(need_built skip_without);
use TestProgram                    qw(command is_error run waits_at_gate);
use UnixBench::Host::KernelFiles   ();

# The programs place and taken.

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

done_testing;
