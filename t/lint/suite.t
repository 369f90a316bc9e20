use strict;
use warnings;

use Cwd        ();
use File::Path ();
use File::Temp ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Place qw(write_file);

# t/suite and Needs: a test that misses something is skipped and listed, or fails under CI; a test that records fails.
my $TREE  = Cwd::abs_path("$FindBin::Bin/../..");
my $PLACE = File::Temp->newdir;
delete @ENV{qw(CI UB_RECORD UB_SKIPPED)};

# Takes a name and the text of a test; writes the test with the lines that every test has, and returns its path.
sub test_with {
    my ($name, $text) = @_;
    File::Path::make_path("$PLACE/t/long");
    my $modules = join ' ', "use lib '$TREE/t/lib';", 'use Needs qw(need_tools note_without skip_without);',
        'use Golden qw(is_golden no_golden_left_over);';
    return write_file("$PLACE/t/$name.t", "use strict; use warnings; use Test::More; $modules\n$text\ndone_testing;\n");
}

# Takes additions to the environment and a command; runs it, and returns its exit status and all its output.
sub ended {
    my ($env, @command) = @_;
    local %ENV = (%ENV, %$env);
    my $said = do {
        open my $from, '-|', 'sh', '-c', 'cd "$0" && exec "$@" 2>&1', "$PLACE", @command or die "sh: $!\n";
        local $/ = undef;
        my $text = readline $from;
        close $from;
        $text;
    };
    return ($? >> 8, $said);
}

my %TEST = (
    tool    => "need_tools('no-such-tool'); fail 'looked';",
    part    => "SKIP: { skip_without(tool => 'the red one', 2); fail 'looked' } pass 'the rest';",
    machine => "subtest 'a part' => sub { skip_without(machine => 'two moons'); fail 'looked' };",
    less    => "note_without(tool => 'the blue one'); pass 'the rest';",
    git     => "skip_without(tool => 'git');",
    xml     => "skip_without(tool => 'jq or another reader');",
);
my %path = map { $_ => test_with($_, $TEST{$_}) } keys %TEST;

subtest 'a missing tool' => sub {
    for my $name (qw(tool part less)) {
        is((ended({}, $^X, $path{$name}))[0], 0, "$name: the test is skipped");
        my ($status, $said) = ended({ CI => 1 }, $^X, $path{$name});
        isnt($status, 0, "$name: the test fails if CI is set");
        like($said, qr/^# CI is set, and this test needs: (?:no-such-tool|the red one|the blue one)$/m, "$name: why");
    }
};

subtest 'a machine without something that a test needs' => sub {
    is((ended({},          $^X, $path{machine}))[0], 0, 'the test is skipped');
    is((ended({ CI => 1 }, $^X, $path{machine}))[0], 0, 'the test is also skipped if CI is set');
};

subtest 't/suite' => sub {
    my ($status, $said) = ended({}, $^X, "$TREE/t/suite", '-j2');
    is($status, 0, 't/suite passes if tests are skipped') or diag $said;
    my ($list) = $said =~ /^(Not tested:\n.*)/ms;
    is($list, <<'END', 't/suite lists what was not tested');
Not tested:
  needs git (make setup-all): t/git.t
  needs jq or another reader (make setup-all): t/xml.t
  needs no-such-tool (make setup-all): t/tool.t
  needs the blue one (make setup-all): t/less.t
  needs the red one (make setup-all): t/part.t
  needs two moons (not on this machine): t/machine.t
END
    ($status, $said) = ended({ CI => 1 }, $^X, "$TREE/t/suite", 't/tool.t');
    is($status, 1, 't/suite fails if a tool is missing and CI is set');
};

subtest 'the standard error of tests is printed' => sub {
    test_with('wrong', q{is('one', 'two', 'the same'); warn "and a warning\n";});
    test_with('loud',  q{pass 'this'; diag 'all is well';});
    my ($status, $said) = ended({}, $^X, "$TREE/t/suite", '-j2', 't/wrong.t', 't/loud.t');
    is($status, 1, 'a test fails');
    my ($amid, $in_the_end) = $said =~ /\A(.*)^Test Summary Report$(.*)\z/ms;
    my $failure = qr{^t/wrong[.]t printed:\n#   Failed test 'the same'\n.*?^and a warning$}ms;
    like($amid,       $failure,                                  'a failure is printed at once');
    like($in_the_end, $failure,                                  'a failure is printed again at the end');
    like($amid,       qr{^t/loud[.]t printed:\n# all is well$}m, 'standard error of a test that passes is printed');
    unlike($in_the_end, qr/all is well/, 'it is printed once');
};

subtest 'a folder t/long runs only if it is named' => sub {
    test_with('long/slow', q{pass 'this';});
    unlike((ended({}, $^X, "$TREE/t/suite", 't'))[1], qr/slow/, 'not with the others');
    like((ended({}, $^X, "$TREE/t/suite", 't/long'))[1], qr/^t.long.slow[.]t [.]+ ok/m, 'by its name');
};

# Commands that no other process on the machine has, such as the same test of another tree.
my ($HANGS, $LEFT) = map { "sleep $_.$$" } 97, 96;

subtest 'a test that hangs' => sub {
    test_with('hangs', qq{pass 'begun'; system 'setsid $HANGS';});
    my ($status, $said) = ended({ UB_SUITE_SECONDS => 1 }, $^X, "$TREE/t/suite", 't/hangs.t');
    is($status, 1, 'fails');
    like($said, qr{^t/hangs[.]t printed:\nnothing more within 1 s: it hung, and was ended$}m, 'is ended');
    unlike(qx(ps -eo args), qr/^\Q$HANGS\E$/m, 'its processes are ended');
};

subtest 'a test that leaves a process behind, with its standard output' => sub {
    my $script = qq{setsid $LEFT & until ps -eo args | grep -qx "$LEFT"; do :; done};
    test_with('leaves', "pass 'begun'; system '$script';");
    my ($status, $said) = ended({}, $^X, "$TREE/t/suite", 't/leaves.t');
    is($status, 0, 'passes, and is not waited for');
    my ($id) = qx(ps -eo pid,args) =~ /^ *([0-9]+) \Q$LEFT\E$/m;
    ok($id && kill(KILL => $id), 'the process is there');
};

subtest 'recorded texts' => sub {
    my $test = test_with('text', q{is_golden('a.txt', "one\ntwo\n"); no_golden_left_over();});
    isnt((ended({}, $^X, $test))[0], 0, 'a test fails if its text was never recorded');
    my ($status, $said) = ended({ UB_RECORD => 1 }, $^X, $test);
    isnt($status, 0, 'a test that records fails');
    like($said, qr/^not ok 1 - a[.]txt: recorded/m, 'the failure says that the text is recorded');
    is((ended({}, $^X, $test))[0], 0, 'the recorded text then passes');

    test_with('text', 'no_golden_left_over();');
    ($status, $said) = ended({}, $^X, $test);
    isnt($status, 0, 'a recorded text that no test asks for is a failure');
    like($said, qr/'no file of t\/golden\/text is left over'\n.*got: 'a[.]txt'/ms, 'a text that no test asks for');
};

done_testing;
