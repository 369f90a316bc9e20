package CommandLines;

# Tests what command lines mean, from tables: the words, and the options or the error.

use strict;
use warnings;

use Exporter 'import';
use Test::More;

use UnixBench::Command ();

our @EXPORT_OK = qw(are_refused parsed);

# Takes [words, the first line of the error], ...; tests that the words are refused with it, and at most one line more.
sub are_refused {
    my (@cases) = @_;
    local $Test::Builder::Level = $Test::Builder::Level + 1;
    for my $case (@cases) {
        my ($words, $error) = @$case;
        is(eval { parsed($words) }, undef, "./Run $words is refused");
        my ($first, @more) = split /\n/, $@;
        is($first, $error, "the error begins with: $error");
        cmp_ok(scalar @more, '<=', 1, 'the error has at most two lines');
        like($@, qr/\n\z/, 'the error names no place in the program');
    }
    return;
}

# Takes words, in which q{""} stands for an empty word; returns the options.
sub parsed {
    my ($words) = @_;
    return UnixBench::Command::parse(map { $_ eq q{""} ? q{} : $_ } split q{ }, $words);
}

1;
