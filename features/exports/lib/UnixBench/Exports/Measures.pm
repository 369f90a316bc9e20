package UnixBench::Exports::Measures;

# The measures of results, for systems that keep and plot them. The folder Exports has a renderer for each format. All
# formats export the value over all passes, because the 95 % interval belongs to it. A test without a score has no
# value.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Text   qw(clean fixed significant);
use UnixBench::Base::Result qw(is_measured);
use UnixBench::Score        qw(index_of_test);
use UnixBench::Score::Work  ();

our @EXPORT_OK = qw(copies_word figure measures name_of_host procedure_word shown_host);

use constant { PLAIN_LEAST => 100, DIGITS => 4 };    # below 100, four digits are written

my %STATUS_VERDICT = (measured => 'pass', failed => 'fail', skipped => 'skip', interrupted => 'skip');
my %VERDICT        = (PASS     => 'pass', FAIL   => 'fail', ERROR   => 'fail', SKIP => 'skip', INCONCLUSIVE => 'skip');

# Takes results, see of_results() of UnixBench::Report::Formats. Returns their measures, a list of
#   kind              'index', 'test' or 'requirement'
#   verdict           'pass', 'fail' or 'skip'; a requirement whose verdict is inconclusive is skipped
#   is_open           whether the verdict on a requirement is inconclusive
#   result            the result
#   host              the printable name of the host, or undef if hosts are not named
#   name, title       the category, or the name of the test; a requirement has its text. A name is not clean: see
#                     UnixBench::Base::Text::clean
#   copies            the number of copies, undef if a text report does not say it
#   value, low, high  the value and its 95 % interval, or undef
#   unit              of the value, or undef
# A test also has status, score, index (of its score) and passes, as in the summary, and cycles, those of a loop in user
# mode and in the kernel, { user, kernel }, or undef. An index of a part of its tests is
# left out: it would be taken for the whole one. If a number of copies was measured several times, the last time counts.
sub measures {
    my (@results) = @_;
    my @measures;
    for my $result (@results) {
        my $host = name_of_host($result, @results);
        push @measures, map { +{ %$_, result => $result, host => $host } } _measures_of($result);
    }
    return @measures;
}

# Takes a result, and all results; returns the printable name of its host if the hosts are named: there are several, or
# they belong to a fleet. Else returns undef.
sub name_of_host {
    my ($result, @results) = @_;
    return @results > 1 || $result->{is_host_named} ? shown_host($result) : undef;
}

# Takes a result; returns the printable name of its host.
sub shown_host {
    my ($result) = @_;
    return clean($result->{host} // $result->{summary}{name} // 'unknown');
}

# Takes a result; returns the word for its procedure: "official", "quick", "changed" or "unknown".
sub procedure_word {
    my ($result)  = @_;
    my $procedure = $result->{summary}{procedure};
    my @changes   = UnixBench::Base::Result::changes($procedure);
    return @changes ? 'changed' : $procedure->{kind} // 'unknown';
}

# Takes a measure; returns its number of copies as a part of a name, "unknown" if it is that.
sub copies_word {
    my ($measure) = @_;
    return $measure->{copies} // 'unknown';
}

# Takes a number above 0; returns it as people read it.
sub figure {
    my ($value) = @_;
    return $value >= PLAIN_LEAST ? fixed($value) : significant($value, DIGITS);
}

sub _measures_of {
    my ($result) = @_;
    my $runs     = $result->{summary}{runs};
    my %last     = map  { copies_word($runs->[$_]) => $_ } 0 .. $#$runs;
    my @cases    = grep { !defined $_->{run} || $last{ copies_word($_) } == $_->{run} } @{ $result->{cases} };
    my @runs     = map  { $runs->[$_] } grep { $last{ copies_word($runs->[$_]) } == $_ } 0 .. $#$runs;
    my @required = grep { $_->{kind} eq 'requirement' } @cases;
    return ((map { _of_run($result->{summary}, $_, \@cases) } @runs), map { _of_requirement($_, \@runs) } @required);
}

sub _of_run {
    my ($summary, $run, $cases) = @_;
    my %verdict =
        map { $_->{name} => $VERDICT{ $_->{verdict} } }
        grep { $_->{kind} eq 'test' && copies_word($_) eq copies_word($run) } @$cases;
    my @measures = (
        (map { _of_index($_) } grep { $_->{complete} || $_->{lacking} } @{ $run->{indexes} }),
        (map { _of_test($summary, $_, $verdict{ $_->{name} }) } @{ $run->{tests} }),
    );
    return map { +{ %$_, copies => $run->{copies} } } @measures;
}

# Returns the measure of an index. One without a number has failed if one of its tests has failed.
sub _of_index {
    my ($index) = @_;
    my $lacking = $index->{lacking};
    return {
        kind    => 'index',
        name    => $index->{category},
        title   => clean(UnixBench::Score::subject($index)) . ' index',
        verdict => !$lacking ? 'pass' : $lacking->{failed} ? 'fail' : 'skip',
        unit    => 'index',
        $lacking ? () : _estimated($index->{estimate}, $index->{index}),
    };
}

sub _of_test {
    my ($summary, $test, $verdict) = @_;
    my $cycles    = UnixBench::Score::Work::cycles_by_mode($summary, $test);
    my %estimated = is_measured($test) ? _estimated($test->{estimate}, $test->{score}) : ();
    return {
        kind    => 'test',
        verdict => $verdict || $STATUS_VERDICT{ $test->{status} },
        title   => clean($test->{title}),
        %estimated,
        unit   => clean($test->{unit}),
        index  => scalar index_of_test($test),
        cycles => $cycles && { map { $_ => $cycles->{$_}{value} } keys %$cycles },
        map { $_ => $test->{$_} } qw(name status score passes),
    };
}

sub _of_requirement {
    my ($case, $runs) = @_;
    my ($test) = grep { $_->{name} eq $case->{name} } map { @{ $_->{tests} } } @$runs;
    return {
        kind    => 'requirement',
        verdict => $VERDICT{ $case->{verdict} },
        is_open => $case->{verdict} eq 'INCONCLUSIVE' ? 1 : 0,
        title   => clean($case->{title}),
        unit    => $test ? clean($test->{unit}) : 'index',
        map { $_ => $case->{$_} } qw(name copies value low high),
    };
}

sub _estimated {
    my ($estimate, $classic) = @_;
    $estimate ||= {};
    return (value => $estimate->{value} // $classic, map { $_ => $estimate->{$_} } qw(low high));
}

1;
