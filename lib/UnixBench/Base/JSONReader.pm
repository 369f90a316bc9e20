package UnixBench::Base::JSONReader;

# Reads JSON (RFC 8259), strictly, in time that grows with its length.

use strict;
use warnings;

use UnixBench::Base::Format qw($MULTIBYTE);

use constant DEPTH_MAX  => 100;        # arrays and objects in each other
use constant MINUS_ZERO => 0 * -1.5;
use constant SHALLOW    => 30;
use constant SHORT      => 262_144;    # bytes; of longer texts, captures cost too much in some versions of Perl

my $PLAIN = qr/\G[^"\\\x00-\x1f]+/;

my $ANY_WORD = qr/-?(?:0|[1-9][0-9]*+)(?:[.][0-9]++)?(?:[eE][-+]?[0-9]++)?|true|false|null/;
my $WORD     = qr/\G(?:$ANY_WORD)/;

my %MEANING = (true => 1,    false => 0,    null => undef);
my %ESCAPED = (b    => "\b", f     => "\f", n    => "\n", r => "\r", t => "\t", map { $_ => $_ } q{"}, q{\\}, q{/});

# Takes JSON as bytes; returns its data: texts as bytes, true and false as 1 and 0, null as undef. Dies with
# "not JSON: WHAT at byte N\n", counted from 0, also for the same key twice and for what the writer never writes:
# numbers out of range, more than 100 levels.
sub decode {
    my ($text) = @_;
    utf8::encode($text) if utf8::is_utf8($text);
    pos($text) = 0;
    _check_utf8(\$text);
    if (length $text <= SHORT) {
        my $value = eval { _short($text) };
        return $$value if $value;
        pos($text) = 0;
    }
    my $whole = [];
    my @open  = ([$whole]);
    do { _value(\$text, \@open) } while @open > 1;
    _refuse(\$text, 'something behind the end') if _next(\$text) ne '';
    return $whole->[0];
}

# Reads what is usual: keys without escapes, few levels, blanks only after a mark and before a closing one. Returns a
# reference to the value; dies, or returns nothing, if there is anything else, which is then read with care.
sub _short {
    local ($_) = @_;
    my $value = _short_value(0);
    s/\G[ \t\n\r]*\z// or return;
    return \$value;
}

# Reads the value at the position in $_.
sub _short_value {
    my ($depth) = @_;
    if (/\G"([^"\\\x00-\x1f]*)"/gc) { return $1 }    ## no critic (ProhibitUnusedCapture)
    return _short_object($depth + 1) if /\G[{][ \t\n\r]*+/gc;
    return _short_array($depth + 1) if /\G\[[ \t\n\r]*+/gc;
    return _text(\$_) if /\G(?=")/gc;
    /\G($ANY_WORD)/gc or die "with care\n";          ## no critic (ProhibitUnusedCapture)
    return exists $MEANING{$1} ? $MEANING{$1} : _short_number($1);
}

sub _short_object {
    my ($depth) = @_;
    my %object;
    die "with care\n" if $depth > SHALLOW;
    return \%object if /\G[}]/gc;
    while (/\G"([^"\\\x00-\x1f]*)":[ \t\n\r]*+/gc) {
        my $key = $1;
        die "with care\n" if exists $object{$key};
        $object{$key} = /\G"([^"\\\x00-\x1f]*)"/gc ? $1 : _short_value($depth);
        next if /\G,[ \t\n\r]*+/gc;
        return \%object if /\G[ \t\n\r]*+[}]/gc;
        last;
    }
    die "with care\n";
}

sub _short_array {
    my ($depth) = @_;
    my @array;
    die "with care\n" if $depth > SHALLOW;
    return \@array if /\G\]/gc;
    do { push @array, _short_value($depth) } while /\G,[ \t\n\r]*+/gc;
    return \@array if /\G[ \t\n\r]*+\]/gc;
    die "with care\n";
}

sub _short_number {
    my ($word) = @_;
    my $number = 0 + $word;
    return $word =~ /\A-/ ? MINUS_ZERO : 0 if $number == 0;
    return $number if $number - $number == 0;
    die "with care\n";
}

sub _refuse {
    my ($text, $what) = @_;
    die "not JSON: $what at byte " . pos($$text) . "\n";
}

sub _check_utf8 {
    my ($text) = @_;
    1 while $$text =~ /\G(?:[\x00-\x7f]+|(?:$MULTIBYTE){1,1000})/gc;
    _refuse($text, 'a byte that is no UTF-8') if pos $$text < length $$text;
    pos($$text) = 0;
    return;
}

# The next byte that is no blank, empty at the end.
sub _next {
    my ($text) = @_;
    my $next   = substr $$text, pos $$text, 1;
    return $next if $next gt q{ };
    $$text =~ /\G[ \t\n\r]+/gc;
    return substr $$text, pos $$text, 1;
}

# No pattern here captures: some versions of Perl copy the whole text for it.
sub _taken {
    my ($text, $pattern) = @_;
    my $from = pos $$text;
    return $$text =~ /$pattern/gc ? substr $$text, $from, pos($$text) - $from : undef;
}

# Reads a value, or how one begins that holds others, and the ends of those that are then complete. Open is a list of
# [array, its end] and [hash, its end, key of the value to come], from the outside inwards.
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

# Tells whether the array or object has something in it.
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
        _refuse($text, "no , or $end") if $next ne ',' && $next ne $end;
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
    _refuse($text, 'no key') if _next($text) ne q{"};
    my $from = pos $$text;
    $place->[2] = _text($text);
    if (exists $place->[0]{ $place->[2] }) {
        pos($$text) = $from;
        _refuse($text, 'the same key again');
    }
    _refuse($text, 'no :') if _next($text) ne q{:};
    pos($$text)++;
    return;
}

# Reads a number, true, false or null.
sub _word {
    my ($text) = @_;
    my $from   = pos $$text;
    my $word   = _taken($text, $WORD) // _refuse($text, 'no value');
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
        _refuse($text, $here eq '' ? 'a text without an end' : $here eq '\\' ? 'no escape' : 'a control character');
    }
    return $ESCAPED{ substr $escape, 1, 1 } // _character($text, hex substr $escape, 2);
}

# A code point's UTF-8, that of a pair of surrogates, or the byte that a lone one stands for.
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
