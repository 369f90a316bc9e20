package UnixBench::Accept::Together;

# Several results that are judged together. They have to be runs of one machine, in the same procedure.

use strict;
use warnings;

use UnixBench::Base::Text        qw(clean);
use UnixBench::Compare::Kind     ();
use UnixBench::Compare::Repeated ();
use UnixBench::Store::Outline    ();

# What has to be equal in addition to what all comparisons ask for, see UnixBench::Compare::Kind.
my @OF_MACHINE = (
    [host => sub { UnixBench::Store::Outline::of($_[0])->{name} }],
    [CPU  => sub { UnixBench::Store::Outline::of($_[0])->{cpu} }],
);

# Takes the results as sides, each { label, summary, and perhaps more }, and whether they are judged together even if
# they differ. Returns them as UnixBench::Compare::Repeated::together() does. Dies with one line if one comes twice, or
# if they differ.
sub of {
    my ($sides, $is_forced) = @_;
    UnixBench::Compare::Repeated::refuse_twice(@$sides);
    my @differences = UnixBench::Compare::Kind::obstacles($sides);
    push @differences, map { UnixBench::Compare::Kind::obstacle($_, @$sides) } @OF_MACHINE;
    die "these results can't be judged together: "
        . join('; ', map { clean($_) } @differences)
        . "; judge each alone, or use --force\n"
        if @differences && !$is_forced;
    return UnixBench::Compare::Repeated::together(@$sides);
}

1;
