package Gallery::Interactive;

# Results of interactive tests for the gallery.

use strict;
use warnings;

use Fixture     qw(@INDEX run);
use Cases       qw(one_test whole);
use Interactive qw(capacity response);

# Returns the results, each [name, runs].
sub results {
    my @passes = (capacity(541, 602.2, 488), response(1, 0.9, 31));
    return (
        ['interactive'        => [run(1, capacity(541.857),                response(1))]],
        ['interactive-passes' => [run(1, (map { one_test($_, 1) } @INDEX), @passes), whole(2)]],
    );
}

# Returns tests with every kind of data.
sub tests { return (capacity(541.857, 580), response(1, 1.2)) }

1;
