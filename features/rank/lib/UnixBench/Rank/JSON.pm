package UnixBench::Rank::JSON;

# The results of a ranking as JSON or as a table for other programs, and the types of the file.

use strict;
use warnings;

use UnixBench::Base::Time     qw(iso_date);
use UnixBench::Host::FactList ();
use UnixBench::Rank::Own      qw(is_poor keys_of value_of);
use UnixBench::Report::JSON   ();

my $DECLARATION = <<'END';
ranking: the file of rank --json
  format            =unixbench-ranking  distinguishes such a file from all others
  schema            =1                  the version of this description
  version           text                the version of the suite that ranked
  results           [ranked]            the results: those with a place, as they are listed, the fastest first
  left_out          [text]              sentences about results and files without a place

ranked: a result of a ranking
  result            text                its path
  host?             text                the machine's name
  index?            positive            the index
  low?              positive            the lower end of its interval
  high?             positive            the upper end of its interval
  copies?           whole               the copies of each test that ran at once; null if a text report lacks them
  cpus?             whole               the number of CPUs
  best_place?       whole               its place, 1 is the fastest; null if it has none
  worst_place?      whole               the worst place that its interval covers
  of?               natural             the number of published results that it is compared with
  trust?            text                how far it can be trusted; null for a text report
  cpu?              text                the model of the CPU
  system?           text                the system
  distribution?     text                the distribution
  suite?            text                the version of UnixBench that measured
  date?             text                the start in the form of ISO 8601
END

my @COLUMNS = $DECLARATION =~ /^ranked:.*\n((?s:.*))/m ? $1 =~ /^  (\w+)/gm : ();

# Returns the declaration of the types.
sub types { return $DECLARATION }

# Takes what is ranked, see UnixBench::Rank::Command; returns the text of the file.
sub render {
    my ($found) = @_;
    my @left_out = map { @{ $found->{$_} || [] } } qw(not_ranked left_out);
    my (undef, @rows) = table($found);
    return UnixBench::Report::JSON::file_of(ranking => { results => \@rows, left_out => \@left_out });
}

# Takes what is ranked; returns [columns] and a row for each result.
sub table {
    my ($found) = @_;
    my @unranked = map { +{ %$_, all => _index_of($_->{summary}) } } @{ $found->{unranked} || [] };
    my ($first, $second) = keys_of(@{ $found->{owns} });
    my @ranked = map { +{ %$_, rank => $_->{$first} || $_->{$second} } } @{ $found->{owns} }, @unranked;
    my @owns =
        sort { !$a->{$first} <=> !$b->{$first} || value_of($b->{rank}) <=> value_of($a->{rank}) } splice @ranked, 0,
        scalar @{ $found->{owns} };
    return (\@COLUMNS, map { _row($_) } @owns, @ranked);
}

# Takes a summary without a place; returns what is known of its first complete index, as of a rank.
sub _index_of {
    my ($summary) = @_;
    for my $run (@{ $summary->{runs} }) {
        my ($index) = grep { $_->{complete} && defined $_->{index} } @{ $run->{indexes} };
        return { copies => $run->{copies}, on_axis => { value => $index->{index} } } if $index;
    }
    return { copies => $summary->{runs}[0]{copies} };
}

sub _row {
    my ($own) = @_;
    my ($rank, $summary) = @$own{qw(rank summary)};
    my ($run)  = grep { ($_->{copies} // 0) == ($rank->{copies} // 0) } @{ $summary->{runs} };
    my $sure   = is_poor($rank) ? {} : $rank->{machine};
    my @places = @{ $rank->{places} || [] };
    return {
        result       => $own->{label},
        host         => $summary->{name},
        index        => value_of($rank),
        low          => $sure->{low},
        high         => $sure->{high},
        copies       => $rank->{copies},
        cpus         => $run->{cpu_count},
        best_place   => $places[0],
        worst_place  => $places[1],
        of           => $rank->{of},
        trust        => $own->{trust} && $own->{trust}{level},
        cpu          => scalar UnixBench::Host::FactList::text_of($summary, 'cpu.models'),
        system       => $summary->{system},
        distribution => scalar UnixBench::Host::FactList::text_of($summary, 'tools.distribution'),
        suite        => $summary->{version},
        date         => scalar iso_date($summary->{date} // q{}) // $summary->{date},
    };
}

1;
