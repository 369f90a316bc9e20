package UnixBench::History::Explained;

# What may be the cause of an event: the facts that differ, and what features find in the runs before it and after it.

use strict;
use warnings;

use UnixBench::Compare::Comparison ();
use UnixBench::Compare::Facts      ();
use UnixBench::Compare::Repeated   ();
use UnixBench::Compare::Rows       ();
use UnixBench::Features            ();

use constant {
    COMPARED => 3,      # runs on each side of an event whose factors are compared
    HALF     => 0.5,    # the least part of a change, as logarithms, that explains it
};

# Takes a host, one of its events, and a function that takes a run and returns its summary. Adds to the event what may
# be its cause:
#   differs  [{ key, label, first, second }, ...], the facts that differ between the last run before it and its first
#            run, or between both ends of a drift
#   files    [sentences on measured files that differ]
# and to each change of a test what features find in up to three runs on each side, if that makes up half of the change;
# see of_pair in UnixBench::Compare::Comparison.
sub explain {
    my ($host, $event, $summary_of) = @_;
    my @runs = @{ $host->{runs} };
    @$event{qw(differs files)} = ([], []);
    my ($run, $change) = ($event->{run}, $event->{changes}[0]);
    my @beside =
        $event->{kind} eq 'step'
        ? ([reverse 0 .. $run - 1], [$run .. $#runs])
        : ([$run .. $change->{last}], [reverse $run .. $change->{last}]);
    my @sides;
    for my $beside (@beside) {
        my @used = grep { $_->{is_evidence} } @runs[@$beside];
        splice @used, COMPARED if @used > COMPARED;
        my @members = map { +{ label => q{}, summary => $summary_of->($_) } } @used;
        push @sides, { %{ UnixBench::Compare::Repeated::together(@members) }, letter => q{} };
    }
    my @nearest = map { $_->{members}[0]{summary} } @sides;
    $event->{differs} = [UnixBench::Compare::Facts::apart(@nearest)];
    $event->{files}   = [UnixBench::Compare::Facts::other_files(@nearest)];
    my %changes;
    push @{ $changes{ $_->{series}{copies} } }, $_ for grep { $_->{series}{kind} ne 'index' } @{ $event->{changes} };
    _explain_copies(\@sides, $_, @{ $changes{$_} }) for keys %changes;
    return;
}

sub _explain_copies {
    my ($sides, $copies, @changes) = @_;
    my @of_sides = map {
        grep { ($_->{copies} // 0) == $copies }
            @{ $_->{summary}{runs} }
    } @$sides;
    return if @of_sides < 2;
    my %verdict = map { $_->{series}{name} => 'changed' } @changes;
    my @given   = ($sides, \@of_sides, UnixBench::Compare::Rows::MIN_EFFECT(), \%verdict);
    my %found   = UnixBench::Compare::Comparison::of_features(@given);
    my $of      = UnixBench::Features::having(of_comparisons => 'explained');

    for my $key (keys %$of) {
        my $explained = $of->{$key}->explained($found{$key});
        for my $change (@changes) {
            my $part = $explained->{ $change->{series}{name} } or next;
            $change->{$key} = $part->{row} if log($part->{ratio}) / log(1 + $change->{by}) >= HALF;
        }
    }
    return;
}

1;
