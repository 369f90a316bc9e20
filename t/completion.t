use strict;
use warnings;

use Cwd            ();
use File::Basename ();
use Test::More;

my $home = File::Basename::dirname(File::Basename::dirname(Cwd::abs_path(__FILE__)));
plan skip_all => 'bash is not here' if system('bash -c true 2>/dev/null') != 0;

# What bash offers for the start of a word behind ./Run.
sub offered {
    my ($start) = @_;
    my $script = 'cd "$1"; . share/completion.bash; COMP_WORDS=(./Run "$2"); COMP_CWORD=1; _unixbench;'
        . ' printf "%s\n" "${COMPREPLY[@]}"';
    open my $bash, '-|', 'bash', '-c', $script, 'bash', $home, $start or die "bash: $!\n";
    chomp(my @lines = readline $bash);
    close $bash;
    return "@lines";
}

is(offered('fsd'),   'fsdisk-w fsdisk-r fsdisk', 'tests');
is(offered('gind'),  'gindex',                   'aliases');
is(offered('--dry'), '--dry-run',                'options');
is(offered('bogus'), q{},                        'nothing');

done_testing;
