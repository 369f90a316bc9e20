package UnixBench::Report::Verdict;

# A case of UnixBench::Accept::Acceptance in words.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Format     qw(clean counted fixed listed);
use UnixBench::Warnings::Causes qw(amount cause_title);

our @EXPORT_OK = qw(copies_text finding sentence);

use constant { PLAIN_LEAST => 100, DIGITS => 4 };    # below 100, four digits are printed

# Takes a case; returns the verdict and what was found in one line, such as
# "PASS index>=1500 (1 copy): 1609.2 over all passes, 95 % interval 1600.1 to 1618.4".
sub sentence {
    my ($case) = @_;
    return "$case->{verdict} " . clean($case->{title}) . ' (' . copies_text($case) . '): ' . finding($case);
}

# Takes a case; returns what was found in one line.
sub finding {
    my ($case) = @_;
    my @parts =
        defined $case->{value}
        ? (_value($case), _classic($case), _limit($case), _reason($case))
        : ($case->{reason}, _value($case), _limit($case));
    return clean(join '; ', grep { defined } @parts);
}

# Takes a case; returns its number of copies in words, such as "1 copy".
sub copies_text {
    my ($case) = @_;
    return counted($case->{copies}, 'copy', 'copies');
}

sub _value {
    my ($case) = @_;
    return defined $case->{score} ? _figure($case->{score}) . " $case->{unit}" : undef if $case->{kind} eq 'test';
    my ($value, $low, $high) = map { defined $_ ? _figure($_) : undef } @$case{qw(value low high)};
    return defined $low ? "$value over all passes, 95 % interval $low to $high" : $value;
}

# Returns the classic number, which is in the table, if it is printed differently.
sub _classic {
    my ($case) = @_;
    return if !defined $case->{classic};
    my ($classic, $value) = map { _figure($_) } @$case{qw(classic value)};
    return $classic eq $value ? undef : "the table has $classic";
}

sub _reason {
    my ($case) = @_;
    my @load   = @{ $case->{other_load} || return $case->{reason} };
    my @causes = map {
              cause_title($_->{cause})
            . ' (up to '
            . amount($_->{cause}, $_->{worst})
            . ", $_->{passes} of "
            . counted($_->{of}, 'pass', 'passes') . ')'
    } @load;
    return 'below the limit, but other load was at work: ' . listed(@causes) . '; stop it and measure again';
}

# Returns the limit, if the requirement does not name it itself.
sub _limit {
    my ($case) = @_;
    return if !defined $case->{file};
    my ($limit, $reference) = map { _figure($_) } @$case{qw(limit reference)};
    return "the limit is $limit, $case->{number} x $reference of $case->{file}";
}

sub _figure {
    my ($number) = @_;
    return $number >= PLAIN_LEAST ? fixed($number) : sprintf '%.*g', DIGITS, $number;
}

1;
