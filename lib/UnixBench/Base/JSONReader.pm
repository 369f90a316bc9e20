package UnixBench::Base::JSONReader;

# Parses JSON (RFC 8259) strictly, in a time that is proportional to its length.

use strict;
use warnings;

use UnixBench::Base::Format qw($MULTIBYTE);

use constant DEPTH_MAX  => 100;        # levels of nested arrays and objects
use constant MINUS_ZERO => 0 * -1.5;
use constant SHALLOW    => 30;         # levels that the fast parser reads
use constant SHORT      => 262_144;    # bytes; in longer texts, captures take too long in some versions of Perl
use constant UNUSUAL    => "the slow parser has to read this\n";

my $PLAIN = qr/\G[^"\\\x00-\x1f]+/;

my $ANY_WORD = qr/-?(?:0|[1-9][0-9]*+)(?:[.][0-9]++)?(?:[eE][-+]?[0-9]++)?|true|false|null/;
my $WORD     = qr/\G(?:$ANY_WORD)/;

my %MEANING = (true => 1,    false => 0,    null => undef);
my %ESCAPED = (b    => "\b", f     => "\f", n    => "\n", r => "\r", t => "\t", map { $_ => $_ } q{"}, q{\\}, q{/});

# Takes JSON as bytes; returns its data: texts as bytes, true and false as 1 and 0, null as undef. Dies with
# "not JSON: WHAT at byte N\n"; bytes are counted from 0. It also dies for a repeated key, for a number out of range and
# for more than 100 levels, none of which the writer writes.
sub decode {
    my ($text) = @_;
    utf8::encode($text) if utf8::is_utf8($text);
    pos($text) = 0;
    _check_utf8(\$text);
    if (length $text <= SHORT) {
        my $value = eval { _fast($text) };
        return $$value if $value;
        pos($text) = 0;
    }
    my $whole = [];
    my @open  = ([$whole]);
    do { _value(\$text, \@open) } while @open > 1;
    _refuse(\$text, 'more text after the end') if _next(\$text) ne '';
    return $whole->[0];
}

# Parses usual JSON quickly: keys without escapes, at most 30 levels, blanks only after punctuation and before a closing
# bracket. Returns a reference to the value. Dies or returns nothing for any other text. decode() then reads that text
# with the slower parser below.
sub _fast {
    local ($_) = @_;
    my $value = _fast_value(0);
    s/\G[ \t\n\r]*\z// or return;
    return \$value;
}

# Reads the value at the current position in $_.
sub _fast_value {
    my ($depth) = @_;
    if (/\G"([^"\\\x00-\x1f]*)"/gc) { return $1 }    ## no critic (ProhibitUnusedCapture)
    return _fast_object($depth + 1) if /\G[{][ \t\n\r]*+/gc;
    return _fast_array($depth + 1) if /\G\[[ \t\n\r]*+/gc;
    return _text(\$_) if /\G(?=")/gc;
    /\G($ANY_WORD)/gc or die UNUSUAL;                ## no critic (ProhibitUnusedCapture)
    return exists $MEANING{$1} ? $MEANING{$1} : _fast_number($1);
}

sub _fast_object {
    my ($depth) = @_;
    my %object;
    die UNUSUAL if $depth > SHALLOW;
    return \%object if /\G[}]/gc;
    while (/\G"([^"\\\x00-\x1f]*)":[ \t\n\r]*+/gc) {
        my $key = $1;
        die UNUSUAL if exists $object{$key};
        $object{$key} = /\G"([^"\\\x00-\x1f]*)"/gc ? $1 : _fast_value($depth);
        next if /\G,[ \t\n\r]*+/gc;
        return \%object if /\G[ \t\n\r]*+[}]/gc;
        last;
    }
    die UNUSUAL;
}

sub _fast_array {
    my ($depth) = @_;
    my @array;
    die UNUSUAL if $depth > SHALLOW;
    return \@array if /\G\]/gc;
    do { push @array, _fast_value($depth) } while /\G,[ \t\n\r]*+/gc;
    return \@array if /\G[ \t\n\r]*+\]/gc;
    die UNUSUAL;
}

sub _fast_number {
    my ($word) = @_;
    my $number = 0 + $word;
    return $word =~ /\A-/ ? MINUS_ZERO : 0 if $number == 0;
    return $number if $number - $number == 0;
    die UNUSUAL;
}

sub _refuse {
    my ($text, $what) = @_;
    die "not JSON: $what at byte " . pos($$text) . "\n";
}

sub _check_utf8 {
    my ($text) = @_;
    1 while $$text =~ /\G(?:[\x00-\x7f]+|(?:$MULTIBYTE){1,1000})/gc;
    _refuse($text, 'a byte that is not UTF-8') if pos $$text < length $$text;
    pos($$text) = 0;
    return;
}

