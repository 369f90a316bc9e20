package UnixBench::Store::ClassicReport::Titles;

# The titles of tests and indexes in the reports of all versions.

use strict;
use warnings;

use UnixBench::Catalog ();

my @TESTS    = UnixBench::Catalog::tests();
my @SEARCHES = map { UnixBench::Catalog::as_search($_) } grep { $_->{has_users} } @TESTS;
my %NAME     = map { _normal($_->{title}) => $_->{name} } @TESTS, @SEARCHES;
my %CATEGORY = map { $_->{title} => $_->{name} } UnixBench::Catalog::categories();

# Takes a test's title; returns its name: the title itself if this suite has no such test.
sub test {
    my ($title) = @_;
    return $NAME{ _normal($title) } // $title;
}

# Takes a test's title; returns whether this suite has such a test.
sub is_known {
    my ($title) = @_;
    return exists $NAME{ _normal($title) };
}

# Takes the title of an index's table; returns its category, or undef.
sub category {
    my ($title) = @_;
    return $CATEGORY{$title};
}

# Returns a title as all versions have it: older ones wrote "Arithmetic Test (type = short)", "Recursion Test--Tower of
# Hanoi", "Execl Throughput Test" and did not name the compiler.
sub _normal {
    my ($title) = @_;
    my $normal = lc $title;
    $normal        =~ s/\(type = (\w+)\)/($1)/;
    $normal        =~ s/ ?-- ?/ -- /;
    $normal        =~ s/ test\z//;
    return $normal =~ s/\Ac compiler throughput\z/c compiler throughput (gcc)/r;
}

1;
