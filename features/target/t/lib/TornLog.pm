package TornLog;

# A log of measure.sh as a bad console delivers it: seeded changes of its text.

use strict;
use warnings;

use Exporter 'import';

our @EXPORT_OK = qw(KERNEL doubled torn);

use constant KERNEL => "[   42.424242] usb 1-1: new high-speed USB device number 7 using xhci_hcd\r\n";

# Takes a text and a position, and changes the text there.
my @CHANGES = (
    sub { substr ${ $_[0] }, $_[1], 1,            q{} },
    sub { substr ${ $_[0] }, $_[1], 1,            chr 32 + rand 95 },
    sub { substr ${ $_[0] }, $_[1], 1,            int rand 10 },
    sub { substr ${ $_[0] }, $_[1], 0,            KERNEL },
    sub { substr ${ $_[0] }, $_[1], 0,            "\e[1;3" . int(rand 8) . 'm' },
    sub { substr ${ $_[0] }, $_[1], 0,            "\r" },
    sub { substr ${ $_[0] }, $_[1], int rand 400, q{} },
    sub {
        _each_line($_[0], sub { rand > 0.02 ? @_ : () });
    },
    sub {
        _each_line($_[0], sub { rand > 0.02 ? @_ : (@_, @_) });
    },
    sub {
        _each_line($_[0], sub { $_[0] =~ s/([0-9])(?=[^|]*[|])/rand > 0.01 ? $1 : int rand 10/ger });
    },
    \&_digit_of_count,
    sub { ${ $_[0] } = substr ${ $_[0] }, 0, $_[1] },
);

# Takes the text of a log; returns it with one to four of the changes. They follow from the numbers of rand.
sub torn {
    my ($text) = @_;
    for (0 .. rand 4) {
        next if !length $text;
        $CHANGES[rand @CHANGES]->(\$text, int rand length $text);
    }
    return $text;
}

# Takes the text of a log; returns it as measure.sh prints it where there is no cksum.
sub doubled {
    my ($text) = @_;
    return $text =~ s/^UB[|](.*)[|][0-9]+[|][.]$/UB|$1|$1|./gmr;
}

sub _each_line {
    my ($text, $change) = @_;
    $$text = join q{}, map { $change->($_) } split /(?<=\n)/, $$text;
    return;
}

# Changes a digit of the count in one line.
sub _digit_of_count {
    my ($text) = @_;
    my @lines  = split /(?<=\n)/, $$text;
    my @counts = grep { $lines[$_] =~ /COUNT[|]/ } 0 .. $#lines or return;
    $lines[$counts[rand @counts]] =~ s/(?<=COUNT[|])([0-9])/($1 + 1) % 10/e;
    $$text = join q{}, @lines;
    return;
}

1;
