package UnixBench::Since::Report;

# The report of what has changed in a fleet since an earlier time, and its words: the hosts that are slower, then those
# that are open, and a line for all others. It takes a list, see UnixBench::Fleet::Wording, with the key since, see
# UnixBench::Since::Changes.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Text     qw(copies_text counted cut listed);
use UnixBench::CLI::Console   ();
use UnixBench::Fleet::Report  qw(titled);
use UnixBench::Fleet::Results qw(outcome_of);
use UnixBench::Fleet::Wording qw(outcomes_of);
use UnixBench::Report::Block qw(at_most column document in_detail in_full joined list not_in_full paragraphs quiet row);
use UnixBench::Report::Cell  qw(cell sentence);
use UnixBench::Report::Plain qw(in_plain);
use UnixBench::Report::Reference qw(compared_columns verdict_words work_words);
use UnixBench::Report::Title     qw(titles);
use UnixBench::Report::Wording   qw(index_title);

our @EXPORT_OK = qw(headline reason_of report_of shared_text why);

use constant { FACTS_MOST => 4, VALUE_MOST => 40 };    # of a host; bytes of the value of a fact
use constant {
    CHANGED => 'slower, faster: the index has changed, for certain in the whole fleet.',
    EQUAL   => 'equal: its 95 % interval is within 5 % of 1, or around 1 and within 10 % (by work 15 %).',
    AS_KIND => 'as its kind: changed like the others of its kind. To kind: the ratio without what they have in common.',
};

# The order of verdicts in the first line, and the words of those that have others there.
my @ORDER = (qw(slower faster equal), 'as its kind', 'inconclusive', 'not compared');
my %WORDS = ('as its kind' => 'as their kind', inconclusive => 'not certain');
my %PLACE = map { $ORDER[$_] => $_ } 0 .. $#ORDER;

