package CommandLines;

# Tests what command lines mean, from tables: the words, and the options or the error.

use strict;
use warnings;

use Exporter 'import';
use Test::More;

use UnixBench::Catalog ();
use UnixBench::Command ();

our @EXPORT_OK = qw(are_accepted are_refused);

# Takes [words, { option => value }, [outputs] or undef], ...; tests that the words are accepted, and mean these options
# beside the usual ones. The word q{""} stands for an empty word.
sub are_accepted {
    my (@cases) = @_;
    local $Test::Builder::Level = $Test::Builder::Level + 1;
    for my $case (@cases) {
        my ($words, $expected, $outputs) = @$case;
        my $options = _parsed($words);
        my $given   = delete $options->{outputs};
        my %usual   = (copies => []);
        @usual{qw(asked tests)} = (['index'], [UnixBench::Catalog::expand('index')]) if !defined $options->{command};
        is_deeply($options, { %usual, %$expected }, "./Run $words is accepted");
        is_deeply($given,   $outputs,               "./Run $words writes these reports") if $outputs;
    }
    return;
}

# Takes [words, the first line of the error], ...; tests that the words are refused with it, and at most one line more.
sub are_refused {
    my (@cases) = @_;
    local $Test::Builder::Level = $Test::Builder::Level + 1;
    for my $case (@cases) {
        my ($words, $error) = @$case;
        is(eval { _parsed($words) }, undef, "./Run $words is refused");
        my ($first, @more) = split /\n/, $@;
        is($first, $error, "the error begins with: $error");
        cmp_ok(scalar @more, '<=', 1, 'the error has at most two lines');
        like($@, qr/\n\z/, 'the error names no place in the program');
    }
    return;
}

sub _parsed {
    my ($words) = @_;
    return UnixBench::Command::parse(map { $_ eq q{""} ? q{} : $_ } split q{ }, $words);
}

1;
