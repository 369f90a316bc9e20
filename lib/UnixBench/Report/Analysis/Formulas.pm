package UnixBench::Report::Analysis::Formulas;

# The argument of an analysis: each effect and each cost as a formula with its meaning.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Format              qw(listed shown significant);
use UnixBench::Compare::Analysis::Meters ();
use UnixBench::Report::Analysis::Numbers qw(amount direction interval_text inverse money ratio_text);
use UnixBench::Report::Block             qw(formula);

our @EXPORT_OK = qw(cost_formulas effect_formulas);

use constant {
    APART => 'The two parts do not explain the total: one of these meters counts what another does not, such as work '
        . 'of others on a machine, interrupts, time that a hypervisor takes, or time of the system that the kernel '
        . 'tells as good time of short commands. Rely on neither part before you know which.',
    SHARE_DIGITS   => 3,
    PERCENT_DIGITS => 4,
};

my %TOTAL = (
    more => 'A used %s times the CPU time of B.',
    less => 'B used %s times the CPU time of A.',
    same => 'A and B used the same CPU time, within the interval.',
);
my %PROCESSOR = (
    more => 'Good CPU time is that of the work itself: A needed %s times as much of it as B. The processor may be why, '
        . 'and all else that makes the same work cheaper in B, such as a compiler.',
    less => 'Good CPU time is that of the work itself: B needed %s times as much of it as A. The processor may be why, '
        . 'and all else that makes the same work dearer in B, such as a compiler.',
    same => 'Good CPU time is that of the work itself: it is the same on A and B, within the interval.',
);
my %OVERHEAD = (
    more => 'less of the time of B goes into overhead.',
    less => 'more of the time of B goes into overhead.',
    same => 'no difference in overhead is shown.',
);
my %CHEAPER  = (more => 'makes the same work cheaper', less => 'makes the same work dearer');
my %LESS     = (more => 'less', less => 'more', same => 'the');
my @OVERHEAD = ('B useful / B non-idle', 'A useful / A non-idle');

use constant {
    HOUR_S => 3600,
    PAUSES => 'Elapsed time includes the think times of the users, which are the same on a faster machine.',
};

my %COST = (
    more => 'The work cost %s times as much on A as on B',
    less => 'The work cost %s times as much on B as on A',
    same => 'The work cost the same, within the interval',
);
my %RUN_COST = (
    more => 'A run costs %s times as much on A as on B',
    less => 'A run costs %s times as much on B as on A',
    same => 'A run costs the same, within the interval',
);

my %WORDS = (
    cpu_total_s  => 'total CPU time',
    cpu_good_s   => 'good CPU time',
    useful_pct   => 'useful time',
    not_idle_pct => 'idle time',
    elapsed_s    => 'elapsed time',
    cost         => 'cost',
    price        => 'price',
);
my %IS_ZERO = (not_idle_pct => 'time that was not idle');

# Takes an analysis; returns the formulas of its effects, see UnixBench::Report::Block.
sub effect_formulas {
    my ($analysis) = @_;
    return map { _formula($analysis, @$_) }
        ['Total effect',            total     => \&_total],
        ['Effect of the processor', processor => \&_processor],
        ['Effect of overhead',      overhead  => \&_overhead],
        ['Product',                 product   => \&_product];
}

sub _formula {
    my ($analysis, $title, $name, $told) = @_;
    my $effect = $analysis->{effects}{$name};
    my $what   = 'The ' . lcfirst $title;
    return formula(title => $title, left_out => _left_out($what, $effect->{lacks}, _is_typed_in($analysis)))
        if $effect->{lacks};
    my $ratio = $effect->{ratio};
    return formula(
        title    => $title,
        result   => _text($name, $ratio),
        interval => interval_text($ratio),
        notices  => [],
        $told->($analysis, $ratio, direction($ratio)),
    );
}

sub _is_typed_in {
    my ($analysis) = @_;
    return $analysis->{sides}[0]{is_typed_in};
}

# Returns a ratio as text. As in 1973, the overhead has three digits and all other ratios have two.
sub _text {
    my ($name, $ratio) = @_;
    return ratio_text($ratio, $name eq 'overhead');
}

