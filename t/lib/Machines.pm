package Machines;

# Summaries of results of invented machines, scored by the real code.

use strict;
use warnings;

use Exporter 'import';

use Fixture qw(baseline counted result);
use UnixBench::Catalog;
use UnixBench::Host::FactList;
use UnixBench::Plan::Baseline;
use UnixBench::Score::Estimate;
use UnixBench::Score;
use UnixBench::Summary;

use constant STARTED => 1_795_140_750;

our @EXPORT_OK = qw(classic facts_of hostile side spread_rates summary worked_summary);

my $BASELINE = UnixBench::Plan::Baseline::parse(baseline());

my %KEY_OF =
    map { UnixBench::Host::FactList::label_of($_) => $_ } reverse UnixBench::Host::FactList::keys_of_facts();

# What a usual copy used.
my %ERRORS = (df  => 9, map { $_ => 1e-6 } qw(cpu clock loop user kernel both));
my %USED   = (own => 1, cpu => 0.99, cpu_s => 98, user => 0.3, clock_mhz => 3244, waited => 0, errors => \%ERRORS);

# The repeat of a machine that does not vary from run to run, see UnixBench::Score::Repeat.
my %STEADY = (known => 1, assumed => 'own', deviation => 0, df => 57, runs => 50, since => 1_790_000_000);

# Returns a text that would disturb every format.
sub hostile { return qq{<b>"&'\t\e[31m|\n\xff System Benchmarks Index Score 9} }

# Takes a label and the arguments of summary; returns a side.
sub side {
    my ($label, %with) = @_;
    return { label => $label, summary => summary(%with) };
}

# Takes facts, label => text, such as Kernel => '6.1', 'Size of execl' => '1 byte' or 'Program pipe' => 'aa'; returns
# them as they are in a summary.
sub facts_of {
    my (%text) = @_;
    my %files  = map { $_ => {} } qw(programs inputs);
    my %facts  = (facts => {}, program_facts => {}, files => \%files);
    for my $label (keys %text) {
        my ($kind, $file) = $label =~ /\A(Program|Input) (.+)/;
        my $facts = $facts{ $label =~ / of execl\z/ ? 'program_facts' : 'facts' };
        if   (defined $kind) { $files{ lc $kind . 's' }{$file} = $text{$label} }
        else                 { $facts->{ _key_of($label) }     = $text{$label} }
    }
    return %facts;
}

# Takes the label of a fact; returns its key.
sub _key_of {
    my ($label) = @_;
    return "kernel.mitigations.$1" if $label =~ /\AMitigation (.+)/;
    return "cpu.caches.$1" if $label         =~ /\A(.+) cache\z/;
    return $KEY_OF{$label} // $label;
}

# Takes runs => { copies => { test => [rates], or "STATUS: reason" } }, baseline => { test => score } with replacements,
# repeat => { what differs from that of a machine that does not vary }, and other parts of a summary; returns the
# summary.
sub summary {
    my (%with) = @_;
    my ($runs, $scores, $repeat) = delete @with{qw(runs baseline repeat)};
    my %baseline = (%$BASELINE, map { $_ => { score => $scores->{$_} } } keys %{ $scores || {} });
    my @runs     = map { _run($_, $runs->{$_}, \%baseline) } sort { $a <=> $b } keys %$runs;
    my $summary  = UnixBench::Summary::of(result(\@runs));
    for my $item (map { @{ $_->{tests} }, @{ $_->{indexes} } } @{ $summary->{runs} }) {
        next if !defined(($item->{estimate} || {})->{log_se});
        my $within = exp(UnixBench::Score::Estimate::half_width($item->{estimate})) - 1;
        $item->{repeat} = { %STEADY, %{ $repeat || {} }, within => $within, next => $within };
    }
    my $facts = delete $with{facts} || { Kernel => '6.18.44', CPU => '2 x AMD EPYC' };
    return { %$summary, trust => undef, flags => '-O3', facts_of(%$facts), %with };
}

# Takes the work of the tests of one copy, { test => { rate, and what differs from what a usual copy used } }, and other
# parts of a summary; returns the summary.
sub worked_summary {
    my ($work, %with) = @_;
    my $summary = summary(runs => { 1 => { map { $_ => spread_rates($work->{$_}{rate}, 0.001) } keys %$work } }, %with);
    $_->{work} = { %USED, per_loop => {}, %{ $work->{ $_->{name} } } } for @{ $summary->{runs}[0]{tests} };
    return $summary;
}

# Takes a number of copies, the rates of its tests, and the baseline; returns the run of the result. Its index is of
# the tests that were measured.
sub _run {
    my ($copies, $rates, $baseline) = @_;
    my @tests   = map { _test($_, $copies, $rates->{$_}) } sort keys %$rates;
    my $indexes = UnixBench::Score::indexes([grep { $_->{status} eq 'measured' } @tests], $baseline);
    return { copies => $copies, cpu_count => 2, started => STARTED, tests => \@tests, indexes => $indexes };
}

# Takes the name of a test, a number of copies, and its rates or "STATUS: reason"; returns the test of a result.
sub _test {
    my ($name, $copies, $rates) = @_;
    my $test = UnixBench::Catalog::test($name);
    my %test = map { $_ => $test->{$_} } qw(name title category);
    my ($status, $reason) = ref $rates ? 'measured' : split /: /, $rates, 2;
    return { %test, status => $status, reason => $reason, passes => [] } if !ref $rates;
    my @copies = ({ elapsed_s => 1 }) x $copies;
    my @passes =
        map { +{ number => $_, copies => \@copies, tags => [], counted($rates->[$_ - 1], 1, 'lps', 1) } } 1 .. @$rates;
    return { %test, status => $status, passes => \@passes, %{ UnixBench::Score::test(\@passes) } };
}

# Takes a summary; returns it with only the data that a text report has.
sub classic {
    my ($summary) = @_;
    my @runs      = map { _classic_run($_) } @{ $summary->{runs} };
    my @unread    = UnixBench::Host::FactList::keys_of_facts();
    my %unknown   = (started => undef, flags => undef, facts_of(), facts_unread => \@unread);
    return { %$summary, %unknown, has_passes => 0, runs => \@runs };
}

sub _classic_run {
    my ($run) = @_;
    my %unknown = map { $_ => undef } qw(estimate repeat cv other_load quiet bounds);
    return {
        %$run,
        map {
            my $what = $_;
            $what => [map { +{ %$_, %unknown } } @{ $run->{$what} }]
        } qw(tests indexes)
    };
}

# Takes a rate and a step; returns five rates around it whose logarithms are that step apart. Their standard deviation
# is sqrt(10/4) steps, so the standard error of their mean is sqrt(1/2) steps, with 4 degrees of freedom.
sub spread_rates {
    my ($rate, $step) = @_;
    return [map { $rate * exp($_ * $step) } 1, -2, 0, 2, -1];
}

1;
