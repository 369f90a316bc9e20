use strict;
use warnings;

use Cwd            ();
use File::Basename ();
use File::Temp     ();
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/../../$_" } qw(t/lib lib);
use Completion                           qw(offered);
use Needs                                qw(need_built need_tools skip_without);
use PseudoTerminal;
use TestProgram qw(write_file);
use UnixBench::CLI::OptionTable;
use UnixBench::Catalog;

my $home = Cwd::abs_path(File::Basename::dirname(__FILE__) . '/../..');
local $ENV{PATH} = "$home/pgms:$ENV{PATH}";

# Takes the name of a group; returns its options.
sub options_of {
    my ($group) = @_;
    return map { $_->{flag} } grep { $_->{group} eq $group } UnixBench::CLI::OptionTable::options();
}

my @groups  = map { $_->{name} } UnixBench::CLI::OptionTable::groups();
my @tests   = (UnixBench::Catalog::aliases(), map { $_->{name} } UnixBench::Catalog::tests());
my $results = File::Temp->newdir;
my $user    = File::Temp->newdir;
mkdir "$user/$_" or die "$user/$_: $!\n" for qw(unixbench unixbench/results);
write_file("$results/$_", q{}) for 'vm-1.journal', 'vm-2.html', 'mine.json', 'mine.html';
write_file("$user/unixbench/results/elsewhere-3.html", q{});
delete $ENV{XDG_DATA_HOME};
local $ENV{UB_RESULTDIR} = $results;

# [the words after ./Run, of which the last one is completed; what is offered].
my @CASES = (
    [['fsd'],   ['fsdisk', 'fsdisk-r', 'fsdisk-w'], 'tests are offered'],
    [['gind'],  ['gindex'],                         'aliases are offered'],
    [['--dry'], ['--dry-run'],                      'options are offered'],
    [[q{}],     \@tests,                            'all tests are offered'],
    [[q{-}],    [map { options_of($_) } @groups],   'all options are offered'],
    [['--help',    q{}],    \@groups,        'groups are offered after --help'],
    [['help',      'mu'],   ['multiuser'],   'groups are offered after help'],
    [['--help',    '--qu'], ['--quick'],     'options are offered after --help'],
    [['--resume',  'v'],    ['vm-1'],        'unfinished runs are offered'],
    [['--observe', q{}],    ['syscalls'],    'the kinds of observation are offered'],
    [['--export',  'open'], ['openmetrics'], 'the formats of --export are offered'],
    [['--compare', 'a', 'vm'],     ['vm-2'],            'finished runs are offered'],
    [['--fleet', 'vm'],            ['vm-2'],            'finished runs are offered after --fleet'],
    [['--rank', 'vm'],             ['vm-2'],            'finished runs are offered after --rank'],
    [['--report', 'vm'],           ['vm-2'],            'finished runs are offered after --report'],
    [['--compare', '--min-e'],     ['--min-effect'],    'options are offered after --compare'],
    [['--users', '5', 'multi'],    ['multiuser'],       'tests are offered after a value'],
    [['multiuser', '--find'],      ['--find-capacity'], 'options are offered after a test'],
    [['--json', '/tmp/x', 'gind'], ['gindex'],          'tests are offered after a file'],
    [['bogus'],                    [],                  'an unknown word is not completed'],
);

# The same for other commands, with their name as the first word.
my @OTHERS = (
    [['interbench', '-W', 'A'],    ['Audio'],               'interbench: names of tasks'],
    [['interbench', '-x', 'Me'],   ['Memload'],             'interbench: names of loads'],
    [['interbench', '--separate'], ['--separate-sessions'], 'interbench: options'],
    [['interbench', '--js'],       ['--json'],              'interbench: options with values'],
    [['ubgears', '-w'],            ['-warmup'],             'ubgears: options'],
    [['ubgears', '-'],             ['-display', '-info', '-n', '-time', '-v', '-warmup'], 'ubgears: all options'],
);

for my $shell (qw(bash fish zsh)) {
    subtest $shell => sub {
        need_tools($shell);
        skip_without(machine => 'terminals') if !PseudoTerminal->new(80);
        is_deeply(
            [offered($shell, "$home/share/completion", $home, './Run', @{ $_->[0] })],
            [sort @{ $_->[1] }],
            $_->[2]
        ) for @CASES;
        for my $file (qw(--json --html --markdown --junit --verdict --check --script --report)) {
            my @files = offered($shell, "$home/share/completion", "$results", "$home/Run", $file, 'mine.j');
            is_deeply(\@files, ['mine.json'], "files are offered after $file");
        }
        {
            delete local $ENV{UB_RESULTDIR};
            local $ENV{XDG_DATA_HOME} = $user;
            is_deeply([offered($shell, "$home/share/completion", $home, './Run', '--report', 'elsew')],
                ['elsewhere-3'], 'runs of an installed suite are offered');
        }
        need_built('interbench');
        is_deeply([offered($shell, "$home/share/completion", $home, @{ $_->[0] })], $_->[1], $_->[2]) for @OTHERS;
    };
}

# Bash takes an equals sign for a word.
subtest 'equals signs in bash' => sub {
    need_tools('bash');
    my @said = (['--help', q{=}, 'mu'] => 'multiuser', ['--resume', q{=}, 'v'] => 'vm-1');
    while (my ($words, $offer) = splice @said, 0, 2) {
        is_deeply([offered('bash', "$home/share/completion", $home, './Run', @$words)], [$offer], "after @$words");
    }
};

subtest 'equals signs in zsh' => sub {
    need_tools('zsh');
    skip_without(machine => 'terminals') if !PseudoTerminal->new(80);
    is_deeply([offered('zsh', "$home/share/completion", $home, './Run', '--resume=v')], ['vm-1'], 'after --resume=');
};

done_testing;
