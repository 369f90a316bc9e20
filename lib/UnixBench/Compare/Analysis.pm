package UnixBench::Compare::Analysis;

# Explains the difference between two systems under a multi-user load, as in R. A. Roach and J. H. Saltzer, 645/6180
# Performance Comparison Tests, Project MAC, Computer Systems Research Division, RFC 20, 1973.

use strict;
use warnings;

use UnixBench::Compare::Analysis::Meters ();
use UnixBench::Compare::Kind             ();
use UnixBench::Score::Estimate           ();
use UnixBench::Score::Stats              qw(mean);

use constant { APART => 0.05, HOUR_S => 3600 };

# Each effect is a ratio, A to B, of products of powers of meters. The product of processor and overhead effect uses
# other meters than the total effect, so it may be different. The deviation is the product divided by the total effect.
my %POWERS = (
    total     => { cpu_total_s  => 1 },
    processor => { cpu_good_s   => 1 },
    overhead  => { not_idle_pct => 1, useful_pct   => -1 },
    product   => { cpu_good_s   => 1, not_idle_pct => 1, useful_pct => -1 },
    deviation => { cpu_good_s   => 1, not_idle_pct => 1, useful_pct => -1, cpu_total_s => -1 },
);

# Takes [two sides] of either form below; is_forced, whether to compare sides of different kinds; and prices, [A's, B's]
# for an hour, or undef.
#   { label, is_typed_in, meters, costs }, see UnixBench::Compare::Analysis::Meters
#   { label (its file), summary, passes (see UnixBench::Score::MultiUser), cpu_count, shortfall (a text or undef) }
# Returns
#   sides      [{ letter => "A", meters => { meter => [number for each pass] }, has_unfinished, all given keys }, ...]
#   obstacles  [sentences: why the sides are not of one kind]; empty if they are refused for another reason
#   refusals   [sentences: why nothing was compared]; if there are any, all that follows is missing
#   meters     { meter => { values => [estimate or undef for each side], ratio } } for the meters that a side has
#   effects    { total, processor, overhead, product, deviation }, each a ratio
#   is_apart   whether the product differs from the total effect by more than 5 %
#   costs      [{ label, amounts => [number or undef for each side], the keys of a ratio, is_in_step }, ...]
#   run_costs  undef without prices, else { the keys of a ratio, prices, following, is_in_step } of price times elapsed
#              time; following is the price of B that would be in step with the price of A, or undef
# Costs are in step if their ratio is within 5 % of the total effect.
#
# A ratio is { values => [estimate, estimate], ratio => estimate }, see UnixBench::Score::Estimate. If there is none, it
# is { lacks => [{ letter, meter, is_zero }] } for the meters that are unknown, or 0 in a pass. Values of several passes
# are geometric means.
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
    return "$side->{letter} has no meters, because it is a search for the capacity" if defined $load->{limit};
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

# Takes the values of a meter; returns their estimate. If one is 0, it is the arithmetic mean, without an interval.
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

# Returns the product of the powers for each pass, because the meters of a pass vary together.
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

# Returns the meters for the costs of a run. The price is repeated for each pass.
sub _paid {
    my ($price, $side) = @_;
    my $elapsed_s = $side->{meters}{elapsed_s} // return { price => [$price] };
    return { elapsed_s => $elapsed_s, price => [($price) x @$elapsed_s] };
}

1;
