package UnixBench::Fleet::Kinds;

# The kinds of hosts in a fleet. Hosts of a kind have the same models and number of CPUs, and the same procedure: only
# these can be slow or fast among each other.

use strict;
use warnings;

use UnixBench::Host::FactList ();

# Takes hosts, see UnixBench::Fleet::Hosts; returns their kinds, those with the most hosts first. A kind is plain data:
#   letter  A for the first kind, B for the next, and so on; undef if there is only one
#   title   what distinguishes it, such as "AMD EPYC 7763, 4 CPUs"
#   hosts   [its hosts]
sub of {
    my (@hosts) = @_;
    my (%alike, @kinds);
    for my $host (@hosts) {
        my $summary = $host->{summary};
        my %own     = (
            cpus      => UnixBench::Host::FactList::text_of($summary, 'cpu.models'),
            procedure => $summary->{procedure}{kind},
            hosts     => [],
        );
        my $kind = $alike{ join "\0", map { $_ // q{} } @own{qw(cpus procedure)} } ||= \%own;
        push @kinds,              $kind if !@{ $kind->{hosts} };
        push @{ $kind->{hosts} }, $host;
    }
    @kinds = sort { @{ $b->{hosts} } <=> @{ $a->{hosts} } } @kinds;
    my @titles = _titles(@kinds);
    my $letter = 'A';
    return
        map { { letter => @kinds > 1 ? $letter++ : undef, title => $titles[$_], hosts => $kinds[$_]{hosts} } }
        0 .. $#kinds;
}

# Takes kinds; returns a title for each: the model of the CPU, and the other properties that differ between kinds with
# this model.
sub _titles {
    my (@kinds) = @_;
    my %same;
    push @{ $same{ _model($_) } }, $_ for @kinds;
    my @titles;
    for my $kind (@kinds) {
        my @same = @{ $same{ _model($kind) } };
        push @titles, join ', ', _model($kind), _if_they_differ(\&_count, $kind, @same),
            _if_they_differ(sub { $_[0]{procedure} // 'unknown procedure' }, $kind, @same);
    }
    return @titles;
}

# Takes a function, a kind, and the kinds with the same model; returns the text of the function if that of others
# differs.
sub _if_they_differ {
    my ($text_of, $kind, @same) = @_;
    my $text = $text_of->($kind);
    return grep({ $text_of->($_) ne $text } @same) ? $text : ();
}

# Returns the model of the CPUs of a kind, without marks and idle words.
sub _model {
    my ($kind) = @_;
    return 'unknown CPU' if !defined $kind->{cpus};
    my $model = $kind->{cpus} =~ s/\A[0-9]+ x (?!.*, [0-9]+ x )//r;
    return $model =~ s/[(](?:R|TM)[)]| CPU(?= @)| [0-9]+-Core Processor\b//gr =~ s/\s+/ /gr;
}

sub _count {
    my ($kind)   = @_;
    my ($number) = ($kind->{cpus} // q{}) =~ /\A([0-9]+) x /;
    return !defined $number ? 'unknown number of CPUs' : $number == 1 ? '1 CPU' : "$number CPUs";
}

1;
