package UnixBench::Since::Changes;

# What has changed in a fleet since an earlier time. Each host is compared with itself: hosts are matched by name, and
# by nothing else. The other hosts of its kind show two more things: how much a ratio varies, and what all of them have
# in common, such as a new kernel. If only some have it, these are a group of their own.
#
# Each verdict has its part of the chance of an error: in 95 of 100 fleets that did not change, no host is "slower". How
# much a ratio varies without a reason, its own error and the ratios of its kind show together, see
# UnixBench::Fleet::Outliers::deviation. lab/weeks measures this promise with real noise.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Text          qw(unique);
use UnixBench::Compare::Comparison ();
use UnixBench::Compare::Facts      ();
use UnixBench::Compare::Rows       ();
use UnixBench::Fleet::Outliers     qw(JUDGED);
use UnixBench::Host::FactList      ();
use UnixBench::Score::ByWork       ();
use UnixBench::Score::Estimate     ();
use UnixBench::Score::Stats        qw(median);
use UnixBench::Score::Work         qw(is_by_work);
use UnixBench::Summary::Outline    qw(identity);

use constant {
    FALSE     => 0.05,      # the chance of a false verdict in a fleet
    EQUAL     => 0.05,      # a host is equal if its interval is within this,
    AROUND    => 0.1,       # or within this, and around 1,
    BY_WORK   => 0.15,      # or within this by work: load may change the cycles of a loop by a part of it
    CHANGED   => 0.02,      # an interval beyond this is a change
    OF_MEDIAN => 1.2533,    # the standard error of a median, in that of a mean: sqrt(pi / 2)
};

my $IS_APART = qr/\A(?:slower|faster)\z/;

