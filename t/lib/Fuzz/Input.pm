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
    split(//, qq{\0\t\n\r\x01\e\x7f\x80\xff "'\\|#=,:;/[]{}<&%-\@*?}),
    qw($(x) `x` .. -- %s%n),
    map { s/([0-9a-f]{2})/chr hex $1/ger }
        qw(0d0a 1b5b33316d feff efbbbf c3a9 e280a8 eda080 edb280 f09f9880 f4908080 c080 e280ae)
);

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
    return _one_of(@{ $self->{samples} });
}

sub _one_of { return $_[rand @_] }

# Returns a good input of which some parts are replaced by others.
sub _damaged {
    my ($self) = @_;
    my $text = _one_of(@{ $self->{samples} });
    for (0 .. rand ROUNDS_MAX) {
        my ($from, $length, $other) = _part($text);
        substr $text, $from, $length, $self->_instead_of(substr($text, $from, $length), $other);
    }
    return length $text > LENGTH_MAX && rand() < 0.95 ? substr $text, 0, LENGTH_MAX : $text;
}

# Returns start and length of a part of the text, which is a number, a field, or any, usually a small one; and another
# part of that kind.
sub _part {
    my ($text) = @_;
    my $kind = _one_of(qr/[0-9.]+/, qr/[^|\n\0,]+/, undef, undef, undef);
    my @parts;
    while ($kind && $text =~ /$kind/g) { push @parts, [$-[0], $+[0] - $-[0]] }
    my ($one, $other) = map { _one_of(@parts) } 1, 2;
    return (@$one, substr $text, $other->[0], $other->[1]) if $one;
    my $from = int rand 1 + length $text;
    return ($from, int rand(rand() < 0.8 ? 9 : 1 + length($text) - $from), q{});
}

# Takes a part and another one of the same text; returns what to put in its place.
sub _instead_of {
    my ($self, $part, $other) = @_;
    my $sample = _one_of(@{ $self->{samples} });
    my @other  = (q{}, $other, $part x (rand() < 0.9 ? 2 : rand 200), substr $sample, rand length $sample);
    return _one_of(@other, chr rand 256, _one_of(@BYTES), _one_of(@NUMBERS), _one_of(@{ $self->{words} }) . $part);
}

1;
