package UnixBench::Scaling;

# The feature scaling: the shape by which the work of several copies grows.

use strict;
use warnings;

# The types of what it adds to results, see UnixBench::Base::ResultSchema.
my $TYPES = <<'END';
shape: how the work of a test or an index grows with the number of copies, if there are three numbers or more
  kind              test|index          which of these it is
  name              text                of a test: its name on the command line; of an index: its category
  title             text                its title in the reports
  shape             linear|corner|falls|undetermined
                                        linear, also with a corner; or the work falls
  to?               whole               the copies up to which it is linear, or beyond which it falls
  each?             unsigned            of a corner: what each further copy adds, as a part of one of the first
  words             text                the same in words
  at                [times_at]          the measured values

times_at: what a number of copies does
  copies            whole               the number of copies
  times             estimate            as a multiple of the fewest; the interval has the errors within both runs
END

# Returns the declaration, see UnixBench::Features.
sub declaration {
    return {
        part       => ['scaling'],
        types      => [$TYPES],
        of_results => { shapes => 'Scaling::Shapes' },
        topics     => [{ topic => 'Scaling::Topic', of_scaling => 10, in_block => 1 }],
    };
}

1;
