package UnixBench::Report::Plain::Formula;

# A formula as three lines, with fractions drawn.

use strict;
use warnings;

use Exporter 'import';
use List::Util ();

use UnixBench::Base::Format qw(clean);

our @EXPORT_OK = qw(formula_lines);

use constant { BEFORE_NAME => q{ } x 3, BETWEEN => '  =  ' };

# Takes a formula, see UnixBench::Report::Block; returns its lines, without those that are empty.
sub formula_lines {
    my ($formula) = @_;
    my @parts     = map { (_drawn($_), BETWEEN) } @{ $formula->{parts} };
    my $result    = $formula->{result} . (length $formula->{interval} ? " (95 %: $formula->{interval})" : q{});
    my @name      = _braced(@{ $formula->{name} });
    return grep { /\S/ } _beside(@parts, $result, BEFORE_NAME, \@name);
}

# A fraction as its three lines.
sub _drawn {
    my ($part) = @_;
    return $part if !ref $part;
    my @texts = map { clean($_) } @$part;
    return [$texts[0], q{-} x List::Util::max(map { _width($_) } @texts), $texts[1]];
}

sub _braced {
    my (@name) = @_;
    my $width  = List::Util::max(map { _width($_) } @name);
    my @braced = map { '{ ' . $_ . q{ } x ($width - _width($_)) . ' }' } @name;
    return @braced > 1 ? @braced : (q{}, @braced, q{});
}

# Blocks of three lines side by side; one line alone is in the middle.
sub _beside {
    my (@blocks) = @_;
    my @lines = (q{}) x 3;
    for my $block (map { ref $_ ? $_ : [q{}, $_, q{}] } @blocks) {
        my $width = List::Util::max(map { _width($_) } @$block);
        $lines[$_] .= _centred($block->[$_], $width) for 0 .. 2;
    }
    return map { s/ +\z//r } @lines;
}

sub _centred {
    my ($text, $width) = @_;
    my $blanks = $width - _width($text);
    return q{ } x int($blanks / 2) . $text . q{ } x ($blanks - int $blanks / 2);
}

# In characters.
sub _width {
    my ($text) = @_;
    utf8::decode(my $characters = $text);
    return length $characters;
}

1;
