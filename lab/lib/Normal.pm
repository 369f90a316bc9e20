package Normal;

# Random numbers of the normal distribution, by rand.

use strict;
use warnings;

use Exporter 'import';

our @EXPORT_OK = qw(normal);

use constant PI => 4 * atan2 1, 1;

# Returns a random number of the standard normal distribution (G. Box and M. Muller, 1958).
sub normal {
    return sqrt(-2 * log(1 - rand)) * cos(2 * PI * rand);
}

1;
