# Observed passes: their plan, and their measurement.

use strict;
use warnings;

use File::Temp ();
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use FreshMachine;
use Needs   qw(is_user_possible);
use Planned qw(make planned);
use UnixBench::Base::Clock;
use UnixBench::Base::Halt;
use UnixBench::Catalog;
use UnixBench::Measure::PassSandbox;
use UnixBench::Measure::Scratch;
use UnixBench::Observe::ExtraPass;
use UnixBench::Observe::Observer;
use UnixBench::Plan;
use UnixBench::Plan::ResourceCheck;
use UnixBench::Process;

my @OBSERVE =
    (extras => [UnixBench::Observe::ExtraPass->extra_pass(options => {}, has_program => sub { 1 })]);

# The tests with a load, which features may have. They have no short passes.
my @LOADS = map { $_->{name} } grep { $_->{load} } UnixBench::Catalog::tests();

subtest 'a test may have an observed pass' => sub {
    my $observed = sub { return planned(shift, @OBSERVE, @_)->{observed} };
    my $pipe     = planned('pipe', @OBSERVE);
    is_deeply([@$pipe{qw(command passes_wanted)}], [['/b in/pipe', 10], 10], 'the other passes stay the same');
    ok(exists $pipe->{unobserved} && !defined $pipe->{unobserved}, 'nothing prevents the observed pass');
    my $slice = $pipe->{observed};
    my $short = ['pipe', 'Pipe Throughput', ['/b in/pipe', '0.3'], 0.3, 0.3, 60.45, undef];
    is_deeply([@$slice{qw(name title command seconds pass_s limit_s first)}], $short,              'it takes 0.3 s');
    is_deeply($observed->('shell8')->{command}, ['/b in/looper', qw(-w 0.6), '/b in/multi.sh', 8], 'shell tests');
    is_deeply($observed->('whetstone-double')->{command}, ['/b in/whetstone-double', qw(-t 0.3)],  'whetstone-double');

    for my $name (@LOADS) {
        my $planned = planned($name, @OBSERVE);
        is_deeply([@$planned{qw(observed unobserved)}], [undef, 'it has no short passes'], "$name: no observed pass");
    }
    my @tests = map { $_->{name} } grep { !$_->{load} } UnixBench::Catalog::tests();
    is_deeply([grep { !$observed->($_) } @tests], [], 'all tests without a load have an observed pass');
    ok(!exists planned('pipe')->{observed}, 'there is no observed pass unless asked for');
};

subtest 'observed file tests read from a file that is filled first' => sub {
    my @sizes = ([fstime => 1024, 2000], [fsbuffer => 256, 500], [fsdisk => 4096, 8000]);
    for my $case (['fsdisk', '-c', 4096, 8000], ['fsbuffer-r', '-r', 256, 500]) {
        my ($name, $flag, $size, $blocks) = @$case;
        my $slice = planned($name, @OBSERVE)->{observed};
        is_deeply(
            $slice->{command},
            ['/b in/fstime', $flag, qw(-t 0.3 -d /t), '-b', $size, '-m', $blocks, qw(-p 0 -s 0 -f {scratch}/filled)],
            "$name: it reads from that file, without pauses"
        );
        my $fills = ['/b in/fstime', qw(-w -n 2000), '-b', $size, '-m', $blocks, qw(-d {scratch} -f {scratch}/filled)];
        is_deeply($slice->{first}, $fills, "$name: the file is filled first");
    }
    my $writing = planned('fsdisk-w', @OBSERVE)->{observed};
    my $writes  = [['/b in/fstime', qw(-w -t 0.3 -d /t -b 4096 -m 8000 -p 0 -s 0)], undef];
    is_deeply([@$writing{qw(command first)}], $writes, 'a test that only writes needs no prepared file');
};

subtest 'the seconds of observed passes' => sub {
    my @two = (tests => [qw(pipe shell1), @LOADS], copies => [1, 2]);
    my ($plan, $observed) = (make(@two), make(@two, @OBSERVE));
    cmp_ok(abs($observed->{duration_s} - $plan->{duration_s} - 2 * (2 * (1 + 0.02) + 0.3 + 0.6)),
        '<', 1e-9, 'observed passes take their time');
    is(UnixBench::Plan::run_s($observed, 2), UnixBench::Plan::run_s($plan, 2), 'observed passes come after the run');
    is(UnixBench::Plan::extra_s(make(tests => ['ubgears'], copies => [2], @OBSERVE)), 0, 'skipped ones take none');
};

subtest 'the plan in words' => sub {
    my @observed = (tests => [qw(pipe ubgears), @LOADS], copies => [1, 2], @OBSERVE);
    my $seen     = UnixBench::Plan::describe(make(@observed));
    my $listed   = "  + each test once more, observed: 5 s\n  + each test once more, observed: 1 s\n";
    is(join(q{}, $seen =~ /^(  [+] .*\n)/mg), $listed, 'observed passes are listed after each run');
    like($seen, qr/^  $_ is not observed: it has no short passes$/m, "$_ has its reason") for @LOADS;
};

