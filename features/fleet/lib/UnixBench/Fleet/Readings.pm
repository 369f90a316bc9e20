package UnixBench::Fleet::Readings;

# The indexes by which the hosts of a fleet are compared, and what else a fleet needs of a result, in little memory.

use strict;
use warnings;

use UnixBench::Report::EndBlock qw(trust_reasons);
use UnixBench::Report::Plain    qw(in_plain);
use UnixBench::Score::OtherLoad ();
use UnixBench::Score::Repeat    ();

# What is kept of a test and of an index.
my @OF_TEST  = qw(name title category status baseline);
my @OF_INDEX = qw(category title complete index);

# Takes a summary, and a hash that is the same for all hosts of a fleet. Returns the part of the summary that a fleet
# needs: hosts share equal data through the hash. readings has { number of copies => the first index of that run }:
#   category, title, complete, tests, index, repeat  as in the summary; the index is the classic one
#   estimate      the one that decides, or undef
#   machine       the estimate of the machine, within the run and from run to run, or undef
#   is_disturbed  whether other load disturbed passes
#   is_open       whether it left too few others; then the index is at least and at most between these two, if known:
#   at_least, at_most
sub of {
    my ($summary, $shared) = @_;
    my %readings;
    for my $run (reverse grep { defined $_->{copies} } @{ $summary->{runs} }) {
        my ($index) = grep { defined $_->{index} } @{ $run->{indexes} };
        $readings{ $run->{copies} } = _reading($index) if $index;
    }
    my %equal = map { $_ => _shared($summary->{$_} || {},  $shared) } qw(facts program_facts fact_keys);
    my %files = map { $_ => _shared($summary->{files}{$_}, $shared) } keys %{ $summary->{files} || {} };
    return {
        %$summary, %equal,
        files    => \%files,
        trust    => _trust($summary->{trust} || {}),
        runs     => [map { _run($_, $shared) } @{ $summary->{runs} }],
        readings => \%readings,
    };
}

sub _reading {
    my ($index)  = @_;
    my $decision = UnixBench::Score::OtherLoad::decision([$index]);
    my $estimate = $decision && $decision->{estimates} ? $decision->{estimates}[0][0] : $index->{estimate};
    return {
        (map { $_ => $index->{$_} } @OF_INDEX, qw(tests repeat)),
        (map { $_ => ($index->{bounds} || {})->{$_} } qw(at_least at_most)),
        estimate     => $estimate,
        machine      => $estimate && UnixBench::Score::Repeat::of_machine($estimate, $index->{repeat}),
        is_disturbed => $decision                            ? 1 : 0,
        is_open      => $decision && !$decision->{estimates} ? 1 : 0,
    };
}

# Returns a trust with its level and, if that is poor, the reasons.
sub _trust {
    my ($trust) = @_;
    my $level = $trust->{level};
    return { level => $level, ($level // q{}) eq 'poor' ? (why => in_plain(trust_reasons($trust))) : () };
}

# Returns a run without the numbers of its tests.
sub _run {
    my ($run, $shared) = @_;
    my @tests   = map { _shared(_part($_, @OF_TEST), $shared) } @{ $run->{tests} };
    my @indexes = map { _part($_, @OF_INDEX) } @{ $run->{indexes} };
    return { %$run, tests => _shared(\@tests, $shared), indexes => \@indexes };
}

sub _part {
    my ($item, @keys) = @_;
    return { map { defined $item->{$_} ? ($_ => $item->{$_}) : () } @keys };
}

# Takes a list or a hash of texts, or undef; returns the first one with equal data.
sub _shared {
    my ($data, $shared) = @_;
    my @texts = ref $data eq 'HASH' ? map { ($_, $data->{$_}) } sort keys %$data : @$data;
    return $shared->{ join "\0", ref $data, map { $_ // "\0" } @texts } ||= $data;
}

1;
