package UnixBench::Report::Fleet::JSON;

# The outcomes of a fleet as JSON, with a line for each host.

use strict;
use warnings;

use UnixBench::Base::JSON             ();
use UnixBench::Compare::Fleet::Hosts  qw(is_accepted);
use UnixBench::Report::Fleet::Wording qw(headline reason_of reasons_of word_of);
use UnixBench::Report::Plain          qw(in_plain);
use UnixBench::Version                ();

use constant { FORMAT => 'unixbench-fleet', SCHEMA => 1 };

my %TRY = (
    phase   => 'text',
    try     => 'whole',
    outcome => 'text',
    verdict => 'text',
    reason  => 'text',
    result  => 'text',
    indexes => [{ copies => 'whole', title => 'text', (map { $_ => 'positive' } qw(value low high)) }],
);

# A finding about a host that stands out, and a fact that is unusual about it.
my %FINDING = (
    copies => 'whole',
    is     => 'text',
    kind   => 'text',
    title  => 'text',
    (map { $_ => 'number' } qw(value median z))
);
my %FACT = (map { $_ => 'text' } qw(label text usual));

my %HOST = (
    (map { $_ => 'text' } qw(host shares outcome verdict reason)),
    accepted => 'boolean',
    tries    => [\%TRY],
    findings => [\%FINDING],
    unusual  => [\%FACT],
);

my %RATIO = (shares => 'text', copies => 'whole', machines => 'whole', map { $_ => 'positive' } qw(value low high));

# Takes a list, see UnixBench::Report::Fleet; returns the text of the file.
sub render {
    my ($list) = @_;
    my %named  = map { $_->{label} => $_ } @{ ($list->{fleet} || {})->{named} };
    my @hosts  = map { _json(_host($_, $named{ $_->{name} }, $list), \%HOST) } @{ $list->{hosts} };
    my @ratios = map { _json({ %$_, %{ $_->{ratio} } },              \%RATIO) } @{ $list->{sharing} };
    my @head   = (
        '"format":"' . FORMAT . q{"},
        '"schema":' . SCHEMA,
        '"version":' . _json($UnixBench::Version::VERSION, 'text'),
        '"summary":' . _json(in_plain(headline($list)),    'text'),
    );
    return '{' . join(qq{,\n}, @head, _list(hosts => @hosts), _list(sharing => @ratios)) . "}\n";
}

sub _json {
    my ($data, $shape) = @_;
    return UnixBench::Base::JSON::encode_as($data, $shape);
}

sub _list {
    my ($name, @items) = @_;
    return qq{"$name":[} . join(q{,}, map { "\n$_" } @items) . ']';
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
    my @indexes = map { +{ copies => $_, title => $indexes->{$_}{title}, %{ $indexes->{$_}{estimate} } } }
        sort { $a <=> $b } keys %$indexes;
    return {
        (map { $_ => $try->{$_} } qw(phase try outcome verdict)),
        reason  => _text(reason_of($try)),
        result  => $try->{file},
        indexes => \@indexes,
    };
}

# Returns a text, or undef if it is empty.
sub _text {
    my ($text) = @_;
    return length $text ? $text : undef;
}

1;
