use strict;
use warnings;

use Cwd        ();
use File::Temp ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../../../t/lib";
use Completion qw(offered);
use Needs      qw(need_built need_tools skip_without);
use PseudoTerminal;

# The completions of interbench.

my $home        = Cwd::abs_path("$FindBin::Bin/../../../..");
my $completions = Cwd::abs_path("$FindBin::Bin/../../share/completion");
local $ENV{PATH} = "$home/pgms:$ENV{PATH}";

# [the words after interbench, of which the last one is completed; what is offered].
my @CASES = (
    [['-W', 'A'],    ['Audio'],               'names of tasks'],
    [['-x', 'Me'],   ['Memload'],             'names of loads'],
    [['--separate'], ['--separate-sessions'], 'options'],
    [['--max-d'],    ['--max-disk'],          'options with values'],
);

for my $shell (qw(bash fish zsh)) {
    subtest $shell => sub {
        need_tools($shell);
        skip_without(machine => 'terminals') if !PseudoTerminal->new(80);
        need_built('interbench');
        is_deeply([offered($shell, $completions, $home, 'interbench', @{ $_->[0] })], $_->[1], $_->[2]) for @CASES;
        my $here = File::Temp->newdir;
        for my $words (['-W', '$(touch X)'], ['$(touch X)']) {
            offered($shell, $completions, "$here", 'interbench', @$words);
            ok(!-e "$here/X", "nothing is evaluated after @$words");
        }
    };
}

done_testing;
