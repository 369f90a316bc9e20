package UnixBench::Warnings::Causes;

# The texts about disturbances of a result. UnixBench::Noise::Causes has the table of causes.

use strict;
use warnings;

use Exporter 'import';

use List::Util ();

use UnixBench::Base::Text          qw(counted listed shown);
use UnixBench::Noise::Causes       ();
use UnixBench::Noise::Disturbances ();

our @EXPORT_OK = qw(
    amount cause_title disturber load_advice load_seen load_text tag_text OTHER_LOAD
);

use constant { OTHER_LOAD => 'other load', LOADS_MOST => 3 };    # causes of it in one sentence

# Takes a cause, the kind of a warning. Returns its texts, as UnixBench::Warnings::Wording has them.
sub texts {
    my ($kind) = @_;
    my $cause = UnixBench::Noise::Causes::row($kind);
    return {
        seen   => sub { _seen($cause, @_) },
        advice => sub { _advice($cause, @_) },
        sum    => sub { _sum(@_) },
    };
}

# Takes a cause and its value before a run; returns { seen, advice }.
sub before {
    my ($kind, $value) = @_;
    my $cause  = UnixBench::Noise::Causes::row($kind);
    my %before = %{ $cause->{before} };
    my $seen   = $before{seen} // $cause->{seen} . ($cause->{is_whole} ? q{} : q{.});
    return { seen => ucfirst _filled($cause, $seen, $value, q{}), advice => $before{advice} // $cause->{advice} };
}

# Takes warnings about the same cause in several runs; returns one about all of them.
sub _sum {
    my (@warnings) = @_;
    my ($all)      = UnixBench::Noise::Disturbances::together(map { +{ %$_, cause => $_->{kind} } } @warnings);
    return { %$all, kind => $all->{cause}, of => List::Util::sum(map { $_->{of} } @warnings) };
}

sub _seen {
    my ($cause, $warning) = @_;
    my $seen = _filled($cause, $cause->{seen}, $warning->{worst});
    return $seen if $cause->{is_whole};
    my @processes = grep { length } _processes(@{ $warning->{by} || [] });
    return
          "$warning->{passes} of "
        . counted($warning->{of}, 'pass', 'passes') . ': '
        . join('; ', $seen, @processes) . q{.};
}

sub _advice {
    my ($cause, $warning) = @_;
    my ($first) = @{ $warning->{by} || [] };
    return $first ? $cause->{advice} : $cause->{advice_if_unknown} // $cause->{advice};
}

# Takes a row, a text of it, a value, and what precedes the value for {most}; returns the text with the value.
sub _filled {
    my ($cause, $text, $value, $up_to) = @_;
    my $worst = ($cause->{worst} || $cause->{amount})->($value);
    my %text  = (worst => $worst, most => ($up_to // 'up to ') . $worst);
    return $text =~ s/[{](worst|most)[}]/$text{$1}/r;
}

# Takes causes of other load, each { cause, worst } and perhaps by, see UnixBench::Noise::Disturbances::sums, the most
# important first; returns them as one text, such as "1.98 CPUs used, 2 other Runs, 9 processes waited, above all yes".
sub load_text {
    my (@causes)  = @_;
    my ($culprit) = grep { length } map { _culprit($_) } @causes;
    splice @causes, LOADS_MOST if @causes > LOADS_MOST;
    return join(', ', map { _in_brief($_) } @causes) . ($culprit // q{});
}

sub _in_brief {
    my ($of)  = @_;
    my $row   = UnixBench::Noise::Causes::row($of->{cause});
    my $brief = $row->{brief} // sub { "$row->{title} " . $row->{amount}->($_[0]) };
    return $brief->($of->{worst});
}

# Takes the warning about other load, see UnixBench::Warnings::All, or the same before a run, without passes. Returns
# what was seen.
sub load_seen {
    my ($warning) = @_;
    my @causes = @{ $warning->{causes} };
    my $text =
        ucfirst OTHER_LOAD . ': ' . (@causes ? load_text(@causes) : sprintf 'load average %.2f', $warning->{load});
    return "$text." if !$warning->{passes};
    my ($passes, $how) =
        $warning->{badly} ? ($warning->{badly}, q{}) : ("slight in $warning->{passes}", ', which disturbed none');
    return "$text ($passes of " . counted($warning->{of}, 'pass', 'passes') . "$how).";
}

# Takes the same; returns what to do: because of its most important cause.
sub load_advice {
    my ($warning) = @_;
    my ($worst)   = sort { !$a->{badly} <=> !$b->{badly} } @{ $warning->{causes} };
    return 'Stop other programs, and start when the load is near 0.' if !$worst;
    return before(@$worst{qw(cause worst)})->{advice} if !$warning->{passes};
    return _advice(UnixBench::Noise::Causes::row($worst->{cause}), $warning);
}

# Takes processes, see UnixBench::Noise::Disturbances::sums; returns them as a text, such as "yes (PID 7) used 0.98 CPUs
# in 3 passes", which is empty without processes.
sub _processes {
    my (@by) = @_;
    return @by ? listed(map { _used($_) } @by) : q{};
}

sub _used {
    my ($process) = @_;
    my $used      = sprintf '%s (PID %d) used %.2f CPUs', shown($process->{name}), @$process{qw(pid cpus)};
    return join ' in ', $used, defined $process->{passes} ? counted($process->{passes}, 'pass', 'passes') : ();
}

# Takes the sum of a disturbance; returns its busiest process as the end of a text, such as ", above all yes", which is
# empty if no name is known.
sub _culprit {
    my ($sum)     = @_;
    my ($busiest) = @{ $sum->{by} || [] };
    my $name      = ($busiest || {})->{name} // return q{};
    return ', above all ' . ($name eq 'Run' ? 'another Run' : shown($name));
}

# Takes the sum of a disturbance; returns what disturbed most passes, such as "steal 12 %" or "other load, above all
# yes".
sub disturber {
    my ($sum) = @_;
    my ($cause, $worst) = @$sum{qw(cause worst)};
    return OTHER_LOAD . _culprit($sum) if UnixBench::Noise::Causes::has($cause, 'load');
    return cause_title($cause) . q{ } . amount($cause, $worst) . _culprit($sum);
}

# Takes a disturbance of a pass, see Base/README.md; returns it as a text.
sub tag_text {
    my ($tag)     = @_;
    my $text      = cause_title($tag->{cause}) . ': ' . amount($tag->{cause}, $tag->{value});
    my $processes = _processes(@{ $tag->{by} || [] });
    return $text . ($tag->{level} eq 'note' ? ' (slightly)' : q{}) . (length $processes ? ", $processes" : q{});
}

# Takes the cause of a disturbance; returns its title.
sub cause_title {
    my ($cause) = @_;
    return UnixBench::Noise::Causes::has($cause, 'title') // shown($cause);
}

# Takes the cause of a disturbance and its value; returns the value with its unit.
sub amount {
    my ($cause, $value) = @_;
    my $amount = UnixBench::Noise::Causes::has($cause, 'amount');
    return $amount ? $amount->($value) : $value;
}

1;
