package UnixBench::Report::Groups;

# The table of groups of results, or of the states of one run, each compared with the first one. It is made from the
# data of the type "groups" of UnixBench::Base::ResultSchema alone.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Text        qw(copies_text counted listed unique);
use UnixBench::Report::Block     qw(column joined list name quiet row section strong table);
use UnixBench::Report::Reference qw(
    by_letters compared_columns compared_values is_disturbed OF_LOAD
);
use UnixBench::Report::Wording qw(title_of);

our @EXPORT_OK = qw(also_differs confounded id_of legend sections_of);

# Takes groups; returns a text for each: its letter, name, and runs.
sub legend {
    my ($data) = @_;
    return map { [strong("$_->{letter}:"), q{ }, name($_->{name}), _about($_)] } @{ $data->{groups} };
}

sub _about {
    my ($group) = @_;
    my $runs    = defined $group->{runs} ? counted($group->{runs}, 'run', 'runs') : undef;
    my $about   = join ': ', grep { defined } $runs, $group->{about};
    return length $about ? " ($about)" : ();
}

# Takes groups; returns a sentence if they differ in other facts than they should, or nothing.
sub confounded {
    my ($data) = @_;
    my @facts  = map { _in_sentence($_->{label}) } @{ $data->{also_differs} } or return;
    my $by     = $data->{by} // 'the state';
    return 'Confounded: the groups also differ in ' . listed(@facts) . ", so a ratio is not the effect of $by alone.";
}

# Takes groups; returns a line for each of these facts.
sub also_differs {
    my ($data) = @_;
    return map {
              'also differs: '
            . _in_sentence($_->{label}) . ' ('
            . join('; ', by_letters(map { [@$_{qw(side text)}] } @{ $_->{values} })) . ')'
    } @{ $data->{also_differs} };
}

sub _in_sentence { my ($label) = @_; return $label =~ /\A[A-Z][a-z]/ ? lcfirst $label : $label }

# Takes a table of groups, or a run of A; returns the id of its section, for links.
sub id_of { my ($table) = @_; return "copies-$table->{copies}" }

# Takes groups; returns a section for each number of copies: the ratios of each test.
sub sections_of {
    my ($data) = @_;
    return map { _section($data, $_) } @{ $data->{tables} };
}

sub _section {
    my ($data, $table) = @_;
    my $copies = copies_text($table->{copies});
    my @known  = grep { _is_compared($_) } @{ $table->{rows} };
    my @others =
        map { [title_of($_), ': ', joined('; ', _remarks($_))] } grep { !_is_compared($_) } @{ $table->{rows} };
    return section(
        { title => "$copies: ratios to A", id => id_of($table) },
        table(caption => 'Ratios', corner => $copies, remarks => 'Remarks', _columns_and_rows($data, @known)),
        ((grep { is_disturbed($_) } map { @{ $_->{others} } } @known) ? quiet(OF_LOAD) : ()),
        list('Not compared:', @others),
    );
}

sub _is_compared {
    my ($row) = @_;
    return scalar grep { $_->{ratio} } @{ $row->{others} };
}

# Returns the remarks on a row, each once. If there are several groups, each begins with a letter.
sub _remarks {
    my ($row) = @_;
    my @others = @{ $row->{others} };
    my @texts;
    for my $other (@others) {
        push @texts, map { @others > 1 && !/\AA: / ? "$other->{letter}: $_" : $_ } @{ $other->{remarks} };
    }
    return unique(@texts);
}

sub _heading {
    my ($group) = @_;
    return join q{ }, $group->{letter}, defined $group->{runs} ? "($group->{runs})" : ();
}

# Returns the columns of the table, and its rows: one for each test and group. Those of sums are the foot.
sub _columns_and_rows {
    my ($data, @rows) = @_;
    my ($first, $second, @more) = @{ $data->{groups} };
    my @which    = @more ? column(defined $data->{by} ? 'Group' : 'State', letter => 'word') : ();
    my %optional = (is_optional => 1);
    my @compared = compared_columns(
        @more ? 'Ratio' : _heading($second) . '/A',
        ratio      => {},
        interval   => \%optional,
        overhead_s => \%optional,
        cycles     => \%optional,
        verdict    => {}
    );
    my $value = column(_heading($first), value => 'known', spare => 1);
    return (
        columns => [column(Test => title => 'word'), @which, $value, @compared],
        rows    => [map { _rows_of($_) } grep { $_->{kind} eq 'test' } @rows],
        foot    => [map { _rows_of($_) } grep { $_->{kind} ne 'test' } @rows],
    );
}

sub _rows_of {
    my ($row) = @_;
    my @rows;
    for my $other (grep { $_->{ratio} || @{ $_->{remarks} } } @{ $row->{others} }) {
        my @remarks = _remarks({ %$row, others => [$other] });
        my %values  = (compared_values($other), value => $row->{first});
        push @rows, row(title_of($row), \%values, @remarks ? (remark => join '; ', @remarks) : ());
    }
    return @rows;
}

1;
