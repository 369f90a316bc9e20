use strict;
use warnings;

use File::Temp ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use UnixBench::Base::Clock;
use UnixBench::Base::Halt;
use UnixBench::Measure::Observer;
use UnixBench::Measure::PassSandbox;
use UnixBench::Measure::Scratch;
use UnixBench::Measure::ValidPass;
use UnixBench::Process::Process;

# A tracer that notes what is asked of it, and may die of it.
package FakeTracer {
    sub new     { my ($class, %with) = @_; return bless { %with, said => [] }, $class }
    sub name    { return 'fake' }
    sub attach  { return $_[0]->_say('attach') }
    sub wrapped { my ($self, $words) = @_; $self->_say('wrapped'); return $words }
    sub detach  { return $_[0]->_say('detach') && { calls => [] } }
    sub give_up { return $_[0]->_say('give_up') }

    sub _say {
        my ($self, $what) = @_;
        push @{ $self->{said} }, $what;
        die "$self->{$what}\n" if defined $self->{$what};
        return 1;
    }
}

# Makes a pass of what the shell does by that text, perhaps with something to be done first; returns the pass, what the
# tracer was asked, and what was thrown. dies => { what the tracer is asked => what it says then }; is_full: so is the
# disk.
sub pass_of {
    my ($text, %with) = @_;
    my $place   = File::Temp->newdir;
    my $clock   = UnixBench::Base::Clock->new;
    my $process = UnixBench::Process::Process->new(clock => $clock);
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
    local *UnixBench::Measure::Scratch::is_full = sub { 1 }

        if $with{is_full};
    my $pass = eval {
        UnixBench::Measure::ValidPass->new(process => $process, one_pass => sub { $sandbox->one_pass(@_) })
            ->observe($tracer, $test, $with{copies} || 1);
    };
    my $thrown = $@;
    $process->release;
    return ($pass, "@{ $tracer->{said} }", $thrown);
}

my $GOOD = 'echo "COUNT|7|1|lps" >&2';

my ($pass, $asked) = pass_of($GOOD);
is($pass->{copies}[0]{count}, 7, 'a pass that is followed counts');
is_deeply($pass->{traced}, { calls => [] }, 'and has what the tracer found');
is($asked, 'attach wrapped detach give_up', 'that is there for the copies alone');

($pass, $asked) = pass_of('cat "$1/filled" >&2', copies => 2, first => 'echo "COUNT|8|1|lps" >"$1/filled"');
is_deeply([map { $_->{count} } @{ $pass->{copies} }], [8, 8], 'each copy finds what was done for it first');
is($asked, 'attach wrapped wrapped detach give_up', 'which is not followed');

my @WRONG = (
    ['the program'       => [q{echo 'ERROR|no luck' >&2}], 'no luck'],
    ['the tracer before' => [$GOOD,                       dies => { attach => 'not here' }], 'not here'],
    ['the tracer behind' => [$GOOD,                       dies => { detach => 'killed' }],   'killed'],
    ['both'              => [q{echo 'ERROR|no luck' >&2}, dies => { detach => 'nothing' }],  'no luck; nothing'],
    [
        'what comes first' => [$GOOD, first => q{echo 'ERROR|no room' >&2; exit 1}],
        '/bin/sh, which comes before the copies: no room'
    ],
    ['it ends badly' => [$GOOD, first => 'exit 3'], '/bin/sh, which comes before the copies: exit status 3'],
);

for my $case (@WRONG) {
    my ($what, $how, $why) = @$case;
    ($pass, $asked) = pass_of(@$how);
    is_deeply($pass, { error => $why }, "wrong: $what");
    like($asked, qr/give_up\z/, 'the tracer is ended');
}

(undef, undef, my $thrown) = pass_of($GOOD, is_full => 1);
ok(UnixBench::Base::Halt::is_no_space($thrown),
    'where the disk is full, what the tracer has written may be less than all');

subtest 'what was observed before' => sub {
    my $tests = [{ name => 'pipe' }, { name => 'spawn' }];
    UnixBench::Measure::Observer::keep([{ tests => $tests }], [{ pipe => 'known' }, { pipe => 'of a later run' }]);
    is_deeply($tests, [{ name => 'pipe', observed => 'known' }, { name => 'spawn' }], 'is kept');
    my $runs = [];
    UnixBench::Measure::Observer::keep($runs, [{ pipe => 'known' }]);
    is_deeply($runs, [], 'of a run that is not there yet there is nothing');
};

done_testing;
