use strict;
use warnings;

use File::Temp ();
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use UnixBench::Base::Clock;
use UnixBench::Base::Halt;
use UnixBench::Measure::PassSandbox;
use UnixBench::Measure::Scratch;
use UnixBench::Observe::Observer;
use UnixBench::Process;

# A fake tracer that notes how it is called, and dies in the methods for which new was given an error.
package FakeTracer {
    sub new     { my ($class, %with) = @_; return bless { %with, said => [] }, $class }
    sub begin   { return $_[0]->_say('begin') }
    sub wrapped { my ($self, $words) = @_; $self->_say('wrapped'); return $words }
    sub traced  { return $_[0]->_say('traced') && { calls => [] } }

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
    local *UnixBench::Measure::Scratch::is_full = sub { 1 }

        if $with{is_full};
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
is($asked, 'begin wrapped traced', 'the tracer is called around the copies');

($pass, $asked) = pass_of('cat "$1/filled" >&2', copies => 2, first => 'echo "COUNT|8|1|lps" >"$1/filled"');
is_deeply([map { $_->{count} } @{ $pass->{copies} }], [8, 8], 'each copy finds what was prepared for it');
is($asked, 'begin wrapped wrapped traced', 'the preparation is not followed');

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

done_testing;
