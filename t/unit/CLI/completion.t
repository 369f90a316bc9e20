use strict;
use warnings;

use Cwd            ();
use File::Basename ();
use File::Temp     ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Needs qw(need_tools);

my $home = Cwd::abs_path(File::Basename::dirname(__FILE__) . '/../../..');
need_tools('bash');

# What bash offers for the start of the last of these words behind ./Run. A sign of equality is a word to it.
sub offered {
    my (@words) = @_;
    my $script = 'cd "$1"; shift; . share/completion.bash; COMP_WORDS=(./Run "$@"); COMP_CWORD=$#; _unixbench;'
        . ' printf "%s\n" "${COMPREPLY[@]}"';
    open my $bash, '-|', 'bash', '-c', $script, 'bash', $home, @words or die "bash: $!\n";
    chomp(my @lines = readline $bash);
    close $bash;
    return "@lines";
}

is(offered('fsd'),   'fsdisk-w fsdisk-r fsdisk', 'tests');
is(offered('gind'),  'gindex',                   'aliases');
is(offered('--dry'), '--dry-run',                'options');
my $results = File::Temp->newdir;
open my $journal, '>', "$results/vm-1.journal" or die "journal: $!\n";
local $ENV{UB_RESULTDIR} = $results;
is(offered('--resume',  'v'), 'vm-1',              'unfinished runs');
is(offered('--observe', 's'), 'syscalls sequence', 'what can be observed');
is(offered('bogus'), q{}, 'nothing');

open my $result, '>', "$results/my 1.json" or die "result: $!\n";
my @behind = map { [$_] } qw(--json --html --markdown --junit --report --script --compare);
for my $words (@behind, ['--compare', 'a', '-q'], ['--html', q{=}]) {
    is(offered(@$words, "$results/m"), "$results/my 1.json", "files behind @$words");
}
is(offered('--compare', '--min-e'),     '--min-effect',    'options behind --compare');
is(offered('--users', '5', 'multi'),    'multiuser',       'tests behind a value');
is(offered('multiuser', '--find'),      '--find-capacity', 'options of a test');
is(offered('--resume', q{=}, 'v'),      'vm-1',            'unfinished runs behind a sign of equality');
is(offered('--json', $results, 'gind'), 'gindex',          'tests behind a file');

done_testing;