# Skips blanks. Returns the next byte, which is not consumed, or an empty text at the end.
sub _next {
    my ($text) = @_;
    my $next   = substr $$text, pos $$text, 1;
    return $next if $next gt q{ };
    $$text =~ /\G[ \t\n\r]+/gc;
    return substr $$text, pos $$text, 1;
}

# Takes a pattern. Returns the text that it matches at the current position, or undef. No pattern here has a capture:
# some versions of Perl would copy the whole text for it.
sub _taken {
    my ($text, $pattern) = @_;
    my $from = pos $$text;
    return $$text =~ /$pattern/gc ? substr $$text, $from, pos($$text) - $from : undef;
}

# Reads a simple value, or the start of an array or object. Then reads the ends of the arrays and objects that are
# complete. $open lists the unfinished ones, outermost first: [array, its end] or [hash, its end, key of the next
# value].
sub _value {
    my ($text, $open) = @_;
    my $next = _next($text);
    if    ($next eq q{"}) { _put($open->[-1], _text($text)) }
    elsif ($next eq '[')  { return if _begins($text, $open, [], ']') }
    elsif ($next eq '{')  { return if _begins($text, $open, {}, '}') }
    else                  { _put($open->[-1], _word($text)) }
    _ends($text, $open);
    return;
}

# Reads the start of an array or object. Returns whether it has members.
sub _begins {
    my ($text, $open, $data, $end) = @_;
    _refuse($text, 'more than ' . DEPTH_MAX . ' levels') if @$open > DEPTH_MAX;
    _put($open->[-1], $data);
    push @$open, [$data, $end];
    pos($$text)++;
    return 0 if _next($text) eq $end;
    _key($text, $open->[-1]) if $end eq '}';
    return 1;
}

sub _ends {
    my ($text, $open) = @_;
    while (@$open > 1) {
        my $end  = $open->[-1][1];
        my $next = _next($text);
        _refuse($text, qq{"," or "$end" is missing}) if $next ne ',' && $next ne $end;
        pos($$text)++;
        if ($next eq ',') {
            _key($text, $open->[-1]) if $end eq '}';
            return;
        }
        pop @$open;
    }
    return;
}

sub _put {
    my ($place, $value) = @_;
    my ($data, undef, $key) = @$place;
    if (defined $key) { $data->{$key} = $value }
    else              { push @$data, $value }
    return;
}

sub _key {
    my ($text, $place) = @_;
    _refuse($text, 'a key is missing') if _next($text) ne q{"};
    my $from = pos $$text;
    $place->[2] = _text($text);
    if (exists $place->[0]{ $place->[2] }) {
        pos($$text) = $from;
        _refuse($text, 'the same key again');
    }
    _refuse($text, '":" is missing') if _next($text) ne q{:};
    pos($$text)++;
    return;
}

# Reads a number, true, false or null.
sub _word {
    my ($text) = @_;
    my $from   = pos $$text;
    my $word   = _taken($text, $WORD) // _refuse($text, 'a value is missing');
    return $MEANING{$word} if exists $MEANING{$word};
    my $number = 0 + $word;
    return $word =~ /\A-/ ? MINUS_ZERO : 0 if $number == 0;
    return $number if $number - $number == 0;
    pos($$text) = $from;
    return _refuse($text, 'a number out of range');
}

sub _text {
    my ($text) = @_;
    my $read = '';
    pos($$text)++;
    while (1) {
        $read .= _taken($text, $PLAIN) // '';
        last if $$text =~ /\G"/gc;
        $read .= _unescaped($text);
    }
    return $read;
}

sub _unescaped {
    my ($text) = @_;
    my $escape = _taken($text, qr{\G\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})});
    if (!defined $escape) {
        my $here = substr $$text, pos $$text, 1;
        _refuse($text,
            $here eq '' ? 'a text without an end' : $here eq '\\' ? 'an invalid escape' : 'a control character');
    }
    return $ESCAPED{ substr $escape, 1, 1 } // _character($text, hex substr $escape, 2);
}

# Takes the number in an escape. Returns the UTF-8 of that character, and reads the second escape of a surrogate pair.
# For \udc80 ... \udcff, returns the byte that the writer means by it. Dies for any other half of a surrogate pair.
sub _character {
    my ($text, $code) = @_;
    return chr($code - 0xdc00) if 0xdc80 <= $code && $code <= 0xdcff;
    if (0xd800 <= $code && $code <= 0xdbff) {
        my $low = _taken($text, qr/\G\\u[dD][c-fC-F][0-9a-fA-F]{2}/);
        $code = 0x10000 + ($code - 0xd800) * 0x400 + hex(substr $low, 2) - 0xdc00 if defined $low;
    }
    if (0xd800 <= $code && $code <= 0xdfff) {
        pos($$text) -= length '\u0000';
        _refuse($text, 'half of a surrogate pair');
    }
    my $character = chr $code;
    utf8::encode($character);
    return $character;
}

1;
