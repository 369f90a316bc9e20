package UnixBench::Fleet::Report;

# The report of a fleet: the kinds of hosts, the hosts that are not accepted with their reasons, the ranking of all
# others, then the rules. It takes a list, see UnixBench::Fleet::Wording.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Result   qw(has_passes);
use UnixBench::Base::Text     qw(copies_text);
use UnixBench::CLI::Console   ();
use UnixBench::Check::JUnit   ();
use UnixBench::Call::NextStep ();
use UnixBench::Features       qw(loaded);
use UnixBench::Fleet::Results qw(is_accepted outcome_of);
use UnixBench::Fleet::Wording qw(headline legend remark_of);
use UnixBench::Report::Block  qw(
    cell column document in_detail in_full list not_in_full paragraphs quiet row section table
);
use UnixBench::Report::Formats ();
use UnixBench::Report::Plain   qw(in_plain);
use UnixBench::Report::Wording qw(index_title);
use UnixBench::Report::Title   qw(next_run titles);

our @EXPORT_OK = qw(titled);

# All outcomes in the order in which hosts that are not accepted are listed.
my @WORST_FIRST = qw(FAIL failed unreachable refused INCONCLUSIVE running untried);

# The subs of UnixBench::Fleet::JSON for formats that do not print the report.
my %SUB = (json => 'render', verdict => 'verdicts');

# Takes a list, the kind of a format, and perhaps the terminal on which it is shown, see
# UnixBench::CLI::Console::screen; returns the list in that format.
sub in_format {
    my ($list, $kind, $screen) = @_;
    my $of_earlier = $list->{earlier} && $list->{earlier}->in_format($list, $kind, $screen);
    return $of_earlier if defined $of_earlier;
    return loaded('Fleet::JSON')->can($SUB{$kind})->($list) if $SUB{$kind};
    return UnixBench::Check::JUnit::of_hosts(@{ $list->{hosts} }) if $kind eq 'junit';
    return UnixBench::Report::Formats::of_results($kind, $list->{results}->())
        if UnixBench::Report::Formats::has(is_of_results => $kind);
    return UnixBench::Report::Formats::of_blocks($kind, report_of($list), $screen);
}

# Takes a list; returns its report.
sub report_of {
    my ($list)   = @_;
    my $title    = headline($list);
    my @legend   = legend($list);
    my $index    = defined $list->{copies} ? index_title($list) . ', ' . copies_text($list->{copies}) : 'Hosts';
    my @accepted = sort { _value($list, $b) <=> _value($list, $a) } grep { is_accepted($_) } @{ $list->{hosts} };
    my %place    = map  { $WORST_FIRST[$_] => $_ } 0 .. $#WORST_FIRST;
    my @others =
        sort { $place{ outcome_of($a) } <=> $place{ outcome_of($b) } } grep { !is_accepted($_) } @{ $list->{hosts} };
    return document(
        { titles(fleet => $title), how => \@legend, block => [[Verdict => $title], [Next => _next($list)]] },
        in_detail(paragraphs($title)),
        _kinds($list),
        _table($list, 'Not accepted', @others),
        _table($list, $index,         @accepted),
        list('Not compared:', @{ $list->{omissions} }),
        list('Left out:',     @{ $list->{left_out} || [] }),
        list('Notes:',        map { _notes($_) } @{ $list->{hosts} }),
        not_in_full(quiet(@legend)),
    );
}

# Takes a list; returns the next step: the command that compares the first slow host with a usual one of its kind.
sub _next {
    my ($list)   = @_;
    my %of       = %{ $list->{of} };
    my @measured = grep { $of{ $_->{host} } } @{ $list->{hosts} };
    my %with;
    push @{ $with{ $of{ $_->{host} }{is} } }, $_ for @measured;
    my ($slow) = @{ $with{slow} || [] };
    return UnixBench::Call::NextStep::after_poor(@{ $with{'not reliable'} || [] })
        if !$slow && ($with{'not reliable'} || !@measured);
    return 'add --html fleet.html for a page with all hosts' if !$slow;
    my $letter  = $of{ $slow->{host} }{letter} // q{};
    my ($usual) = grep { ($of{ $_->{host} }{letter} // q{}) eq $letter } @{ $with{usual} || [] },
        grep { $_ != $slow } @measured;
    return join q{ }, './Run compare', map { UnixBench::CLI::Console::quoted($_->{file}) } $usual, $slow;
}

sub _value {
    my ($list, $host) = @_;
    return (($list->{of}{ $host->{host} } || {})->{reading} || {})->{value} // 0;
}

sub _kinds {
    my ($list) = @_;
    my @columns = (
        column('Kind',        title  => 'text'),
        column('Hosts',       count  => 'count'),
        column('Median',      median => 'rate',     is_optional => 1),
        column('Usual hosts', usual  => 'interval', is_optional => 1),
    );
    my @rows;
    for my $kind (@{ $list->{kinds} }) {
        my %item = (count => scalar @{ $kind->{hosts} }, median => $kind->{median});
        $item{usual} = { value => $kind->{median}, map { $_ => $kind->{$_} } qw(low high) } if defined $kind->{low};
        push @rows, row(join('. ', grep { defined } @$kind{qw(letter title)}), \%item);
    }
    return @rows ? titled('Kinds of hosts', columns => \@columns, rows => \@rows) : ();
}

sub _table {
    my ($list, $title, @hosts) = @_;
    my @shown    = map { _row($list, $_) } @hosts or return;
    my @optional = (
        ['Index',      value     => 'rate',   spare => 1],
        [cell('sign'), sure      => 'cells',  spare => 3],
        ['of median',  of_median => 'change', spare => 2],
        [Kind    => letter  => 'word'],
        [Verdict => is      => 'word'],
        [Trust   => trust   => 'word'],
        [Outcome => outcome => 'word'],
    );
    my @columns = (column('Host', title => 'text'), map { column(@$_, is_optional => 1) } @optional);
    return titled($title, columns => \@columns, rows => \@shown, remarks => 'Reason');
}

# Takes a title and the parts of a table, see UnixBench::Report::Block::table; returns it with its title.
sub titled {
    my ($title, %table) = @_;
    return (in_full(section($title, table(%table, caption => $title))), not_in_full(table(%table, title => $title)));
}

sub _row {
    my ($list, $host) = @_;
    my $own     = $list->{of}{ $host->{host} } || {};
    my $reading = $own->{reading}              || {};
    my $times   = defined $own->{median} ? $reading->{value} / $own->{median} : undef;
    my %item    = (
        value     => $reading->{value},
        sure      => $reading->{repeat} && [next_run($reading->{repeat})],
        of_median => defined $times ? $times - 1 : undef,
        letter    => $own->{letter},
        is        => $list->{is_compared} ? $own->{is}                     : undef,
        trust     => %$own                ? $host->{summary}{trust}{level} : undef,
        outcome   => outcome_of($host),
    );
    return row($host->{host}, \%item, remark => remark_of($host, $list));
}

# Takes a host; returns the notes about it if its result is a text report: what that does not say.
sub _notes {
    my ($host) = @_;
    my $summary = $host->{summary} or return;
    return has_passes($summary) ? () : map { "$host->{host}: " . in_plain($_) } @{ $summary->{notes} };
}

1;
