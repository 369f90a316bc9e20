package Fuzz::Format;

# Fuzzing of the functions that quote any text in reports and messages.

use strict;
use warnings;

use UnixBench::Base::Text qw(clean shown);

use constant SHOWN_MAX => 60 * 4 + 3;    # each of 60 bytes may become \xNN, and "..." may follow

sub samples {
    return (
        "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80",
        "AMD EPYC 9754 128-Core Processor  ",
        "a\tb\r\nc\0d\e[31m",
        "\xe2\x80\xae\xe2\x80\xa8\xef\xbb\xbf\xc2\x85\xc2\xad",
        "\xff\xfe\xed\xa0\x80\xc0\xaf\xf5\x80",
        "x" x 59 . "\xc3\xa9",
        'x' x 100,
    );
}

sub words { return (qw(a \x \x{e9} é), q{ }, "\xc3", "\xa9", "\xe2\x80", "\xf0\x9f", "\x80", "\n") }

sub refusal { return qr/\A\z/ }

sub check {
    my (undef, $input) = @_;
    for my $clean (clean($input), shown($input)) {
        my $characters = $clean;
        die "no UTF-8\n" if !utf8::decode($characters) || $characters =~ /[^\x00-\x{d7ff}\x{e000}-\x{10ffff}]/;
        die "controls\n" if $characters =~ /[\x00-\x1f\x7f-\x9f]/;
        die "invisible\n" if $characters    =~ /[\x{200b}-\x{200f}\x{2028}-\x{202e}\x{2066}-\x{2069}\x{feff}]/;
        die "blanks at the end\n" if $clean =~ / \z/;
    }
    die length(shown($input)) . " bytes\n" if length(shown($input)) > SHOWN_MAX;
    die "a good text was changed\n"
        if $input =~ /\A[!-~]{0,60}\z/ && (clean($input) ne $input || shown($input) ne $input);
    return;
}

1;
