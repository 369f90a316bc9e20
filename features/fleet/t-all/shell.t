# shellcheck finds nothing in the scripts of the collection, and of the examples for other engines.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../../t/lib";
use Needs qw(need_tools);

need_tools('shellcheck');
chdir "$FindBin::Bin/.." or die "chdir: $!\n";

my %SHELL_OF = (
    'ansible/roles/unixbench/files/host.sh' => 'sh',
    'parallel/measure-host'                 => 'sh',
    'slurm/measure.sh'                      => 'sh',
    'slurm/unixbench.nhc'                   => 'bash',
);

is(qx(shellcheck -s $SHELL_OF{$_} $_ 2>&1), q{}, $_) for sort keys %SHELL_OF;

done_testing;
