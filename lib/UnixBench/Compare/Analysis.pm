package UnixBench::Compare::Analysis;

# The causes of the difference between two systems under a multi-user load, as in R. A. Roach and J. H. Saltzer,
# 645/6180 Performance Comparison Tests, Project MAC, Computer Systems Research Division, RFC 20, 1973.

use strict;
use warnings;

use UnixBench::Compare::Analysis::Meters ();
use UnixBench::Compare::Kind             ();
use UnixBench::Score::Estimate           ();
use UnixBench::Score::Stats              qw(mean);

use constant { APART => 0.05, HOUR_S => 3600 };

# Each effect as a product of powers of meters, of A compared with B. The product of the partial effects comes from
# other meters than the total effect: deviation is the ratio of the two.
my %POWERS = (
    total     => { cpu_total_s  => 1 },
    processor => { cpu_good_s   => 1 },
    overhead  => { not_idle_pct => 1, useful_pct   => -1 },
    product   => { cpu_good_s   => 1, not_idle_pct => 1, useful_pct => -1 },
    deviation => { cpu_good_s   => 1, not_idle_pct => 1, useful_pct => -1, cpu_total_s => -1 },
);

# Takes sides, two of either kind, and is_forced, whether sides of different kinds are compared, too; prices, [A's, B's]
# of an hour, or undef. A side is { label, is_typed_in, meters, costs }, see UnixBench::Compare::Analysis::Meters, or
# { label (its file), summary, passes, see UnixBench::Score::MultiUser, cpu_count, shortfall, a text or undef }. Returns
#   sides      [{ letter => "A", meters => { meter => [number of each pass] }, has_unfinished, what was given }, ...],
#   obstacles  [why they are not of one kind, in sentences], empty if the sides are refused anyway,
#   refusals   [why nothing was compared, in sentences]: empty, or all that follows is missing,
#   meters     { meter => { values => [estimate or undef, of each side], ratio } } of those that a side has,
#   effects    { total, processor, overhead, product, deviation, each a ratio },
#   is_apart   whether the product differs from the total effect by more than 5 %,
#   costs      [{ label, amounts => [number or undef, of each side], the ratio, is_in_step => whether that is within 5 %
#              of the total effect }, ...],
#   run_costs  a ratio of prices times elapsed times, with prices, is_in_step, and following, the price of B that would
#              be in step with that of A, or undef; undef without prices.
# A ratio is { values => [estimate, estimate], ratio => estimate }, see UnixBench::Score::Estimate, or, if there is
# none, { lacks => [{ letter, meter, is_zero }] }: the meters that are unknown or, in a pass, 0. Values of several
# passes are geometric means.
sub of {
    my ($given, %with) = @_;
    my @letters   = qw(A B);
    my @sides     = map  { +{ _side($given->[$_]), letter => $letters[$_] } } 0, 1;
    my @refusals  = grep { defined } map { scalar _refusal($_) } @sides;
    my @obstacles = @refusals ? () : _obstacles(@sides);
    @refusals = @obstacles if !$with{is_forced} && @obstacles;
    my %analysis = (sides => \@sides, obstacles => \@obstacles, refusals => \@refusals);
    return @refusals ? \%analysis : { %analysis, _found($with{prices}, @sides) };
}

sub _side {
    my ($given) = @_;
    return %$given if $given->{is_typed_in};
    my @passes = @{ $given->{passes} };
    return (
        %$given,
        costs          => {},
        meters         => UnixBench::Compare::Analysis::Meters::of_passes(@passes),
        has_unfinished => UnixBench::Compare::Analysis::Meters::has_unfinished(@passes) ? 1 : 0,
    );
}

sub _obstacles {
    my (@sides) = @_;
    return if $sides[0]{is_typed_in};
    return UnixBench::Compare::Kind::obstacles(map { +{ %$_, label => $_->{letter} } } @sides);
}

sub _refusal {
    my ($side) = @_;
    return if $side->{is_typed_in};
    return if @{ $side->{passes} };
    my $load = $side->{summary}{procedure}{multiuser} || {};
    return "$side->{letter} has no meters, as it is a search for the capacity" if defined $load->{limit};
    return "$side->{letter} has no pass of the test multiuser with meters";
}

