package UnixBench::Accept::Verdict;

# A case of UnixBench::Accept::Acceptance in words.

use strict;
use warnings;

use Exporter 'import';
use POSIX qw(floor);

use UnixBench::Base::Number     qw(fixed percent plus_minus significant);
use UnixBench::Base::Text       qw(clean counted listed);
use UnixBench::Warnings::Causes qw(amount cause_title culprit);

our @EXPORT_OK = qw(copies_text finding sentence);

use constant { PLAIN_LEAST => 100, DIGITS => 4 };    # below 100, four digits are printed

# Half of an interval, from which on it is shown, a number has three digits, and two digits.
use constant { HALF_SHOWN => 0.001, HALF_LEAST => 0.01, HALF_WIDE => 0.1 };
use constant QUIET => ' without other load';

# Takes a case; returns the verdict and what was found in one line, such as
# "PASS index>=1500 (1 copy): 1609.2 over all passes, 95 % interval 1600.1 to 1618.4". If several results are judged,
# that of a test names its result.
sub sentence {
    my ($case) = @_;
    my $where  = join ', ', copies_text($case), map { clean($_) } $case->{label} // ();
    return "$case->{verdict} " . clean($case->{title}) . " ($where): " . finding($case);
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
    my $passes = $case->{shares} ? "$case->{shares}[0] of " . _passes($case->{shares}[1]) . QUIET : 'all passes';
    $passes .= " in $case->{results} runs" if $case->{results};
    return defined $low ? "$value over $passes, " . _confidence($case) . " interval $low to $high" : $value;
}

# Returns the confidence of the interval, with two digits of the rest to 100 %: "99.939 %".
sub _confidence {
    my ($case) = @_;
    my $rest = 100 * (1 - ($case->{covered} // return '95 %'));
    return sprintf '%.*f %%', 1 - floor(log($rest) / log 10), 100 - $rest;
}

sub _passes {
    my ($number) = @_;
    return counted($number, 'pass', 'passes');
}

# Returns the classic number, which is in the table, if it is printed differently.
sub _classic {
    my ($case) = @_;
    return if !defined $case->{classic};
    my ($classic, $value) = map { _figure($_) } @$case{qw(classic value)};
    return $classic eq $value ? undef : "the table has $classic";
}

sub _reason {
    my ($case)  = @_;
    my @parts   = map  { _load(@{ $case->{$_} || [] }) } qw(other_load base_load);
    my @reasons = grep { defined } $parts[0],
        defined $parts[1] ? clean($case->{file}) . " was measured under other load: $parts[1]" : undef;
    return @reasons ? join '; ', @reasons : $case->{reason} if !defined $parts[0];
    $reasons[0] = _where($case) . "other load was at work: $reasons[0]; stop it and measure again";
    return join '; ', @reasons;
}

# Returns where the interval of a value is, as the beginning of a text about other load.
sub _where {
    my ($case) = @_;
    return 'one pass does not show the spread, and ' if !defined $case->{low};
    return 'below the limit, but ' if $case->{high} < $case->{limit};
    return 'the limit is within the interval, but ' if $case->{low} < $case->{limit};
    return q{};
}

# Returns other load as a text, or undef if there is none.
sub _load {
    my (@load) = @_;
    return @load ? listed(map { _cause($_) } @load) : undef;
}

sub _cause {
    my ($of) = @_;
    return
          cause_title($of->{cause})
        . ' (up to '
        . amount($of->{cause}, $of->{worst})
        . culprit($of)
        . ", $of->{passes} of "
        . _passes($of->{of}) . ')';
}

# Returns the limit, if the requirement does not name it itself. It has no more digits than its interval allows.
sub _limit {
    my ($case) = @_;
    return if !defined $case->{file};
    my $half = $case->{half_width} // 0;
    my ($limit, $reference) = map { _figure($_, $half) } @$case{qw(limit reference)};
    my $trust = $case->{trust} // q{};
    return
          "the limit is $limit"
        . ($half > HALF_SHOWN ? q{ } . plus_minus(percent($half)) : q{})
        . ", $case->{number} x $reference of $case->{file}"
        . ($trust =~ /\A(?:poor|fair)\z/ ? " (trust: $trust)"                              : q{})
        . ($case->{is_mixed}             ? ', a quick estimate against an official result' : q{});
}

# Takes a number and half of its interval, a fraction of 1, or undef.
sub _figure {
    my ($number, $half) = @_;
    return _rounded($number, $half < HALF_WIDE ? DIGITS - 1 : DIGITS - 2) if ($half // 0) >= HALF_LEAST;
    return $number >= PLAIN_LEAST ? fixed($number) : sprintf '%.*g', DIGITS, $number;
}

# Returns a number in which only that many digits are not 0.
sub _rounded {
    my ($number, $digits) = @_;
    return significant(sprintf('%.*e', $digits - 1, $number), $digits);
}

1;
