package UnixBench::Rank;

# The feature rank: a result among those that people have published.

use strict;
use warnings;

# Returns the declaration, see UnixBench::Features.
sub declaration {
    return {
        commands => { rank => \&_command },
        types    => [{ of => 'ranking', module => 'Rank::JSON' }],
        steps    => [
            { after => 'complete', step => \&_of_rankable },
            { after => 'index',    step => sub { "./Run rank $_[0] --copies N gives it a place" } },
        ],
    };
}

sub _of_rankable {
    my ($summary, $own) = @_;
    require UnixBench::Base::Result;
    my @changes = UnixBench::Base::Result::changes($summary->{procedure});
    my @indexes = map { @{ $_->{indexes} } } @{ $summary->{runs} };
    return !@changes && (grep { $_->{category} eq 'system' && $_->{complete} } @indexes) ? "./Run rank $own" : undef;
}

sub _command {
    return {
        module    => 'Rank::Command',
        takes     => 'result',
        arguments => '[RESULT ...]',
        purpose   => 'list results by their index, among published ones',
        about     => 'RESULT may be a text report, a directory with results, or an index alone: ./Run rank 1540 '
            . '--copies 1. Without RESULT, the newest result that can be ranked is used. One result is listed with the '
            . '10 nearest published machines, the fastest and the slowest one; several results with a few well-known '
            . 'machines.',
        options =>
            [{ flag => '--all', text => 'list each published result' }, qw(--copies --cpus --html --markdown --json)],
    };
}

1;
