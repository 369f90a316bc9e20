package ChangedTexts;

# Text reports that were damaged on their way, by a generator with a seed: lines dropped, doubled, torn, joined,
# translated, and two reports in one text. What is read of them must be true of one of the machines.

use strict;
use warnings;

use Exporter 'import';

use ReportTexts                     qw(FORMS text_of_machine truth);
use UnixBench::Compare::Published   ();
use UnixBench::Store::ClassicReport ();

our @EXPORT_OK = qw(TEXTS lies_in original);

use constant TEXTS => 40;

my @FORMS  = FORMS();
my @GERMAN = (
    [qr/CPUs in system; running/ => 'CPUs im System, es laufen'],
    [qr/parallel cop(?:y|ies)/   => 'Kopien'],
    [qr/Benchmark Run:/          => 'Lauf vom:'],
    [qr/Index Score/             => 'Indexwert'],
    [qr/Index Values/            => 'Werte des Index'],
    [qr/Throughput/              => 'Durchsatz'],
    [qr/Creation/                => 'Erzeugung'],
    [qr/samples/                 => 'Proben'],
    [qr/System:/                 => 'Rechner:'],
    [qr/Version/                 => 'Ausgabe'],
    [qr/concurrent/              => 'zugleich'],
);
my @PUBLISHED = UnixBench::Compare::Published::results(__FILE__ =~ s{/t/lib/[^/]+\z}{}r);

# Takes the number of a text; returns the truth, the text, and its form.
sub original {
    my ($number) = @_;
    my $truth    = truth($number);
    my $form     = $FORMS[$number % @FORMS];
    $truth->{copies} = [1] if $form eq 'version 4';
    return ($truth, text_of_machine($truth, $form), $form);
}

# Takes a seed; returns sentences about what is wrong with what is read of a damaged text, and that text.
sub lies_in {
    my ($seed) = @_;
    my $random = _random($seed);
    my ($truth, $text) = original($random->(TEXTS));
    my @truths = $truth;
    if ($random->(3) == 0) {
        my ($other, $more) = original($random->(TEXTS));
        push @truths, $other;
        my @lines = split /^/, $text;
        my @rows  = grep { $lines[$_] =~ /Copy|Creation|Switching/ } 0 .. $#lines;
        splice @lines, 1 + $rows[$random->(scalar @rows)] if $random->(2);
        $text = join q{}, @lines, $random->(2) ? "\n" : (), $more;
    }
    $text = _changed($text, $random) for 0 .. $random->(3);
    my (@warnings, @summaries);
    {
        local $SIG{__WARN__} = sub { push @warnings, "a warning: $_[0]" };
        @summaries = eval { UnixBench::Store::ClassicReport::summaries($text) };
        push @warnings, "died: $@" if $@ !~ /\A(?:[^\n]+\n)?\z/;
        push @warnings, map { _false_places($_) } @summaries;
    }
    return ([@warnings, map { _lies_of($_, @truths) } @summaries], $text);
}

sub _random {
    my ($state) = @_;
    return sub {
        my ($below) = @_;
        $state = ($state * 1_103_515_245 + 12_345) % 2_147_483_648 for 1 .. 3;
        return int($state / 65_536) % $below;
    };
}

sub _changed {
    my ($text, $random) = @_;
    my @lines = split /^/, $text;
    return $text if !@lines;
    my $at   = $random->(scalar @lines);
    my $kind = $random->(6);
    if    ($kind == 0) { splice @lines, $at, 1 + $random->(2) }
    elsif ($kind == 1) { splice @lines, $at, 0, $lines[$at] }
    elsif ($kind == 2) { substr $lines[$at], $random->(length $lines[$at]), 0, "\n" }
    elsif ($kind == 3) { $lines[$at] = substr($lines[$at], 0, $random->(length $lines[$at])) . "\n" }
    elsif ($kind == 4) { $lines[$at] =~ s/\n\z// }
    else {
        my ($pattern, $word) = @{ $GERMAN[$random->(scalar @GERMAN)] };
        my @where = grep { $lines[$_] =~ $pattern } 0 .. $#lines;
        $lines[$where[$random->(scalar @where)]] =~ s/$pattern/$word/ if @where;
    }
    return join q{}, @lines;
}

# Takes a summary; returns a sentence if it has a place without a known number of copies.
sub _false_places {
    my ($summary) = @_;
    my @known     = grep { defined $_->{copies} } @{ $summary->{runs} };
    my @ranks     = grep { defined } UnixBench::Compare::Published::rank($summary, @PUBLISHED),
        UnixBench::Compare::Published::rank_of_all_cpus($summary, @PUBLISHED);
    return @ranks && !@known ? 'a place without a number of copies' : ();
}

# Takes a summary and the truth about the machines; returns sentences about what is true of none of them.
sub _lies_of {
    my ($summary, @truths) = @_;
    my $name = $summary->{name};
    @truths = grep { $_->{name} eq $name } @truths if defined $name;
    return "the name $name" if !@truths;
    return map { _lie_of_run($_, $name, @truths) } @{ $summary->{runs} };
}

sub _lie_of_run {
    my ($run, $name, @truths) = @_;
    my @errors;
    for my $truth (@truths) {
        next if defined $run->{cpu_count} && $run->{cpu_count} != $truth->{cpus};
        for my $copies (defined $run->{copies} ? $run->{copies} : @{ $truth->{copies} }) {
            my $scores = $truth->{scores}{$copies} or next;
            my @wrong =
                grep { _is_wrong($_->{score}, $scores->{ $_->{name} } // $scores->{ _near($_, $scores) // q{} }) }
                @{ $run->{tests} };
            my @index =
                grep { $_->{complete} && _is_wrong($_->{index}, $truth->{index}{$copies}) } @{ $run->{indexes} };
            return if !@wrong && !@index;
            push @errors, join ', ', map { "$_->{title} $_->{score}" } @wrong;
        }
    }
    return 'a run of ' . ($name // 'an unknown machine') . ' with ' . ($run->{copies} // '?') . " copies: @errors";
}

# Takes a test whose title was translated, and the scores; returns the name of the test that has its score, or undef.
sub _near {
    my ($test, $scores) = @_;
    return if $test->{title} !~ /Durchsatz|Erzeugung|zugleich/;
    my ($name) = grep { $scores->{$_} == $test->{score} } sort keys %$scores;
    return $name;
}

sub _is_wrong {
    my ($value, $true) = @_;
    return defined $value && (!defined $true || abs($value - $true) > 0.001);
}

1;
