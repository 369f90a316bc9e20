# The options of requirements and the command check on the command line.

use strict;
use warnings;

use Cwd ();
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../lib ../../../t/lib);
use CommandLines                   qw(are_refused);
use UnixBench::CLI::Options        ();
use UnixBench::Command             ();

my $HERE    = Cwd::getcwd();
my $MEASURE = UnixBench::Command::declaration();
my $RESUME  = 'option --resume repeats the options of the interrupted run: leave out';

are_refused(
    (map { ["$_=" => qq{option $_ needs the name of a file, not ""}] } qw(--junit --verdict)),
    (map { [$_    => "option $_ needs a value; see ./Run --help"] } qw(--junit --require)),
    [
        '--require pipe' =>
            'requirement "pipe": there is no ">="; a requirement is [N:]NAME>=NUMBER or [N:]NAME>=NUMBER*RESULT'
    ],
    ['--max-age 1d'  => 'unknown option --max-age; did you mean ./Run check --max-age?'],
    ['check'         => 'check needs a file: ./Run check FILE'],
    ['check a b'     => 'check takes one file, not 2'],
    ['--verdict v'   => 'option --verdict needs --require'],
    ['--bisect pipe' => 'option --bisect needs --require'],
    [
        '--quick --precision 2 --bisect --require pipe>=1 pipe' =>
            'options --bisect and --precision contradict each other: leave out one of them'
    ],
    [
        '--bisect --require pipe>=1 --dry-run pipe' =>
            'options --bisect and --dry-run contradict each other: leave out one of them'
    ],
    ['report a --verdict v'        => 'option --verdict needs --require'],
    ['check a --max-age 7w'        => 'option --max-age needs a time such as 90, 90s, 5m, 1h or 7d, not "7w"'],
    ['--junit a --html b --json a' => "$HERE/a can have one report only: choose --json or --junit"],
    (map { ["--resume r $_" => "$RESUME " . (split)[0]] } '--require pipe>=1', '--force'),
);

# Takes words of a resumed and of the interrupted run; returns the error, or the options of the resumed run.
sub resumed {
    my ($given, $lasting) = map { UnixBench::Command::parse(split q{ }, $_) } @_;
    return eval { UnixBench::CLI::Options::check_resumed($MEASURE, $given, $lasting); 1 } ? $given : $@;
}

subtest 'what a resumed run may ask for' => sub {
    is(
        resumed('--resume r --bisect', 'pipe'),
        "option --bisect needs --require, which the interrupted run did not have\n",
        '--bisect is new'
    );
    is(
        resumed('--resume r --verdict v', 'pipe'),
        "option --verdict needs --require, which the interrupted run did not have\n",
        '--verdict has no requirement'
    );
    is(resumed('--resume r --verdict v', '--require pipe>=1 pipe')->{verdict}, "$HERE/v", 'it has one');
};

done_testing;
