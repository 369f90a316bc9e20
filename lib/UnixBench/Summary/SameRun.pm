package UnixBench::Summary::SameRun;

# Which results are files of the same run: it counts once, whatever its files are called and wherever they are.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Result qw(ANONYMOUS);
use UnixBench::Base::Text   qw(clean);

our @EXPORT_OK = qw(identity lines once);

# Takes a summary, see UnixBench::Summary; returns what its run is known by: { name (of the host, undef if it is
# unknown), run (a text: its start, its state and its first pass or, of a text report, its date and scores; undef if it
# has no date), is_whole (whether it was not interrupted) }.
sub identity {
    my ($summary) = @_;
    my $procedure = $summary->{procedure} || {};
    my $start     = $summary->{started} // $summary->{date};
    my @first =
        defined $summary->{started}
        ? ($summary->{first_rate}, ($procedure->{turns} || {})->{state})
        : ($summary->{version}, map { $_->{score} } map { @{ $_->{tests} } } @{ $summary->{runs} });
    return {
        name     => ($summary->{name} // ANONYMOUS) eq ANONYMOUS ? undef : $summary->{name},
        run      => defined $start                               ? join("\n", $start, map { $_ // q{} } @first) : undef,
        is_whole => $procedure->{interruption}                   ? 0                                            : 1,
    };
}

# Takes [identity, path, item], ... of results. Returns [the items of different runs in their order], and [[path, path
# of the same run], ...] of the others. A run that was not interrupted is preferred, then one that names its host, and
# then a file that is not a link. A run without a name may be of any host.
sub once {
    my (@given) = @_;
    my %worth   = map  { $_ => 4 * $_->[0]{is_whole} + 2 * defined($_->[0]{name}) + !defined readlink $_->[1] } @given;
    my @order   = sort { $worth{$b} <=> $worth{$a} } @given;
    my (%paths, %is_kept, @others);
    for my $one (@order) {
        my ($identity, $path) = @$one;
        my $of   = defined $identity->{run} ? $paths{ $identity->{run} } ||= {} : {};
        my $name = $identity->{name} // (sort keys %$of)[0] // q{};
        push @others, [$path, $of->{$name}] if defined $of->{$name};
        $is_kept{$one} = 1 if !defined $of->{$name};
        $of->{$name} //= $path;
    }
    return ([map { $_->[2] } grep { $is_kept{$_} } @given], \@others);
}

# Takes [path, path of the same run], ...; returns [path, line that tells why this file is left out], ....
sub lines {
    my (@others) = @_;
    return map { [$_->[0], _line(map { clean($_) } @$_)] } @others;
}

sub _line {
    my ($path, $of) = @_;
    return $path eq $of ? "$path is given twice\n" : "$path is another file of the run in $of\n";
}

1;
