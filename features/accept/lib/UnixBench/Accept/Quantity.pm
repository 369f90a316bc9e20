package UnixBench::Accept::Quantity;

# Requirements on another quantity of a run than its value, such as "index:p5>=0.9*index": see quantities in
# UnixBench::Features. A quantity is of its run, so it has no deviation from run to run; its reference has one.

use strict;
use warnings;

use List::Util ();

use UnixBench::Accept::Limit    qw(WITHIN compared explained failed left_open of_machine verdict without_spread);
use UnixBench::Features         qw(loaded);
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
    my $is_own = $criterion->{is_own};
    my $limit  = $criterion->{limit} * ($is_own ? $found->{estimate}{value} : 1);
    my %case   = (
        (map { $_ => $all->{$_} } qw(value low high)),
        limit      => $limit,
        is_final   => 0,
        needs_runs => 0,
        more_runs  => undef,
        _judged($criterion, $found, $all, $quiet)
    );
    $case{advice} = join '; ', grep { defined } $case{advice}, sprintf 'the limit is %.4g', $limit if $is_own;
    return %case;
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
    my $of = loaded(UnixBench::Features::first(quantities => $word))->can('quantity');
    return map { scalar $of->($word, $result, $measured, $factor, \@rows, $_) } 0, 1;
}

# Takes a criterion, its test or index, the quantity of all rounds, and that of the rounds without other load or undef.
# Returns verdict, reason and advice of the case. Beside other load, the rounds without it must have the same verdict,
# or other load must not explain it.
sub _judged {
    my ($criterion, $found, $all, $quiet) = @_;
    my ($base, $is_own) = @$criterion{qw(base is_own)};
    my $of        = UnixBench::Score::OtherLoad::side([$found], 1);
    my $to        = $base && UnixBench::Score::OtherLoad::side([$base]);
    my $reference = $to   && of_machine([$base], $to->{estimates}, $criterion);
    return _decided(without_spread()) if $reference && !defined $reference->{low};

    my $against = sub {
        my ($quantity, $own)   = @_;
        my ($estimate, $limit) = compared($criterion, $reference ? _even($quantity) : $quantity, $reference);
        return ($estimate, $limit * ($is_own ? $own->{value} : 1));
    };
    my ($estimate, $limit) = $against->($all, $found->{estimate});
    my ($verdict) = verdict($estimate, $limit);
    return _decided(INCONCLUSIVE => WITHIN, $all->{narrowed_by}) if $verdict eq 'INCONCLUSIVE';
    my %verdict      = $verdict eq 'FAIL' ? failed($criterion) : _decided($verdict);
    my $is_base_open = $to && $to->{is_open};
    return %verdict if !$of->{is_open} && !$is_base_open;

    my $of_quiet = $quiet && ($found->{quiet} || {})->{estimate};
    return %verdict if $of_quiet && !$is_base_open && $verdict eq (verdict($against->($quiet, $of_quiet)))[0];
    my @factors = _factors($of, $to || ($is_own ? $of : undef));
    return _beside_load($criterion, $estimate, $limit, \@factors, grep { defined } $found, $base);
}

# Takes a criterion, an estimate, its limit, [the factors by which other load may have raised and lowered the estimate],
# and the tests or indexes with that load; returns verdict, reason and advice.
sub _beside_load {
    my ($criterion, $estimate, $limit, $factors, @loaded) = @_;
    my ($by_low, $by_high) = @$factors;
    return _decided('PASS') if defined $by_low && $estimate->{low} / $by_low >= $limit;
    return failed($criterion, explained($by_high)) if defined $by_high && $estimate->{high} * $by_high < $limit;
    return left_open(map { UnixBench::Score::OtherLoad::together($_) } @loaded);
}

sub _decided {
    my ($verdict, $reason, $advice) = @_;
    return (verdict => $verdict, reason => $reason, advice => $advice);
}

# Takes the side of a quantity, and that of what it is compared with, or undef: see side() of
# UnixBench::Score::OtherLoad. Returns the factors by which other load may have raised and lowered their ratio; each is
# undef if it is not known.
sub _factors {
    my ($of,     $to)       = @_;
    my ($raised, $explains) = $to ? @$to{qw(raised explains)} : (1, 1);
    return (_product($of->{raised}, $explains), _product($of->{explains}, $raised));
}

sub _product {
    my ($first, $second) = @_;
    return defined $first && defined $second ? $first * $second : undef;
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