subtest 'observed passes need a tracer' => sub {
    my $plan =
        make(tests => [qw(fsdisk pipe 2d-rects), @LOADS], iterations => 1, copies => [2], display => undef, @OBSERVE);
    is(UnixBench::Plan::ResourceCheck::demand($plan, 2, 1)->{processes}, 12, 'the demand has the tracer');
};

subtest 'what is said about the tracer' => sub {
    my $said = sub { return UnixBench::Observe::ExtraPass->announcement({ observing => {@_} }) };
    is($said->(tracer  => 'bpftrace'), undef,                                       'nothing about bpftrace');
    is($said->(why_not => 'no luck'),  "system calls can't be observed: no luck\n", 'why there is none');
    my $by_strace = "system calls are observed by strace, which makes them slow: no luck\n";
    is($said->(tracer => 'strace', why_not => 'no luck'), $by_strace, 'why it is strace');
};

# A fake tracer that notes how it is called, and dies in the methods for which new was given an error.
package FakeTracer {
    sub new     { my ($class, %with) = @_; return bless { %with, said => [] }, $class }
    sub begin   { return $_[0]->_say('begin') }
    sub wrapped { my ($self, $words) = @_; $self->_say('wrapped'); return $words }
    sub traced  { return $_[0]->_say('traced') && { calls => [] } }
    sub finish  { return $_[0]->_say('finish') }

    sub _say {
        my ($self, $what) = @_;
        push @{ $self->{said} }, $what;
        die "$self->{$what}\n" if defined $self->{$what};
        return 1;
    }
}

# Takes a shell script and options; makes an observed pass of it.
#   first    a shell script that is run before the copies
#   copies   number of copies
#   dies     { method of the tracer => the error that it dies of }
#   is_full  whether the disk is full
# Returns the pass, the calls of the tracer and the error that was thrown.
sub pass_of {
    my ($text, %with) = @_;
    my $place   = File::Temp->newdir;
    my $clock   = UnixBench::Base::Clock->new;
    my $process = UnixBench::Process->new(clock => $clock);
    my $tracer  = FakeTracer->new(%{ $with{dies} || {} });
    my $first   = defined $with{first} ? ['/bin/sh', '-c', $with{first}, 'sh', '{scratch}'] : undef;
    my $test    = { command => ['/bin/sh', '-c', $text, 'sh', '{scratch}'], limit_s => 600, first => $first };
    my $sandbox = UnixBench::Measure::PassSandbox->new(
        process => $process,
        clock   => $clock,
        scratch => UnixBench::Measure::Scratch->new(parent => "$place"),
        testdir => q{/}
    );
    no warnings 'redefine';
    local *UnixBench::Measure::Scratch::is_full = sub { return $with{is_full} };
    my $pass = eval {
        UnixBench::Observe::Observer->new(
            process  => $process,
            clock    => $clock,
            one_pass => sub { $sandbox->one_pass(@_) },
            tracer   => $tracer,
        )->traced($test, $with{copies} || 1);
    };
    my $thrown = $@;
    $process->release;
    return ($pass, "@{ $tracer->{said} }", $thrown);
}

my $GOOD = 'echo "COUNT|7|1|lps" >&2';

my ($pass, $asked) = pass_of($GOOD);
is($pass->{copies}[0]{count}, 7, 'an observed pass has a count');
is_deeply($pass->{traced}, { calls => [] }, 'an observed pass has what the tracer found');
is($asked, 'begin wrapped traced finish', 'the tracer is called around the copies');

($pass, $asked) = pass_of('cat "$1/filled" >&2', copies => 2, first => 'echo "COUNT|8|1|lps" >"$1/filled"');
is_deeply([map { $_->{count} } @{ $pass->{copies} }], [8, 8], 'each copy finds what was prepared for it');
is($asked, 'begin wrapped wrapped traced finish', 'the preparation is not followed');

my @WRONG = (
    ['the program fails'                  => [q{echo 'ERROR|no luck' >&2}], 'no luck'],
    ['the tracer fails before the copies' => [$GOOD, dies => { begin  => 'not here' }], 'not here'],
    ['the tracer fails after the copies'  => [$GOOD, dies => { traced => 'killed' }],   'killed'],
    [
        'the preparation fails' => [$GOOD, first => q{echo 'ERROR|no room' >&2; exit 1}],
        'the preparation of a copy failed: /bin/sh: no room'
    ],
);

for my $case (@WRONG) {
    my ($what, $how, $why) = @$case;
    is_deeply((pass_of(@$how))[0], { error => $why }, "error of the pass: $what");
}

(undef, undef, my $thrown) = pass_of($GOOD, is_full => 1);
ok(UnixBench::Base::Halt::is_no_space($thrown), 'a full disk ends the run, as the output of the tracer may be cut');

subtest 'a fresh machine' => sub {
    my %has     = (programs => [qw(apk cc make)], things => [qw(locale stdio.h)]);
    my $machine = FreshMachine->new(%has, user => is_user_possible());
    my $run     = $machine->run(qw(-i 1 -c 1 --observe syscalls pipe));
    like($run->{err}, qr/\ARun: missing: .*Perl's B .*, (?:bpf|s)trace [(]for --observe[)];/, 'what is missing');
};

done_testing;
