use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../../t/lib";
use OwnTree qw(own_tree);

# A tree with mode 0777 everywhere: that is a finding, and prevents no run.
my ($test, $tree) = own_tree();
system('chmod', '-R', '777', $tree) == 0 or die "chmod: $?\n";
my $run = $test->run(qw(doctor -q -c 1 hanoi));
unlike($run->{out}, qr/scratch files are not safe|make this one writable/, 'nothing prevents the run');
(my $text = $run->{out}) =~ s/\s+/ /g;
like($text, qr/All users can write to \Q$tree\E[.] Why it matters: They could replace the programs/, 'the line');

done_testing;
