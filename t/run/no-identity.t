use strict;
use warnings;

use File::Path ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Alive     qw(eventually);
use Anonymous qw(left_of nobody_is_named place);
use LoadedRun;
use TestRun qw(waited);

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
    is(scalar(() = $test->report(q{}) =~ /no measured results: on [.]{3} for [.]{3}, in /g),
        2, 'reasons of failures have only words that are known');
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
