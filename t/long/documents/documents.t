# Every command in a document works, with fake programs and a single pass of each.

use strict;
use warnings;

use File::Copy qw(copy);
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/../../../$_" } qw(t/lib lib features/target/lib features/target/t/lib);
use MadeLog                                 qw(log_of quick);
use Place                                   qw(python_with write_file write_program);
use Cases                                   qw(%COUNT);
use Fixture                                 qw(host measured rendered result run);
use FreshMachine;
use Needs                  qw(note_without path_of);
use OfFeatures             qw(helpers);
use Programs               ();
use TestRun                qw(eventually waited);
use UnixBench::Base::Files ();
use UnixBench::Catalog     ();
use UnixBench::Command     ();

my $COMMAND = qr{\A(?:[A-Z_]+=\S+ )*(?:[.]/Run\b|(?:make|prove) |(?:lab|build)/[\w-]+\z|pgms/[\w-]+ )};

# Takes the text of a document. Returns its commands, each once.
sub commands_in {
    my ($text) = @_;
    my $is_block = 0;
    my (@found, %seen);
    for my $line (split /\n/, _without_scripts($text)) {
        if ($line =~ /\A```/) { $is_block = !$is_block; next }
        push @found, $is_block || $line =~ /\A {4}/ ? $line =~ s/\A +//r =~ s/ {2,}.*//r : $line =~ /`([^`]+)`/g;
    }
    return grep { /$COMMAND/ && !/\[|[.]{3}/ && !$seen{$_}++ } @found;
}

# Takes the text of a document. Returns its shell script, or undef if it has none.
sub script_in {
    my ($text) = @_;
    return $text =~ /^```\w*\n(#!.*?)^```$/ms ? $1 : undef;
}

sub _without_scripts {
    my ($text) = @_;
    return $text =~ s/^```\w*\n#!.*?^```$//msgr;
}

my $HOME = $TestRun::HOME;

my @DOCUMENTS = (
    qw(README.md USAGE.md WRITING_TESTS.md CONTRIBUTING.md RELEASING.md SECURITY.md),
    map { s{.*/}{docs/}r } glob "$HOME/docs/*.md"
);

# Commands that another test runs, or that no test can run, and why.
my %ELSEWHERE = (
    'make setup test'                                         => 'installs packages and runs this test',
    'make setup-all test-all'                                 => 'the same for all tests',
    'make tidy lint'                                          => 'runs tests like this one',
    'make dist'                                               => 't/long/build/releases.t',
    'prove -Ilib features/rank/t t/lint'                      => 'runs tests like this one',
    'UB_RECORD=1 prove -Ilib FILE'                            => 't/lint/suite.t',
    'UB_PAGES=one,eight prove -Ilib t/long/pages/pages.t'     => 'runs a test like this one',
    'make install'                                            => 't/programs/install.t',
    'make install PREFIX=/usr/local'                          => 't/programs/install.t',
    'make static'                                             => 't/long/build/releases.t',
    'make static CC=aarch64-linux-gnu-gcc'                    => 't/long/build/releases.t',
    'make PORTABLE=yes'                                       => 't/long/build/build-record.t',
    'make names'                                              => 't/long/build/makefile.t',
    'make reference'                                          => 't/lint/docs.t',
    'make share/result.schema.json'                           => 't/programs/install.t',
    './Run compare'                                           => 'the results are missing, on purpose',
    q{./Run history --accept 'mitigations of the new kernel'} => 'features/history/t/run.t',
);

my $FOR_PI = q{make static CC=arm-linux-gnueabi-gcc CFLAGS='-march=armv6 -mfpu=vfp -mfloat-abi=softfp'};
$ELSEWHERE{$FOR_PI} = 't/long/build/releases.t';

# What a placeholder in a document stands for.
my %STANDS_FOR = (TEST => 'pipe', RESULT => 'NAME', LOG => 'board.log', LIST => 'machines.csv', DIRECTORY => 'friends');

# A command that measures several passes.
my $COMMANDS = join q{|}, 'help', UnixBench::Command::names();
my $IS_SHORT = qr{ (?:-h|-i|--(?:quick|over|under|toggle|help|list|resume))\b|[.]/Run (?:$COMMANDS)\b};
my $IN_TURNS = qr/--(?:under|toggle)/;
my $IS_LONG  = qr{\A(?!.*$IS_SHORT).*[.]/Run};

# Exit statuses other than 0. A requirement may pass, fail or be inconclusive, this machine may be ready or not, and its
# history may have a change, or no run that can be used.
my @STATUSES = (
    [qr/\Aprove/                 => [0, 1]],
    [qr/--bisect/                => [0, 1, 125]],
    [qr/--require/               => [0, 3, 4]],
    [qr/--strict|compare before/ => [0, 4]],
    [qr/history/                 => [0, 3, 4]],
    [qr/check/                   => [0 .. 2]]
);

# How Python checks a file for jobs: the module that it needs, and the words. check-jsonschema has the schemas of GitHub
# and GitLab, and LAVA its own.
my $LAVA  = 'lava_common.schemas.test.testdef';
my %CHECK = (
    lava => [$LAVA => "-c 'import sys, yaml, $LAVA as lava; lava.validate(yaml.safe_load(sys.stdin))'"],
    map { $_ => [check_jsonschema => "-m check_jsonschema --default-filetype yaml --builtin-schema vendor.$_ -"] }
        qw(github-workflows gitlab-ci)
);

# Prints the commands of such a file, each in a line.
my $COMMANDS_OF = <<'END';
import sys, yaml
def found(node, key):
    if isinstance(node, str): return [node] if key in ('run', 'script', 'steps') else []
    pairs = node.items() if isinstance(node, dict) else [(key, one) for one in node] if isinstance(node, list) else []
    return [text for name, one in pairs for text in found(one, name)]
print(*found(yaml.safe_load(sys.stdin), ''), sep='\n')
END

# A feature may have a module whose sub why_not takes a command, and returns the reason why it can't be tried here.
my @OF_FEATURES = helpers('Documents');

my %FAKES =
    map { m{/like-(\w+)\z} ? ($1 => $_) : () } glob "$HOME/features/*/t/bin/like-*";
my %OF_CPUS = (taken => 'count', place => 'shift 2; exec "$@"');    # nothing is bound to a CPU
my $TEST    = TestRun->new(
    programs => { %FAKES, %OF_CPUS, map { $_ => 'brisk' } Programs::of_classic_tests(), qw(gfx-x11 ubgears) });

# The fakes need no server. Run does not try to open a display of such a name.
$TEST->{env} = { PATH => "$HOME/t/bin/x11:$ENV{PATH}", DISPLAY => '/fake/display:0' };
my $TREE = $TEST->place('tree');
mkdir $TREE or die "mkdir: $!\n";
symlink "$HOME/$_", "$TREE/$_" or die "symlink: $!\n" for qw(Run pgms);
copy("$HOME/testdir/multiuser.script", $TEST->place('test')) or die "multiuser.script: $!\n";
$TEST->{cwd} = $TREE;

my (%tried, %is_excused, %written);
make_results();
for my $document (@DOCUMENTS) {
    try_command($document, $_) for commands_in(UnixBench::Base::Files::content("$HOME/$document"));
}
my $said = try_script('acceptance.md', qr{(?<=^[.]/Run )}m => '-i 1 ')->{out};
like($said, qr/\A(?:accepted|too slow|not certain: .*)\n\z/, 'the script for acceptance judges this machine');
is_deeply([grep { !-s "$TREE/machine.$_" } qw(txt json xml)], [], 'and writes its files');
my $judged =
    try_script('ci.md', qr{^(?=[.]/Run )}m => 'set -- "$PWD/sandbox" 9 9; UB_TIME_FACTOR=0.1 ', qr/1m/ => '0.1');
ok($judged->{status} <= 2 && $judged->{said} =~ m{^Run: (?:PASS|INCONCLUSIVE) b/a:pipe:work<=9 }m,
    'the step of a job judges')
    or diag $judged->{said};
try_jobs('docs/ci.md', qw(github-workflows gitlab-ci lava));
is_deeply([sort keys %is_excused], [sort keys %ELSEWHERE], 'other tests are named only for commands of documents');
done_testing;

# Takes a document, and the formats of its files for jobs. Tests that each file is valid, that shellcheck finds nothing
# in its commands, and that two jobs work and keep their results.
sub try_jobs {
    my ($document, @formats) = @_;
    my @files = UnixBench::Base::Files::content("$HOME/$document") =~ /^```yaml\n(.*?)^```$/msg;
    is(scalar @files, scalar @formats, "$document has files for @formats");
    write_program("$TREE/lava-test-case", qq{#!/bin/sh\necho "\$@" >> cases-of-lava\n});
    local $ENV{PYTHONPATH} = "$HOME/build/check-jsonschema";
    for my $format (@formats) {
        my $text = shift @files;
        my ($module, $check) = @{ $CHECK{$format} };
        is_accepted($module, python_with($module), $check, $text, "$document: $format");
        my @commands = map { s/\s+/ /gr =~ s{\A/opt/unixbench}{.}r }
            $text =~ m{^ +- (?:run: )?((?:/opt|while)\b.*(?:\n {4}[^ -].*)*)$}mg;
        is_accepted(
            shellcheck => path_of('shellcheck'),
            '-s sh -', join("\n", @commands), "$document: $format: the shell"
        );
        local @{ $TEST->{env} }{qw(PATH UB_RESULTDIR)} = ("$TREE:$TEST->{env}{PATH}", "$TREE/$format");
        for my $job (1, 2) {
            %tried = ();
            try_command($document, $_) for @commands;
            cmp_ok(scalar(() = glob "$TREE/$format/*.html"), '>=', $job, "$format: results of $job jobs are kept");
        }
    }
    my $cases = UnixBench::Base::Files::content("$TREE/cases-of-lava");
    like($cases, qr/^pipe-1 --result pass --measurement [0-9.]+ --units lps$/m, 'LAVA has a case for each test');
    return;
}

# Takes the name of a tool, its path or undef, its words, a text and its name; tests that the tool accepts the text.
sub is_accepted {
    my ($tool, $path, $words, $text, $name) = @_;
    return note_without(tool => $tool) if !$path;
    my $run = shell("$path $words < " . write_file("$TREE/accepted", $text));
    is($run->{status}, 0, "$name is valid") or diag "$run->{out}$run->{said}";
    return;
}

# Tests that a command of a document works, unless another document has it, too.
sub try_command {
    my ($document, $command) = @_;
    my $what = "$document: $command";
    return $is_excused{$command} = 1 if defined $ELSEWHERE{$command};
    return if $document eq 'docs/packaging.md';    # t/long/build/packaging.t
    return ok(-x "$HOME/" . ($command =~ s/ .*//r), "$what is there")
        if $command =~ m{\A(?:lab|build|features/\w+/lab)/};
    return try_setup($what, $command) if $command =~ /--setup/;
    return note_without(tool => 'jq') if $command =~ /\bjq\b/ && !path_of('jq');
    for my $why_not (grep { defined } map { scalar $_->can('why_not')->($command) } @OF_FEATURES) {
        return note_without(@$why_not);
    }
    my $changed = changed($document, $command);
    return if $tried{$changed}++;
    my $run        = shell($changed);
    my ($statuses) = map  { $_->[1] } grep { $command =~ $_->[0] } @STATUSES;
    my $is_right   = grep { $run->{status} == $_ } @{ $statuses || [0] };
    ok($is_right && $run->{out} ne "null\n", "$what works")
        or diag "exit status $run->{status}\n$run->{said}$run->{out}";
    return;
}

# Takes a command of a document. Returns it for this test: with the results of this test, with short passes, and with
# the real programs where fakes would not do.
sub changed {
    my ($document, $command) = @_;
    my @changes = (
        (map { [qr// => qr/\b$_\b/, $STANDS_FOR{$_}] } sort keys %STANDS_FOR),
        [qr/--resume/           => qr/\bNAME\b/,                   'interrupted'],
        [qr{\bpgms/}            => qr/(?<= )(?:10|60)(?= |\z)/,    1],
        [qr/--observe syscalls/ => qr/\bindex\b/,                  'spawn'],
        [qr/--quick(?!.* -c)/   => qr/(?<=--quick)/,               ' -c 1'],
        [qr/--precision/        => qr/\z/,                         ' pipe'],
        [qr/--quick(?!.*max)/   => qr/(?<=--quick)/,               ' --max-time 0.5'],
        [qr/interactive/        => qr{(?=[.]/Run)},                'UB_TIME_FACTOR=0.5 '],
        [qr/docker run/         => qr/docker run .* debian:12/,    'env'],
        [qr/--toggle/           => qr{(?<=')(?:sysctl|/\S+)(?= )}, 'true'],
        [$IN_TURNS              => qr{(?=[.]/Run)},                'UB_TIME_FACTOR=0.1 '],
        [$IN_TURNS              => qr{(?<=[.]/Run)},               ' --max-time 0.1'],
        [qr/$IN_TURNS(?!.* -c)/ => qr{(?<=[.]/Run)},               ' -c 1'],
        [qr/--over/             => qr{(?<=[.]/Run)},               ' --dry-run'],
        [$IS_LONG               => qr{(?<=[.]/Run)},               ' -i 1'],
    );
    unshift @changes, [qr// => qr/\bNAME\b/, 'pipe'] if $document eq 'WRITING_TESTS.md';
    for my $change (@changes) {
        my ($when, $from, $to) = @$change;
        $command =~ s/$from/$to/g if $command =~ $when;
    }
    return $command;
}

# Tests that a command that installs something works where only a package manager is installed.
sub try_setup {
    my ($what, $command) = @_;
    my (undef, @words) = split / /, $command =~ s/ --dry-run//r;
    my $machine = FreshMachine->new(programs => [qw(apt-get sudo)]);
    my $run     = $machine->run(@words, '--dry-run');
    ok(scalar(grep { /apt-get install / } @{ $run->{asked} }), "$what installs what is missing");
    is($run->{status}, 0, "$what works") or diag $run->{said};
    return;
}

# Takes a document, and patterns with what replaces them in its script for this test. Runs the script without its
# command that installs, which try_setup tests; returns the hash of TestRun::waited.
sub try_script {
    my ($document, @changes) = @_;
    my $script = script_in(UnixBench::Base::Files::content("$HOME/docs/$document")) =~ s{^[.]/Run --setup.*}{}mr;
    while (my ($from, $to) = splice @changes, 0, 2) { $script =~ s/$from/$to/ }
    return shell($script);
}

# Runs a command in the tree; returns the hash of TestRun::waited.
sub shell {
    my ($command) = @_;
    return waited($TEST->started_by('/bin/sh', '-c', $command));
}

# Writes the results that documents name: complete official ones, those of this tree, a fleet with its list, loads,
# an interrupted run.
sub make_results {
    my $factor = 1;
    write_result($TEST->place('results', "$_.html"), $factor *= 1.01)
        for qw(NAME NAME-b OLD NEW A B C A1 A2 A3 compare);
    write_result($TEST->place('results', "$_.html"), $factor *= 1.01, host => host(release => '6.12')) for qw(B1 B2);
    mkdir "$TREE/experiment" or die "mkdir: $!\n";
    for my $distribution (qw(debian12 debian13 fedora43)) {
        my %labels = (labels => { distribution => $distribution });
        write_result("$TREE/experiment/$distribution-$_.html", $factor *= 1.01, %labels) for 1, 2;
    }
    mkdir "$TREE/results-of-all-hosts" or die "mkdir: $!\n";
    write_result("$TREE/results-of-all-hosts/$_.html", $factor *= 1.01, host => host(name => "host-$_")) for 1 .. 8;
    for my $week (map { "$TREE/week-$_" } 1, 2) {
        mkdir $_ or die "mkdir: $!\n" for $week, "$week/hosts";
        write_result("$week/hosts/node$_.html", 1, host => host(name => "node$_")) for 1 .. 4;
    }
    mkdir "$TREE/friends" or die "mkdir: $!\n";
    write_result("$TREE/friends/$_.html", $factor *= 1.01, host => host(name => $_)) for qw(nas pi desktop);
    write_results_of_kernels(abc => '6.12.0-abc', def => '6.12.0-def');
    write_file(
        "$TREE/machines.csv", join q{},
        "host,outcome,reason,result\n",
        map { "host-$_,measured,,results-of-all-hosts/$_.html\n" } 1 .. 8
    );
    write_result("$TREE/node$_.html", $factor *= 1.01, host => host(name => "node$_")) for 1 .. 3;
    write_file("$TREE/$_.log", log_of(quick())) for qw(board board-new);
    my $run = shell('./Run report board-new.log');
    is($run->{status}, 0, 'the report board-new.html is there') or diag $run->{said};
    $run = shell('UB_OUTPUT_FILE_NAME=good ./Run -q -i 1 index');
    is($run->{status}, 0, 'the result good is there') or diag $run->{said};
    $run = shell("UB_OUTPUT_FILE_NAME=base-$_ UB_OUTPUT_JSON=true ./Run -q -i 3 syscall") for 1, 2;
    is($run->{status}, 0, 'several references are there') or diag $run->{said};
    interrupt();
    write_program("$TREE/sandbox", qq{#!/bin/sh\nexec "\$@"\n});
    write_file("$TREE/post.md", join q{},
        map { text_report(run_of_index(1, $_)) =~ s/^.* CPUs? in system; .*\n//mgr } 1, 2);

    for my $copies (1, 8) {
        write_file("$TREE/$_-$copies", text_report(run_of_index($copies, 1))) for qw(old new);
    }
    return;
}

# Takes runs; returns the text report of their result.
sub text_report {
    my @runs = @_;
    return rendered('text', result(\@runs));
}

# Takes { commit => release }; writes three results for each, from as many boots.
sub write_results_of_kernels {
    my (%release) = @_;
    mkdir "$TREE/results-of-kernels" or die "mkdir: $!\n";
    for my $commit (sort keys %release) {
        my %facts = (host => host(release => $release{$commit}), labels => { 'kernel-commit' => $commit });
        write_result("$TREE/results-of-kernels/$commit-$_.html", 1 + $_ / 1000, %facts) for 1 .. 3;
    }
    return;
}

# Takes a path, a factor and facts to replace; writes the page of a result of one copy that is that many times as fast
# as the fixture. Each one is an hour later than that before.
sub write_result {
    my ($path, $factor, %facts) = @_;
    my $run    = run_of_index(1, $factor);
    my $past_s = 3600 * keys %written;
    $written{$path} = 1;
    my %times = map { $_ => $run->{$_} + $past_s } qw(started ended);
    write_file($path, rendered('html', result([{ %$run, %times }], %facts)));
    return;
}

# Takes a number of copies and a factor; returns a run of the index that is that many times as fast as the fixture.
sub run_of_index {
    my ($copies, $factor) = @_;
    my @tests = map {
        my $count = $factor * ($COUNT{$_} // 1000);
        measured($_, $copies, map { $count * $_ } 0.999, 1, 1.001)
    } UnixBench::Catalog::expand('index');
    return run($copies, @tests);
}

# Leaves a run that was killed during its second pass.
sub interrupt {
    mkdir $TEST->place('hold') or die "mkdir: $!\n";
    $TEST->put('hanoi', 'hold');
    @{ $TEST->{env} }{qw(UB_HOLD UB_HOLD_AT)} = ($TEST->place('hold'), 2);
    my $run = do {
        local $TEST->{env}{UB_OUTPUT_FILE_NAME} = 'interrupted';
        $TEST->started(qw(-q -i 9 -c 1 hanoi));
    };
    eventually(sub { (UnixBench::Base::Files::content($TEST->place('hold', 1)) // q{}) =~ /^held$/m });
    kill KILL => $run->{pid};
    waited($run);
    ok(eventually(sub { !$TEST->left }), 'a run was killed');
    return;
}

