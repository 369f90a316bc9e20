package Machines;

# Summaries of results of invented machines.

use strict;
use warnings;

use Exporter 'import';

use Fixture qw(baseline);
use UnixBench::Catalog;
use UnixBench::Host::FactList;
use UnixBench::Plan::Baseline;
use UnixBench::Score::Estimate;
use UnixBench::Score::Stats qw(geometric_mean mean standard_deviation);

our @EXPORT_OK = qw(classic facts_of side spread_rates summary worked_summary);

my $BASELINE = UnixBench::Plan::Baseline::parse(baseline());

my %KEY_OF = (
    (map { UnixBench::Host::FactList::label_of($_) => $_ } reverse UnixBench::Host::FactList::keys_of_facts()),
    'Transparent huge pages' => 'memory.huge_pages.transparent',
);

# What a usual copy used.
my %ERRORS = (df  => 9, map { $_ => 1e-6 } qw(cpu clock loop user kernel both));
my %USED   = (own => 1, cpu => 0.99, cpu_s => 98, user => 0.3, clock_mhz => 3244, waited => 0, errors => \%ERRORS);

# The repeat of a machine that does not vary from run to run, see UnixBench::Score::Repeat.
my %STEADY = (known => 1, assumed => 'own', deviation => 0, df => 57, runs => 50, since => 1_790_000_000);

# Takes a label and the arguments of summary; returns a side.
sub side {
    my ($label, %with) = @_;
    return { label => $label, summary => summary(%with) };
}

# Takes facts, label => text, such as Kernel => '6.1', 'Size of execl' => '1 byte' or 'Program pipe' => 'aa'; returns
# them as they are in a summary.
sub facts_of {
    my (%text) = @_;
    my %files  = map { $_ => {} } qw(programs inputs tools libraries);
    my %facts  = (facts   => {}, program_facts => {}, fact_keys => {}, files => \%files);
    my %kind   = (Program => 'programs', Input => 'inputs', Tool => 'tools', Library => 'libraries');
    for my $label (keys %text) {
        my ($kind, $file) = $label =~ /\A(Program|Input|Tool|Library) (.+)/;
        if (defined $kind) { $files{ $kind{$kind} }{$file} = $text{$label} }
        else {
            $facts{ $label =~ / of execl\z/ ? 'program_facts' : 'facts' }{$label} = $text{$label};
            $facts{fact_keys}{$label} = _key_of($label);
        }
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
    my ($runs, $baseline) = (delete $with{runs}, { %$BASELINE, %{ delete $with{baseline} || {} } });
    my $repeat = { %STEADY, %{ delete $with{repeat} || {} } };
    return {
        source    => 'UnixBench',
        version   => '8.0.0',
        name      => 'vm',
        system    => 'GNU/Linux',
        started   => 1_795_140_750,
        date      => '2026-11-20T02:12:30+00:00',
        procedure => { kind => 'official', time_factor => 1, work_factor => 1 },
        flags     => '-O3',
        facts_of(%{ $with{facts} || { Kernel => '6.18.44', CPU => '2 x AMD EPYC' } }),
        notes => [],
        runs  => [map { _run($_, $runs->{$_}, $baseline, $repeat) } sort { $a <=> $b } keys %$runs],
        %with,
    };
}

# Takes the work of the tests of one copy, { test => { rate, and what differs from what a usual copy used } }, and other
# parts of a summary; returns the summary.
sub worked_summary {
    my ($work, %with) = @_;
    my $summary = summary(runs => { 1 => { map { $_ => spread_rates($work->{$_}{rate}, 0.001) } keys %$work } }, %with);
    $_->{work} = { %USED, per_loop => {}, %{ $work->{ $_->{name} } } } for @{ $summary->{runs}[0]{tests} };
    return $summary;
}

sub _run {
    my ($copies, $rates, $baseline, $repeat) = @_;
    my @tests   = map { _test($_, $rates->{$_}, $baseline->{$_}) } sort keys %$rates;
    my @indexes = _index(@tests);
    for my $item (grep { defined(($_->{estimate} || {})->{log_se}) } @tests, @indexes) {
        my $within = UnixBench::Score::Estimate::half_width($item->{estimate});
        $item->{repeat} = { %$repeat, within => exp($within) - 1, next => exp($within) - 1 };
    }
    return { copies => $copies, cpu_count => 2, tests => \@tests, indexes => \@indexes };
}

sub _test {
    my ($name, $rates, $entry) = @_;
    my $test     = UnixBench::Catalog::test($name);
    my $baseline = ref $entry ? $entry->{score} : $entry;
    my %test     = (map({ $_ => $test->{$_} } qw(name title category)), unit => 'lps', baseline => $baseline);
    my ($status, $reason) = ref $rates ? 'measured' : split /: /, $rates, 2;
    return { %test, status => $status, reason => $reason } if !ref $rates;
    my @kept = sort { $b <=> $a } @$rates;
    splice @kept, @kept - int @kept / 3;
    return {
        %test,
        status   => $status,
        score    => geometric_mean(@kept),
        passes   => scalar @$rates,
        cv       => @$rates > 1 ? standard_deviation(@$rates) / mean(@$rates) : undef,
        estimate => UnixBench::Score::Estimate::of_rates(@$rates),
    };
}

sub _index {
    my (@tests) = @_;
    my @based = grep { $_->{baseline} && $_->{status} eq 'measured' && $_->{category} eq 'system' } @tests;
    return if !@based;
    my $scale = 10 / geometric_mean(map { $_->{baseline} } @based);
    my $mean  = UnixBench::Score::Estimate::geometric_mean(map { $_->{estimate} } @based);
    return {
        category => 'system',
        title    => 'System Benchmarks',
        complete => @based == 12 ? 1 : 0,
        index    => $scale * geometric_mean(map { $_->{score} } @based),
        tests    => [map { $_->{name} } @based],
        estimate => UnixBench::Score::Estimate::multiple($mean, $scale),
    };
}

# Takes a summary; returns it with only the data that a text report has.
sub classic {
    my ($summary) = @_;
    my @runs      = map { _classic_run($_) } @{ $summary->{runs} };
    my %unknown   = (started => undef, flags => undef, facts_of());
    return { %$summary, %unknown, source => 'text report', runs => \@runs };
}

sub _classic_run {
    my ($run)   = @_;
    my %unknown = (estimate => undef, repeat => undef, cv => undef);
    my @tests   = map { +{ %$_, %unknown } } @{ $run->{tests} };
    my @indexes = map { +{ %$_, estimate => undef, repeat => undef } } @{ $run->{indexes} };
    return { %$run, tests => \@tests, indexes => \@indexes };
}

# Takes a rate and a step; returns five rates around it whose logarithms are that step apart. Their standard deviation
# is sqrt(10/4) steps, so the standard error of their mean is sqrt(1/2) steps, with 4 degrees of freedom.
sub spread_rates {
    my ($rate, $step) = @_;
    return [map { $rate * exp($_ * $step) } 1, -2, 0, 2, -1];
}

1;
