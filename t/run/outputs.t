# What --json, --html and --markdown write to files, devices and standard output, and what is printed.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use FreshMachine;
use LoadedRun qw(give_rates rated waited);
use Needs     qw(skip_without);
use Place     qw(text_of);

# Disturbances by other processes do not change the reports.
local $ENV{PERL5OPT} = "-I$FindBin::Bin/../lib -MPlayedLoad";

my @WORDS   = qw(-c 1 -i 3 syscall hanoi);
my @OPTIONS = qw(--json --html --markdown);
my @RUN     = ($^X, "$TestRun::HOME/Run");

# Returns a place in which those words give known rates.
sub place { return rated({ syscall => [(1000) x 3], hanoi => [7] }) }

subtest 'files and links' => sub {
    my $test = place();
    my $here = $test->place('test');
    $test->write('test', 'target', 'old and longer than all that is new' x 9999);
    symlink 'target', "$here/link" or die "symlink: $!\n";
    symlink 'fresh',  "$here/new"  or die "symlink: $!\n";
    local $test->{cwd} = $here;
    my $run = $test->run('-q', @WORDS, qw(--json link --html new --markdown), '../test/m d.md');
    my ($own) = map { s/[.]html\z//r } grep { /html\z/ } $test->reports;
    is_deeply([@$run{qw(status err)}], [0, q{}], 'the run with output files succeeds');
    is($run->{out}, '=' x 72 . "\n" . $test->text($own), 'the report is printed');
    is_deeply([map { readlink "$here/$_" } qw(link new)], [qw(target fresh)], 'links stay links');
    is(text_of("$here/target"), $test->report('.json'),   '--json replaces what was in the file');
    is(text_of("$here/fresh"),  $test->text("$own.html"), '--html writes the page');
    like(text_of("$here/m d.md"), qr/^[|] System Call Overhead +[|] 1000 lps/m, '--markdown writes the numbers');
    is_deeply([map { s{.*/}{}r } glob "$here/*"], ['fresh', 'link', 'm d.md', 'new', 'target'], 'no other file');
    my $again = $test->run('report', $test->place('results', "$own.html"), '--markdown', q{-});
    is_deeply([@$again{qw(status err out)}], [0, q{}, text_of("$here/m d.md")], 'report gives the same Markdown');
};

subtest 'output files that cannot be written' => sub {
    my $test = TestRun->new;
    my $here = $test->place('test');
    system('mkfifo', "$here/fifo") == 0 or die "mkfifo: $?\n";

    # One for each option. t/unit/Base/files.t has all kinds.
    my %why = (
        $here        => 'Is a directory',
        "$here/fifo" => 'it is a pipe (FIFO); give a file',
        '/dev/fd/99' => 'No such file or directory',
    );
    my @options = @OPTIONS;
    for my $path (sort keys %why) {
        my $option = shift @options;
        my $run    = $test->run(@WORDS, $option, $path);
        is_deeply([@$run{qw(status out err)}], [2, q{}, "Run: can't write $path: $why{$path}\n"], "$option $path");
    }
    is_deeply([$test->reports, $test->left], [], 'nothing was measured: no report and no scratch file is made');
};

subtest 'an output file whose directory is removed during the run' => sub {
    my $test = place();
    my $here = $test->place('test');
    mkdir "$here/gone" or die "mkdir: $!\n";
    $test->put(pipe => "rmdir '$here/gone'; echo 'COUNT|5|1|lps' >&2");
    my $run = $test->run('-q', @WORDS, qw(pipe -i 1), '--json', "$here/gone/j", '--html', "$here/h");
    is($run->{status}, 1, 'exit status 1');
    my @said = grep { /can't/ } split /^/, $run->{err};
    is_deeply(\@said, ["Run: can't write $here/gone/j: No such file or directory\n"], 'one line of message');
    like(text_of("$here/h"), qr{</html>\s*\z}, 'other output files are written');
    is(scalar(grep { /[.]html\z/ } $test->reports), 1, 'the page of the run is written');
};

subtest 'devices, open pipes and descriptors' => sub {
    my $test = place();
    my $here = $test->place('test');
    local $test->{env} = { %{ $test->{env} }, HERE => $here };
    my $script = '{ "$0" "$@" 5>"$HERE/five" 6>&1 >/dev/null; echo $? >"$HERE/status"; } | cat >"$HERE/read"';
    waited($test->started_by('/bin/sh', '-c', $script, @RUN, '-q', @WORDS, qw(--json /dev/fd/6 --html /dev/fd/5)));
    is(text_of("$here/status"), "0\n",                  'the run succeeds');
    is(text_of("$here/read"),   $test->report('.json'), '--json writes to a pipe that the shell has opened');
    like(text_of("$here/five"), qr{</html>\s*\z}, '--html writes to an inherited file descriptor');
    skip_without(machine => '/dev/full') if !-e '/dev/full';
    my $run = $test->run('-q', qw(-c 1 -i 1 pipe), qw(--markdown /dev/full --html /dev/null));
    my $why = "Run: can't write /dev/full: No space left on device\n";
    is_deeply([@$run{qw(status err)}], [1, $why], 'a full device: exit status 1 and a message');
    ok(-c '/dev/null', '/dev/null stays a device');
};

subtest "files of the user's own" => sub {
    my $test = place();
    my $here = $test->place('test');
    $test->write('test', 'j.new', 'mine');
    local $test->{env} = { %{ $test->{env} }, UB_OUTPUT_FILE_NAME => 'r', UB_OUTPUT_JSON => 'true' };
    my @mine = map { $test->place('results', "r$_.new") } q{}, qw(.html .json .log);
    for my $what ('a run', 'a run that replaces another') {
        $test->write('results', $_ =~ s{.*/}{}r, 'mine') for @mine;
        give_rates($test, syscall => [(1000) x 3], hanoi => [7]);
        is($test->run('-q', @WORDS, '--json', "$here/j")->{status}, 0, "$what next to other files succeeds");
        is_deeply([map { text_of($_) } "$here/j.new", @mine], [('mine') x 5], 'other files of the user are unchanged');
    }
    unlink map { $test->place('results', "r$_") } q{}, '.html';
    is($test->run('report', 'r')->{status}, 0, 'the missing reports are written');
    is_deeply([map { text_of($_) } @mine],       [('mine') x 4], 'other files of the user are unchanged');
    is_deeply([grep { /new\z/ } $test->reports], [sort map { s{.*/}{}r } @mine], 'no temporary file is left');
    my $long = "$here/" . 'r' x 251;
    rename "$here/j", "$long.txt" or die "rename: $!\n";
    my $run = $test->run('report', "$long.txt");
    is_deeply([@$run{qw(status out)}], [1, $test->report(q{})], 'a report that cannot be written is printed');
    like($run->{err}, qr{^Run: can't write $long[.]html: File name too long$}m, 'with one line of message');
};

subtest 'a report on standard output' => sub {
    for my $words ([], ['-q'], ['-v']) {
        my $test = place();
        my $run  = $test->run(qw(--json -), @$words, @WORDS);
        is($run->{status}, 0,                      "exit status 0: @$words");
        is($run->{out},    $test->report('.json'), "standard output has only the report, as in the file: @$words");
        my $is_quiet = "@$words" eq '-q';
        is(
            $run->{err} =~ /^1 x System Call Overhead/m ? 0 : 1,
            $is_quiet                                   ? 1 : 0,
            "progress is on standard error: @$words"
        );
        like($test->report(q{}), qr/^System Call Overhead +1000[.]0 lps/m, "the text is written as usual: @$words");
    }
    my $plan = TestRun->new->run(qw(--dry-run --json -), @WORDS);
    is_deeply([@$plan{qw(status err)}], [0, q{}], '--dry-run --json - succeeds');
    like($plan->{out}, qr/^1 parallel copy of tests, .*^In all about /ms, 'and prints the plan');
};

subtest 'a report on standard output of a fresh machine' => sub {
    skip_without(machine => 'root') if $> != 0;
    my $machine = FreshMachine->new(programs => ['apt-get']);
    my $run     = $machine->run(qw(--setup --json - -i 1 -c 1 pipe));
    is($run->{status}, 0, 'a run with --setup succeeds');
    like($run->{out}, qr/\A[{].*[}]\n\z/s, 'standard output has only the report') or diag $run->{said};
    is(scalar(grep { /\b(?:apt-get|make) / } @{ $run->{asked} }), 3, 'packages were installed and programs were built');
};

subtest 'closed and full standard output' => sub {
    my $test   = place();
    my $result = "$FindBin::Bin/../golden/report/json/partial.json";
    $test->write('test', $_, text_of($result)) for qw(a.json b.json);
    my @files    = map { $test->place('test', "$_.json") } qw(a b);
    my @commands = (
        ['--help'],            ['-h'],
        ['--version'],         ['--list'],
        [qw(explain pipe)],    [qw(--dry-run pipe)],
        ['report', $files[0]], ['compare', @files],
        [qw(-q --html - -c 1 -i 1 pipe)]
    );
    my %why = ('>&-' => 'it is closed', '>/dev/full' => 'No space left on device');
    for my $to (grep { !/full/ || -e '/dev/full' } sort keys %why) {
        for my $words ($to =~ /full/ ? @commands[3, -1] : @commands) {
            my $run = waited($test->started_by('/bin/sh', '-c', qq{exec "\$0" "\$@" $to}, @RUN, @$words));
            is($run->{status}, 1, "@$words $to: exit status 1");
            my $said = $run->{err} =~ s/^Run: also written: .*\n//mgr;
            is($said, "Run: can't write to standard output: $why{$to}\n", "@$words $to: one message");
        }
    }
    $test = TestRun->new;
    my $run = waited($test->started_by(qw(sh -c), 'exec "$0" "$@" <&- >&- 2>&-', @RUN, qw(-c 1 -i 1 syscall)));
    is($run->{status}, 1, 'all standard handles are closed: exit status 1');
    is_deeply([keys %{ $test->scores }], ['System Call Overhead'], 'the report has the score');
    unlike($test->report('.log'), qr/BYTE UNIX|1 x System Call/, 'nothing is written to a wrong file');
};

subtest '-q and -v' => sub {
    my $test  = TestRun->new;
    my $quiet = $test->run(qw(-q -c 1 -i 1 syscall));
    is($quiet->{out}, '=' x 72 . "\n" . $test->report(q{}), '-q prints only the report') or diag $quiet->{out};
    like(
        $test->run(qw(-v -c 1 -i 1 syscall))->{out},
        qr{^  \S+/bin/syscall 0[.]01\n  1: 1000[.]0 in ([0-9.]+) s\n.*^System Call .* [(]\1 s, 1 samples[)]$}ms,
        '-v prints commands and passes, with the time that the report has'
    );
};

done_testing();
