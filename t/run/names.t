# Names in what Run writes: hostile ones are harmless, and with --no-identity there are none.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Anonymous qw(left_of nobody_is_named place);
use LoadedRun qw(eventually waited);
use UnixBench::Base::Files;

# Commands to a terminal: colour, title, clipboard, one of a single byte, one in UTF-8; and a line like one of Run's.
my $ODD = "a\e[31m\e]0;title\a\e]52;c;eA==\a\x9bm\xc2\x9bm\rb\nRun: c\x7f\xe2\x80\xae";

# Bytes that must not be written to a terminal; newlines and tabs are allowed. U+202E writes from right to left.
my $COMMAND = qr/[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|(?<![\x80-\xff])[\x80-\x9f]|\xe2\x80\xae/;

# Returns a place whose directories all have that name, with a program that prints it.
sub hostile_place {
    my $test = TestRun->new(programs => { hanoi => qq{printf '%s' "\$RUN_ODD"\necho 'COUNT|5|1|lps' >&2} });
    mkdir $test->place($ODD) or die "mkdir: $!\n";
    for my $directory (qw(bin tmp results test)) {
        rename $test->place($directory), $test->place($ODD, $directory) or die "rename: $!\n";
    }
    my %directory = (BIN => 'bin', TMP => 'tmp', RESULT => 'results', TEST => 'test');
    $test->{env} = { RUN_ODD => $ODD, map { ("UB_${_}DIR" => $test->place($ODD, $directory{$_})) } keys %directory };
    return $test;
}

sub is_harmless {
    my ($what, @texts) = @_;
    return is_deeply([map { /$COMMAND/ ? $_ : () } @texts], [], "$what sends no command to the terminal");
}

subtest 'names of directories' => sub {
    my @quick = qw(--quick --max-time 1s -c 1 -v hanoi);
    for my $words ([qw(--dry-run -v hanoi)], ['doctor'], [qw(explain hanoi)], ['--list'], \@quick) {
        my $run = hostile_place()->run(@$words);
        is_harmless("@$words", @$run{qw(out said)});
    }
    my $test = hostile_place();
    my $run  = $test->run(qw(-v -c 1 -i 1 hanoi));
    my @name = ('a\x1b[31m\x1b]0;title\x07\x1b]52;c;eA==\x07\x9bm\x{9b}m\rb', 'Run: c\x7f\x{202e}');
    my $path = quotemeta join '\n', @name;
    is_harmless('a run', @$run{qw(out said)});
    like($run->{out}, qr{^Programs from \S+/$path/bin, started in \S+/$path/test$}m,      'the directory of programs');
    like($run->{out}, qr{^Scratch files in \S+/$path/tmp, reports in \S+/$path/results}m, 'the other directories');
    my ($log) = map { UnixBench::Base::Files::content($_) } glob q{"} . $test->place(q{*}, 'results', '*.log') . q{"};
    is_harmless('the log', $log);
    like($log, qr/^@{[quotemeta join "\n", @name]}$/m, 'the log has the output of the program');
};

subtest 'names of results, and of this program' => sub {
    my $test = TestRun->new(env => { UB_CALLED_AS => "./$ODD" });
    $test->write('results', $_, q{}) for "a\n", "b\n.html";
    for my $words (['-h'], [report => "none\n"], [compare => "a\n", $test->place('results')]) {
        my $run = $test->run(@$words);
        is_harmless("@$words", @$run{qw(out said)});
        unlike($run->{said}, qr/ line [0-9]+[.]$/m, 'and Perl no warning');
    }
};

# Disturbances by other processes do not change the reports.
local $ENV{PERL5OPT} = "-I$FindBin::Bin/../lib -MPlayedLoad";

my @WORDS = (qw(-c 1 -i 2 --no-identity --label round=2 --label), 'at=zaphod@marvin', qw(syscall pipe hanoi context1));

subtest 'names in reports' => sub {
    my $test = place('marvin.example.org');
    my $run  = $test->run('-q', @WORDS, map { ("--$_", $test->place("a.$_")) } qw(json html markdown));
    is($run->{status}, 1, 'failed tests: exit status 1');
    my $left = left_of($test, $run, map { "a.$_" } qw(json html markdown));
    is_deeply(
        [map { /\Aanonymous-[0-9-]{13}([.]\w+)?\z/ ? $1 // 'text' : () } sort keys %$left],
        [qw(text .csv .html .log)],
        'names of reports begin with "anonymous"'
    );
    nobody_is_named($test, $left);
    like($test->report('.html'), qr{<p class="quiet">UnixBench [^<]*, anonymous / }, 'the page is anonymous');
    unlike($test->report(q{}), qr/^   Labels:/m, 'labels are left out');
    like($test->report(q{}), qr/^System Call Overhead +5[.]0 lps/m, 'the report has scores');
    unlike($test->report('.log'), qr/^# at: |^PWD=/m, 'the output of a program is left out');
    is(scalar(() = $test->report(q{}) =~ /no measured results: on [.]{3} for [.]{3}, in /g), 2, 'only known words');
    like($test->report(q{}), qr{no measured results: can't run pgms/context1: No such file}, 'its path is shortened');
    my $out = $test->run(qw(--no-identity -c 1 -i 1 pipe))->{out};
    like($out, qr{^Programs from [.]{3}/[^/\n]+, started in [.]{3}/[^/\n]+$}m, 'standard output has no paths');
};

# Interrupts a run when its journal has that line and its second test, which never ends, is running. Tests that its
# reports, except the journal, have no names; returns the name of the run.
sub interrupted {
    my ($test, $run, $line) = @_;
    eventually(sub { $test->report('.journal') =~ $line && $test->report('.log') =~ /Dhrystone/ });
    kill TERM => $run->{pid};
    my $ended = waited($run);
    is($ended->{signal}, 15, 'the run ends by the signal');
    my $left = left_of($test, $ended);
    my ($journal) = grep { /[.]journal\z/ } keys %$left;
    delete $left->{$journal};
    nobody_is_named($test, $left);
    return $journal =~ s/[.]journal\z//r;
}

subtest 'a run that is resumed' => sub {
    my $test = place('marvin');
    $test->put(dhry2reg => 'hang');
    my $name = interrupted($test, $test->started(qw(-q --no-identity -c 1 -i 2 syscall dhry2reg hanoi)), qr/"pass"/);
    interrupted($test, $test->started('-q', '--resume', $name), qr/^[{]"resumed"/m);
    like($test->report(q{}), qr/^ +Note: resumed$/m, 'the report has a note that the run was resumed');
};

done_testing();