# Takes a list; returns the answer in a line: how many hosts are slower, and which.
sub headline {
    my ($list) = @_;
    my ($since, @hosts) = ($list->{since}, @{ $list->{hosts} });
    my %with;
    push @{ $with{ $since->{of}{$_}{verdict} } }, $_ for grep { $since->{of}{$_} } map { $_->{host} } @hosts;
    my @parts = %with && !$with{slower} ? 'none slower' : ();
    for my $is (grep { $with{$_} } @ORDER) {
        my @names = sort { _ratio($since->{of}{$a}) <=> _ratio($since->{of}{$b}) } @{ $with{$is} };
        my $named =
            $is =~ /\A(?:slower|faster)\z/
            ? ' (' . listed(map { "$_ " . _change_in_brief($since->{of}{$_}) } @names) . ')'
            : q{};
        push @parts, @names . q{ } . ($WORDS{$is} // $is) . $named;
    }
    my @groups   = grep { defined $_->{verdict} } @{ $since->{groups} };
    my @outcomes = grep { $list->{is_judged} || /not measured/ } outcomes_of(@hosts);
    my @others   = (
        (map { "$_->{with} together " . _percent($_->{ratio}{value}) } @groups),
        (map { @{ $since->{$_} } ? @{ $since->{$_} } . " $_" : () } qw(new missing)),
        @outcomes ? join(', ', @outcomes) : (),
    );
    my $hosts = counted(scalar @hosts, 'host', 'hosts');
    my $when =
          !defined $since->{date} ? ' against an earlier time'
        : $since->{is_back}       ? " against $since->{date}, which is later"
        :                           " since $since->{date}";
    return "$hosts$when: " . join '; ', join(', ', @parts) || 'none is compared', @others;
}

sub _ratio {
    my ($changed) = @_;
    return $changed->{bound} ? $changed->{bound}{ratio} : ($changed->{ratio} || {})->{value} // 1;
}

sub _change_in_brief {
    my ($changed) = @_;
    return 'by work' if @{ $changed->{slower} || [] } && !$changed->{work};
    return _percent(_ratio($changed));
}

sub _percent { my ($ratio) = @_; return ($ratio > 1 ? q{+} : q{}) . in_plain(cell(share => $ratio - 1)) }

# Takes a group of UnixBench::Since::Changes; returns what its hosts have in common, a sentence, or nothing.
sub shared_text {
    my ($group) = @_;
    my $facts   = join ', ', map { _fact($_) } @{ $group->{differs} };
    my $which   = defined $group->{letter} ? "of kind $group->{letter}" : 'of this kind';
    my $hosts   = "$group->{with} of $group->{hosts} hosts $which";
    return length $facts ? "$hosts differ: $facts. Together they are neither slower nor faster." : ()
        if !defined $group->{verdict};
    my $text = "$hosts are {whole_percent} $group->{verdict}";
    my $more = length $facts ? "; differs: $facts." : q{.};
    return joined(q{}, sentence($text, abs $group->{ratio}{value} - 1), $more);
}

# Takes a fact that differs; returns its label with both values.
sub _fact {
    my ($fact) = @_;
    my ($then, $now) = map { cut($_ // 'unknown', VALUE_MOST) } @$fact{qw(first second)};
    return "$fact->{label} ($then -> $now)";
}

# Takes what has changed of a host that was compared; returns why it has its verdict, a text, or undef.
sub reason_of {
    my ($changed) = @_;
    my @slower = @{ $changed->{slower} || [] };
    return 'by work: ' . listed(@slower) if @slower;
    return 'by work' if $changed->{by_work};
    return 'in spite of other load' if $changed->{bound};
    return 'other load' if $changed->{load};
    return 'a quick estimate against an official result' if $changed->{is_mixed};
    return 'its interval is too wide: measure it again' if $changed->{verdict} eq 'inconclusive';
    return $changed->{verdict} eq 'as its kind' ? 'as its kind' : undef;
}

# Takes a list; returns its report.
sub report_of {
    my ($list) = @_;
    my $title  = headline($list);
    my %of     = %{ $list->{since}{of} };
    my @both   = grep { $of{ $_->{host} } || $_->{outcome} ne 'measured' } @{ $list->{hosts} };
    my $place  = sub { my ($own) = $of{ $_[0]{host} }; return $own ? $PLACE{ $own->{verdict} } : scalar @ORDER };
    my @sorted =
        sort { $place->($a) <=> $place->($b) || _ratio($of{ $a->{host} }) <=> _ratio($of{ $b->{host} }) } @both;
    my @shown  = grep { _is_shown($_,  $of{ $_->{host} }) } @sorted;
    my @rest   = grep { !_is_shown($_, $of{ $_->{host} }) } @sorted;
    my @legend = (CHANGED, EQUAL, (grep { $_->{to_kind} } values %of) ? AS_KIND : ());
    my $index  = defined $list->{copies} ? index_title($list) . ', ' . copies_text($list->{copies}) : 'Hosts';
    return document(
        { titles(fleet => $title), how => \@legend, block => [[Verdict => $title], [Next => _next($list, @shown)]] },
        in_detail(paragraphs($title)),
        paragraphs(map { shared_text($_) } @{ $list->{since}{groups} }),
        _table($list, $index, @shown),
        not_in_full(paragraphs(@rest ? _in_a_line(@shown ? 1 : 0, map { [$_, $of{ $_->{host} }] } @rest) : ())),
        in_full(_table($list, @shown ? 'Others' : $index, @rest)),
        list('New:',      map { _new($list, $_) } @{ $list->{since}{new} }),
        list('Missing:',  @{ $list->{since}{missing} }),
        list('Left out:', @{ $list->{left_out} || [] }),
        not_in_full(quiet(@legend)),
    );
}

sub _new {
    my ($list, $name) = @_;
    my ($host) = grep { $_->{host} eq $name } @{ $list->{hosts} };
    my ($own)  = grep { $_ eq ($host->{name} // q{}) } @{ $list->{since}{missing} };
    return defined $own ? "$name (its result is of a host named $own)" : $name;
}

sub _is_shown {
    my ($host, $changed) = @_;
    return 1 if !$changed || outcome_of($host) !~ /\A(?:PASS|measured)\z/;
    my $is_off = $changed->{to_kind} && $changed->{verdict} eq 'faster';
    return $is_off || $changed->{verdict} =~ /\A(?:slower|inconclusive|not compared)\z/;
}

sub _in_a_line {
    my ($has_rows, @rest) = @_;
    my %names;
    for my $host (@rest) {
        my $is   = $host->[1]->{verdict};
        my @size = $is eq 'faster' ? _change_in_brief($host->[1]) : ();
        push @{ $names{$is} }, join q{ }, $host->[0]{host}, @size;
    }
    my @parts = map { ($WORDS{$_} // $_) . ': ' . listed(@{ $names{$_} }) } grep { $names{$_} } @ORDER;
    my $hosts = counted(scalar @rest, $has_rows ? ('other', 'others') : ('host', 'hosts'));
    return "$hosts: " . join('; ', @parts) . q{.};
}

sub _table {
    my ($list, $title, @hosts) = @_;
    return if !@hosts;
    my @columns = (
        column('Host', title => 'text'),
        column('Then', then  => 'rate', is_optional => 1, spare => 2),
        column('Now',  now   => 'rate', is_optional => 1, spare => 2),
        compared_columns('Ratio', ratio => { is_optional => 1 }, interval => { is_optional => 1, spare => 1 }),
        column('To kind', to_kind => 'ratio', is_optional => 1, spare => 3),
        column('Verdict', verdict => 'word',  is_optional => 1),
        column('Outcome', outcome => 'word',  is_optional => 1),
    );
    return titled($title, columns => \@columns, rows => [map { _row($list, $_) } @hosts], remarks => 'Why');
}

sub _row {
    my ($list, $host) = @_;
    my $changed = $list->{since}{of}{ $host->{host} };
    my %item    = (outcome => $host->{outcome} eq 'measured' && !$list->{is_judged} ? undef : outcome_of($host));
    if ($changed && !defined $changed->{why_not}) {
        my ($then, $now) = map { $_->{value} } @{ $changed->{values} };
        my $ratio = $changed->{ratio};
        %item           = (%item, then => $then, now => $now, ratio => $ratio->{value});
        $item{interval} = $ratio if defined $ratio->{low};
        $item{to_kind}  = $changed->{to_kind} && $changed->{to_kind}{value};
        $item{verdict}  = _verdict($changed);
    }
    my @why = $changed ? why($changed) : ();
    push @why, UnixBench::Fleet::Wording::reason_of($host) if $list->{is_judged} || $host->{outcome} ne 'measured';
    return row($host->{host}, \%item, remark => @why ? joined('; ', grep { length } @why) : undef);
}

sub _verdict {
    my ($changed) = @_;
    return verdict_words($changed) if $changed->{bound};
    my $word = $changed->{verdict} eq 'inconclusive' ? $WORDS{inconclusive} : $changed->{verdict};
    return $changed->{by_work} ? "$word by work" : $word;
}

# Takes what has changed of a host; returns why it has its verdict, and what differs, texts.
sub why {
    my ($changed) = @_;
    return $changed->{why_not} if defined $changed->{why_not};
    my @facts  = at_most(FACTS_MOST, sub { "$_[0] more facts" }, map { _fact($_) } @{ $changed->{differs} });
    my $reason = reason_of($changed);
    return (
        $changed->{copies} == $changed->{listed}                ? ()      : 'with ' . copies_text($changed->{copies}),
        defined $reason && $changed->{verdict} ne 'as its kind' ? $reason : (),
        defined $changed->{limit} ? "CPU time limit: $changed->{limit} (unknown then)" : (),
        $changed->{work}          ? work_words($changed->{work})                       : (),
        @facts                    ? 'differs: ' . join(', ', @facts)                   : (),
    );
}

sub _next {
    my ($list, @shown) = @_;
    my ($first) = grep { my $own = $list->{since}{of}{ $_->{host} }; $own && defined $own->{file} } @shown;
    return 'add --html fleet.html for a page with all hosts' if !$first;
    my $file = $list->{since}{of}{ $first->{host} }{file};
    return join q{ }, './Run compare', map { UnixBench::CLI::Console::quoted($_) } $file, $first->{file};
}

1;
