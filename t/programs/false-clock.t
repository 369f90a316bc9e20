# Tests of programs that see a false clock, as under a command that changes the time.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/../$_" } qw(../lib lib);
use FalseClock                        qw(preloaded);
use Needs                             qw(need_built need_compiler skip_without);
use TestProgram                       qw(command is_error run);

need_built(qw(clock execl pipe));
need_compiler();
my $library = preloaded();
skip_without(machine => 'programs that load a library') if !defined $library;

# Takes the name of a program, its arguments, how many times as fast the clock goes, and more environment; runs it.
sub seen_by {
    my ($program, $arguments, $factor, %env) = @_;
    return run(command($program, @$arguments), env => { LD_PRELOAD => $library, FALSE_CLOCK => $factor, %env });
}

subtest 'clock measures CPU time, whatever the clock on the wall shows' => sub {
    my @hz = map { my ($hz) = seen_by('clock', [], $_)->{err} =~ /^CLOCK[|]([0-9]+)$/m; $hz // 0 } 1, 20;
    cmp_ok($hz[1], '>', $hz[0] / 4, 'a clock that goes 20 times as fast changes nothing') or diag "@hz";
};

# Each time that the program is replaced, the false clock begins again.
subtest 'execl, a clock that is set back' => sub {
    is_error(seen_by('execl', ['0.1'], 5000), 1, qr{execl: the clock went back by [0-9]}, 'it fails, and says why');
};

subtest 'a clock that goes backwards' => sub {
    for my $work (['0.05'], ['-n', 10_000]) {
        my $result = seen_by('pipe', $work, -1, UB_TIME => 1);
        like($result->{err}, qr/^TIME[|]-[0-9]/m, "@$work: the time is negative, not 18446744073 s");
        unlike($result->{err}, qr/[0-9]{8}[.|]/, "@$work: no number is huge");
    }
};

subtest 'both clocks in what was used' => sub {
    my $used = seen_by('pipe', ['0.1'], 3, UB_USED => 1)->{err};
    my ($clock, $time) = $used =~ /^USED[|]([0-9]+)[|]([0-9]+)[|]/m or diag $used;
    cmp_ok($clock / $time, '>', 2.5, 'the first goes three times as fast as the second');
};

done_testing;
