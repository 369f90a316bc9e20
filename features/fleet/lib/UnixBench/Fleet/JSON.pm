package UnixBench::Fleet::JSON;

# The outcomes of a fleet as JSON.

use strict;
use warnings;

use UnixBench::Fleet::Hosts   qw(is_accepted);
use UnixBench::Fleet::Wording qw(between_kinds headline reason_of reasons_of word_of);
use UnixBench::Report::JSON   ();
use UnixBench::Report::Plain  qw(in_plain);

# Takes a list, see UnixBench::Fleet::Report; returns the text of the file.
sub render {
    my ($list) = @_;
    my $fleet  = $list->{fleet} || { rankings => [], runs => [], named => [] };
    my %named  = map { $_->{label} => $_ } @{ $fleet->{named} };
    return UnixBench::Report::JSON::file_of(
        fleet => {
            summary => in_plain(headline($list)),
            kinds   => [map { _kinds($fleet, $_) } @{ $fleet->{rankings} }],
            between => [map { in_plain($_) } map { between_kinds($fleet, $_) } @{ $fleet->{rankings} }],
            hosts   => [map { _host($_, $named{ $_->{name} }, $list) } @{ $list->{hosts} }],
            sharing => [map { +{ %$_, %{ $_->{ratio} } } } @{ $list->{sharing} }],
        }
    );
}

# Takes a fleet and a ranking; returns the kinds of hosts with that number of copies. The median is that of the index,
# or of the only test.
sub _kinds {
    my ($fleet, $ranking) = @_;
    my $copies = $ranking->{copies};
    my @runs   = grep { $_->{copies} == $copies && @{ $_->{measures} } } @{ $fleet->{runs} };
    my %has    = map  { $_->{kind} => 1 } @runs;
    my @few    = grep { !$has{ $_->{title} } } @{ $ranking->{few} };
    return (
        (map { _kind($copies, $_->{kind},  $_->{labels}, $_, $ranking) } @runs),
        (map { _kind($copies, $_->{title}, $_->{labels}) } @few)
    );
}

sub _kind {
    my ($copies, $title, $hosts, $run, $ranking) = @_;
    my $is_compared = $run && $run->{is_compared} ? 1 : 0;
    return {
        copies   => $copies,
        kind     => $title,
        hosts    => $hosts,
        compared => $is_compared,
        median   => $is_compared && defined $ranking->{kind} ? $run->{measures}[0]{median} : undef,
        modes    => $run                                     ? $run->{modes}               : undef,
    };
}

sub _host {
    my ($host, $machine, $list) = @_;
    my @tries = (@{ $host->{tries} }, grep { $_ && $_ != $host->{counted} } $host->{together});
    return {
        host => $host->{name},
        (map { $_ => $host->{$_} } qw(shares outcome verdict)),
        accepted => is_accepted($host),
        reason   => _text(reasons_of($host, $list)),
        tries    => [map { _try($_) } @tries],
        findings => $machine ? [map { +{ %$_, is => word_of($_->{is}) } } @{ $machine->{findings} }] : [],
        unusual  => $machine ? $machine->{differences}                                               : [],
    };
}

sub _try {
    my ($try)   = @_;
    my $indexes = $try->{indexes} || {};
    my @indexes = map { _index($_, $indexes->{$_}) } sort { $a <=> $b } keys %$indexes;
    return {
        (map { $_ => $try->{$_} } qw(phase try outcome verdict)),
        reason  => _text(reason_of($try)),
        result  => $try->{file},
        indexes => \@indexes,
    };
}

# Takes a number of copies and an index of a try; returns the index.
sub _index {
    my ($copies, $index) = @_;
    return { copies => $copies, %{ $index->{estimate} }, map { $_ => $index->{$_} } qw(title repeat) };
}

# Returns a text, or undef if it is empty.
sub _text {
    my ($text) = @_;
    return length $text ? $text : undef;
}

1;
