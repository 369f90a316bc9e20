package Fuzz::Input;

# Generator of inputs: good ones, damaged ones, words in any order, random bytes.

use strict;
use warnings;

use constant { ROUNDS_MAX => 4, LENGTH_MAX => 3000 };

my @NUMBERS = (
    qw(0 -0 1 -1 +1 00 1. .5 1e5 1E+5 1e-5 1e400 -1e400 1e-400 0e9 1e 1e+ 0x10 1_000 nan NaN inf -inf Infinity),
    qw(60 65537 1000000 4294967296 9007199254740993 18446744073709551616 1.7976931348623157e308 1.8e308 5e-324 0.1),
    '1 ', ' 1', "1\n", "1\0", '1;', "\xd9\xa1", '0.' . '0' x 30 . '1', map { '9' x $_ } 18 .. 21, 400
);

my @BYTES = (
    split(//, qq{\0\t\n\r\x01\e\x7f\x80\xff "'\\|#=,:;/[]{}<&%-\@*?}), qw($(x) `x` .. -- %s%n),
    "\r\n",                                                            "\e[31m",
    "\xfe\xff",                                                        "\xef\xbb\xbf",
    "\xc3\xa9",                                                        "\xe2\x80\xa8",
    "\xed\xa0\x80",                                                    "\xed\xb2\x80",
    "\xf0\x9f\x98\x80",                                                "\xf4\x90\x80\x80",
    "\xc0\x80",                                                        "\xe2\x80\xae",
);

my @DAMAGE = (\&_replace, \&_delete, \&_duplicate, \&_splice, \&_number, \&_word, \&_swap);

# Takes a list of good inputs and a list of words.
sub new {
    my ($class, $samples, $words) = @_;
    return bless { samples => $samples, words => $words }, $class;
}

# Returns the next input; it depends on rand only.
sub next {
    my ($self) = @_;
    my $kind = rand;
    return $self->_damaged if $kind < 0.70;
    my @lists = (($self->{words}) x 8, \@NUMBERS, \@BYTES);
    return join q{}, map { _one_of(@{ _one_of(@lists) }) } 0 .. rand 12 if $kind < 0.90;
    return join q{}, map { chr rand 256 } 0 .. rand 40 if $kind < 0.96;
    return $self->_sample;
}

sub _damaged {
    my ($self) = @_;
    my $text = $self->_sample;
    $text = _one_of(@DAMAGE)->($self, $text) for 0 .. rand ROUNDS_MAX;
    return length $text > LENGTH_MAX && rand() < 0.95 ? substr $text, 0, LENGTH_MAX : $text;
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

# Replaces a byte, or adds some.
sub _replace {
    my (undef, $text) = @_;
    substr $text, _place($text), int rand 2, rand() < 0.5 ? chr rand 256 : _one_of(@BYTES) if length $text > 1;
    return $text;
}

sub _delete {
    my (undef, $text)   = @_;
    my ($from, $length) = _range($text);
    substr $text, $from, $length, q{};
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

# Replaces one of the numbers in the text.
sub _number {
    my (undef, $text) = @_;
    my @parts = split /([0-9.]+)/, $text;
    return $text if @parts < 2;
    $parts[1 + 2 * int rand int @parts / 2] = _one_of(@NUMBERS);
    return join q{}, @parts;
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
    return join q{}, map { $_ // q{} } @parts;
}

1;
