package UnixBench::Accept::OtherLoad;

# Whether other load on the machine, and not the machine, can be why a requirement is not met. Steal and quotas are not
# other load: they belong to the machine that is delivered.

use strict;
use warnings;

use List::Util ();

use UnixBench::Score::Spread ();

# The causes of tags that are other load, the most telling first.
my @CAUSES   = qw(others run_queue pressure_cpu pressure_io pressure_memory);
my %IS_CAUSE = map { $_ => 1 } @CAUSES;

# Causes whose values are the part by which a pass may be too slow, when the level of the tag is "note". Processes that
# waited before a pass are not among them: they used CPU time in it, or did no harm.
my %IS_PART = map { $_ => 1 } grep { $_ ne 'run_queue' } @CAUSES;

# Takes a run of a result and a criterion that its value does not meet, see UnixBench::Accept::Criteria. Returns
# what other load was found, { cause, worst, passes, of } for each cause, when the machine may meet the criterion
# without it. Returns nothing when also the passes without other load are too slow.
sub found {
    my ($run, $criterion) = @_;
    my %is_own = map  { $_ => 1 } @{ $criterion->{tests} };
    my @tests  = grep { $is_own{ $_->{name} } } @{ $run->{tests} };
    my @found  = _causes(map { @{ $_->{passes} } } @tests) or return;
    my @left   = map {
        +{ %$_, passes => [grep { !_is_disturbed($_) } @{ $_->{passes} }] }
    } @tests;
    my $high   = _upper_end($run, $criterion, @left) // return @found;
    my $slowed = List::Util::max(0, map { _slowed($_) } map { @{ $_->{passes} } } @left);
    return $high * (1 + $slowed) < $criterion->{limit} ? () : @found;
}

sub _causes {
    my (@passes) = @_;
    my %tags;
    push @{ $tags{ $_->{cause} } }, $_ for map { _tags($_) } @passes;
    return map { +{ cause => $_, worst => _worst($tags{$_}), passes => scalar @{ $tags{$_} }, of => scalar @passes } }
        grep { $tags{$_} } @CAUSES;
}

sub _worst {
    my ($tags) = @_;
    return List::Util::max(map { $_->{value} } @$tags);
}

# Those of other load.
sub _tags {
    my ($pass) = @_;
    return grep { $IS_CAUSE{ $_->{cause} } } @{ $pass->{tags} || [] };
}

sub _is_disturbed {
    my ($pass) = @_;
    return scalar grep { $_->{level} eq 'disturbed' } _tags($pass);
}

sub _slowed {
    my ($pass) = @_;
    return map { $_->{value} } grep { $IS_PART{ $_->{cause} } } _tags($pass);
}

# Takes the tests of the criterion with some of their passes; returns the upper end of the interval of its value, undef
# where so few passes tell none.
sub _upper_end {
    my ($run, $criterion, @tests) = @_;
    return if grep { !@{ $_->{passes} } } @tests;
    my $category = $criterion->{category};
    return UnixBench::Score::Spread::of_test($tests[0], $run->{rounds})->{estimate}{high} if !defined $category;
    my $index = List::Util::first { $_->{category} eq $category } @{ $run->{indexes} };
    return UnixBench::Score::Spread::of_index($index, { %$run, tests => \@tests })->{estimate}{high};
}

1;