sub _total {
    my ($analysis, $ratio, $direction) = @_;
    return (
        parts     => [_fraction($analysis, 'total CPU', 'cpu_total_s')],
        name      => ['total effect', 'of the', 'new system, B'],
        sentences => [_told($TOTAL{$direction}, $ratio, $direction)],
    );
}

sub _processor {
    my ($analysis, $ratio, $direction) = @_;
    my $does = $CHEAPER{$direction} // 'changes what the same work costs';
    return (
        parts     => [_fraction($analysis, 'good CPU', 'cpu_good_s')],
        name      => ['effect of the processor,', 'and of all else that', $does],
        sentences => [_told($PROCESSOR{$direction}, $ratio, $direction)],
    );
}

# Returns A over B as a fraction of words, and as a fraction of seconds.
sub _fraction {
    my ($analysis, $words, $meter) = @_;
    my @texts = map { "$_ s" } _values($analysis, $meter);
    return (["A $words", "B $words"], \@texts);
}

# Returns the values of a meter on both sides, as texts.
sub _values {
    my ($analysis, $meter) = @_;
    return map { amount($_->{value}, _is_typed_in($analysis)) } @{ $analysis->{meters}{$meter}{values} };
}

sub _told {
    my ($sentence, $ratio, $direction) = @_;
    my $times = ratio_text($direction eq 'less' ? inverse($ratio) : $ratio);
    return $sentence =~ s/%s/$times/r;
}

sub _overhead {
    my ($analysis, undef, $direction) = @_;
    my @useful   = _values($analysis, 'useful_pct');
    my @not_idle = _values($analysis, 'not_idle_pct');
    my @values   = @{ $analysis->{effects}{overhead}{values} };
    my @shares   = map { significant(1 / $_->{value},   SHARE_DIGITS) } @values;
    my @percents = map { significant(100 / $_->{value}, PERCENT_DIGITS) . ' %' } @values;
    my $found    = "A spent $percents[0] of the time in which it was not idle on useful work, and B $percents[1]";
    return (
        parts     => [\@OVERHEAD,  [map { "$useful[$_] / $not_idle[$_]" } 1, 0], [@shares[1, 0]]],
        name      => ['effect of', $LESS{$direction},                            'overhead'],
        sentences => ["$found: $OVERHEAD{$direction}"],
    );
}

sub _product {
    my ($analysis, $ratio) = @_;
    my $effects = $analysis->{effects};
    my @factors = map { _text($_, $effects->{$_}{ratio}) } qw(processor overhead);
    return (
        parts     => [join ' x ', @factors],
        name      => ['product of the two'],
        sentences => [_check($analysis, $effects)],
        notices   => [$analysis->{is_apart} ? APART : ()],
    );
}

# Returns a sentence that compares the product with the total effect, which comes from other meters.
sub _check {
    my ($analysis, $effects) = @_;
    my $deviation = $effects->{deviation}{ratio} or return 'There is no total effect to compare it with.';
    my $total     = 'the total effect, ' . _text(total => $effects->{total}{ratio});
    my $percent   = sprintf '%.1f', 100 * abs $deviation->{value} - 1;
    my $more      = $deviation->{value} < 1 ? 'less' : 'more';
    my $interval  = interval_text($deviation);
    my $sure      = length $interval ? " (95 % interval of one by the other: $interval)" : q{};
    return "The product differs by $percent % from $total: it is $more$sure." if $analysis->{is_apart};
    return "The product agrees with $total: it is $percent % $more$sure." if $percent > 0;
    return "The product agrees with $total$sure.";
}

# Takes an analysis; returns the formulas of its costs, in the same form as those of its effects.
sub cost_formulas {
    my ($analysis) = @_;
    my @formulas = map { _charged($analysis, $_) } @{ $analysis->{costs} };
    return (@formulas, $analysis->{run_costs} ? _of_run($analysis, $analysis->{run_costs}) : ());
}

