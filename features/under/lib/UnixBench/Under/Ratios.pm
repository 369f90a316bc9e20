package UnixBench::Under::Ratios;

# The ratios of states that a run measured in turns: the data of their tables, the type "groups" of
# UnixBench::Base::ResultSchema.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Result        ();
use UnixBench::Compare::Comparison ();
use UnixBench::Compare::Facts      ();
use UnixBench::Compare::Groups     ();
use UnixBench::Compare::Rows       ();
use UnixBench::Plan                ();
use UnixBench::Score::StopRule     ();
use UnixBench::Summary             ();

use constant FACTS_MOST => 3;

my $DECIDED = qr/slower|faster|equal/;

# The seconds of the timebase of each unit that counts loops.
my %LOOP_S = (lps => 1, lpm => 60);

# Takes an unfinished run; returns whether the ratio of each state has a verdict: slower, faster or equal. Then the run
# may end.
sub is_decided {
    my ($run)  = @_;
    my @ratios = map { UnixBench::Score::StopRule::estimates($_, $run) } UnixBench::Score::StopRule::indexes($run);
    my $effect = UnixBench::Compare::Rows::MIN_EFFECT();
    return !grep { !$_ || UnixBench::Compare::Rows::verdict_of_turns($_, $effect) !~ /\A$DECIDED\z/ } @ratios;
}

# Takes the results of all states, that of the plain machine first; returns the data, see of_summaries().
sub of {
    my ($results) = @_;
    my (undef, @others) = @$results;
    my @summaries = map { UnixBench::Summary::of($_) } @$results;
    return of_summaries(\@summaries, [undef, map { _about_command($_->{runs}) // _about_facts(@summaries) } @others]);
}

sub _about_facts {
    my (@summaries) = @_;
    my @facts       = UnixBench::Compare::Facts::differences(@summaries) or return;
    my @named       = map {
        "$_->{label}: " . join ' -> ',
            map { $_ // 'none' }
            @{ $_->{texts} }
    } @facts;
    return join '; ', @named[0 .. List::Util::min($#named, FACTS_MOST - 1)], @named > FACTS_MOST ? 'and more' : ();
}

sub _about_command {
    my ($runs) = @_;
    my $said   = UnixBench::Base::Result::said_in($runs);
    my @about  = (
        (UnixBench::Base::Result::lacks_gate($runs) ? 'its copies start without the gate' : ()),
        (defined $said                              ? "it said: $said"                    : ()),
    );
    return @about ? join '; ', @about : undef;
}

# Takes the summaries of all states, and for each a text about it or undef. Returns the data, of which each table also
# has rounds, the number of rounds that count, and left_out, that of rounds that belong to an incomplete set of orders.
# Returns undef if nothing can be compared.
sub of_summaries {
    my ($summaries, $about) = @_;
    my @commands   = @{ $summaries->[0]{procedure}{turns}{commands} };
    my @names      = UnixBench::Plan::names_of_states($summaries->[0]{procedure}{turns}{off}, @commands);
    my @sides      = map { { label => $names[$_], summary => $summaries->[$_] } } 0 .. $#names;
    my $comparison = UnixBench::Compare::Comparison::of(\@sides);
    return if @{ $comparison->{refusals} };
    my $data    = UnixBench::Compare::Groups::of($comparison);
    my @letters = map { $_->{letter} } @{ $comparison->{sides} };
    $data->{groups} =
        [map { +{ letter => $letters[$_], name => $names[$_], runs => undef, about => $about->[$_] } } 0 .. $#names];
    my %run = map { $_->{copies} => $_ } reverse @{ $summaries->[0]{runs} };

    for my $table (@{ $data->{tables} }) {
        my @turns = grep { $_ } map { $_->{turns} } @{ $run{ $table->{copies} }{tests} };
        my $made  = List::Util::max(map { $_ + 1 } map { @{ $_->{rounds} } } @turns);
        $table->{rounds}   = UnixBench::Plan::complete_rounds($made, scalar @names);
        $table->{left_out} = $made - $table->{rounds};
        _add_overheads($table->{copies}, $_) for @{ $table->{rows} };
    }
    return $data;
}

sub _add_overheads {
    my ($copies, $row) = @_;
    my $loops_s = $row->{kind} eq 'test' && $LOOP_S{ $row->{unit} // q{} } or return;
    for my $other (grep { $_->{ratio} } @{ $row->{others} }) {
        $other->{overhead_s} = $copies * $loops_s / $row->{first}{value} * (1 / $other->{ratio}{value} - 1);
    }
    return;
}

1;
