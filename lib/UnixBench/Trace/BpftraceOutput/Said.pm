package UnixBench::Trace::BpftraceOutput::Said;

# What bpftrace prints with -f json: a line of JSON for each map, and for each line that its program printed.

use strict;
use warnings;

use UnixBench::Base::Format     qw(shown);
use UnixBench::Base::JSONReader ();

my %IS_MAP = map { $_ => 1 } qw(map stats hist);

# Takes all that it printed; returns it, to be asked for its maps. Dies with one line where that is broken, as do all of
# the following for what makes no sense.
sub of {
    my ($class, $text) = @_;
    my $self = bless { maps => {}, printed => [] }, $class;
    $self->_take($_) for grep { /\S/ } split /\n/, $text;
    return $self;
}

# Takes names of maps, tells whether one of them was said and has something in it.
sub has {
    my ($self, @names) = @_;
    return scalar grep { !_is_empty($self->{maps}{$_}) } @names;
}

# Returns what the program printed itself, as texts.
sub printed {
    my ($self) = @_;
    return @{ $self->{printed} };
}

# Takes the name of a map without keys; returns its number, 0 where that is not set.
sub number {
    my ($self, $name) = @_;
    my $data = $self->{maps}{$name};
    return _is_empty($data) ? 0 : _natural($name, $data);
}

# Takes the name of a map of numbers; returns { key => number }.
sub numbers {
    my ($self, $name) = @_;
    my $data = $self->_keyed($name);
    return { map { $_ => _natural($name, $data->{$_}) } keys %$data };
}

# Takes the name of a map of stats; returns { key => { count, total } }.
sub stats {
    my ($self, $name) = @_;
    my $data = $self->_keyed($name);
    my %stats;
    for my $key (keys %$data) {
        my $of = $data->{$key};
        _broken("$name is no stats") if ref $of ne 'HASH';
        $stats{$key} = { map { $_ => _natural($name, $of->{$_}) } qw(count total) };
    }
    return \%stats;
}

# Takes the name of a map of histograms; returns { key => { where a bucket begins => count } }.
sub histograms {
    my ($self, $name) = @_;
    my $data = $self->_keyed($name);
    return { map { $_ => _buckets($name, $data->{$_}) } keys %$data };
}

sub _take {
    my ($self, $line) = @_;
    my $said =
        eval { UnixBench::Base::JSONReader::decode($line) } // _broken('it has a line that is ' . ($@ || 'null'));
    _broken('no type: ' . shown($line)) if ref $said ne 'HASH' || !defined $said->{type} || ref $said->{type};
    push @{ $self->{printed} }, $said->{data} if $said->{type} eq 'printf';
    return if !$IS_MAP{ $said->{type} };
    _broken('no map: ' . shown($line)) if ref $said->{data} ne 'HASH';
    for my $name (keys %{ $said->{data} }) {
        _broken(shown($name) . ' comes twice') if exists $self->{maps}{$name};
        $self->{maps}{$name} = $said->{data}{$name};
    }
    return;
}

sub _is_empty {
    my ($data) = @_;
    return !defined $data || ref $data eq 'HASH' && !keys %$data;
}

sub _keyed {
    my ($self, $name) = @_;
    my $data = $self->{maps}{$name} // {};
    _broken("$name has no keys") if ref $data ne 'HASH';
    return $data;
}

# The first bucket may have only an end, or reach from 0 to 0 or 1.
sub _buckets {
    my ($name, $buckets) = @_;
    _broken("$name is no histogram") if ref $buckets ne 'ARRAY';
    my %count;
    for my $bucket (@$buckets) {
        _broken("$name is no histogram") if ref $bucket ne 'HASH';
        my $from = _natural($name, $bucket->{min} // 0);
        _broken("$name has a bucket from $from") if $from && $from != 2**sprintf '%.0f', log($from) / log 2;
        $count{$from} += _natural($name, $bucket->{count});
    }
    return \%count;
}

sub _natural {
    my ($name, $value) = @_;
    return $value if defined $value && !ref $value && $value =~ /\A[0-9]{1,15}\z/;
    return _broken("$name is no number" . (defined $value && !ref $value ? ': ' . shown($value) : q{}));
}

sub _broken {
    my ($what) = @_;
    chomp $what;
    die "what bpftrace said is broken: $what\n";
}

1;
