package UnixBench::Base::Shape;

# Compares data that was read from a file with the shape that the program relies on. UnixBench::Base::JSON uses
# the same shapes to write data.
#
# A shape is one of these:
#   NAME              a kind of value, see %KIND, or "anything"
#   qr/.../           a text that matches this pattern
#   [shape]           a list of such values
#   { key => shape }  a hash that has these keys and no others
#
# A key with a question mark may be missing or have the value undef. The key '*' stands for any key.

use strict;
use warnings;

# The ratio and the square of two positive numbers are numbers above 0, too.
#
# The kinds: a function that tells whether a value is of the kind, the kind in the words of an error, and the members of
# its JSON Schema.
my %KIND = (
    text    => [sub { 1 },                   'a text',        '"type":"string"'],
    boolean => [sub { $_[0] =~ /\A[01]\z/ }, 'true or false', '"type":"boolean"'],
    number  => [sub { _is_number($_[0]) },   'a number',      '"type":"number"'],
    moment  => [
        sub { _is_number($_[0]) && abs $_[0] < 1e11 },
        'a time in seconds',
        '"type":"number","exclusiveMinimum":-1e11,"exclusiveMaximum":1e11'
    ],
    unsigned => [sub { _is_number($_[0]) && $_[0] >= 0 }, 'a number from 0', '"type":"number","minimum":0'],
    positive => [
        sub { _is_number($_[0]) && $_[0] >= 1e-150 && $_[0] <= 1e150 },
        'a number from 1e-150 to 1e150',
        '"type":"number","minimum":1e-150,"maximum":1e150'
    ],
    timebase => [
        sub { _is_number($_[0]) && ($_[0] == 0 || $_[0] >= 1e-50 && $_[0] <= 1e50) },
        '0 or a number from 1e-50 to 1e50',
        '"type":"number","anyOf":[{"const":0},{"minimum":1e-50,"maximum":1e50}]'
    ],
    measured => [
        sub { _is_number($_[0]) && $_[0] >= 1e-60 && $_[0] <= 1e60 },
        'a number from 1e-60 to 1e60',
        '"type":"number","minimum":1e-60,"maximum":1e60'
    ],
    natural => [
        sub { $_[0] =~ /\A[0-9]{1,15}\z/ },
        'a whole number from 0',
        '"type":"integer","minimum":0,"maximum":999999999999999'
    ],
    whole => [
        sub { $_[0] =~ /\A[1-9][0-9]{0,14}\z/ },
        'a whole number from 1',
        '"type":"integer","minimum":1,"maximum":999999999999999'
    ],
);
my %IS = (anything => sub { 1 }, map { $_ => $KIND{$_}[0] } keys %KIND);

my %keys_of;    # shape => its keys, kept after its first use

my $allows_unknown = 0;    # whether keys that a shape does not have are left out of the comparison

# Takes a name; returns the members of the JSON Schema of this kind of value, or undef if there is no such kind.
sub json_schema { my ($kind) = @_; return ($KIND{$kind} || [])->[2] }

# Takes data and a shape. Returns the first difference, such as "a.b[2]: not a text", or undef.
sub difference {
    my ($data, $shape, $where) = @_;
    $where = q{} if !defined $where;
    return _difference_of_hash($data, $shape, $where) if ref $shape eq 'HASH';
    return _difference_of_list($data, $shape->[0], $where) if ref $shape eq 'ARRAY';
    return if $shape eq 'anything';
    my ($is, $kind) = ref $shape ? (sub { $_[0] =~ $shape }, 'a known word') : @{ $KIND{$shape} };
    return defined $data && !ref $data && $is->($data) ? undef : _at($where) . "not $kind";
}

# Takes data and a shape; returns the first difference or undef, and ignores keys that the shape does not have.
sub misfit {
    my ($data, $shape) = @_;
    $allows_unknown = 1;
    my $difference = difference($data, $shape);
    $allows_unknown = 0;
    return $difference;
}

sub _difference_of_hash {
    my ($hash, $shape, $where) = @_;
    return _at($where) . 'not an object' if ref $hash ne 'HASH';
    my $keys      = $keys_of{$shape} ||= _keys_of($shape);
    my ($missing) = grep { !exists $hash->{$_} } @{ $keys->{needed} };
    return _at($where) . "$missing is missing" if defined $missing;
    for my $key (sort keys %$hash) {
        next if !defined $hash->{$key} && $keys->{is_optional}{$key};
        my $expected = $keys->{shape}{$key} // $shape->{'*'};
        next if !defined $expected && $allows_unknown;
        return _at($where) . "unknown key $key" if !defined $expected;
        next if !ref $expected && defined $hash->{$key} && !ref $hash->{$key} && $IS{$expected}->($hash->{$key});
        my $difference = difference($hash->{$key}, $expected, length $where ? "$where.$key" : $key);
        return $difference if defined $difference;
    }
    return;
}

# Returns the keys of a shape, prepared for comparing. The result refers to the shape: otherwise another shape could get
# the same address, by which %keys_of finds it.
sub _keys_of {
    my ($shape) = @_;
    my @keys = grep { $_ ne '*' } sort keys %$shape;
    return {
        of          => $shape,
        needed      => [grep { !/[?]\z/ } @keys],
        is_optional => { map { /\A(.*)[?]\z/s ? ($1 => 1) : () } @keys },
        shape       => { map { s/[?]\z//r => $shape->{$_} } @keys },
    };
}

sub _difference_of_list {
    my ($list, $shape, $where) = @_;
    return _at($where) . 'not a list' if ref $list ne 'ARRAY';
    for my $number (0 .. $#$list) {
        my $difference = difference($list->[$number], $shape, "$where\[$number]");
        return $difference if defined $difference;
    }
    return;
}

sub _at {
    my ($where) = @_;
    return length $where ? "$where: " : q{};
}

sub _is_number {
    my ($value) = @_;
    return $value =~ /\A-?[0-9]+(?:[.][0-9]+)?(?:[eE][-+]?[0-9]+)?\z/ && abs $value < 9**999;
}

1;
