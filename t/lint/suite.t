use strict;
use warnings;

use Cwd        ();
use File::Path ();
use File::Temp ();
use FindBin;
use Test::More;

# Tests that can't look, or that record, do not pass; t/suite lists what was not tested.
my $TREE  = Cwd::abs_path("$FindBin::Bin/../..");
my $PLACE = File::Temp->newdir;
delete @ENV{qw(CI UB_RECORD UB_SKIPPED)};

# Writes a test with that text, between what every test has.
sub test_with {
    my ($name, $text) = @_;
    File::Path::make_path("$PLACE/t");
    my $modules = join ' ', "use lib '$TREE/t/lib';", 'use Needs qw(need_tools note_without skip_without);',
        'use Golden qw(is_golden no_golden_left_over);';
    open my $file, '>', "$PLACE/t/$name.t" or die "$name: $!\n";
    print {$file} "use strict; use warnings; use Test::More; $modules\n$text\ndone_testing;\n";
    close $file or die "$name: $!\n";
    return "$PLACE/t/$name.t";
}

# Runs a command with these additions to the environment; returns its exit status and all that it says.
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
);
my %path = map { $_ => test_with($_, $TEST{$_}) } keys %TEST;

subtest 'a missing tool' => sub {
    for my $name (qw(tool part less)) {
        is((ended({}, $^X, $path{$name}))[0], 0, "$name: skipped");
        my ($status, $said) = ended({ CI => 1 }, $^X, $path{$name});
        isnt($status, 0, "$name: fails where CI is set");
        like(
            $said,
            qr/^# CI is set, and this test needs: (?:no-such-tool|the red one|the blue one)$/m,
            "$name: names the tool"
        );
    }
};

subtest 'a machine that has something not' => sub {
    is((ended({},          $^X, $path{machine}))[0], 0, 'the test is skipped');
    is((ended({ CI => 1 }, $^X, $path{machine}))[0], 0, 'it is skipped where CI is set, too');
};

subtest 't/suite' => sub {
    my ($status, $said) = ended({}, $^X, "$TREE/t/suite", '-j2');
    is($status, 0, 'passes') or diag $said;
    my ($list) = $said =~ /^(Not tested:\n.*)/ms;
    is($list, <<'END', 'lists what was not tested');
Not tested:
  needs no-such-tool (make setup): t/tool.t
  needs the blue one (make setup): t/less.t
  needs the red one (make setup): t/part.t
  needs two moons (not on this machine): t/machine.t
END
    ($status, $said) = ended({ CI => 1 }, $^X, "$TREE/t/suite", 't/tool.t');
    is($status, 1, 'fails where CI is set');
    ($status, $said) = ended({ UB_RECORD => 1 }, $^X, "$TREE/t/suite");
    isnt($status, 0, 'refuses to record');
    like($said, qr/\At\/suite: UB_RECORD is set, [^\n]+\n\z/, 'says so in one line');
    ($status, $said) = ended({}, $^X, "$TREE/t/suite", '--help');
    isnt($status, 0, 'refuses an unknown option');
    like($said, qr/\At\/suite: unknown option --help; [^\n]+\n\z/, 'names it in one line');
};

subtest 'what tests say' => sub {
    test_with('wrong', q{is('one', 'two', 'the same'); warn "and a warning\n";});
    test_with('loud',  q{pass 'this'; diag 'all is well';});
    my ($status, $said) = ended({}, $^X, "$TREE/t/suite", '-j2', 't/wrong.t', 't/loud.t');
    is($status, 1, 'one fails');
    my ($amid, $in_the_end) = $said =~ /\A(.*)^Test Summary Report$(.*)\z/ms;
    my $failure = qr{^t/wrong[.]t says:\n#   Failed test 'the same'\n.*?^and a warning$}ms;
    like($amid,       $failure,                               'a failure is shown at once');
    like($in_the_end, $failure,                               'and in the end');
    like($amid,       qr{^t/loud[.]t says:\n# all is well$}m, 'a test that passes may say something');
    unlike($in_the_end, qr/all is well/, 'which is shown once');
};

subtest 'signals that the caller ignores' => sub {
    test_with('signals',
        q{is_deeply([map { $SIG{$_} // 'DEFAULT' } qw(HUP INT QUIT)], [('DEFAULT') x 3], 'not here');});
    local @SIG{qw(HUP INT QUIT)} = ('IGNORE') x 3;
    is((ended({}, $^X, "$TREE/t/suite", 't/signals.t'))[0], 0, 'are not ignored by tests');
};

subtest 'recorded texts' => sub {
    my $test = test_with('text', q{is_golden('a.txt', "one\ntwo\n"); no_golden_left_over();});
    isnt((ended({}, $^X, $test))[0], 0, 'a text that was never recorded fails');
    my ($status, $said) = ended({ UB_RECORD => 1 }, $^X, $test);
    isnt($status, 0, 'recording fails');
    like($said, qr/^not ok 1 - a[.]txt: recorded/m, 'as recorded');
    is((ended({}, $^X, $test))[0], 0, 'what is recorded then passes');

    test_with('text', q{is_golden('a.txt', "one\nthree\n"); no_golden_left_over();});
    ($status, $said) = ended({}, $^X, $test);
    like($said, qr/^# line 2\n# recorded: two\n# made:     three$/m, 'a difference is shown');

    test_with('text', 'no_golden_left_over();');
    ($status, $said) = ended({}, $^X, $test);
    isnt($status, 0, 'a text that no test asks for fails');
    like($said, qr/'no file of t\/golden\/text is left over'\n.*got: 'a[.]txt'/ms, 'and is named');
};

done_testing;