sub _found {
    my ($prices, @sides) = @_;
    my %effect = map { $_ => _ratio($POWERS{$_}, @sides) } keys %POWERS;
    my $total  = $effect{total}{ratio};
    return (
        meters    => _meters(@sides),
        effects   => \%effect,
        is_apart  => $effect{deviation}{ratio} && _is_apart($effect{deviation}{ratio}{value}) ? 1 : 0,
        costs     => [_costs($total, @sides)],
        run_costs => $prices ? scalar _run_costs($prices, $total, @sides) : undef,
    );
}

sub _is_apart {
    my ($ratio) = @_;
    return abs($ratio - 1) > APART;
}

sub _meters {
    my (@sides) = @_;
    my %is_known = map { $_ => 1 } map { keys %{ $_->{meters} } } @sides;
    return { map { $_ => _meter($_, @sides) } keys %is_known };
}

sub _meter {
    my ($name, @sides) = @_;
    my $found = _ratio({ $name => 1 }, @sides);
    return $found if $found->{ratio};
    return { values => [map { $_->{meters}{$name} && _estimate(@{ $_->{meters}{$name} }) } @sides], ratio => undef };
}

# Zeros have an arithmetic mean only.
sub _estimate {
    my (@values) = @_;
    return UnixBench::Score::Estimate::known(mean(@values)) if grep { $_ <= 0 } @values;
    return UnixBench::Score::Estimate::of_rates(@values);
}

sub _ratio {
    my ($powers, @sides) = @_;
    my @lacks = map { _lacks($_, sort keys %$powers) } @sides;
    return { lacks => \@lacks } if @lacks;
    my @values = map { UnixBench::Score::Estimate::of_rates(_product($powers, $_->{meters})) } @sides;
    return { values => \@values, ratio => UnixBench::Score::Estimate::ratio(@values) };
}

sub _lacks {
    my ($side, @names) = @_;
    my @lacks;
    for my $name (@names) {
        my $values  = $side->{meters}{$name};
        my $is_zero = $values && grep { $_ <= 0 } @$values;
        push @lacks, { letter => $side->{letter}, meter => $name, is_zero => $is_zero ? 1 : 0 } if !$values || $is_zero;
    }
    return @lacks;
}

# Returns the product of each pass, since the meters of a pass vary together.
sub _product {
    my ($powers, $meters) = @_;
    my ($any) = keys %$powers;
    my @products = (1) x @{ $meters->{$any} };
    for my $name (keys %$powers) {
        $products[$_] *= $meters->{$name}[$_]**$powers->{$name} for 0 .. $#products;
    }
    return @products;
}

sub _costs {
    my ($total, @sides) = @_;
    my %is_label = map { $_ => 1 } map { keys %{ $_->{costs} } } @sides;
    return map { _cost($_, $total, @sides) } sort keys %is_label;
}

sub _cost {
    my ($label, $total, @sides) = @_;
    my @amounts = map { $_->{costs}{$label} } @sides;
    my @paid    = map { +{ letter => $sides[$_]{letter}, meters => _as_meter(cost => $amounts[$_]) } } 0, 1;
    my $cost    = _ratio({ cost => 1 }, @paid);
    return { %$cost, label => $label, amounts => \@amounts, _step($cost, $total) };
}

sub _as_meter {
    my ($name, @known) = @_;
    return { map { $name => [$_] } grep { defined } @known };
}

sub _step {
    my ($cost, $total) = @_;
    return if !$total || !$cost->{ratio};
    return (is_in_step => _is_apart($cost->{ratio}{value} / $total->{value}) ? 0 : 1);
}

sub _run_costs {
    my ($prices, $total, @sides) = @_;
    my @paid  = map { +{ letter => $sides[$_]{letter}, meters => _paid($prices->[$_], $sides[$_]) } } 0, 1;
    my $costs = _ratio({ elapsed_s => 1, price => 1 }, @paid);
    $costs->{values} = [map { UnixBench::Score::Estimate::multiple($_, 1 / HOUR_S) } @{ $costs->{values} }]
        if $costs->{ratio};
    return { %$costs, prices => $prices, following => $total && $prices->[0] * $total->{value}, _step($costs, $total) };
}

# The price is repeated for each pass.
sub _paid {
    my ($price, $side) = @_;
    my $elapsed_s = $side->{meters}{elapsed_s} // return { price => [$price] };
    return { elapsed_s => $elapsed_s, price => [($price) x @$elapsed_s] };
}

1;
