package ObservedPlan;

# The argument of plans whose tests are observed.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Observe::ExtraPass;

our @EXPORT_OK = qw($EXTRA @OBSERVE);

our $EXTRA   = UnixBench::Observe::ExtraPass->extra_pass(options => {}, has_program => sub { 1 });
our @OBSERVE = (extras => [$EXTRA]);

1;