# Takes [hosts], see UnixBench::Fleet::Results, [those of an earlier time], and what UnixBench::Fleet::Standing::of
# returns of the first. Returns
#   date     the day of the latest of the earlier results that are compared, a text, or undef
#   is_back  whether it is after that of the others
#   new      [names of hosts that were not there then]
#   missing  [names of those that are not there now]
#   groups   [what hosts of a kind have in common: ratio, verdict and with of judged() (without a verdict, with is
#            their number), letter (of the kind, undef of an only one), hosts (how many of the kind were compared), and
#            differs, the facts that became the same in all of the group]
#   of       { name of a host that was there then => what has changed }, its row of UnixBench::Compare::Rows, and
#     copies      its number of copies, and listed, that by which hosts are listed
#     verdict     "slower", "faster", "equal", "as its kind", "inconclusive" or "not compared"
#     ratio       the value now divided by that of then, with its 95 % interval
#     by_work     whether the cycles of a loop decided; then slower has the titles of tests that are slower
#     to_kind     the same, divided by that of its kind, if that has changed
#     differs     [{ key, label, first, second }, ...] the facts that differ, without those of the kind
#     rows        { number of copies => row of UnixBench::Compare::Rows, with of_tests, those of its tests }
#     limit       that of its CPU time now, a text; undef if it has none, or if that of then is known
#     pairs       [pairs of UnixBench::Compare::Comparison] with the same number of copies
#     file        the path of the earlier result
#     why_not     why it is not compared; then there is nothing else
sub of {
    my ($now, $then, $standing) = @_;
    my %then    = map  { $_->{host} => $_ } @$then;
    my %is_now  = map  { $_->{host} => 1 } @$now;
    my @both    = grep { $then{ $_->{host} } && $_->{outcome} eq 'measured' } @$now;
    my %found   = map  { $_->{host} => _compared($then{ $_->{host} }, $_) } @both;
    my $rows    = List::Util::sum(1, map { scalar keys %{ $_->{rows} } } values %found);
    my $covered = 1 - FALSE / $rows;
    my $date    = _date(@then{ keys %found });
    my $listed  = $standing->{copies} // 0;
    my @groups =
        map { _of_kind($covered, $listed, $_->{letter}, grep { $_ } @found{ @{ $_->{hosts} } }) }
        @{ $standing->{kinds} };
    return {
        date    => $date,
        is_back => ($date // q{}) gt(_date(@both) // q{}) ? 1 : 0,
        new     => [grep { !$then{$_} } map { $_->{host} } @$now],
        missing => [grep { !$is_now{$_} } map { $_->{host} } @$then],
        groups  => \@groups,
        of      => \%found,
    };
}

sub _date {
    my (@hosts) = @_;
    my @days = sort map { ($_->{summary}{date} // q{}) =~ /\A([0-9]{4}-[0-9]{2}-[0-9]{2})/ ? $1 : () } @hosts;
    return $days[-1];
}

sub _compared {
    my ($then, $now) = @_;
    my %none = (rows => {}, verdict => 'not compared');
    return { %none, why_not => 'not measured then' } if $then->{outcome} ne 'measured';
    $none{file} = $then->{file};
    my @summaries = map { $_->{summary} } $then, $now;
    my @runs      = map { identity($_)->{run} // () } @summaries;
    return { %none, why_not => 'its result is that of the same run' } if @runs == 2 && $runs[0] eq $runs[1];
    my @sides      = map { +{ label => $_->{file}, summary => $_->{summary} } } $then, $now;
    my $comparison = UnixBench::Compare::Comparison::of(\@sides);
    my @why        = @{ $comparison->{refusals} };
    return { %none, why_not => join '; ', map { s/\bA\b/then/gr =~ s/\bB\b/now/gr } @why } if @why;
    my @pairs = grep { $_->{is_same_count} } @{ $comparison->{pairs} };
    my ($before, $after) = map { UnixBench::Host::FactList::text_of($_, 'cpu.models') // q{} } @summaries;
    my (%rows, $why_not);

    for my $pair (@pairs) {
        my @indexes = @{ $pair->{indexes} };
        my ($row)   = @indexes ? grep { $_->{ratio} } @indexes : $pair->{mean};
        my %about   = (
            of_tests   => $pair->{tests},
            is_of_kind => $before eq $after,
            copies     => $pair->{runs}[1]{copies},
            is_mixed   => $pair->{is_mixed}
        );
        ($why_not) = map { $_->{why_not} // () } @indexes if !$row;
        $rows{ $about{copies} } = { %$row, %about } if $row;
    }
    return { %none, why_not => $why_not // 'no index with the same number of copies' } if !%rows;
    my @differs = UnixBench::Compare::Facts::apart(@summaries);
    my $is_said = defined UnixBench::Host::FactList::text_of($summaries[0], 'cgroup.cpus')
        || grep { $_->{key} eq 'cgroup.cpus' } @differs;
    my $limit =
        $is_said ? undef : UnixBench::Host::FactList::cpu_limit($summaries[1], List::Util::min(keys %rows));
    return { %none, rows => \%rows, pairs => \@pairs, limit => $limit, differs => \@differs };
}

# Adds to each host what has changed: the row with that number of copies, unless another one is slower. Returns what the
# hosts of each group have in common.
sub _of_kind {
    my ($covered, $listed, $letter, @hosts) = @_;
    @hosts = grep { %{ $_->{rows} } } @hosts;
    my @groups;
    for my $group (_groups(@hosts)) {
        my ($facts, @own) = @$group;
        my %shared;
        for my $copies (unique(map { keys %{ $_->{rows} } } @own)) {
            $shared{$copies} = judged($covered, grep { $_ } map { $_->{rows}{$copies} } @own);
        }
        my %common = (letter => $letter, hosts => scalar @hosts, differs => $facts, with => scalar @own);
        push @groups, { %common, %{ $shared{$listed} || {} } };
    }
    for my $host (@hosts) {
        my ($usual, @others) = sort { ($b == $listed) <=> ($a == $listed) || $a <=> $b } keys %{ $host->{rows} };
        my ($slower) = grep { $host->{rows}{$_}{verdict} eq 'slower' } $usual, @others;
        %$host = (%$host, listed => $usual, %{ $host->{rows}{ $slower // $usual } });
    }
    return @groups;
}

# Takes hosts of a kind; returns [[facts that became the same in all of a group], its hosts], ...: those with a new
# kernel have other things in common than those without. Removes these facts from the hosts. A group of one or two has
# none.
sub _groups {
    my (@hosts) = @_;
    my $name_of = sub { join "\0", map { $_ // q{} } @{ $_[0] }{qw(key second)} };
    my (%hosts_with, %group);
    $hosts_with{$_}++ for map { $name_of->($_) } map { @{ $_->{differs} } } @hosts;
    for my $host (@hosts) {
        my @facts = grep { $hosts_with{ $name_of->($_) } >= JUDGED } @{ $host->{differs} };
        my $group = $group{ join "\1", map { $name_of->($_) } @facts } ||= [\@facts];
        push @$group, $host;
    }
    my @groups = map { $group{$_} } sort keys %group;
    for my $group (@groups) {
        my ($facts, @own) = @$group;
        if (@own < JUDGED) { $group->[0] = []; next }
        my %is_shared = map { $name_of->($_) => 1 } @$facts;
        $_->{differs} = [grep { !$is_shared{ $name_of->($_) } } @{ $_->{differs} }] for @own;
    }
    return @groups;
}

# Takes a confidence, and the rows of a group of hosts. Gives each its verdict, and its ratio with a 95 % interval. A
# quick estimate is never slower than an official result. Returns what they have in common, if enough were compared:
#   ratio    the estimate of the median of their ratios
#   verdict  "slower" or "faster" if it has changed for certain
#   with     how many go with it, if it has
sub judged {
    my ($covered, @rows) = @_;
    my @alike  = grep { $_->{is_of_kind} && !$_->{load} && !is_by_work($_) && !$_->{bound} } @rows;
    my $spread = @alike >= JUDGED ? UnixBench::Fleet::Outliers::deviation(map { $_->{ratio} } @alike) : undef;
    my %shared;
    if ($spread) {
        my $middle = median(map { log $_->{ratio}{value} } @alike);
        my $error  = OF_MEDIAN * $spread->{log_se} / sqrt @alike;
        my $ratio  = UnixBench::Score::Estimate::around(exp $middle, $error, $spread->{df});
        my $is     = UnixBench::Compare::Rows::verdict($ratio, CHANGED);
        %shared = (ratio => $ratio, verdict => $is =~ $IS_APART ? $is : undef);
    }
    for my $row (@rows) {
        %$row = (%$row, _decided($covered, $row, $spread, $shared{verdict} ? $shared{ratio} : undef));
        $row->{verdict} = 'inconclusive' if $row->{is_mixed} && $row->{verdict} =~ $IS_APART;
    }
    $shared{with} = grep { $_->{verdict} !~ $IS_APART } @alike if $shared{verdict};
    return \%shared;
}

# Takes a confidence, a row, how much ratios of the kind vary (undef if that is unknown), and what the kind has in
# common, if that has changed; returns what the row has.
sub _decided {
    my ($covered, $row, $spread, $shared) = @_;
    return (verdict => $row->{verdict}) if $row->{bound};
    return _by_work($covered, $row) if $row->{load} || is_by_work($row);
    my $ratio = $row->{ratio};
    if ($spread) {
        my $times = List::Util::max(1, ($ratio->{log_se} // 0) / ($spread->{usual} || 1));
        $ratio = UnixBench::Score::Estimate::around($ratio->{value}, $times * $spread->{log_se}, $spread->{df});
    }
    my %own = (ratio => $ratio, verdict => _verdict($covered, AROUND, _at($ratio)));
    return %own if !$shared;
    my $to_kind = UnixBench::Score::Estimate::ratio($ratio, $shared);
    my $is      = _verdict($covered, AROUND, _at($to_kind));
    return (%own, to_kind => $to_kind, verdict => $is eq 'equal' ? 'as its kind' : $is);
}

sub _at { my ($ratio) = @_; return sub { UnixBench::Score::Estimate::at($ratio, $_[0]) } }

# Takes a confidence, within what an interval around 1 is equal, and a function that returns the estimate with a
# confidence. Returns the verdict: that a host has changed needs this confidence, that it is equal the usual one.
sub _verdict {
    my ($covered, $around, $at) = @_;
    my $is = UnixBench::Compare::Rows::verdict($at->($covered), EQUAL, CHANGED);
    return $is if $is =~ $IS_APART;
    my $usual     = $at->(UnixBench::Score::Estimate::COVERED);
    my $is_around = ($usual->{low} // 2) <= 1 && $usual->{high} >= 1;
    my $is_equal  = UnixBench::Compare::Rows::verdict($usual, $is_around ? $around : EQUAL, CHANGED) eq 'equal';
    return $is_equal ? 'equal' : 'inconclusive';
}

# By the cycles of a loop, of all tests that have them, or of those that are slower.
sub _by_work {
    my ($covered, $row) = @_;
    my $of_each = 1 - (1 - $covered) / @{ $row->{of_tests} };
    my @slower  = grep { _verdict_by_work($of_each, $_->{work}) eq 'slower' } @{ $row->{of_tests} };
    my $work    = $row->{work};
    my $is      = @slower ? 'slower' : _verdict_by_work($covered, $work);
    return (
        verdict => $is,
        slower  => [map { $_->{title} } @slower],
        load    => $row->{load} // ($work || {})->{load},
        by_work => $is ne 'inconclusive' ? 1 : 0,
        work    => $work,
        ratio   => $work
        ? UnixBench::Score::ByWork::rates($work)
        : UnixBench::Score::Estimate::known($row->{ratio}{value}),
    );
}

sub _verdict_by_work {
    my ($covered, $work) = @_;
    return 'inconclusive' if !$work || $work->{is_against};
    my $at = sub {
        my ($of) = @_;
        return UnixBench::Score::ByWork::rates($work, sub { UnixBench::Score::Estimate::at($_[0], $of) });
    };
    return _verdict($covered, BY_WORK, $at);
}

1;
