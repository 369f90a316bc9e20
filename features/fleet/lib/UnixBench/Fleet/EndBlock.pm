package UnixBench::Fleet::EndBlock;

# The block at the end of the report of a fleet on a terminal: the verdict, the hosts that stand out most, how many
# results can be trusted, and the next step.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Text      qw(counted listed);
use UnixBench::Fleet::Hosts    qw(is_missing);
use UnixBench::Fleet::Measures qw(times_of);
use UnixBench::Fleet::Outliers qw(KINDS);
use UnixBench::Fleet::Wording  qw(findings headline);
use UnixBench::Warnings::Trust qw(LEVELS);

our @EXPORT_OK = qw(block_of);

use constant HOSTS_MOST => 3;

# A word that a shell does not change.
my $PLAIN_WORD = qr{\A[\w./+:@][\w./+:@-]*\z};

# Takes a list, see UnixBench::Fleet::Report; returns the entries of its block, see
# UnixBench::Report::Plain::entry_lines.
sub block_of {
    my ($list)    = @_;
    my $fleet     = $list->{fleet} || { rankings => [], named => [] };
    my ($ranking) = @{ $fleet->{rankings} };
    my @named     = map { _named($_, $fleet) } KINDS;
    return (
        [Verdict => headline($list)],
        _hosts($fleet, @named),
        _trust($ranking ? @{ $ranking->{readings} } : ()),
        [Next => _next($list, @named)]
    );
}

# Takes a way in which machines stand out, and a fleet; returns those that stand out in this way before all others.
sub _named {
    my ($way, $fleet) = @_;
    return grep { _way($_) eq $way } @{ $fleet->{named} };
}

sub _way {
    my ($machine) = @_;
    my %is        = map { $_ => 1 } @{ $machine->{is} };
    my ($first)   = grep { $is{$_} } KINDS;
    return $first;
}

# Takes a fleet and its machines that stand out; returns the entry of the most important ones.
sub _hosts {
    my ($fleet, @named) = @_;
    my @shown = splice @named, 0, HOSTS_MOST;
    my @texts = map { _host($_, $fleet) } @shown;
    push @texts, counted(scalar @named, 'other stands', 'others stand') . ' out' if @named;
    return @texts ? [Hosts => @texts] : ();
}

sub _host {
    my ($machine, $fleet) = @_;
    my ($first) = findings($machine, $fleet);
    return { text => [$fleet->{names}{ $machine->{label} }, ': ', $first] };
}

sub _trust {
    my (@readings) = @_;
    my %count;
    $count{$_}++ for grep { defined } map { $_->{trust} } @readings;
    my @counts = map { "$count{$_} $_" } grep { $count{$_} } LEVELS;
    return @counts ? [Trust => join ', ', @counts] : ();
}

# Takes a list and the machines that stand out; returns the next step.
sub _next {
    my ($list, @named) = @_;
    my @missing = grep { is_missing($_) } @{ $list->{hosts} || [] };
    return 'measure ' . listed(map { $_->{name} } @missing) if @missing;
    my ($slow) = grep { _way($_) eq 'slow' } @named;
    return _comparison($list, $slow) if $slow;
    my @doubtful = grep { _way($_) eq 'doubtful' } @named;
    my $names    = $list->{fleet}{names};
    return 'stop the other load on ' . listed(map { $names->{ $_->{label} } } @doubtful) . ', and measure again'
        if @doubtful;
    my @unusual = grep { _way($_) eq 'unusual' } @named;
    return 'measure again: ' . listed(map { $names->{ $_->{label} } } @unusual) if @unusual;
    return 'add --html fleet.html for a page with all hosts';
}

# Takes a list and a slow machine; returns the command that compares it with the machine of its kind that is nearest to
# the median.
sub _comparison {
    my ($list, $slow) = @_;
    my ($index) = map { $_->{measures}[0] } grep {
        grep { $_ eq $slow->{label} }
            @{ $_->{labels} }
    } @{ $list->{fleet}{runs} };
    my ($usual) = sort { _from_median($index, $a) <=> _from_median($index, $b) || $a->{label} cmp $b->{label} }
        grep { $_->{label} ne $slow->{label} } @{ $index->{readings} };
    my %file  = map { $_->{name} => $_->{counted}{file} } @{ $list->{hosts} || [] };
    my @words = map { $file{ $_->{label} } // $_->{label} } $usual, $slow;
    return "./Run compare @words" if !grep { $_ !~ $PLAIN_WORD } @words;
    return 'compare the results of ' . listed(map { $list->{fleet}{names}{ $_->{label} } } $usual, $slow);
}

sub _from_median {
    my ($index, $reading) = @_;
    return abs log times_of($reading, $index);
}

1;
