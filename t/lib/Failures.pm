package Failures;

# The messages of the harness about the programs in t/bin that fail.

use strict;
use warnings;

use Exporter 'import';

our @EXPORT_OK = qw(@FAILURES);

# A fake program => the reason why its copy fails.
our @FAILURES = (
    [segfault     => 'killed by SIGSEGV'],
    [sigill       => 'killed by SIGILL: built for another CPU?'],
    [exit3        => 'exit status 3'],
    [silent       => 'no COUNT line'],
    [zero         => 'a count of 0: "COUNT|0|1|lps"'],
    [negative     => 'not a count: "COUNT|-1|1|lps"'],
    ['no-bars'    => 'cannot open display'],
    ['error-line' => 'no space left'],
    [flood        => 'x' x 160 . '...'],
);

1;
