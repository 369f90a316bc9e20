use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use KnownRates qw(measure_into rated);
use LoadedRun;
use Needs         qw(skip_without);
use ValidMarkdown qw(are_valid_markdown);
use UnixBench::Base::Files;

my @WORDS = qw(-c 1 -i 3 syscall hanoi);

# Other load does not make floors of scores.
local $ENV{PERL5OPT} = "-I$FindBin::Bin/../lib -MPlayedLoad";

sub place { return rated({ syscall => [(1000) x 3], hanoi => [7] }) }

sub content { return UnixBench::Base::Files::content(@_) }

subtest '--markdown -' => sub {
    my $test = place();
    my $run  = $test->run('--markdown', q{-}, @WORDS);
    is($run->{status}, 0, 'the run succeeds');
    like($run->{err}, qr/^1 x System Call Overhead  1 2 3$/m, 'the progress is on standard error');
    like(
        $run->{out},
        qr/\A## UnixBench .*, \d+ CPUs?\n\nUnixBench [0-9.]+, changed procedure, [0-9-]{10}, \S+ .*\n\n/,
        'the Markdown begins with a title'
    );
    like($run->{out}, qr/^[|] Recursion Test -- Tower of Hanoi +[|] +7[.]000 lps [|]$/m, 'the Markdown has the table');
    like($run->{out}, qr/^[|] System Call Overhead +[|] 1000[.]0 lps [+]-0[.]0 % [|]$/m, 'the table has all tests');
    like(
        $run->{out},
        qr/^> [*]{2}Note:[*]{2} changed procedure: passes and pauses shortened to 0[.]001/m,
        'the Markdown has the notes'
    );
    are_valid_markdown(output => $run->{out});
    like($test->report(q{}), qr/^System Call Overhead +1000[.]0 lps/m, 'the text report is written as usual');
    is_deeply([grep { /md\z/ } $test->reports], [], 'no file with Markdown is written');
};

subtest '--markdown FILE' => sub {
    my $test = place();
    my $file = $test->place('test', 'a b.md');
    my $run  = $test->run('-q', '--markdown', $file, @WORDS);
    is_deeply([@$run{qw(status err)}], [0, q{}], 'the run with a Markdown file succeeds');
    is($run->{out}, '=' x 72 . "\n" . $test->report(q{}), 'the text report is printed');
    my ($page) = map { $test->place('results', $_) } grep { /html\z/ } $test->reports;
    my $again = $test->run('report', $page, '--markdown', q{-});
    is_deeply([@$again{qw(status err out)}], [0, q{}, content($file)], 'report gives the same Markdown');
    my $none = $test->run('-q', '--markdown', $test->place('none', 'x'), @WORDS);
    is($none->{status}, 2, 'a file that cannot be written is refused');
    like($none->{err}, qr/\ARun: can't write \S+: No such file or directory\n\z/, 'the refusal has the reason');
};

subtest 'a full disk' => sub {
    skip_without(machine => '/dev/full') if !-e '/dev/full';
    my $test = place();
    my $run  = $test->run('-q', '--markdown', '/dev/full', @WORDS);
    is_deeply(
        [@$run{qw(status err)}],
        [1, "Run: can't write /dev/full: No space left on device\n"],
        'a full disk is reported'
    );
};

subtest 'a comparison' => sub {
    local $ENV{PERL5OPT} = "-I$FindBin::Bin/../lib -MPlayedLoad -MSteadyMachine";    # neither change the verdict
    my $test  = place();
    my @files = map { measure_into($test, "r$_", [1001, 1000, 999]) } 0, 1;
    my $slow  = measure_into($test, 'slow', [900, 901, 899]);
    my $run   = $test->run('compare', @files, qw(--markdown -));
    is_deeply([@$run{qw(status err)}], [0, q{}], 'a comparison of equal results succeeds');
    like(
        $run->{out},
        qr/\A## UnixBench comparison, equal within 2 %: r1 against r0\n\nUni/,
        'the comparison begins with a title'
    );
    like($run->{out}, qr/^[|] System Call Overhead +[|] .* equal [(].*[|]$/m, 'the comparison has the table');
    my $file = $test->place('test', 'c.md');
    $run = $test->run('compare', $files[0], $slow, '--markdown', $file);
    is($run->{status}, 3, 'a slower result: exit status 3');
    like($run->{out},    qr/\ASystem Benchmarks index/,               'the text is printed as usual');
    like(content($file), qr{^[|] System Call .* 10 % slower .*[|]$}m, 'the file has the table');
    are_valid_markdown(comparison => content($file));
};

done_testing();
