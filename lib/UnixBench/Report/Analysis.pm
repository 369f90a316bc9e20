package UnixBench::Report::Analysis;

# The report of an analysis: what is compared, the meters, and then the argument.

use strict;
use warnings;

use UnixBench::Base::Format               qw(counted);
use UnixBench::Plan::UserLoad             ();
use UnixBench::Report::Analysis::Formulas qw(cost_formulas effect_formulas);
use UnixBench::Report::Analysis::Meters   qw(meter_table);
use UnixBench::Report::Block              qw(
    card cards document in_brief in_detail in_full list name not_in_full notices paragraphs quiet row said section
    strong table
);
use UnixBench::Report::Comparison::Wording qw(forced side_facts);

use constant {
    MEANS => 'Values of several passes are geometric means, or the mean where one of them is 0, which has no ratio.',
    ALONE => 'Of one pass alone, nothing tells how sure its numbers are: ./Run -i 3 multiuser plays three.',
    EXACT => 'All is computed with full precision and rounded to be shown.',
    TYPED => 'The argument takes it that both did the same work. Useful time is other_pct of the file, and time that '
        . 'was not idle 100 - idle_zero_pct.',
    MEASURED => 'Good is the user time of the users\' processes; virtual their system time, too; total with that of '
        . 'the driver. Useful is user time of the machine, non-idle its time that is neither idle nor waiting for '
        . 'disks: these are of /proc/stat, so that the product may fail to agree. Most kernels tell the CPU time of '
        . 'commands that end within a tick of the clock as user time, all of it: then good is too large, and the '
        . 'effect of the processor too near to the total one. Virtual and total are exact.',
    EXTRAPOLATED => 'CPU times, page faults and context switches of its users are those of the users that finished, '
        . 'times all users by those that finished. All else is as it was measured.',
};

# Takes an analysis, see UnixBench::Compare::Analysis, that was not refused; returns its report.
sub report_of {
    my ($analysis) = @_;
    my @effects    = effect_formulas($analysis);
    my @sides      = @{ $analysis->{sides} };
    my @forced     = grep { defined } forced($analysis);
    my @legend     = quiet(_legend($analysis));
    return document(
        { title => 'Analysis: ' . join(' and ', map { $_->{label} } @sides), is_folded => 1 },
        in_detail(list(undef, @forced)),
        in_brief(notices(@forced)),
        paragraphs(_compared($analysis)),
        in_full(notices(@forced, _notices($analysis)), cards(_cards(@effects))),
        not_in_full(notices(_notices($analysis))),
        in_detail(map { list("$_->{letter}: $_->{label}", _facts_of($_)) } @sides),
        in_brief(list(undef, map { _side($_) } @sides)),
        section('The meters',   meter_table($analysis), in_full(@legend)),
        section('The argument', @effects,               cost_formulas($analysis)),
        not_in_full(@legend),
        in_full(_sides(@sides)),
    );
}

# The results of the argument, but for the product, which is to agree with one.
sub _cards {
    my (@formulas) = @_;
    return map { _card($_) } grep { !defined $_->{left_out} } @formulas[0 .. $#formulas - 1];
}

sub _card {
    my ($formula) = @_;
    my $sure   = length $formula->{interval} ? "95 % interval: $formula->{interval}" : 'Nothing tells how sure that is';
    my @blocks = (said('words', $formula->{result}), said('sure', $sure));
    return card(title => $formula->{title}, class => 'same', blocks => \@blocks);
}

sub _side {
    my ($side) = @_;
    my @facts = _facts_of($side) or return;
    return [strong("$side->{letter}:"), q{ }, name($side->{label}), ', ' . join '; ', @facts];
}

sub _sides {
    my (@sides) = @_;
    my @rows    = map { _row($_) } @sides or return;
    my @columns = (word => 'Side', text => 'File and result');
    return section('What was compared', table(caption => 'Sides', columns => \@columns, rows => \@rows));
}

sub _row {
    my ($side) = @_;
    my @facts = _facts_of($side) or return;
    return row($side->{letter}, ["$side->{label}: " . join '; ', @facts]);
}

# What is compared, in a sentence or two.
sub _compared {
    my ($analysis) = @_;
    my ($first, $second) = map { $_->{label} } @{ $analysis->{sides} };
    my $who = "A is $first, B, taken for the new one, is $second.";
    return "The meters of two systems, as they were typed in: $who" if $analysis->{sides}[0]{is_typed_in};
    my @loads = map { _load($_) } @{ $analysis->{sides} };
    return 'Two loads, ' . join(' and ', @loads) . ": $who"
        if $loads[0] ne $loads[1] || @{ $analysis->{obstacles} };
    return "Two systems under the same load, $loads[0]: $who";
}

sub _load {
    my ($side) = @_;
    my $load = $side->{summary}{procedure}{multiuser} or return 'of which nothing is known';
    return
          UnixBench::Plan::UserLoad::counted_users(@{ $load->{users} })
        . ' with pauses of '
        . UnixBench::Plan::UserLoad::pace(@$load{qw(think_min_s think_max_s scale)});
}

# What is known of a side, each in a sentence or a part of one; nothing when it was typed in.
sub _facts_of {
    my ($side) = @_;
    return if $side->{is_typed_in};
    my $script = ($side->{summary}{procedure}{multiuser} || {})->{script};
    my $passes = counted(scalar @{ $side->{passes} }, 'pass', 'passes') . ' of the load';
    return (
        side_facts($side),
        $passes . (defined $script ? ', script ' . UnixBench::Plan::UserLoad::short_digest($script) : q{}),
        map { "Note: $_" } @{ $side->{summary}{notes} }
    );
}

# What makes it less sure than it looks, in sentences.
sub _notices {
    my ($analysis) = @_;
    my @sides      = @{ $analysis->{sides} };
    my @cpus       = map { $_->{cpu_count} // () } @sides;
    my @notices    = map { _shortfall($_) } @sides;
    push @notices,
          'A has '
        . counted($cpus[0], 'CPU', 'CPUs')
        . ", B $cpus[1]: effects are of CPU time, which does not "
        . 'tell how many there are.'
        if @cpus == 2 && $cpus[0] != $cpus[1];
    return @notices;
}

sub _shortfall {
    my ($side) = @_;
    return if !defined $side->{shortfall};
    return "$side->{letter}: $side->{shortfall}. "
        . ($side->{has_unfinished} ? EXTRAPOLATED : 'Its work was not all done.');
}

# What its numbers mean, in sentences.
sub _legend {
    my ($analysis) = @_;
    my @sides = @{ $analysis->{sides} };
    return (TYPED, EXACT) if $sides[0]{is_typed_in};
    my @counts = map { scalar @{ $_->{passes} } } @sides;
    return (MEASURED, (grep({ $_ > 1 } @counts) ? MEANS : ()), (grep({ $_ == 1 } @counts) ? ALONE : ()), EXACT);
}

1;
