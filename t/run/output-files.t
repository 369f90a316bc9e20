use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use KnownRates qw(give_rates rated);
use LoadedRun;
use Needs   qw(skip_without);
use TestRun qw(waited);
use UnixBench::Base::Files;

# Disturbances by other processes do not change the reports.
local $ENV{PERL5OPT} = "-I$FindBin::Bin/../lib -MPlayedLoad";

my @WORDS = qw(-c 1 -i 3 syscall hanoi);

# Returns a place in which those words give known rates.
sub place { return rated({ syscall => [(1000) x 3], hanoi => [7] }) }

sub content { return UnixBench::Base::Files::content(@_) }

subtest 'files' => sub {
    my $test = place();
    my $here = $test->place('test');
    $test->write('test', 'old.json', 'old');
    local $test->{cwd} = $here;
    my $run = $test->run('-q', @WORDS, qw(--json old.json --html), 'my page', '--markdown', '../test/m.md');
    my ($own) = map { s/[.]html\z//r } grep { /html\z/ } $test->reports;
    is($run->{status},            0,                        'the run with output files succeeds');
    is(content("$here/old.json"), $test->report('.json'),   '--json replaces an existing file');
    is(content("$here/my page"),  $test->text("$own.html"), '--html writes the page');
    like(content("$here/m.md"), qr/System Call Overhead/, '--markdown writes the numbers');
    is($run->{out}, '=' x 72 . "\n" . $test->text($own), 'the report is printed');
    is_deeply([map { s{.*/}{}r } glob "$here/*"], ['m.md', 'my page', 'old.json'], 'no other file is written');
};

subtest 'output files that cannot be written' => sub {
    my $test = TestRun->new;
    my $here = $test->place('test');
    symlink "$here/none/x", "$here/dangling" or die "symlink: $!\n";
    symlink 'round',        "$here/round"    or die "symlink: $!\n";
    $test->write('test', 'file', q{});
    my %why = (
        "$here/none/x"       => 'No such file or directory',
        $here                => 'Is a directory',
        "$here/file/x"       => 'Not a directory',
        "$here/dangling"     => 'No such file or directory',
        "$here/round"        => 'Too many levels of symbolic links',
        '/dev/fd/99'         => 'No such file or directory',
        "$here/" . 'x' x 256 => 'File name too long',
    );
    for my $path (sort keys %why) {
        for my $option (qw(--json --html --markdown)) {
            my $run = $test->run(@WORDS, $option, $path);
            is_deeply([@$run{qw(status out err)}], [2, q{}, "Run: can't write $path: $why{$path}\n"], "$option $path");
        }
    }
    is_deeply([$test->reports, $test->left], [], 'no report and no scratch file is made');
};

subtest 'an output file whose directory is removed during the run' => sub {
    my $test = place();
    my $here = $test->place('test');
    mkdir "$here/gone" or die "mkdir: $!\n";
    $test->put(pipe => 'count');
    unlink $test->place('bin', 'pipe');
    chmod 0755, $test->write('bin', 'pipe', "#!/bin/sh\nrmdir '$here/gone'\necho 'COUNT|5|1|lps' >&2\n");
    my $run = $test->run('-q', @WORDS, qw(pipe -i 1), '--json', "$here/gone/j", '--html', "$here/h");
    is($run->{status}, 1, 'an output file that cannot be written: exit status 1');
    is_deeply(
        [grep { /can't/ } split /^/, $run->{err}],
        ["Run: can't write $here/gone/j: No such file or directory\n"],
        'an output file that cannot be written: one line of message'
    );
    like(content("$here/h"), qr{</html>\s*\z}, 'other output files are written');
    is(scalar(grep { /[.]html\z/ } $test->reports), 1, 'the page of the run is written');
};

subtest 'devices' => sub {
    skip_without(machine => '/dev/full') if !-e '/dev/full';
    my $test = place();
    my $run  = $test->run('-q', @WORDS, '--json', '/dev/full', '--html', '/dev/null');
    is_deeply(
        [@$run{qw(status err)}],
        [1, "Run: can't write /dev/full: No space left on device\n"],
        'a full device as output: exit status 1 and a message'
    );
    ok(-c '/dev/null', '/dev/null stays a device');
};

subtest 'a named pipe is refused' => sub {
    my $test = place();
    my $fifo = $test->place('test', 'fifo');
    system('mkfifo', $fifo) == 0 or die "mkfifo: $?\n";
    for my $option (qw(--json --html --markdown)) {
        my $run = $test->run('-q', @WORDS, $option, $fifo);
        is_deeply(
            [@$run{qw(status out err)}],
            [2, q{}, "Run: can't write $fifo: it is a pipe (FIFO); give a file\n"],
            "$option: one line before anything runs"
        );
    }
    is_deeply([$test->reports], [], 'nothing was measured');
};

subtest 'open pipes and descriptors' => sub {
    my $test   = place();
    my $here   = $test->place('test');
    my $script = '{ "$0" "$@" 5>"$HERE/five" 6>&1 >/dev/null; echo $? >"$HERE/status"; } | cat >"$HERE/read"';
    local $test->{env} = { %{ $test->{env} }, HERE => $here };
    waited(
        $test->started_by(
            '/bin/sh', '-c',     $script,     $^X,      "$TestRun::HOME/Run", '-q',
            @WORDS,    '--json', '/dev/fd/6', '--html', '/dev/fd/5'
        )
    );
    is(content("$here/status"), "0\n",                  'the run succeeds');
    is(content("$here/read"),   $test->report('.json'), '--json writes to a pipe that the shell has opened');
    like(content("$here/five"), qr{</html>\s*\z}, '--html writes to an inherited file descriptor');
};

subtest 'links' => sub {
    my $test = place();
    my $here = $test->place('test');
    $test->write('test', 'target', 'old and longer than all that is new' x 9999);
    symlink 'target', "$here/link" or die "symlink: $!\n";
    symlink 'fresh',  "$here/new"  or die "symlink: $!\n";
    my $run = $test->run('-q', @WORDS, '--json', "$here/link", '--html', "$here/new");
    is($run->{status}, 0, 'the run with links succeeds');
    is_deeply([map { readlink "$here/$_" } qw(link new)], [qw(target fresh)], 'links stay links');
    is(content("$here/target"), $test->report('.json'), 'the target of a link has the result');
    like(content("$here/fresh"), qr{</html>\s*\z}, 'a missing target of a link is written');
};

subtest "files of the user's own" => sub {
    my $test = place();
    my $here = $test->place('test');
    $test->write('test', 'j.new', 'mine');
    local $test->{env} = { %{ $test->{env} }, UB_OUTPUT_FILE_NAME => 'r', UB_OUTPUT_JSON => 'true' };
    my @mine = map { $test->place('results', "r$_.new") } q{}, qw(.html .json .log);
    mkdir $test->place('results');
    for my $what ('a run', 'a run that replaces another') {
        $test->write('results', $_ =~ s{.*/}{}r, 'mine') for @mine;
        give_rates($test, syscall => [(1000) x 3], hanoi => [7]);
        my $run = $test->run('-q', @WORDS, '--json', "$here/j");
        is($run->{status}, 0, "$what next to other files succeeds");
        is_deeply([map { content($_) } "$here/j.new", @mine], [('mine') x 5], 'other files of the user are unchanged');
    }
    unlink map { $test->place('results', "r$_") } q{}, '.html';
    is($test->run('report', 'r')->{status}, 0, 'the missing reports are written');
    is_deeply([map { content($_) } @mine],       [('mine') x 4], 'other files of the user are unchanged');
    is_deeply([grep { /new\z/ } $test->reports], [sort map { s{.*/}{}r } @mine], 'no temporary file is left');
};

subtest 'a result whose other files are gone' => sub {
    my $test = place();
    my $here = $test->place('test');
    $test->run('-q', @WORDS, '--json', "$here/r.json");
    my $report = $test->report(q{});
    my $run    = $test->run('report', "$here/r.json");
    is_deeply([@$run{qw(status out)}], [0, $report], 'the result is reported');
    is_deeply(
        [map { content("$here/r$_") } q{}, '.html'],
        [$report,                          $test->report('.html')],
        'the missing files are written again'
    );
    my $long = "$here/" . 'r' x 251;
    rename "$here/r.json", "$long.txt" or die "rename: $!\n";
    $run = $test->run('report', "$long.txt");
    is_deeply([@$run{qw(status out)}], [1, $report], 'a report that cannot be written: exit status 1, but printed');
    like(
        $run->{err},
        qr{^Run: can't write $long[.]html: File name too long$}m,
        'a report that cannot be written: one line of message'
    );
};

done_testing();
