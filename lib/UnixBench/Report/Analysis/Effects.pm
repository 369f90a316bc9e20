package UnixBench::Report::Analysis::Effects;

# The argument of an analysis: each effect as a formula, and what it means.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Format              qw(significant);
use UnixBench::Report::Analysis::Lacks   qw(left_out);
use UnixBench::Report::Analysis::Numbers qw(amount direction interval_text inverse ratio_text);

our @EXPORT_OK = qw(effect_formulas);

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
    same => 'No difference in CPU time between A and B is shown.',
);
my %PROCESSOR = (
    more => 'Good CPU time is that of the work itself: A needed %s times as much of it as B. The processor may be why, '
        . 'and all else that makes the same work cheaper in B, such as a compiler.',
    less => 'Good CPU time is that of the work itself: B needed %s times as much of it as A. The processor may be why, '
        . 'and all else that makes the same work dearer in B, such as a compiler.',
    same => 'Good CPU time is that of the work itself: no difference in it between A and B is shown.',
);
my %OVERHEAD = (
    more => 'less of the time of B goes into overhead.',
    less => 'more of the time of B goes into overhead.',
    same => 'no difference in overhead is shown.',
);
my %CHEAPER  = (more => 'makes the same work cheaper', less => 'makes the same work dearer');
my %LESS     = (more => 'less', less => 'more', same => 'the');
my @OVERHEAD = ('B useful / B non-idle', 'A useful / A non-idle');

# Takes an analysis; returns its formulas, each { title, parts => [text, or [above, below] of a fraction, ...], all of
# them equal, result, interval (may be empty), name => [lines], sentences, notices }, or { title, left_out => why }.
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
    return { title => $title, left_out => left_out($what, $effect->{lacks}, _is_typed_in($analysis)) }
        if $effect->{lacks};
    my $ratio = $effect->{ratio};
    return {
        title    => $title,
        result   => _text($name, $ratio),
        interval => interval_text($ratio),
        notices  => [],
        $told->($analysis, $ratio, direction($ratio)),
    };
}

sub _is_typed_in {
    my ($analysis) = @_;
    return $analysis->{sides}[0]{is_typed_in};
}

# In 1973 the overhead had three digits, and all else two.
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

# A over B in words, and in seconds.
sub _fraction {
    my ($analysis, $words, $meter) = @_;
    my @texts = map { "$_ s" } _values($analysis, $meter);
    return (["A $words", "B $words"], \@texts);
}

# What the sides have of a meter, as texts.
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
    my $found    = "Of the time in which it was not idle, A spent $percents[0] on useful work, and B $percents[1]";
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

# Whether the product is what was read from other meters.
sub _check {
    my ($analysis, $effects) = @_;
    my $deviation = $effects->{deviation}{ratio} or return 'There is no total effect to hold it against.';
    my $total     = 'the total effect, ' . _text(total => $effects->{total}{ratio});
    my $percent   = sprintf '%.1f', 100 * abs $deviation->{value} - 1;
    my $more      = $deviation->{value} < 1 ? 'less' : 'more';
    my $interval  = interval_text($deviation);
    my $sure      = length $interval ? " (95 % interval of one by the other: $interval)" : q{};
    return "The product differs by $percent % from $total: it is $more$sure." if $analysis->{is_apart};
    return "The product agrees with $total: it is $percent % $more$sure." if $percent > 0;
    return "The product agrees with $total$sure.";
}

1;
