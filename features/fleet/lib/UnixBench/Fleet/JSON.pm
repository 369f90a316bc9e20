package UnixBench::Fleet::JSON;

# The hosts of a fleet as JSON.

use strict;
use warnings;

use UnixBench::Fleet::Hosts   qw(is_accepted);
use UnixBench::Fleet::Wording qw(headline reason_in_brief);
use UnixBench::Report::JSON   ();

# Takes a list, see UnixBench::Fleet::Wording; returns the text of the file.
sub render {
    my ($list) = @_;
    my %kinds = (copies => $list->{copies}, kinds => $list->{kinds});
    return UnixBench::Report::JSON::file_of(
        fleet => { %kinds, summary => headline($list), hosts => [map { _host($_, $list) } @{ $list->{hosts} }] });
}

sub _host {
    my ($host, $list) = @_;
    my $own      = $list->{of}{ $host->{host} } || {};
    my $readings = $host->{readings}            || {};
    return {
        (map { $_ => $host->{$_} } qw(host outcome verdict)),
        (map { $_ => $own->{$_} } qw(kind is)),
        accepted => is_accepted($host),
        reason   => reason_in_brief($host, $list),
        result   => $host->{file},
        indexes  => [map { _index($_, $readings->{$_}) } sort { $a <=> $b } keys %$readings],
        findings => $own->{findings} || [],
        unusual  => $own->{facts}    || [],
    };
}

# Takes a number of copies and a reading; returns the index.
sub _index {
    my ($copies, $reading) = @_;
    return {
        copies => $copies,
        value  => $reading->{index},
        %{ $reading->{estimate} || {} }, title => $reading->{title}
    };
}

1;
