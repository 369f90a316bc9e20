package UnixBench::Report::Page;

# The page of a result: what people read, and all data for programs.

use strict;
use warnings;

use UnixBench::Report::HTML      ();
use UnixBench::Report::JSON      ();
use UnixBench::Report::Topics    ();
use UnixBench::Store::ResultFile qw(ELEMENT_END begin_of);

# Takes a view and a function; calls the function with the page in pieces.
sub write_to {
    my ($view, $write) = @_;
    my ($begin, $page, $end) = UnixBench::Report::HTML::pieces(UnixBench::Report::Topics::report_of($view));
    $write->($begin . begin_of('summary') . UnixBench::Report::JSON::summary($view) . ELEMENT_END);
    $write->($page . begin_of('result'));
    UnixBench::Report::JSON::write_to($view, $write);
    $write->(ELEMENT_END . $end);
    return;
}

1;
