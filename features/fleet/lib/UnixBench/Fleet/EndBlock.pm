package UnixBench::Fleet::EndBlock;

# The block at the end of the report of a fleet on a terminal: the verdict, the hosts that stand out most, how many
# results can be trusted, and the next step.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Text      qw(counted listed);
use UnixBench::Fleet::Hosts    qw(is_missing);
use UnixBench::Fleet::Wording  qw(finding_text headline);
use UnixBench::Warnings::Trust qw(LEVELS);

our @EXPORT_OK = qw(block_of);

use constant HOSTS_MOST => 3;

# A word that a shell does not change.
my $PLAIN_WORD = qr{\A[\w./+:@][\w./+:@-]*\z};

# Takes a list, see UnixBench::Fleet::Wording; returns the entries of its block, see
# UnixBench::Report::Plain::entry_lines.
sub block_of {
    my ($list) = @_;
    my %named;
    for my $host (grep { ($list->{of}{ $_->{host} } || { findings => [] })->{findings}[0] } @{ $list->{hosts} }) {
        push @{ $named{ $list->{of}{ $host->{host} }{is} } }, $host;
    }
    return (
        [Verdict => headline($list)],
        _hosts($list, map { @{ $named{$_} || [] } } 'slow', 'not reliable', 'fast'),
        _trust(map { $_->{summary} // () } @{ $list->{hosts} }),
        [Next => _next($list, \%named)]
    );
}

# Takes a list and its hosts that stand out; returns the entry of the most important ones.
sub _hosts {
    my ($list, @named) = @_;
    my @shown = splice @named, 0, HOSTS_MOST;
    my @texts = map { { text => ["$_->{host}: ", finding_text($list->{of}{ $_->{host} }{findings}[0])] } } @shown;
    push @texts, counted(scalar @named, 'other stands', 'others stand') . ' out' if @named;
    return @texts ? [Hosts => @texts] : ();
}

sub _trust {
    my (@summaries) = @_;
    my %count;
    $count{$_}++ for map { $_->{trust}{level} // () } @summaries;
    my @counts = map { "$count{$_} $_" } grep { $count{$_} } LEVELS;
    return @counts ? [Trust => join ', ', @counts] : ();
}

# Takes a list and { verdict => [hosts] }; returns the next step.
sub _next {
    my ($list, $named) = @_;
    my @missing = grep { is_missing($_) } @{ $list->{hosts} };
    return 'measure ' . listed(map { $_->{host} } @missing) if @missing;
    return _comparison($list, $named->{slow}[0]) if $named->{slow};
    return 'stop the other load on ' . listed(map { $_->{host} } @{ $named->{'not reliable'} }) . ', and measure again'
        if $named->{'not reliable'};
    return 'add --html fleet.html for a page with all hosts';
}

# Takes a list and a slow host; returns the command that compares it with the host of its kind that is nearest to the
# median.
sub _comparison {
    my ($list, $slow) = @_;
    my $kind = $list->{of}{ $slow->{host} }{kind};
    my @others =
        grep { $list->{of}{ $_->{host} }{kind} eq $kind && $_ != $slow } grep { !is_missing($_) } @{ $list->{hosts} };
    my ($usual) = sort { _from_median($list, $a) <=> _from_median($list, $b) } @others;
    my @files   = map  { $_->{file} // q{} } $usual, $slow;
    return "./Run compare @files" if !grep { $_ !~ $PLAIN_WORD } @files;
    return 'compare the results of ' . listed(map { $_->{host} } $usual, $slow);
}

# Returns how far the index of a host is from the median, or a large number if it has none in the list.
sub _from_median {
    my ($list, $host) = @_;
    my $own = $list->{of}{ $host->{host} };
    return defined $own->{median} ? abs log $own->{reading}{value} / $own->{median} : 9**9;
}

1;
