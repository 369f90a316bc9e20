use strict;
use warnings;

use Cwd            ();
use File::Basename ();
use File::Temp     ();
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/../../$_" } qw(t/lib lib);
use Completion                           qw(offered typed);
use Needs                                qw(need_built need_tools skip_without);
use PseudoTerminal;
use TestProgram qw(write_file);
use UnixBench::CLI::Declaration;
use UnixBench::CLI::Usage;
use UnixBench::Catalog;
use UnixBench::Command;

my $home = Cwd::abs_path(File::Basename::dirname(__FILE__) . '/../..');
local $ENV{PATH} = "$home/pgms:$ENV{PATH}";

# Takes the name of a command, or undef; returns its options.
sub options_of {
    my ($command) = @_;
    my @options = UnixBench::CLI::Usage::shown_options(UnixBench::Command::declaration($command));
    return map { $_->{flag} } @options, UnixBench::CLI::Declaration::everywhere();
}

my @commands     = UnixBench::Command::names();
my @with_results = map { $_->{name} } grep { ($_->{takes} // q{}) eq 'result' } UnixBench::Command::declarations();
my @tests        = (UnixBench::Catalog::aliases(), map { $_->{name} } UnixBench::Catalog::tests());
my $results      = File::Temp->newdir;
my $user         = File::Temp->newdir;
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
    [[q{}],     [@commands, @tests],                'all commands and tests are offered'],
    [[q{-}],    [options_of()],                     'all options of measuring are offered'],
    (map { [[$_, q{-}], [options_of($_)], "all options of $_ are offered"] } @commands),
    [['help', q{}],                      \@commands,                         'commands are offered after help'],
    [['help', 'com'],                    ['compare'],                        'a command is offered after help'],
    [['explain', 'han'],                 ['hanoi'],                          'tests are offered after explain'],
    [['doctor', '--strict', 'fsd'],      ['fsdisk', 'fsdisk-r', 'fsdisk-w'], 'tests are offered after doctor'],
    [['--resume', 'v'],                  ['vm-1'],                           'unfinished runs are offered'],
    [['--observe', q{}],                 ['syscalls'],                       'the kinds of observation are offered'],
    [['--export', 'open'],               ['openmetrics'],                    'the formats of --export are offered'],
    [['report', 'x', '--export', 'lav'], ['lava'], 'the formats of --export are offered after a command'],
    (map { [[$_, 'vm'], ['vm-2'], "finished runs are offered after $_"] } @with_results),
    [['compare', 'a', 'vm'],       ['vm-2'],         'finished runs are offered after a result'],
    [['compare', '--min-e'],       ['--min-effect'], 'options are offered after compare'],
    [['--seed', '5', 'hano'],      ['hanoi'],        'tests are offered after a value'],
    [['hanoi', '--dry'],           ['--dry-run'],    'options are offered after a test'],
    [['--json', '/tmp/x', 'gind'], ['gindex'],       'tests are offered after a file'],
    [['bogus'],                    [],               'an unknown word is not completed'],
);

# The same for other commands, with their name as the first word.
my @OTHERS = (
    [['ubgears', '-w'], ['-warmup'],                                           'ubgears: options'],
    [['ubgears', '-'],  ['-display', '-info', '-n', '-time', '-v', '-warmup'], 'ubgears: all options'],
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
        for my $file (qw(--json --html --markdown --junit --verdict --script check report compare)) {
            my @files = offered($shell, "$home/share/completion", "$results", "$home/Run", $file, 'mine.j');
            is_deeply(\@files, ['mine.json'], "files are offered after $file");
        }
        {
            delete local $ENV{UB_RESULTDIR};
            local $ENV{XDG_DATA_HOME} = $user;
            is_deeply([offered($shell, "$home/share/completion", $home, './Run', 'report', 'elsew')],
                ['elsewhere-3'], 'runs of an installed suite are offered');
        }
        need_built('ubgears');
        is_deeply([offered($shell, "$home/share/completion", $home, @{ $_->[0] })], $_->[1], $_->[2]) for @OTHERS;
    };
}

# Names that a shell would evaluate or expand.
my @HOSTILE = (
    '$(touch X)',
    '`touch X`',
    '${X:=$(touch X)}',
    'two words',
    q{it's "one"},
    'a*',
    'x;touch X',
    'x|touch X',
    'back\\slash'
);

for my $shell (qw(bash fish zsh)) {
    subtest "hostile names in $shell" => sub {
        need_tools($shell);
        skip_without(machine => 'terminals') if !PseudoTerminal->new(80);
        my $here = File::Temp->newdir;
        mkdir "$here/results" or die "results: $!\n";
        local $ENV{UB_RESULTDIR} = "$here/results";
        write_file("$here/results/$_", q{}) for map { ("$_.html", "$_.journal") } @HOSTILE, "two\nlines";
        write_file("$here/$_", q{}) for grep { !m{/} } @HOSTILE;
        for my $words ([qw(report)], [qw(compare a)], [qw(--resume)], [qw(--json)], ['report', '$(touch X)'],
            ['$(touch X)'])
        {
            my @offers = offered($shell, "$home/share/completion", "$here", "$home/Run", @$words, q{});
            ok(!-e "$here/X", "nothing is evaluated after @$words");
            next if $words->[-1] =~ /touch|--json/;
            my %is_offered = map { $shell ne 'fish' ? s/\\(.)/$1/gsr : $_ => 1 } @offers;
            is_deeply([grep { !$is_offered{$_} } @HOSTILE], [], "all names are offered after @$words");
        }
        need_built('ubgears');
        offered($shell, "$home/share/completion", "$here", 'ubgears', '$(touch X)');
        ok(!-e "$here/X", 'nothing is evaluated after ubgears');
    };
}

subtest 'a hostile name on the line of bash' => sub {
    need_tools('bash');
    skip_without(machine => 'terminals') if !PseudoTerminal->new(80);
    for my $name (@HOSTILE, "two\nlines") {
        my ($here, $runs) = map { File::Temp->newdir } 1, 2;
        local $ENV{UB_RESULTDIR} = "$runs";
        write_file("$runs/$name.$_", q{}) for qw(html journal);
        for my $words ('report', '--resume') {
            my @line = typed("$home/share/completion", "$here", "./Run $words ");
            is_deeply(\@line, ['./Run', $words, $name], "$words: the word is quoted");
            ok(!-e "$here/X", 'nothing is evaluated');
        }
    }
};

# Bash takes an equals sign for a word.
subtest 'equals signs in bash' => sub {
    need_tools('bash');
    my @said = (['--observe', q{=}, 's'] => 'syscalls', ['--resume', q{=}, 'v'] => 'vm-1');
    while (my ($words, $offer) = splice @said, 0, 2) {
        is_deeply([offered('bash', "$home/share/completion", $home, './Run', @$words)], [$offer], "after @$words");
    }
};

done_testing;
