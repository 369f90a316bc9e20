package Fuzz::Input;

# Generator of inputs: good ones, damaged ones, words in any order, random bytes.

use strict;
use warnings;

use constant { ROUNDS_MAX => 4, LENGTH_MAX => 3000, ONE_HUGE_IN => 4000, HUGE_MAX => 20_000 };

my @NUMBERS = (
    qw(0 -0 1 -1 +1 00 01 1. .5 0.5 1e5 1E+5 1e-5 1e400 -1e400 1e-400 0e9 1e 1e+ 0x10 0b1 1_000),
    qw(nan NaN inf -inf Infinity),
    qw(60 65536 65537 99999 100000 100001 1000000 2147483648 4294967296 9007199254740993 9223372036854775808),
    qw(18446744073709551615 18446744073709551616 1.7976931348623157e308 1.8e308 5e-324 2e-324 1e100 1e-100 0.1),
    '1,5',
    '1 ',
    ' 1',
    '9' x 18,
    '9' x 19,
    '9' x 20,
    '9' x 21,
    '9' x 400,
    '0.' . '0' x 30 . '1',
    "1\n",
    "1\0",
    '1;',
    "\xd9\xa1",
);

my @BYTES = (
    "\0",               "\t",               "\n",           "\r",
    "\r\n",             "\x01",             "\x1f",         "\e",
    "\e[31m",           "\x7f",             "\x80",         "\xbf",
    "\xff",             "\xfe\xff",         "\xef\xbb\xbf", "\xc3\xa9",
    "\xc3",             "\xe2\x80\xa8",     "\xed\xa0\x80", "\xed\xb2\x80",
    "\xf0\x9f\x98\x80", "\xf4\x90\x80\x80", "\xc0\x80",     "\xe2\x80\xae",
    q{ },               q{"},               q{'},           q{\\},
    q{|},               q{#},               q{=},           q{,},
    q{:},               q{;},               q{/},           '[',
    ']',                '{',                '}',            '<',
    '&',                '%',                '%s%n',         '$(x)',
    '`x`',              '..',               '-',            '--',
    '@',                '*',                '?',
);

my @DAMAGE = (\&_flip, \&_byte, \&_special, \&_delete, \&_duplicate, \&_splice, \&_cut, \&_number, \&_word, \&_swap,);

# Takes a list of good inputs and a list of words.
sub new {
    my ($class, $samples, $words) = @_;
    return bless { samples => $samples, words => $words }, $class;
}

# Returns the next input; it depends on rand only.
sub next {
    my ($self) = @_;
    my $kind   = rand;
    my $text = $kind < 0.70 ? $self->_damaged : $kind < 0.90 ? $self->_words : $kind < 0.96 ? _junk() : $self->_sample;
    substr $text, _place($text), 0, _one_of("\0", 'x', '9', '[', "\n", "\xff", '1,', 'x|') x rand HUGE_MAX
        if rand() < 1 / ONE_HUGE_IN;
    return $text;
}

sub _damaged {
    my ($self) = @_;
    my $text = $self->_sample;
    for (0 .. rand ROUNDS_MAX) {
        my $damage = _one_of(@DAMAGE);
        $text = $damage->($self, $text);
    }
    return length $text > LENGTH_MAX && rand() < 0.95 ? substr $text, 0, LENGTH_MAX : $text;
}

sub _words {
    my ($self) = @_;
    return join '', map {
        my $kind = rand;
        $kind < 0.8 ? _one_of(@{ $self->{words} }) : $kind < 0.9 ? _one_of(@NUMBERS) : _one_of(@BYTES)
    } 0 .. rand 12;
}

sub _junk {
    return join '', map { chr rand 256 } 0 .. rand 40;
}

sub _sample { my ($self) = @_; return _one_of(@{ $self->{samples} }) }

sub _one_of { return $_[rand @_] }

sub _place { my ($text) = @_; return int rand 1 + length $text }

# Returns a start and a length, usually a small one, of a part of the text.
sub _range {
    my ($text) = @_;
    my $from   = _place($text);
    my $length = int rand 1 + (rand() < 0.8 ? 8 : length $text);
    my $left   = length($text) - $from;
    return ($from, $length < $left ? $length : $left);
}

sub _flip {
    my (undef, $text) = @_;
    vec($text, rand 8 * length $text, 1) ^= 1 if length $text;
    return $text;
}

sub _byte {
    my (undef, $text) = @_;
    substr $text, rand length $text, 1, chr rand 256 if length $text;
    return $text;
}

sub _special {
    my (undef, $text) = @_;
    substr $text, _place($text), int rand 2, _one_of(@BYTES) if length $text > 1;
    return $text;
}

sub _delete {
    my (undef, $text)   = @_;
    my ($from, $length) = _range($text);
    substr $text, $from, $length, '';
    return $text;
}

sub _duplicate {
    my (undef, $text)   = @_;
    my ($from, $length) = _range($text);
    my $part = substr $text, $from, $length;
    substr $text, _place($text), 0, $part x (rand() < 0.9 ? 1 : rand 200);
    return $text;
}

# Joins the beginning of the text and the end of another.
sub _splice {
    my ($self, $text) = @_;
    my $other = $self->_sample;
    return substr($text, 0, _place($text)) . substr $other, _place($other);
}

sub _cut {
    my (undef, $text) = @_;
    return substr $text, 0, _place($text);
}

# Replaces one of the numbers in the text.
sub _number {
    my (undef, $text) = @_;
    my @places;
    push @places, [$-[0], $+[0] - $-[0]] while $text =~ /[0-9.]+/g;
    return $text if !@places;
    my $place = _one_of(@places);
    substr $text, $place->[0], $place->[1], _one_of(@NUMBERS);
    return $text;
}

sub _word {
    my ($self, $text) = @_;
    substr $text, _place($text), 0, _one_of(@{ $self->{words} });
    return $text;
}

# Swaps two lines, fields or words.
sub _swap {
    my (undef, $text) = @_;
    my @parts = split /([|\n\0,])/, $text;
    return $text if @parts < 3;
    my ($one, $two) = map { 2 * int rand @parts / 2 } 1, 2;
    @parts[$one, $two] = @parts[$two, $one];
    return join '', map { $_ // '' } @parts;
}

1;
