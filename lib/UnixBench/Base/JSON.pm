package UnixBench::Base::JSON;

# Reads and writes JSON (RFC 8259). Texts are bytes, and numbers are read back exactly. JSON::PP is not suitable: it
# writes numbers with 15 digits, which may change them. It also can't write bytes that are not UTF-8, but the output of
# programs and the environment do contain such bytes.

use strict;
use warnings;
no warnings 'recursion';    # warns of 100 levels

use B ();

use UnixBench::Base::Text qw($INVISIBLE $MULTIBYTE);

use constant { DEPTH_MAX => 100, MINUS_ZERO => 0 * -1.5 };    # levels of nested arrays and objects

my %MEANING = (true => 1,    false => 0,    null => undef);
my %ESCAPED = (b    => "\b", f     => "\f", n    => "\n", r => "\r", t => "\t", map { $_ => $_ } q{"}, q{\\}, q{/});
my %WRITTEN = (
    (map { chr $_       => sprintf '\\u%04x', $_ } 0 .. 0x1f, 0x7f),
    (map { $ESCAPED{$_} => "\\$_" } grep { $_ ne q{/} } keys %ESCAPED),
);

# The reader parses strictly, in a time that is proportional to the length of the text. The text is in $_, and pos is
# the place up to which it is read. No pattern has a capture: some versions of Perl would copy the whole text for each.
# Patterns that are used for every value are written where they are used, because Perl matches a variable more slowly.
my $PLAIN  = qr/\G[^"\\\x00-\x1f]++/;
my $ESCAPE = qr{\G\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})};

# Takes JSON as bytes; returns its data: texts as bytes, true and false as 1 and 0, null as undef. Dies with
# "not JSON: WHAT at byte N\n"; bytes are counted from 0. It also dies for a repeated key, for a number out of range and
# for more than 100 levels, none of which the writer writes.
sub decode {
    local ($_) = @_;
    utf8::encode($_) if utf8::is_utf8($_);
    pos = 0;
    1 while /\G(?:[\x00-\x7f]+|(?:$MULTIBYTE){1,1000})/gc;
    _refuse('a byte that is not UTF-8') if pos() != length;
    pos = 0;
    my $value = _value(0);
    _refuse('more text after the end') if length _next();
    return $value;
}

sub _refuse {
    my ($what, $from) = @_;
    die "not JSON: $what at byte " . ($from // pos) . "\n";
}

# Skips blanks. Returns the next byte, which is not consumed, or an empty text at the end.
sub _next {
    /\G[ \t\n\r]++/gc;
    return substr $_, pos, 1;
}

sub _value {
    my ($depth) = @_;
    my $from = pos;
    return substr $_, $from + 1, pos() - $from - 2 if /\G"[^"\\\x00-\x1f]*+"/gc;
    if (/\G(?:-?(?:0|[1-9][0-9]*+)(?:[.][0-9]++)?(?:[eE][-+]?[0-9]++)?|true|false|null)/gc) {
        my $word = substr $_, $from, pos() - $from;
        return $MEANING{$word} if exists $MEANING{$word};
        my $number = 0 + $word;
        return $number && $number - $number == 0 ? $number : _odd_number($word, $from);
    }
    my $next = substr $_, $from, 1;
    return _array($depth + 1) if $next eq '[';
    return _object($depth + 1) if $next eq '{';
    return _text() if $next eq q{"};
    return _value($depth) if /\G[ \t\n\r]++/gc;
    return _refuse('a value is missing');
}

sub _array {
    my ($depth) = @_;
    return [] if _is_empty($depth, ']');
    my @array;
    do { push @array, _value($depth) } while /\G,[ \t\n\r]*+/gc || !_is_at_end(']');
    return \@array;
}

sub _object {
    my ($depth) = @_;
    return {} if _is_empty($depth, '}');
    my %object;
    do {
        my $from = pos;
        my $key  = /\G"[^"\\\x00-\x1f]*+":/gc ? substr $_, $from + 1, pos() - $from - 3 : _key();
        _refuse('the same key again', $from) if exists $object{$key};
        $from = pos;
        $object{$key} = /\G"[^"\\\x00-\x1f]*+"/gc ? substr $_, $from + 1, pos() - $from - 2 : _value($depth);
    } while /\G,[ \t\n\r]*+/gc || !_is_at_end('}');
    return \%object;
}

