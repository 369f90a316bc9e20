package UnixBench::Accept::Together;

# Several results that are judged together. They have to be runs of one machine, which measured the same values in the
# same way, by the same programs.

use strict;
use warnings;

use UnixBench::Base::JSON        ();
use UnixBench::Base::Text        qw(clean listed);
use UnixBench::Compare::Kind     ();
use UnixBench::Compare::Repeated ();
use UnixBench::Store::Outline    ();

# What has to be equal in addition to what all comparisons ask for, see UnixBench::Compare::Kind.
my @OF_MACHINE = (
    ['host'                     => sub { UnixBench::Store::Outline::of($_[0])->{name} }],
    ['CPU'                      => sub { UnixBench::Store::Outline::of($_[0])->{cpu} }],
    ['states in turns, --under' => \&_states, sub { 'several' }],
);

# Takes the results as sides, each { label, summary, and perhaps more }, criteria (see UnixBench::Accept::Requirement),
# and whether they are judged together even if they differ. Returns them as UnixBench::Compare::Repeated::together()
# does. Dies with one line if one comes twice, or if they differ.
sub of {
    my ($sides, $criteria, $is_forced) = @_;
    UnixBench::Compare::Repeated::refuse_twice(@$sides);
    my @differences = $is_forced ? () : _differences($sides, @$criteria);
    die "these results can't be judged together: "
        . join('; ', map { clean($_) } @differences)
        . "; judge each alone, or use --force\n"
        if @differences;
    return UnixBench::Compare::Repeated::together(@$sides);
}

sub _differences {
    my ($sides, @criteria) = @_;
    my @known = UnixBench::Compare::Kind::obstacles($sides);
    push @known, map { UnixBench::Compare::Kind::obstacle($_, @$sides) } @OF_MACHINE;
    return (@known, _other_programs($sides, @criteria));
}

# Returns the states of a run that measured several in turns, as a text, or an empty one.
sub _states {
    my ($summary) = @_;
    my $turns = ($summary->{procedure} || {})->{turns};
    return $turns ? UnixBench::Base::JSON::encode($turns) : q{};
}

# Returns a sentence on the programs of the required values that are not the same in all results, or nothing.
sub _other_programs {
    my ($sides, @criteria) = @_;
    my @digests = map { ($_->{summary}{files} || {})->{programs} || {} } @$sides;
    my %is_other;
    for my $what (map { _what($_) } @criteria) {
        for my $name (map { UnixBench::Store::Outline::programs($what, $_) } @digests) {
            my %found = map { $_ => 1 } grep { defined } map { $_->{$name} } @digests;
            $is_other{$name} = 1 if keys %found > 1;
        }
    }
    return %is_other ? 'other programs: ' . listed(sort keys %is_other) : ();
}

# Takes a criterion; returns its value as outlines name it.
sub _what {
    my ($criterion) = @_;
    my $category = $criterion->{category};
    return "$criterion->{copies} " . (defined $category ? "index $category" : "test $criterion->{name}");
}

1;
