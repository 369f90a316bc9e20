use strict;
use warnings;

use FindBin qw($Bin);
use Test::More;

use lib map { "$Bin/$_" } qw(lib ../../../../t/lib);
use CDriver               qw(driver);
use Needs                 qw(need_compiler);
use TestProgram           ();

need_compiler();

my $program = driver('message', 'message');

# Kind of message, text, whether the protocol is on; then exit status, standard output and standard error.
my @SAID = (
    ['notice',   'so it is',   0, 0, "table\n",                       "interbench: so it is\n"],
    ['notice',   'so it is',   1, 0, "table\ninterbench: so it is\n", q{}],
    ['complain', 'so it is',   0, 0, "table\n",                       "interbench: so it is\n"],
    ['complain', 'so it is',   1, 0, "table\n",                       "ERROR|so it is\n"],
    ['fail',     'so it is',   0, 4, "table\n",                       "interbench: so it is\n"],
    ['fail',     'so it is',   1, 4, "table\n",                       "ERROR|so it is\n"],
    ['complain', '100 % %s',   0, 0, "table\n",                       "interbench: 100 % %s\n"],
    ['complain', "a\nb\tc\e[", 0, 0, "table\n",                       "interbench: a?b?c?[\n"],
    ['complain', "\xc3\xa9",   0, 0, "table\n",                       "interbench: \xc3\xa9\n"],
    ['complain', q{},          0, 0, "table\n",                       "interbench: \n"],
    ['complain', 'x' x 5000,   0, 0, "table\n",                       'interbench: ' . 'x' x 999 . "\n"],
);

for my $case (@SAID) {
    my ($kind, $text, $is_protocol, @expected) = @$case;
    my $done = TestProgram::run([$program, $kind, $text, $is_protocol ? 'protocol' : ()]);
    my $name = substr "$kind: " . $text =~ s/[^\x20-\x7e]/?/gr, 0, 40;
    is_deeply([@$done{qw(status out err)}], \@expected, $name . ($is_protocol ? ', with the protocol' : q{}));
}

done_testing();
