# Tests of what the copies of a pass may report: once, after the gate has opened, and no more time than has passed; and
# of what they have used.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use FakeGate    ();
use Needs       qw(need_built);
use Place       qw(place write_program);
use TestProgram qw(command);
use Workbench   qw(one_pass);

need_built(qw(pipe spawn));

my $PLACE = place();
my $GATE  = "use lib '$FindBin::Bin/../../lib'; use FakeGate;";

# Takes lines of Perl or, if they begin with #!, of another language, and more arguments of one_pass. Returns the copy.
sub copy_of {
    my ($lines, %with) = @_;
    my $path = write_program("$PLACE/program", $lines =~ /\A#!/ ? $lines : "#!$^X\n$GATE\n$lines\n");
    return one_pass($path, %with)->{copies}[0];
}

# Takes the lines of a shell script that stands in front of a program, and the words of the program. Returns the copy.
sub under {
    my ($lines, @words) = @_;
    return copy_of("#!/bin/sh\n$lines\n", under => '--with', arguments => \@words);
}

my $GOOD = 'FakeGate::pass(); print {*STDERR} "COUNT|1000|1|lps\n";';

subtest 'lines that come twice' => sub {
    is(copy_of($GOOD)->{error}, undef, 'once is right');
    is(
        copy_of("$GOOD print {*STDERR} qq(COUNT|900|1|lps\n);")->{error},
        'a second COUNT line: "COUNT|900|1|lps"',
        'a program'
    );
    my $copy = under(q{echo 'COUNT|900000000|1|lps' >&2; exec "$@"}, @{ command(qw(pipe 0.05)) });
    like($copy->{error}, qr/\A(?:a second COUNT line|a COUNT line before the start gate)/, 'a command before it');
    ok(!exists $copy->{count}, 'and it has no count');
    $copy = under(q{"$@"; echo 'COUNT|900000000|1|lps' >&2}, @{ command(qw(pipe 0.05)) });
    is($copy->{error}, 'a second COUNT line: "COUNT|900000000|1|lps"', 'a command after it');
};

subtest 'before the gate opens' => sub {
    for my $line ('COUNT|1000|1|lps', 'TIME|0.001') {
        my ($name) = split /[|]/, $line;
        my $copy   = copy_of("print {*STDERR} qq($line\n); FakeGate::pass();");
        is($copy->{error}, "a $name line before the start gate opened", "$name: it has not worked yet");
    }
    is(copy_of('print {*STDERR} "COUNT|1000|1|lps\n";')->{error},   undef, 'a program without a gate may');
    is(copy_of('print {*STDERR} "RENDERER|x\n";' . $GOOD)->{error}, undef, 'other data may come early');
};

subtest 'the clock of a copy' => sub {
    my $wrong = qr/\Aits clock is wrong: it shows /;
    like(copy_of("$GOOD print {*STDERR} qq(TIME|600\n);")->{error},           $wrong, 'more time than has passed');
    like(copy_of("$GOOD print {*STDERR} qq(TIME|18446744073.7\n);")->{error}, $wrong, 'a negative time without a sign');
    like(copy_of("$GOOD print {*STDERR} qq(TIME|-1\n);")->{error}, qr/\Anot a time in seconds/, 'a negative time');
    is(copy_of("$GOOD print {*STDERR} qq(TIME|0.000001\n);")->{error}, undef, 'less time than has passed');
    my $used = 'print {*STDERR} "USED|%d|%d|1|1|1|1|1|1\n";';
    for my $case ([1_000, 200_000], [200_000, 1_000], [-5, 200_000], [900_000_000, 900_000_000]) {
        my $lines = sprintf "$GOOD $used select undef, undef, undef, 0.2;", @$case;
        like(copy_of($lines)->{error}, $wrong, "its clock shows @$case[0] us, that of the kernel @$case[1]");
    }
    my $slow = sprintf "FakeGate::pass(); select undef, undef, undef, 0.2; $GOOD $used", 200_000, 200_000;
    is(copy_of($slow)->{error}, undef, 'both agree') or diag $slow;
};

# On a busy machine, the program may not have begun when the command ends: then nothing tells whether it runs.
subtest 'a command that ends before its program' => sub {
    my $early  = qr/\A(?:the command of --with ended before|no COUNT line; the command of --with has to wait for) its/;
    my @pipe   = @{ command(qw(pipe 0.3)) };
    my $setsid = q{perl -MPOSIX -e 'exit if fork; POSIX::setsid(); exec @ARGV' "$@"};
    like(under('"$@" & exit 0',      @pipe)->{error}, $early, 'a program in the background');
    like(under($setsid,              @pipe)->{error}, $early, 'one in a session of its own');
    like(under("$setsid; sleep 0.1", @pipe)->{error}, $early, 'one that has begun');
    is(under('"$@" & wait', @pipe)->{error}, undef, 'a command that waits is right');
    like(under('"$@" 2>/dev/null', @pipe)->{error}, qr/\Ano COUNT line; .* pass on its standard error/,
        'a lost report');
    is(copy_of('exit 0')->{error}, 'no COUNT line', 'a program without a command');
};

# Takes the result of a copy; returns the CPU time that its program has reported, as a part of its time.
sub share {
    my ($copy) = @_;
    return ($copy->{work}{user_s} + $copy->{work}{kernel_s}) / $copy->{work}{span_s};
}

subtest 'what a program has used, under any command' => sub {
    my $busy  = 'i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done;';
    my %under = (
        'it sleeps after the program' => '"$@"; sleep 0.5',
        'it ignores SIGCHLD'          => q{trap '' CHLD; exec "$@"},
        'it needs CPU time beside it' => "$busy ( $busy ) & \"\$\@\"; wait",
    );
    for my $name (sort keys %under) {
        for my $words ([qw(pipe 0.2)], [qw(spawn 0.2)]) {
            my $copy = under($under{$name}, @{ command(@$words) });
            is($copy->{error}, undef, "$name, $words->[0]: it works") or next;
            my $work = $copy->{work};
            cmp_ok(abs $work->{span_s} - 0.2, '<',  0.1 + $work->{waited_s} // 0,       "$name, $words->[0]: its time");
            cmp_ok(share($copy),              '<=', $words->[0] eq 'pipe' ? 1.05 : 2.1, 'possible CPU time');
            cmp_ok($copy->{used}{ran_s},      '<=', 2.1 * $work->{span_s}, 'the account is that of the program');
        }
    }
    my $copy = under('"$@"; :', '/bin/sh', '-c', 'echo "COUNT|1|1|lps" >&2');
    is($copy->{used}, undef, 'unknown if the program does not report it: the process may be that of the command');

    # A process that ends between the last look at it and its collection stays unknown, so there are some.
    my $known = grep { copy_of($GOOD)->{used} } 1 .. 10;
    ok($known, 'without a command, the process is that of the program') if -e '/proc/self/schedstat';
};

done_testing;