sub _charged {
    my ($analysis, $cost) = @_;
    my $label = shown($cost->{label});
    my $title = "Cost: $label";
    return formula(title => $title, left_out => _left_out("The cost \"$label\"", $cost->{lacks})) if $cost->{lacks};
    my @texts = map { money($_) } @{ $cost->{amounts} };
    return _cost_formula($analysis, $title, $cost, \%COST, ["A cost, $label", "B cost, $label"], \@texts);
}

sub _cost_formula {
    my ($analysis, $title, $cost, $sentences, @parts) = @_;
    my $ratio     = $cost->{ratio};
    my $direction = direction($ratio);
    my $times     = ratio_text($direction eq 'less' ? inverse($ratio) : $ratio);
    my $found     = $sentences->{$direction} =~ s/%s/$times/r;
    return formula(
        title     => $title,
        parts     => \@parts,
        result    => ratio_text($ratio),
        interval  => interval_text($ratio),
        name      => ['ratio', 'of the', 'costs'],
        sentences => [$found . _step($cost->{is_in_step}, $analysis->{effects}{total}{ratio}) . q{.}],
        notices   => [],
    );
}

# Returns the end of a sentence about costs, which says whether they are in step with the performance.
sub _step {
    my ($is_in_step, $total) = @_;
    return q{} if !defined $is_in_step;
    my $text = ratio_text($total);
    return $is_in_step ? ", in step with the total effect, $text" : "; the total effect is $text";
}

sub _of_run {
    my ($analysis, $costs) = @_;
    my $is_typed_in = _is_typed_in($analysis);
    my $title       = 'Cost of a run';
    return formula(title => $title, left_out => _left_out('The ' . lcfirst $title, $costs->{lacks}, $is_typed_in))
        if $costs->{lacks};
    my @prices  = map { amount($_, 1) } @{ $costs->{prices} };
    my @hours   = map { amount($_->{value} / HOUR_S) . ' h' } @{ $analysis->{meters}{elapsed_s}{values} };
    my $formula = _cost_formula(
        $analysis, $title, $costs, \%RUN_COST,
        ['A price x elapsed',                  'B price x elapsed'],
        [map { "$prices[$_] x $hours[$_]" } 0, 1],
        [map { money($_->{value}) } @{ $costs->{values} }]
    );
    push @{ $formula->{sentences} }, _following($analysis, $costs, @prices), PAUSES;
    return $formula;
}

# Returns a sentence with the price of B that would be in step with the performance.
sub _following {
    my ($analysis, $costs, @prices) = @_;
    return if !defined $costs->{following};
    my $total = ratio_text($analysis->{effects}{total}{ratio});
    my $price = money($costs->{following});
    return
          "A price that follows the total effect, $total, would be $price an hour for B, as A costs $prices[0]; it is "
        . "$prices[1].";
}

# Takes the name of an effect or cost without a formula, such as "The total effect". Also takes its missing meters, see
# UnixBench::Compare::Analysis, and whether meters were typed in. Returns the sentence that names the reason.
sub _left_out {
    my ($what, $lacks, $is_typed_in) = @_;
    my (@meters, %lacking);
    for my $lack (@$lacks) {
        my $key = "$lack->{meter} $lack->{is_zero}";
        push @meters,             $lack if !$lacking{$key};
        push @{ $lacking{$key} }, $lack->{letter};
    }
    return
        "$what is left out: "
        . join('; ', map { _lack($_, $lacking{"$_->{meter} $_->{is_zero}"}, $is_typed_in) } @meters) . q{.};
}

sub _lack {
    my ($lack, $letters, $is_typed_in) = @_;
    my ($meter, $who) = ($lack->{meter}, listed(@$letters));
    return 'the ' . ($IS_ZERO{$meter} // $WORDS{$meter}) . " of $who is 0" if $lack->{is_zero};
    my $key =
        $is_typed_in && $meter !~ /\A(?:cost|price)\z/ ? UnixBench::Compare::Analysis::Meters::key_of($meter) : undef;
    return "$who " . (@$letters > 1 ? 'have' : 'has') . " no $WORDS{$meter}" . (defined $key ? " ($key)" : q{});
}

1;
