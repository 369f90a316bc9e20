package UnixBench::Accept::Quantity;

# Requirements on another quantity of a run than its value, such as "index:p5>=0.9*index". A quantity is of its run, so
# it has no deviation from run to run. A feature declares of_requirements => { word => class }: that which follows the
# name, as in NAME:p5. The class has these methods:
#   quantity         takes the word, a result, its run, the factor of the index or 1, [rows of an index or one test,
#                    each { name, baseline }], and whether rounds that other load disturbed are left out; returns an
#                    estimate or undef
#   why_no_quantity  takes the word, the key over of the procedure, and the requirement; returns why there will be none,
#                    or nothing
# or, for one of which less is better, that method and
#   decided          takes a criterion, its test or index, and the run of a summary; returns what the case has

use strict;
use warnings;

use UnixBench::Accept::Limit    qw(beside_load beside_slight_load verdict);
use UnixBench::Features         ();
use UnixBench::Score::Bounds    ();
use UnixBench::Score::OtherLoad ();

# Takes a word, and perhaps the parts of a result or of a plan, see UnixBench::Base::Result::parts; returns the class of
# this quantity, or undef.
sub class { my (@word) = @_; return UnixBench::Features::class(of_requirements => 'why_no_quantity', @word) }

# Takes a word; returns whether less of this quantity is better.
sub is_less_better { my ($word) = @_; my $class = class($word); return $class && $class->can('decided') ? 1 : 0 }

# Takes a criterion on a quantity, its test or index, and the run of a summary, all as in UnixBench::Accept::Acceptance.
# Returns what the case has.
sub decided {
    my ($criterion, $found, $run) = @_;
    return class($criterion->{quantity})->decided($criterion, $found, $run) if $criterion->{is_most};
    my ($all, $quiet) = _quantities($criterion, @$run{qw(result measured)});
    return (
        verdict => 'INCONCLUSIVE',
        reason  => "$criterion->{quantity} is not known: too few rounds, or several results"
    ) if !$all;
    return (
        (map { $_ => $all->{$_} } qw(value low high)),
        limit => $criterion->{limit} * ($criterion->{is_own} ? $found->{estimate}{value} : 1),
        _judged($criterion, $found, $all, $quiet)
    );
}

# Returns the quantity of all rounds, and that of the rounds without other load; each is undef if it is not known.
sub _quantities {
    my ($criterion, $result, $measured) = @_;
    return if !$measured;
    my ($word, $name, $category) = @$criterion{qw(quantity name category)};
    my ($factor, @rows) = (1, { name => $name, baseline => 1 });
    ($factor, @rows) = (
        10,
        grep { defined $_->{baseline} }
            map { @{ $_->{rows} } } grep { $_->{category} eq $category } @{ $measured->{indexes} }
    ) if defined $category;
    my $class = class($word);
    return map { scalar $class->quantity($word, $result, $measured, $factor, \@rows, $_) } 0, 1;
}

# Beside other load, the rounds without it must have the same verdict, or other load must not explain it.
sub _judged {
    my ($criterion, $found, $all, $quiet) = @_;
    my $is_own = $criterion->{is_own};
    my $limit  = sub { my ($own) = @_; return $criterion->{limit} * ($is_own ? $own->{value} : 1) };
    my ($verdict, $reason) = verdict($all, $limit->($found->{estimate}));
    my %case = (verdict => $verdict, reason => $reason);
    my $of   = { %{ UnixBench::Score::Bounds::factors($found) }, floor => $all, ceiling => $all };
    return (%case, beside_slight_load($verdict, $all, $limit->($found->{estimate}), [$found])) if !$of->{is_open};
    return %case if $verdict eq 'INCONCLUSIVE';

    my $of_quiet = $quiet && ($found->{quiet} || {})->{estimate};
    return %case if $of_quiet && $verdict eq (verdict($quiet, $limit->($of_quiet)))[0];
    my $limits = UnixBench::Score::Bounds::limits($of, $is_own && $of, sub { $_[0] });
    my $load   = UnixBench::Score::OtherLoad::together($found);
    return beside_load($criterion, $limits, $limit->($found->{estimate}), $load);
}

1;
