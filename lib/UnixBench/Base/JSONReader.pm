package UnixBench::Base::JSONReader;

# Parses JSON (RFC 8259) strictly, in a time that is proportional to its length. The text is in $_, and pos is the place
# up to which it is read. No pattern has a capture: some versions of Perl would copy the whole text for each. Patterns
# that are used for every value are written where they are used, because Perl matches a variable more slowly.

use strict;
use warnings;
no warnings 'recursion';    # warns of 100 levels

use UnixBench::Base::Text qw($MULTIBYTE);

use constant { DEPTH_MAX => 100, MINUS_ZERO => 0 * -1.5 };    # levels of nested arrays and objects

my $PLAIN  = qr/\G[^"\\\x00-\x1f]++/;
my $ESCAPE = qr{\G\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})};

my %MEANING = (true => 1,    false => 0,    null => undef);
my %ESCAPED = (b    => "\b", f     => "\f", n    => "\n", r => "\r", t => "\t", map { $_ => $_ } q{"}, q{\\}, q{/});

# Takes JSON as bytes; returns its data: texts as bytes, true and false as 1 and 0, null as undef. Dies with
# "not JSON: WHAT at byte N\n"; bytes are counted from 0. It also dies for a repeated key, for a number out of range and
# for more than 100 levels, none of which the writer writes.
sub decode {
    local ($_) = @_;
    utf8::encode($_) if utf8::is_utf8($_);
    pos = 0;
    _check_utf8();
    my $value = _value(0);
    _refuse('more text after the end') if length _next();
    return $value;
}

sub _refuse {
    my ($what, $from) = @_;
    die "not JSON: $what at byte " . ($from // pos) . "\n";
}

sub _check_utf8 {
    1 while /\G(?:[\x00-\x7f]+|(?:$MULTIBYTE){1,1000})/gc;
    _refuse('a byte that is not UTF-8') if pos() < length;
    pos = 0;
    return;
}

# Skips blanks. Returns the next byte, which is not consumed, or an empty text at the end.
sub _next {
    /\G[ \t\n\r]++/gc;
    return substr $_, pos, 1;
}

# Takes the number of arrays and objects around the value. Reads the value and returns it.
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

# Reads a key that is not simple, and its colon.
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

# Takes a pattern. Returns the text that it matches at the current position, or undef.
sub _taken {
    my ($pattern) = @_;
    my $from = pos;
    return /$pattern/gc ? substr $_, $from, pos() - $from : undef;
}

# Reads a text with escapes.
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

1;
