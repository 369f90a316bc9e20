package UnixBench::Base::JSONWriter;

# Writes JSON (RFC 8259) from data whose texts are bytes. Its numbers are read back exactly. JSON::PP is not suitable:
# it writes numbers with 15 digits, which may change them. It also can't write bytes that are not UTF-8, but the output
# of programs and the environment do contain such bytes.

use strict;
use warnings;

use B ();

use UnixBench::Base::Text qw($MULTIBYTE);

use constant { TRUE => \1, FALSE => \0 };
use constant DEPTH_MAX => 100;    # levels of nested arrays and objects

my %members_of;                   # shape => its members, once it was written

my %ESCAPE = (
    (map { chr $_ => sprintf '\\u%04x', $_ } 0 .. 0x1f, 0x7f),
    "\b"  => '\b',
    "\f"  => '\f',
    "\n"  => '\n',
    "\r"  => '\r',
    "\t"  => '\t',
    q{"}  => '\"',
    q{\\} => '\\\\',
);

# Takes nested hashes, arrays, texts, numbers, undef, TRUE and FALSE. Returns one line of UTF-8 without a newline; the
# keys of hashes are sorted. A value that Perl holds as a text is written as a text: pass 0 + $x for a number. A byte
# that is not UTF-8 becomes an escape, \udc80 ... \udcff (PEP 383), which the reader turns back into the byte. Dies with
# "cannot be JSON: ...\n" for an infinite number, a reference to anything else, a repeated key, or more than 100 levels.
sub encode {
    my ($data) = @_;
    my $json   = '';
    my @todo   = _pieces($data, 0);
    while (@todo) {
        my $next = pop @todo;
        if (ref $next) { push @todo, reverse _members(@$next) }
        else           { $json .= $next }
    }
    return $json;
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

# Returns the JSON of a simple value, or [array or hash, its depth].
sub _pieces {
    my ($data, $depth) = @_;
    return defined $data ? _is_number($data) ? _number($data) : _quoted($data) : 'null' if !ref $data;
    return [$data, $depth + 1] if ref($data) =~ /\A(?:HASH|ARRAY)\z/;
    return ('false', 'true')[$$data] if ref $data eq 'SCALAR' && ($$data // '') =~ /\A[01]\z/;
    die 'cannot be JSON: a reference to ' . ref($data) . "\n";
}

sub _members {
    my ($data, $depth) = @_;
    die "cannot be JSON: more than @{[DEPTH_MAX]} levels\n" if $depth > DEPTH_MAX;
    if (ref $data eq 'ARRAY') {
        my (undef, @items) = map { (',', _pieces($_, $depth)) } @$data;
        return ('[', @items, ']');
    }
    my ($comma, %seen, @items) = '{';
    for my $key (sort keys %$data) {
        my $quoted = _quoted($key);
        die "cannot be JSON: the same key twice\n" if $seen{$quoted}++;
        push @items, "$comma$quoted:", _pieces($data->{$key}, $depth);
        $comma = ',';
    }
    return (@items ? @items : '{', '}');
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

# Takes a text, and optionally the format for bytes that are not UTF-8. Returns the text as JSON. U+2028 and U+2029 are
# escaped, because they end a line in JavaScript.
sub _quoted {
    my ($text, $form) = @_;
    $form //= '\\udc%02x';
    utf8::encode($text) if utf8::is_utf8($text);
    $text =~ s/(["\\\x00-\x1f\x7f])/$ESCAPE{$1}/g;
    if ($text =~ /[\x80-\xff]/) {
        $text =~ s/((?:$MULTIBYTE){1,1000})|([\x80-\xff])/defined $1 ? $1 : sprintf $form, ord $2/ge;
        $text =~ s/\xe2\x80([\xa8\xa9])/sprintf '\\u20%02x', ord($1) - 0x80/ge;
    }
    return qq{"$text"};
}

1;
