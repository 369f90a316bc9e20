# The option --export on the command line.

use strict;
use warnings;

use Cwd ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../../t/lib";
use CommandLines qw(are_accepted are_refused);

my $HERE = Cwd::getcwd();

#<<< tables
are_accepted(
    [
        '--export csv:a/b --export=lava:-' =>
            { exports => [{ format => 'csv', path => "$HERE/a/b" }, { format => 'lava', path => q{-} }] },
        [['export csv' => "$HERE/a/b"], ['export lava' => q{-}]]
    ],
    ['--export csv:a:b' => { exports => [{ format => 'csv', path => "$HERE/a:b" }] }],
    [
        '--resume r -q --export csv:e' =>
            { resume => 'r', quiet => 1, exports => [{ format => 'csv', path => "$HERE/e" }] },
        [['export csv' => "$HERE/e"]]
    ],
);
are_refused(
    (map { ["--export $_" => 'option --export needs TO:FILE, such as csv:values.csv'] } qw(csv -), q{""}),
    ['--export csv:'             => 'option --export needs the name of a file, not ""'],
    ['--export csv:-q' =>
            'option --export needs the name of a file, not "-q"'],
    ['--export lawa:x'           => 'option --export has no format "lawa"; did you mean lava?'],
    ['--export :x'               => 'option --export has no format ""'],
    ['--export csv:a --export lava:a' => "$HERE/a can have one report only: choose --export csv or --export lava"],
    ['--export csv:- --json -'   => 'standard output can have one report only: choose --json or --export csv'],
    ['--html - --export csv:-'   => 'standard output can have one report only: choose --html or --export csv'],
);
#>>>

done_testing;
