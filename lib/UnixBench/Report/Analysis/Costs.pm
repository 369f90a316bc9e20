package UnixBench::Report::Analysis::Costs;

# What an analysis tells of costs: what was charged, and what a run costs by the hour.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Format              qw(shown);
use UnixBench::Report::Analysis::Lacks   qw(left_out);
use UnixBench::Report::Analysis::Numbers qw(amount direction interval_text inverse money ratio_text);

our @EXPORT_OK = qw(cost_formulas);

use constant {
    HOUR_S => 3600,
    PAUSES => 'Elapsed time holds the pauses of the users, which no faster machine makes shorter.',
};

my %COST = (
    more => 'The work cost %s times as much on A as on B',
    less => 'The work cost %s times as much on B as on A',
    same => 'No difference in what the work cost is shown',
);
my %RUN_COST = (
    more => 'A run costs %s times as much on A as on B',
    less => 'A run costs %s times as much on B as on A',
    same => 'No difference in what a run costs is shown',
);

# Takes an analysis; returns the formulas of its costs, as those of its effects.
sub cost_formulas {
    my ($analysis) = @_;
    my @formulas = map { _charged($analysis, $_) } @{ $analysis->{costs} };
    return (@formulas, $analysis->{run_costs} ? _of_run($analysis, $analysis->{run_costs}) : ());
}

sub _charged {
    my ($analysis, $cost) = @_;
    my $label = shown($cost->{label});
    my $title = "Cost: $label";
    return { title => $title, left_out => left_out("The cost \"$label\"", $cost->{lacks}) } if $cost->{lacks};
    my @texts = map { money($_) } @{ $cost->{amounts} };
    return _formula($analysis, $title, $cost, \%COST, ["A cost, $label", "B cost, $label"], \@texts);
}

sub _formula {
    my ($analysis, $title, $cost, $sentences, @parts) = @_;
    my $ratio     = $cost->{ratio};
    my $direction = direction($ratio);
    my $times     = ratio_text($direction eq 'less' ? inverse($ratio) : $ratio);
    my $found     = $sentences->{$direction} =~ s/%s/$times/r;
    return {
        title     => $title,
        parts     => \@parts,
        result    => ratio_text($ratio),
        interval  => interval_text($ratio),
        name      => ['ratio', 'of the', 'costs'],
        sentences => [$found . _step($cost->{is_in_step}, $analysis->{effects}{total}{ratio}) . q{.}],
        notices   => [],
    };
}

# Whether the costs go with the performance.
sub _step {
    my ($is_in_step, $total) = @_;
    return q{} if !defined $is_in_step;
    my $text = ratio_text($total);
    return $is_in_step ? ", in step with the total effect, $text" : "; the total effect is $text";
}

sub _of_run {
    my ($analysis, $costs) = @_;
    my $is_typed_in = $analysis->{sides}[0]{is_typed_in};
    my $title       = 'Cost of a run';
    return { title => $title, left_out => left_out('The ' . lcfirst $title, $costs->{lacks}, $is_typed_in) }
        if $costs->{lacks};
    my @prices  = map { amount($_, 1) } @{ $costs->{prices} };
    my @hours   = map { amount($_->{value} / HOUR_S) . ' h' } @{ $analysis->{meters}{elapsed_s}{values} };
    my $formula = _formula(
        $analysis, $title, $costs, \%RUN_COST,
        ['A price x elapsed',                  'B price x elapsed'],
        [map { "$prices[$_] x $hours[$_]" } 0, 1],
        [map { money($_->{value}) } @{ $costs->{values} }]
    );
    push @{ $formula->{sentences} }, _following($analysis, $costs, @prices), PAUSES;
    return $formula;
}

# What the price of B would be that goes with the performance.
sub _following {
    my ($analysis, $costs, @prices) = @_;
    return if !defined $costs->{following};
    my $total = ratio_text($analysis->{effects}{total}{ratio});
    my $price = money($costs->{following});
    return
          "A price that follows the total effect, $total, would be $price an hour for B, as A costs $prices[0]; it is "
        . "$prices[1].";
}

1;