# Takes the number of levels and the end of an array or object. Reads its beginning, and its end if that follows.
sub _is_empty {
    my ($depth, $end) = @_;
    _refuse('more than ' . DEPTH_MAX . ' levels') if $depth > DEPTH_MAX;
    /\G.[ \t\n\r]*+/gcs;
    return if substr($_, pos, 1) ne $end;
    pos()++;
    return 1;
}

# Takes the end of an array or object; reads it, or a comma. Returns whether it was the end.
sub _is_at_end {
    my ($end) = @_;
    my $next = _next();
    _refuse(qq{"," or "$end" is missing}) if $next ne $end && $next ne q{,};
    pos()++;
    return 1 if $next eq $end;
    /\G[ \t\n\r]++/gc;
    return 0;
}

sub _key {
    _refuse('a key is missing') if _next() ne q{"};
    my $key = _text();
    _refuse('":" is missing') if _next() ne q{:};
    pos()++;
    return $key;
}

# Takes a text of 0 or a number out of range, and its place; returns 0 with its sign. Dies if it is out of range.
sub _odd_number {
    my ($word, $from) = @_;
    _refuse('a number out of range', $from) if 0 + $word != 0;
    return $word =~ /\A-/ ? MINUS_ZERO : 0;
}

sub _taken {
    my ($pattern) = @_;
    my $from = pos;
    return /$pattern/gc ? substr $_, $from, pos() - $from : undef;
}

sub _text {
    my $read = '';
    pos()++;
    while (1) {
        $read .= _taken($PLAIN) // '';
        last if /\G"/gc;
        $read .= _unescaped();
    }
    return $read;
}

sub _unescaped {
    my $escape = _taken($ESCAPE);
    return $ESCAPED{ substr $escape, 1, 1 } // _character(hex substr $escape, 2) if defined $escape;
    my $here = substr $_, pos, 1;
    return _refuse($here eq '' ? 'a text without an end' : $here eq '\\' ? 'an invalid escape' : 'a control character');
}

# Takes the number in an escape. Returns the UTF-8 of that character, and reads the second escape of a surrogate pair.
# For \udc80 ... \udcff, returns the byte that the writer means by it. Dies for any other half of a surrogate pair.
sub _character {
    my ($code) = @_;
    return chr($code - 0xdc00) if 0xdc80 <= $code && $code <= 0xdcff;
    if (0xd800 <= $code && $code <= 0xdbff) {
        my $low = _taken(qr/\G\\u[dD][c-fC-F][0-9a-fA-F]{2}/);
        $code = 0x10000 + ($code - 0xd800) * 0x400 + hex(substr $low, 2) - 0xdc00 if defined $low;
    }
    _refuse('half of a surrogate pair', pos() - length '\u0000') if 0xd800 <= $code && $code <= 0xdfff;
    my $character = chr $code;
    utf8::encode($character);
    return $character;
}

my %members_of;    # shape => its members, once it was written

# Takes nested hashes, arrays, texts, numbers and undef. Returns one line of UTF-8 without a newline; the keys of hashes
# are sorted. A value that Perl holds as a text is written as a text: pass 0 + $x for a number. A byte that is not UTF-8
# becomes an escape, \udc80 ... \udcff (PEP 383), which the reader turns back into the byte. Dies with
# "cannot be JSON: ...\n" for an infinite number, a reference to anything else, a repeated key, or more than 100 levels.
sub encode {
    my ($data) = @_;
    return _written($data, 0);
}

sub _written {
    my ($data, $depth) = @_;
    return !defined $data ? 'null' : _is_number($data) ? _number($data) : _quoted($data) if !ref $data;
    die 'cannot be JSON: a reference to ' . ref($data) . "\n" if ref($data) !~ /\A(?:HASH|ARRAY)\z/;
    die "cannot be JSON: more than @{[DEPTH_MAX]} levels\n" if ++$depth > DEPTH_MAX;
    return '[' . join(q{,}, map { _written($_, $depth) } @$data) . ']' if ref $data eq 'ARRAY';
    my (%seen, @members);
    for my $key (sort keys %$data) {
        my $quoted = _quoted($key);
        die "cannot be JSON: the same key twice\n" if $seen{$quoted}++;
        push @members, "$quoted:" . _written($data->{$key}, $depth);
    }
    return '{' . join(q{,}, @members) . '}';
}

# Takes data and its shape (UnixBench::Base::Shape), a constant. Returns JSON for programs that do not know the escape
# for bytes. A byte that is not UTF-8 becomes the four characters \x80 ... \xff, which are read as just these
# characters. If two keys become the same in this way, only one of them is written. The shape decides which values are
# numbers, texts or truth values. A missing key is written as null, and a key that the shape does not have is left out.
# This is four times as fast as encode(), and does not copy the data.
sub encode_as {
    my ($data, $shape) = @_;
    return 'null' if !defined $data;
    return '[' . join(q{,}, map { encode_as($_, $shape->[0]) } @$data) . ']' if ref $shape eq 'ARRAY';
    return _object_as($data, $shape) if ref $shape eq 'HASH';
    return _plainly_quoted($data) if ref $shape || $shape eq 'text';
    return encode($data) if $shape eq 'anything';
    return $shape eq 'boolean' ? ('false', 'true')[$data ? 1 : 0] : _number(0 + $data);
}

sub _object_as {
    my ($data, $shape) = @_;
    my $members = $shape->{'*'} ? _any_members($data, $shape->{'*'}) : ($members_of{$shape} ||= _fixed_members($shape));
    return '{' . join(q{,}, map { $_->[1] . encode_as($data->{ $_->[0] }, $_->[2]) } @$members) . '}';
}

# Takes a shape with fixed keys. Returns [key, key as JSON, shape of its value] for each key, sorted.
sub _fixed_members {
    my ($shape) = @_;
    my %shape_of = map { s/[?]\z//r => $shape->{$_} } keys %$shape;
    return [map { [$_, qq{"$_":}, $shape_of{$_}] } sort keys %shape_of];
}

sub _any_members {
    my ($data, $shape) = @_;
    my %seen;
    return [grep { !$seen{ $_->[1] }++ } map { [$_, _plainly_quoted($_) . q{:}, $shape] } sort keys %$data];
}

sub _plainly_quoted {
    my ($text) = @_;
    return qq{"$text"} if $text !~ /[^ !#-\[\]-~]/;
    return _quoted($text, '\\\\x%02x');
}

sub _is_number {
    my ($value) = @_;
    my $flags = B::svref_2object(\$value)->FLAGS;
    return $flags & (B::SVf_IOK | B::SVf_NOK) && !($flags & B::SVf_POK);
}

# Returns the shortest text that is read back as the same number. A whole number is written in digits, even if Perl
# holds it as a floating-point number.
sub _number {
    my ($number) = @_;
    return "$number" if !(B::svref_2object(\$number)->FLAGS & B::SVf_NOK);
    die "cannot be JSON: the number $number\n" if $number - $number != 0;
    return sprintf '%.0f', $number if $number == int $number && abs $number < 2**64;
    for my $digits (15, 16) {
        my $text = sprintf "%.${digits}g", $number;
        return $text if $text == $number;
    }
    return sprintf '%.17g', $number;
}

sub _quoted {
    my ($text, $form) = @_;
    $form //= '\\udc%02x';
    utf8::encode($text) if utf8::is_utf8($text);
    $text =~ s/(["\\\x00-\x1f\x7f])/$WRITTEN{$1}/g;
    if ($text =~ /[\x80-\xff]/) {
        $text =~ s/((?:$MULTIBYTE){1,1000})|([\x80-\xff])/defined $1 ? $1 : sprintf $form, ord $2/ge;
        utf8::decode($text);
        $text =~ s/($INVISIBLE)/_escape($1)/ge;
        utf8::encode($text);
    }
    return qq{"$text"};
}

# Takes a character above ASCII; returns its escape, for one beyond 16 bits that of a surrogate pair.
sub _escape {
    my $code = ord shift;
    return sprintf '\\u%04x', $code if $code < 0x10000;
    return sprintf '\\u%04x\\u%04x', 0xd7c0 + ($code >> 10), 0xdc00 + ($code & 0x3ff);
}

1;
