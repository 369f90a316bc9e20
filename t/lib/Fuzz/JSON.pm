package Fuzz::JSON;

# The JSON reader and writer, compared with JSON::PP.

use strict;
use warnings;

use JSON::PP ();

use UnixBench::Base::JSON ();

# The differences: messages for input that only JSON::PP accepts, and a pattern of input that only our reader accepts.
# JSON::PP also accepts a surrogate pair with other characters between its halves.
my $ONLY_THEIRS =
    qr/\Anot JSON: (?:the same key again|a number out of range|more than 100 levels|half of a surrogate pair) at/;
my $ONLY_OURS = qr/\\u[dD][cC][89a-fA-F]/;

my $THEIRS = JSON::PP->new->utf8->allow_nonref->max_depth(512);

sub samples {
    return (
        '{"name":"pipe","score":1234.5,"ok":true,"none":null,"list":[1,-2,3e5,0.25,""]}',
        '[[],{},[[1]],{"a":{"b":[false]}},"\u00e9\ud83d\ude00\n\\\\\"\/"]',
        " [ 1 ,\t2 ,\r\n{ \"a\" : \"b\" } ] \n",
        '{"a":"\udcff\udc80","k":10.001234567890123,"z":-0,"big":18446744073709551615}',
        "\"\xc3\xa9\xe2\x80\xa8\xf0\x9f\x98\x80\"",
        '"a"',
        '-1.5E-3',
        'null',
        '[]',
        '{}',
        '[' x 20 . ']' x 20,
        '[' x 100 . ']' x 100,
        '[' x 101 . ']' x 101,
        '{"a":' x 10 . '1' . '}' x 10,
    );
}

# Takes a text; dies with our message if it is refused, or with "wrong: " and why if JSON::PP sees it in another way.
sub check {
    my ($input) = @_;
    my ($data, $theirs);
    my $message = eval { $data   = UnixBench::Base::JSON::decode($input); 1 } ? undef : $@;
    my $refused = eval { $theirs = $THEIRS->decode($input);               1 } ? undef : $@;
    check_written($input);
    _check_refused($message, $refused, $input) if defined $message;
    if    (!defined $refused)    { die "wrong: JSON::PP reads something else\n" if !is_same($data, plain($theirs)) }
    elsif ($input !~ $ONLY_OURS) { die "wrong: JSON::PP: $refused" }
    check_written($data);
    my ($keys, $depth) = _size($data);
    die "wrong: $depth levels\n" if $depth > 100;
    my $marks = $input =~ s/"(?:[^"\\]|\\.)*"//gsr;
    die "wrong: $keys keys\n" if $keys != ($marks =~ tr/://);
    return;
}

# Returns the number of keys and the number of levels.
sub _size {
    my ($data) = @_;
    no warnings 'recursion';
    return (0, 0) if !ref $data;
    my ($keys, $depth) = (ref $data eq 'HASH' ? scalar keys %$data : 0, 0);
    for my $size (map { [_size($_)] } ref $data eq 'HASH' ? values %$data : @$data) {
        $keys += $size->[0];
        $depth = $size->[1] if $depth < $size->[1];
    }
    return ($keys, $depth + 1);
}

# Dies if the encoded data is read back as something else by our reader, or by JSON::PP if that can read it.
sub check_written {
    my ($data) = @_;
    my $json = UnixBench::Base::JSON::encode($data);
    die "wrong: not one line\n" if $json =~ /[\x00-\x1f\x7f]/;
    my $again = UnixBench::Base::JSON::decode($json);
    die "wrong: read back as something else\n"
        if !is_same($again, $data) || UnixBench::Base::JSON::encode($again) ne $json;
    return if $json =~ $ONLY_OURS;
    die "wrong: JSON::PP reads what was written as something else\n" if !is_same(plain($THEIRS->decode($json)), $data);
    return;
}

# Takes two JSON values; returns whether they are equal.
sub is_same {
    my ($one, $other) = @_;
    no warnings 'recursion';
    return !defined $one && !defined $other if !defined $one || !defined $other;
    return 0 if ref $one ne ref $other;
    if (ref $one eq 'ARRAY') {
        return @$one == @$other && !grep { !is_same($one->[$_], $other->[$_]) } 0 .. $#$one;
    }
    if (ref $one eq 'HASH') {
        return keys %$one == keys %$other
            && !grep { !exists $other->{$_} || !is_same($one->{$_}, $other->{$_}) } keys %$one;
    }
    return _is_text($one) || _is_text($other) ? $one eq $other : $one == $other;
}

# Takes a value from JSON::PP; returns it with texts as bytes, and with true and false as 1 and 0.
sub plain {
    my ($theirs) = @_;
    no warnings 'recursion';
    return [map { plain($_) } @$theirs] if ref $theirs eq 'ARRAY';
    return { map { _bytes($_) => plain($theirs->{$_}) } keys %$theirs } if ref $theirs eq 'HASH';
    return $theirs           ? 1               : 0 if ref $theirs;
    return _is_text($theirs) ? _bytes($theirs) : $theirs;
}

sub _check_refused {
    my ($message, $refused, $input) = @_;
    die "wrong: JSON::PP accepts: $message" if !defined $refused && $message !~ $ONLY_THEIRS;
    my ($place) = $message =~ /at byte ([0-9]+)\n\z/;
    die "wrong: no such place: $message" if defined $place && $place > length $input;
    die $message;
}

# Returns whether a value is a text. JSON::PP returns long whole numbers as texts; these count as numbers.
sub _is_text {
    my ($value) = @_;
    return UnixBench::Base::JSON::encode($value) =~ /\A"(?!-?[0-9]{10,}"\z)/;
}

sub _bytes {
    my ($text) = @_;
    utf8::encode($text);
    return $text;
}

1;
