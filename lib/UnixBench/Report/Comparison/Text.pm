package UnixBench::Report::Comparison::Text;

use strict;
use warnings;

use UnixBench::Base::Format                qw(clean fixed);
use UnixBench::Report::Columns             qw(aligned headed text_of);
use UnixBench::Report::Comparison::Wording qw(
    alike copies_title findings forced interval legend not_compared ratio_text side_facts sums_below
);
use UnixBench::Report::SpreadWording qw(half_width);

my %WORD = (same => q{~}, unknown => q{?}, worse => 'worse', better => 'better');

# Takes a comparison, see UnixBench::Compare::Comparison, that was not refused; returns it as text: what was found
# first, and then why.
sub render {
    my ($comparison) = @_;
    return text_of(
        [grep { defined } forced($comparison)],
        [findings($comparison)],
        [headed('Not compared:', @{ $comparison->{omissions} })],
        [map { _side_lines($_) } @{ $comparison->{sides} }],
        [_differences($comparison)],
        (map { _pair($_) } @{ $comparison->{pairs} }),
        [legend($comparison)],
    );
}

sub _side_lines {
    my ($side) = @_;
    my @notes = map { "Note: $_" } @{ $side->{summary}{notes} };
    return headed("$side->{letter}: $side->{label}", side_facts($side), @notes);
}

sub _differences {
    my ($comparison) = @_;
    my @differences  = @{ $comparison->{differences} };
    my @letters      = map { $_->{letter} } @{ $comparison->{sides} };
    my @differing    = ((map { _difference($_, @letters) } @differences), @{ $comparison->{other_files} });
    return alike($comparison) if !@differing;
    return headed('The machines differ:', @differing, @{ $comparison->{unknown} });
}

sub _difference {
    my ($difference, @letters) = @_;
    my @texts = map { $_ // 'unknown' } @{ $difference->{texts} };
    return headed($difference->{label}, map { "$letters[$_]: $texts[$_]" } 0 .. $#letters);
}

# The table of a pair, and what is not in it.
sub _pair {
    my ($pair) = @_;
    my ($first, $second) = map { $_->{letter} } @{ $pair->{sides} };
    my @heads = (copies_title($pair), "$first   +-", "$second   +-", "$second/$first", 'interval', q{});
    my @rows  = map { _row($_->{title}, $_) } @{ $pair->{tests} };
    push @rows, map { _row(@$_) } sums_below($pair);
    return [aligned(\@heads, @rows), headed('Not compared:', not_compared($pair))];
}

sub _row {
    my ($title, $row) = @_;
    my @values = map { fixed($_->{value}) . sprintf ' %4s', half_width($_) } @{ $row->{values} || [] };
    my $ratio  = $row->{ratio};
    return [clean($title), @values[0, 1], ratio_text($ratio->{value}), interval($ratio), $WORD{ $row->{verdict} }];
}

1;
