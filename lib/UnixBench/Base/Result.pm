package UnixBench::Base::Result;

# Questions about a result: the names that it can have, titles and order of its tests, the copies of its passes, its
# end, its kinds of CPU, and how its procedure differs from the official one.

use strict;
use warnings;

use Exporter 'import';
use List::Util ();

use UnixBench::Features ();

our @EXPORT_OK = qw(
    @SUFFIXES ANONYMOUS copies_in cpu_kinds elapsed_s end_s floor_bounds has_passes is_measured offset_at parts
    tests_by_title titles unmeasured why_no_name without_suffix
);

# The copies of a pass of which a result has only some: from how many on, and at how many quantiles of their rates.
use constant { SAMPLED_FROM => 64, QUANTILES => 8 };

# The name of a host after --no-identity.
use constant ANONYMOUS => 'anonymous';

# All files of a result have the same base name, followed by one of these suffixes. The text report has no suffix.
our @SUFFIXES = qw(.log .html .csv .json .journal);

# Takes a name, without a directory; returns what it must not be, and why, if it can't be the name of a result, or
# undef. The files of such a result would be those of something else.
sub why_no_name {
    my ($name)   = @_;
    my ($suffix) = grep { $name =~ /\Q$_\E\z/ } @SUFFIXES, '.new';
    return "end in $suffix: another file of the run has this suffix" if defined $suffix;
    my ($own) = grep { ($_->{name} // q{}) eq lc $name } UnixBench::Features::list('files');
    return $own ? "be $name: $name.log has $own->{about}" : undef;
}

# Takes the path or name of a report that results are read from, or that was written from one; returns it without its
# suffix.
sub without_suffix {
    my ($path) = @_;
    return $path =~ s/[.](?:html|json|txt|md)\z//r;
}

# Takes a result; returns its parts, by which topics and features know whether they take part in it: { categories of its
# tests, keys of it, of its procedure and of its tests, "scaling" if it has several runs => 1 }.
sub parts {
    my ($result) = @_;
    my @runs     = @{ $result->{runs} };
    my @tests    = map { @{ $_->{tests} } } @runs;
    my $how      = $result->{procedure} || {};
    my @several  = (@runs > 1 ? 'scaling' : (), grep { $how->{$_} } keys %$how);
    my @names    = (keys %$result, @several, map { ($_->{category} // (), keys %$_) } @tests);
    return { map { $_ => 1 } @names };
}

# Takes a result and a time, in seconds since 1970. Returns the seconds by which the clocks of the machine were ahead of
# UTC then.
sub offset_at {
    my ($result, $time) = @_;
    my @before = grep { $_->{at} <= $time } @{ $result->{clock_changes} || [] };
    return @before ? $before[-1]{utc_offset_s} : $result->{utc_offset_s};
}

# Takes a test; returns whether it has a score.
sub is_measured {
    my ($test) = @_;
    return $test->{status} eq 'measured';
}

# Takes a summary; returns whether its result has passes. A text report has none, so nothing that follows from them is
# known.
sub has_passes { my ($summary) = @_; return $summary->{has_passes} ? 1 : 0 }

# Takes a test or an index of a summary; returns its bounds if other load made it a floor, else undef.
sub floor_bounds {
    my ($item) = @_;
    my $bounds = $item->{bounds};
    return $bounds && $bounds->{is_floor} ? $bounds : undef;
}

# Takes a test without a score; returns the text that every report shows instead of the score.
sub unmeasured {
    my ($test) = @_;
    my $reason = $test->{reason};
    return 'no measured results: ' . (defined $reason && length $reason ? $reason : $test->{status});
}

# Takes a pass. From 64 copies on, leaves only some of them, in their order: those at quantiles of the rates, the
# first, the longest, and the first with each error or remark. A result with all of them would be too large to be sent.
sub sample {
    my ($pass) = @_;
    my @copies = @{ $pass->{copies} };
    return if @copies < SAMPLED_FROM;
    my %first     = map { _remarks_of($copies[$_]) => $_ } reverse 0 .. $#copies;
    my @rates     = map { ($_->{count} // 0) / ($_->{time_s} || 1) } @copies;
    my @by_rate   = sort { $rates[$a] <=> $rates[$b] } 0 .. $#copies;
    my ($longest) = sort { ($copies[$b]{elapsed_s} // 0) <=> ($copies[$a]{elapsed_s} // 0) } 0 .. $#copies;
    my %is_kept   = map { $_ => 1 } 0, $longest, values %first,
        @by_rate[map { $_ * $#copies / QUANTILES } 0 .. QUANTILES];
    $pass->{all}    = { copies => scalar @copies, elapsed_s => List::Util::sum(map { $_->{elapsed_s} // 0 } @copies) };
    $pass->{copies} = [map { $copies[$_] } grep { $is_kept{$_} } 0 .. $#copies];
    return;
}

# Takes a copy; returns what may be unlike other copies, apart from numbers.
sub _remarks_of {
    my ($copy)   = @_;
    my $data     = $copy->{data} || {};
    my @replaced = map { ($_, @{ $data->{$_} }) } sort grep { /\Areplaced[.]/ } keys %$data;
    return join "\n", (map { $_ // q{} } @$copy{qw(error status signal gated tracer)}), @replaced;
}

# Takes a pass; returns the number of its copies.
sub copies_in { my ($pass) = @_; return $pass->{all} ? $pass->{all}{copies} : scalar @{ $pass->{copies} } }

# Takes a pass; returns its seconds, which are those of its longest copy.
sub elapsed_s {
    my ($pass) = @_;
    return List::Util::max(0, map { $_->{elapsed_s} // 0 } @{ $pass->{copies} });
}

# Takes a result; returns when its last run ended, in seconds since 1970, or undef if none has ended yet.
sub end_s {
    my ($result) = @_;
    return List::Util::max(grep { defined } map { $_->{ended} } @{ $result->{runs} });
}

# Takes tests; returns them in the order of the reports: by the bytes of their titles, and of their names.
sub tests_by_title {
    my ($tests) = @_;
    my @sorted = sort { $a->{title} cmp $b->{title} || $a->{name} cmp $b->{name} } @{$tests};
    return @sorted;
}

# Takes a result; returns the titles of all tests of all runs, each once, in the order of the reports.
sub titles {
    my ($result) = @_;
    my %seen     = map { $_->{title} => 1 } map { @{ $_->{tests} } } @{ $result->{runs} };
    my @titles   = sort keys %seen;
    return @titles;
}

# Takes CPUs; returns { ids => "0-63,128", cpu => the first one } for each model, in order of appearance.
sub cpu_kinds {
    my ($cpus) = @_;
    my (%ids, @kinds);
    for my $cpu (@{$cpus}) {
        my $model = defined $cpu->{model} ? $cpu->{model} : '';
        push @kinds, { cpu => $cpu, all => $ids{$model} = [] } if !$ids{$model};
        push @{ $ids{$model} }, $cpu->{id};
    }
    return map { +{ ids => _ranges(@{ $_->{all} }), cpu => $_->{cpu} } } @kinds;
}

sub _ranges {
    my (@ids) = @_;
    my @ranges;
    for my $id (@ids) {
        if (@ranges && $ranges[-1][1] + 1 == $id) { $ranges[-1][1] = $id }
        else                                      { push @ranges, [$id, $id] }
    }
    return join ',', map { $_->[0] == $_->[1] ? $_->[0] : "$_->[0]-$_->[1]" } @ranges;
}

# Takes a procedure; returns its changes, in this order:
#   { kind => time_factor or work_factor, factor }
#   { kind => 'baseline' }                if the baseline was edited
#   { kind => 'load', load }              load is the load_change of the procedure
#   { kind => 'replacement', name, by }
sub changes {
    my ($procedure) = @_;
    my @factors = grep { defined $procedure->{$_} && $procedure->{$_} != 1 } qw(time_factor work_factor);
    return (
        (map { +{ kind => $_, factor => $procedure->{$_} } } @factors),
        (($procedure->{baseline} // q{}) eq 'edited' ? { kind => 'baseline' }                                : ()),
        ($procedure->{load_change}                   ? { kind => 'load', load => $procedure->{load_change} } : ()),
        (map { +{ kind => 'replacement', %$_ } } @{ $procedure->{replacements} || [] }),
    );
}

# Takes runs of a state under a command; returns the first text that the command itself wrote to standard error, or
# undef.
sub said_in {
    my ($runs) = @_;
    return List::Util::first(sub { defined }, map { ($_->{data}{said} || [])->[0] } _copies_of($runs));
}

# Takes runs of a state under a command; returns whether a copy that reported the time of its work did not wait at the
# start gate. Programs that report it know the gate, so the command has closed its descriptors.
sub lacks_gate {
    my ($runs) = @_;
    return scalar grep { !defined $_->{error} && !$_->{gated} && $_->{data}{TIME} } _copies_of($runs);
}

sub _copies_of {
    my ($runs) = @_;
    return map { @{ $_->{copies} } } map { @{ $_->{passes} } } map { @{ $_->{tests} } } @$runs;
}

# Takes runs; returns the replacements, { name, by }, each once. A program that measured OTHER NAME, because NAME did
# not work, reports that by the line "replaced.NAME|OTHER NAME".
sub replacements {
    my ($runs) = @_;
    my @replaced = map { _replaced_in($_->{data}) } _copies_of($runs);
    my (%seen, @once);
    for my $pair (sort { $a->{by} cmp $b->{by} || $a->{name} cmp $b->{name} } @replaced) {
        push @once, $pair if !$seen{ $pair->{by} }{ $pair->{name} }++;
    }
    return @once;
}

sub _replaced_in {
    my ($data) = @_;
    my @pairs;
    for my $line (keys %$data) {
        my ($name) = $line =~ /\Areplaced[.](.+)/s or next;
        push @pairs, { name => $name, by => $data->{$line}[0] };
    }
    return @pairs;
}

1;
