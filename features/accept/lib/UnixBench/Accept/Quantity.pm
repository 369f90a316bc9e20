package UnixBench::Accept::Quantity;

# Requirements on another quantity of a run than its value, such as "index:p5>=0.9*index": see quantities in
# UnixBench::Base::Value. A quantity is of its run, so it has no deviation from run to run; its reference has one.

use strict;
use warnings;

use List::Util ();

use UnixBench::Accept::Limit    qw(compared failed left_open side verdict without_spread);
use UnixBench::Base::Value      ();
use UnixBench::Score::Estimate  ();
use UnixBench::Score::OtherLoad ();
use UnixBench::Score::Stats     qw(t_quantile);

# Takes a criterion on a quantity, its test or index, and the run of a summary, all as in UnixBench::Accept::Acceptance.
# Returns what the case has.
sub decided {
    my ($criterion, $found, $run) = @_;
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

# Takes a criterion, and its result and measured run or undef for both. Returns the quantity of all rounds, and that of
# the rounds without other load; each is undef if it is not known.
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
    my $class = UnixBench::Base::Value::class(quantity => $word);
    return map { scalar $class->quantity($word, $result, $measured, $factor, \@rows, $_) } 0, 1;
}

# Takes a criterion, its test or index, the quantity of all rounds, and that of the rounds without other load or undef.
# Returns verdict and reason of the case. Beside other load, the rounds without it must have the same verdict, or other
# load must not explain it.
sub _judged {
    my ($criterion, $found, $all, $quiet) = @_;
    my ($base, $is_own) = @$criterion{qw(base is_own)};
    my $of        = { %{ UnixBench::Score::OtherLoad::factors($found) }, floor => $all, ceiling => $all };
    my $to        = $base ? side([$base], $criterion) : $is_own ? { %$of, floor => undef, ceiling => undef } : undef;
    my $reference = $base && $to->{ceiling};
    return without_spread() if $reference && !defined $reference->{low};

    my $against = sub {
        my ($quantity, $to_be) = @_;
        return (compared($criterion, $to_be ? _even($quantity) : $quantity, $to_be))[0];
    };
    my $number = $criterion->{ $base ? 'number' : 'limit' };
    my $limit  = sub { my ($own) = @_; return $number * ($is_own ? $own->{value} : 1) };
    my ($verdict, $reason) = verdict($against->($all, $reference), $limit->($found->{estimate}));
    my %case = $verdict eq 'FAIL' ? failed($criterion) : (verdict => $verdict, reason => $reason);
    return %case if $verdict eq 'INCONCLUSIVE' || !grep { $_ && $_->{is_open} } $of, $to;

    my $of_quiet = $quiet && !($base && $to->{is_open}) ? ($found->{quiet} || {})->{estimate} : undef;
    return %case if $of_quiet && $verdict eq (verdict($against->($quiet, $reference), $limit->($of_quiet)))[0];
    my $limits = UnixBench::Score::OtherLoad::limits($of, $to, $against);
    return _beside_load($criterion, $found, $limit->($found->{estimate}), @$limits{qw(low high)});
}

# Takes a criterion, its test or index, its limit, and between which values its quantity is without other load. Returns
# verdict and reason.
sub _beside_load {
    my ($criterion, $found, $limit, $low, $high) = @_;
    return (verdict => 'PASS', reason => undef) if $low >= $limit;
    return failed($criterion) if $high < $limit;
    return left_open(UnixBench::Score::OtherLoad::together($found));
}

# Takes the estimate of a quantity; returns one whose error is the same on both sides, the larger one. An interval that
# begins with 0 has no upper end then.
sub _even {
    my ($estimate) = @_;
    my ($value, $low, $high) = @$estimate{qw(value low high)};
    my $half =
        $low > 0 ? List::Util::max(log($value / $low), log($high / $value)) : UnixBench::Score::Estimate::LOG_MAX;
    my $df   = UnixBench::Score::Stats::DF_MAX;
    my $each = t_quantile((1 + UnixBench::Score::Estimate::COVERED) / 2, $df);
    return UnixBench::Score::Estimate::around($value, $half / $each, $df);
}

1;
