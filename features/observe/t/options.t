# The options --observe and --rows.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use CommandLines                   qw(are_accepted are_refused);
use UnixBench::CLI::Options        ();
use UnixBench::Command;

are_accepted(
    ['--observe syscalls pipe' => { observe => 'syscalls', asked => ['pipe'], tests => ['pipe'] }],
    ['--rows --observe=syscalls --quick -c 2' => { observe => 'syscalls', rows => 1, quick => 1, copies => [2] }],
);

my $MEASURE = UnixBench::Command::declaration();
my $options = UnixBench::Command::parse(qw(--observe syscalls --rows pipe));
my @words   = UnixBench::CLI::Options::lasting_words($MEASURE, $options);
my $resumed = UnixBench::Command::parse(@words);
is_deeply([@$resumed{qw(observe rows)}], ['syscalls', 1], 'a resumed run has both options');

my $RESUME = 'option --resume repeats the options of the interrupted run: leave out';
are_refused(
    (
        map { ["--observe=$_" => qq{option --observe needs syscalls, not "$_"}] } qw(syscall SYSCALLS s), 'sequence',
        'syscalls,sequence',                                                                              q{}
    ),
    ['--observe'                          => 'option --observe needs a value; see ./Run --help'],
    ['--rows'                             => 'option --rows needs --observe'],
    ['--rows compare a b'                 => 'compare has no option --rows: leave it out; see ./Run help compare'],
    ['--observe syscalls --rows=all'      => 'option --rows takes no value'],
    ['explain --observe syscalls pipe'    => 'explain has no option --observe: leave it out; see ./Run help explain'],
    ['report r --observe syscalls --rows' => 'report has no option --observe: leave it out; see ./Run help report'],
    ['--resume r --observe syscalls'      => "$RESUME --observe"],
);

done_testing;
