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
    [
        '--require pipe' =>
            'requirement "pipe": there is no ">="; a requirement is [N:]NAME>=NUMBER or [N:]NAME>=NUMBER*RESULT'
    ],
    ['--max-age 1d'  => 'unknown option --max-age'],
    ['--bisect pipe' => 'option --bisect needs --require'],
    (
        map {
            ["$_->[0] --bisect --require pipe>=1 pipe" =>
                    "options --bisect and $_->[1] contradict each other: leave out one of them"
            ]
        } ['--quick --precision 2' => '--precision'],
        ['--dry-run' => '--dry-run']
    ),
    ['--junit a --html b --json a' => "$HERE/a can have one report only: choose --json or --junit"],
    (map { ["--resume r $_" => "$RESUME " . (split)[0]] } '--require pipe>=1', '--force'),
);

# Takes words of a resumed and of the interrupted run; returns the error, or the options of the resumed run.
sub resumed {
    my ($given, $lasting) = map { UnixBench::Command::parse(split q{ }, $_) } @_;
    return eval { UnixBench::CLI::Options::check_resumed($MEASURE, $given, $lasting); 1 } ? $given : $@;
}

my $NEEDS = 'needs --require, which the interrupted run did not have';
is(resumed("--resume r $_", 'pipe'), 'option ' . (split)[0] . " $NEEDS\n", "$_ is new") for '--bisect', '--verdict v';
is(resumed('--resume r --verdict v', '--require pipe>=1 pipe')->{verdict}, "$HERE/v", 'a file of known requirements');

done_testing;
