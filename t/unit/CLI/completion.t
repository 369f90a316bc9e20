use strict;
use warnings;

use Cwd            ();
use File::Basename ();
use File::Temp     ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Needs qw(need_tools);
use UnixBench::CLI::OptionTable;
use UnixBench::Catalog;

my $home = Cwd::abs_path(File::Basename::dirname(__FILE__) . '/../../..');
need_tools('bash');

# Takes the words after ./Run; returns the completions that bash offers for the last one. Bash takes = for a word.
sub offered {
    my (@words) = @_;
    my $script = 'cd "$1"; shift; . share/completion.bash; COMP_WORDS=(./Run "$@"); COMP_CWORD=$#; _unixbench;'
        . ' printf "%s\n" "${COMPREPLY[@]}"';
    open my $bash, '-|', 'bash', '-c', $script, 'bash', $home, @words or die "bash: $!\n";
    chomp(my @lines = readline $bash);
    close $bash;
    return "@lines";
}

# Takes the name of a group; returns its options.
sub options_of {
    my ($group) = @_;
    return grep { $_->{group} eq $group } UnixBench::CLI::OptionTable::options();
}

is(offered('fsd'),   'fsdisk-w fsdisk-r fsdisk', 'tests are offered');
is(offered('gind'),  'gindex',                   'aliases are offered');
is(offered('--dry'), '--dry-run',                'options are offered');
is_deeply(
    [sort split q{ }, offered(q{})],
    [sort(UnixBench::Catalog::aliases(), map { $_->{name} } UnixBench::Catalog::tests())],
    'without a word, all tests and aliases are offered'
);
is(
    offered(q{-}),
    join(q{ }, map { $_->{flag} } map { options_of($_->{name}) } UnixBench::CLI::OptionTable::groups()),
    'after a hyphen, all options are offered, also one that has a short form'
);
my $groups = join q{ }, map { $_->{name} } UnixBench::CLI::OptionTable::groups();
is(offered(@$_,      q{}),    $groups,     "groups are offered after @$_") for ['--help'], ['help'], ['--help', q{=}];
is(offered(@$_,      'mu'),   'multiuser', "the group that begins so is offered after @$_") for ['--help'], ['help'];
is(offered('--help', '--qu'), '--quick',   'options are offered after --help');
my $results = File::Temp->newdir;
open my $journal, '>', "$results/vm-1.journal" or die "journal: $!\n";
local $ENV{UB_RESULTDIR} = $results;
is(offered('--resume',  'v'), 'vm-1',              'unfinished runs are offered after --resume');
is(offered('--observe', 's'), 'syscalls sequence', 'syscalls and sequence are offered after --observe');
is(offered('bogus'), q{}, 'an unknown word is not completed');

open my $result, '>', "$results/my 1.json" or die "result: $!\n";
my @takes_file = map { [$_] } qw(--json --html --markdown --junit --report --script --compare --rank);
for my $words (@takes_file, ['--compare', 'a', '-q'], ['--html', q{=}]) {
    is(offered(@$words, "$results/m"), "$results/my 1.json", "files are offered after @$words");
}
open my $page, '>', "$results/vm-2.html" or die "page: $!\n";
is(offered(@$_, 'vm'), 'vm-2', "finished runs are offered after @$_") for ['--compare', 'a'], ['--rank'], ['--report'];
is(offered('--compare', '--min-e'),     '--min-effect',    'options are offered after --compare');
is(offered('--users', '5', 'multi'),    'multiuser',       'tests are offered after the value of an option');
is(offered('multiuser', '--find'),      '--find-capacity', 'options are offered after a test');
is(offered('--resume', q{=}, 'v'),      'vm-1',            'unfinished runs are offered after an equals sign');
is(offered('--json', $results, 'gind'), 'gindex',          'tests are offered after a file');

done_testing;
