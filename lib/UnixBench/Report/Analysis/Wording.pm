package UnixBench::Report::Analysis::Wording;

# What an analysis says of what it compares, and what its readers have to know.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Format                qw(counted);
use UnixBench::Plan::UserLoad              ();
use UnixBench::Report::Comparison::Wording qw(side_facts);

our @EXPORT_OK = qw(analysis_title compared_sentence facts_of legend_sentences notices_of);

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

# Takes an analysis, returns its title.
sub analysis_title {
    my ($analysis) = @_;
    return 'Analysis: ' . join ' and ', map { $_->{label} } @{ $analysis->{sides} };
}

# Takes an analysis; returns what it compares, in a sentence or two.
sub compared_sentence {
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

# Takes a side; returns what is known of it, each in a sentence or a part of one; nothing when it was typed in.
sub facts_of {
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

# Takes an analysis; returns what makes it less sure than it looks, in sentences.
sub notices_of {
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

# Takes an analysis; returns what its numbers mean, in sentences.
sub legend_sentences {
    my ($analysis) = @_;
    my @sides = @{ $analysis->{sides} };
    return (TYPED, EXACT) if $sides[0]{is_typed_in};
    my @counts = map { scalar @{ $_->{passes} } } @sides;
    return (MEASURED, (grep({ $_ > 1 } @counts) ? MEANS : ()), (grep({ $_ == 1 } @counts) ? ALONE : ()), EXACT);
}

1;
