package UnixBench::Call::NextStep;

# The next step after a report: the one command that the user needs now. It depends on the kind of the result, not on
# the command that printed the report.

use strict;
use warnings;

use POSIX ();

use UnixBench::Base::Result      qw(ANONYMOUS floor_bounds is_measured);
use UnixBench::Base::Text        qw(unique);
use UnixBench::CLI::Console      ();
use UnixBench::Catalog           ();
use UnixBench::Compare::Kind     ();
use UnixBench::Features          ();
use UnixBench::Store::ResultFile ();
use UnixBench::Summary           ();
use UnixBench::Warnings::Trust   ();

use constant EARLIER_MOST => 20;    # results among which an earlier one is searched
use constant {
    INTERRUPTED => 'measure again, because the run was interrupted',
    DISTURBED   => 'stop other load, and measure again',
    ELSEWHERE   => 'stop other load there, and measure again',
    WARNED      => 'see the warnings, and measure again',
};

# The next step after a poor result of another machine, by the cause that disturbed most passes.
my %REMEDY = (
    thermal     => 'cool it, and measure again',
    low_voltage => 'use another power supply, and measure again',
);

# Takes a summary, see UnixBench::Summary; returns the kind of its result:
#   interrupted  the run was interrupted
#   poor         nothing is shown by it: its numbers are rough, tests failed or, without states, a number is a floor
#   state        one of several states that were measured in turns
#   complete     another one
sub kind_of {
    my ($summary) = @_;
    my $procedure = $summary->{procedure} || {};
    return 'interrupted' if $procedure->{interruption};
    return 'poor'
        if UnixBench::Warnings::Trust::is_rough($summary->{trust})
        || (($summary->{trust} || {})->{level} // q{}) eq 'incomplete';
    return 'state' if $procedure->{turns};
    my @numbers = map { @{ $_->{indexes} } ? @{ $_->{indexes} } : @{ $_->{tests} } } @{ $summary->{runs} };
    return (grep { floor_bounds($_) } @numbers) ? 'poor' : 'complete';
}

# Takes two words that name results; returns the command that compares them, and names the cause if a feature knows it.
sub comparing {
    my (@words) = @_;
    return join q{ }, './Run compare', @words, UnixBench::Features::steps('difference');
}

# Takes
#   summary        the summary of a result
#   own            the word of the command line that names it
#   base           the path that its files have in common
#   is_unfinished  whether its run has ended now and is not whole
#   outputs        words for the files that this run would have written, see UnixBench::CLI::Options::output_words
#   names          UnixBench::Store::ResultNames
# Returns the command that the user needs now, a text; or undef if there is none.
sub of_result {
    my (%of) = @_;
    my ($summary, $own) = @of{qw(summary own)};
    my $kind = kind_of($summary);
    return join q{ }, "./Run --resume $own", map { UnixBench::CLI::Console::quoted($_) } @{ $of{outputs} || [] }
        if ($of{is_unfinished} || $kind eq 'interrupted') && -e "$of{base}.journal";
    my ($runner, $ended_by) = @{ $summary->{procedure} || {} }{qw(runner interruption)};
    return INTERRUPTED . ($runner && !defined $ended_by->{signal} ? ', or copy the log again' : q{})
        if $kind eq 'interrupted';
    return after_poor($summary) if $kind eq 'poor' || _skipped($summary);
    if ($kind eq 'state') {
        my $can_explain = -e "$of{base}-b.html" && UnixBench::Features::steps('difference');
        return $can_explain ? comparing($own, "$own-b") : undef;
    }
    my $earlier = earlier($of{names}, $summary);
    return './Run compare ' . UnixBench::CLI::Console::quoted($of{names}->word($earlier)) . " $own" if defined $earlier;
    my ($step) = UnixBench::Features::steps(complete => $summary, $own);
    return $step // "./Run report $own --details";
}

# Takes the summaries of results that show nothing, or the names of their hosts, [{ name }, ...]; returns the next step.
# Features examine this machine alone.
sub after_poor {
    my (@poor) = @_;
    if (@poor && !grep { _is_of_this_machine($_) } @poor) {
        my @steps = unique(map { _after_poor_elsewhere($_->{trust}) } @poor);
        return @steps > 1 ? WARNED : $steps[0];
    }
    my $skipped = join "\n", map { _skipped($_) } @poor;
    return './Run --setup graphics' if $skipped =~ /there is no program|no X display/;
    my ($step) = UnixBench::Features::steps(poor => length $skipped);
    return $step // DISTURBED;
}

# Takes a summary; returns what graphics tests lacked on this machine. Beside others they may be left out on purpose.
sub _skipped {
    my ($summary) = @_;
    my @tests     = map { @{ $_->{tests} } } @{ $summary->{runs} || [] };
    return if !_is_of_this_machine($summary) || grep { !UnixBench::Catalog::is_graphics($_) } @tests;
    return grep { /\Askipped: (?:there is no program|(?:no|the) X display)/ } map { $_->{reason} // () } @tests;
}

# Takes the trust of a summary, or undef. If nothing is known of other load, it is the most likely cause.
sub _after_poor_elsewhere {
    my ($trust) = @_;
    my $cause = ($trust->{worst} || {})->{cause} // q{};
    return ELSEWHERE if $trust->{loaded} || !defined $trust->{loaded} && !$trust->{failed};
    return !$trust->{failed} && $REMEDY{$cause} || WARNED;
}

sub _is_of_this_machine {
    my ($of) = @_;
    my $name = $of->{name} // return 1;
    return ($name eq ANONYMOUS || $name eq (POSIX::uname())[1])
        && !($of->{procedure}  || {})->{runner};
}

# Takes the names of results and the summary of a complete result; returns the path of the newest earlier result of this
# host that can be compared with it, or undef. A directory that can't be read has none.
sub earlier {
    my ($names, $summary) = @_;
    for my $path (eval { $names->newest_first(EARLIER_MOST) }) {
        my $other = eval { UnixBench::Store::ResultFile::summary($path) } or next;
        return $path if _is_earlier($other, $summary);
    }
    return;
}

# If the clock was wrong during one of both runs, that is unknown.
sub _is_earlier {
    my ($other, $own) = @_;
    return 0 if ($other->{name} // q{}) ne ($own->{name} // q{}) || kind_of($other) ne 'complete';
    return 0 if grep { !UnixBench::Summary::has_date($_, time) } $other, $own;
    return 0 if $other->{started} >= $own->{started};
    my ($before, $now) = map { join "\n", $_->{procedure}{kind} // q{}, _measured_in($_) } $other, $own;
    return 0 if $before ne $now;
    my @obstacles = UnixBench::Compare::Kind::obstacles(map { { label => q{}, summary => $_ } } $own, $other);
    return !@obstacles;
}

sub _measured_in {
    my ($summary) = @_;
    my @names;
    for my $run (@{ $summary->{runs} }) {
        push @names, map { ($run->{copies} // '?') . " x $_->{name}" } grep { is_measured($_) } @{ $run->{tests} };
    }
    @names = sort @names;
    return @names;
}

1;
