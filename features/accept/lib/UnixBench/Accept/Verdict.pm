package UnixBench::Accept::Verdict;

# A case of UnixBench::Accept::Acceptance in words: its reason, in at most 80 characters, and what was found in detail.

use strict;
use warnings;

use Exporter 'import';
use POSIX qw(floor);

use UnixBench::Accept::Limit    ();
use UnixBench::Base::Number     qw(fixed percent plus_minus significant);
use UnixBench::Base::Text       qw(clean counted cut);
use UnixBench::Warnings::Causes qw(OTHER_LOAD);

our @EXPORT_OK = qw(cause_of copies_text finding fitted reason reason_of sentence);

use constant REASON_MOST => 80;    # characters

use constant { PLAIN_LEAST => 100, DIGITS => 4 };    # below 100, four digits are printed

# Half of an interval, from which on it is shown, a number has three digits, and two digits.
use constant { HALF_SHOWN => 0.001, HALF_LEAST => 0.01, HALF_WIDE => 0.1 };
use constant { QUIET => ' without other load', ONE_PASS => 'one pass, beside ' . OTHER_LOAD };

# Takes a case; returns the verdict and its reason in one line, such as
# "FAIL index>=1500 (1 copy): 1409.2 (1400.1 to 1418.4); below the limit". If several results are judged, that of a test
# names its result.
sub sentence {
    my ($case) = @_;
    return "$case->{verdict} " . _subject($case) . reason($case);
}

# Returns what a case is about, as the beginning of a sentence.
sub _subject {
    my ($case) = @_;
    return q{} if !defined $case->{title};
    my $where = join ', ', copies_text($case), map { clean($_) } $case->{label} // ();
    return clean($case->{title}) . " ($where): ";
}

# Takes a case; returns its reason: the value, and why the verdict is not a pass.
sub reason {
    my ($case) = @_;
    return clean(_fitting(_forms($case)));
}

# Takes cases, the most important one first; returns its reason, with its title, and how many more there are.
sub reason_of {
    my ($first, @further) = @_;
    my $subject = _subject($first);
    my $more    = _more(@further);
    return clean(_fitting(map { "$subject$_$more" } _forms($first)));
}

# Takes the same; returns why, without numbers: what cases of several hosts may have in common.
sub cause_of {
    my ($first, @further) = @_;
    return clean(_fitting(_subject($first) . ($first->{brief} // _why($first) // $first->{verdict}) . _more(@further)));
}

sub _more { my (@further) = @_; return @further ? '; and ' . @further . ' more' : q{} }

# Takes parts of a reason, the most important first; returns as many as fit, joined.
sub fitted {
    my (@parts) = @_;
    return _fitting(map { join '; ', @parts[0 .. $_] } reverse 0 .. $#parts);
}

# Takes forms of a reason, the fullest first; returns the first one that is short enough, or the last one, cut.
sub _fitting {
    my (@forms) = @_;
    for my $form (@forms) {
        return $form if length clean($form) <= REASON_MOST;
    }
    return @forms ? cut($forms[-1], REASON_MOST) : q{};
}

# Returns forms of a reason, the fullest first.
sub _forms {
    my ($case) = @_;
    my $why    = _why($case);
    my @values = _values($case);
    return @values ? @values : $case->{verdict} if !defined $why;
    my @advised = defined $case->{advice} ? "$why; $case->{advice}" : ();
    my @forms;
    my $limit = _limit_here($case);
    for my $text (_why_here($case), @advised, $why) {
        push @forms, map { ("$_$limit; $text", "$_; $text") } @values;
    }
    return (@forms, $why);
}

# Returns the value of a case in words, with its interval and without.
sub _values {
    my ($case) = @_;
    return defined $case->{score} ? _figure($case->{score}) . " $case->{unit}" : () if $case->{kind} ne 'requirement';
    my ($value, $low, $high, $floor) = map { defined $_ ? _figure($_) : undef } @$case{qw(value low high at_least)};
    return "at least $floor" if defined $floor;
    my $by = defined $case->{covered} ? _confidence($case) . ': ' : q{};
    return defined $low ? ("$value ($by$low to $high)", $value) : $value // ();
}

# Takes a case; returns why the verdict is not a pass, without numbers as far as possible, or undef if it is. A recorded
# limit of CPU time is always a reason.
sub _why {
    my ($case)  = @_;
    my @reasons = grep { defined } _limited($case), _first_reason($case);
    return @reasons ? join '; ', @reasons : undef;
}

# Takes a case; returns the limit of its CPU time as a reason why the verdict is not a pass, or undef.
sub _limited {
    my ($case) = @_;
    return if $case->{verdict} eq 'PASS' || !defined $case->{value} || !defined $case->{cpu_limit};
    return "CPU time limit: $case->{cpu_limit}";
}

sub _first_reason {
    my ($case) = @_;
    return defined $case->{low} ? OTHER_LOAD : ONE_PASS if @{ $case->{other_load} || [] };
    return 'the reference was measured beside ' . OTHER_LOAD if @{ $case->{base_load} || [] };
    return $case->{reason} if $case->{verdict} ne 'FAIL' || !defined $case->{value};
    return 'below the limit';
}

# Returns why the verdict of a case is not a pass, with numbers, or nothing without any.
sub _why_here {
    my ($case) = @_;
    my $more = $case->{more_runs};
    return 'below the limit, ' . _figure(@$case{qw(limit half_width)})
        if $case->{verdict} eq 'FAIL' && defined $case->{file};
    return if !defined $more || $more > UnixBench::Accept::Limit::MORE_MOST || @{ $case->{other_load} || [] };
    return 'about ' . counted($more, 'more run', 'more runs') . ' would decide';
}

# Returns the limit of an open case as the end of a text, which is empty if the requirement names the limit itself.
sub _limit_here {
    my ($case) = @_;
    return q{} if $case->{verdict} ne 'INCONCLUSIVE' || !defined $case->{file};
    return ', limit ' . _figure(@$case{qw(limit half_width)});
}

# Takes a case; returns what was found in detail.
sub finding {
    my ($case) = @_;
    my @parts =
        defined $case->{value}
        ? (_value($case), _classic($case), _limit($case), _reason($case), $case->{advice})
        : ($case->{reason}, _value($case), _limit($case));
    return clean(join '; ', grep { defined } @parts);
}

# Takes a case; returns its number of copies in words, such as "1 copy".
sub copies_text {
    my ($case) = @_;
    return UnixBench::Base::Text::copies_text($case->{copies});
}

sub _value {
    my ($case) = @_;
    return defined $case->{score} ? _figure($case->{score}) . " $case->{unit}" : undef if $case->{kind} eq 'test';
    my ($value, $low, $high) = map { defined $_ ? _figure($_) : undef } @$case{qw(value low high)};
    my $passes = $case->{shares} ? "$case->{shares}[0] of " . _passes($case->{shares}[1]) . QUIET : 'all passes';
    $passes .= " in $case->{results} runs" if $case->{results};
    $passes = 'pairs of passes' if $case->{is_ratio};
    my $floor = defined $case->{at_least} ? 'at least ' . _figure($case->{at_least}) . ': ' : q{};
    return defined $low ? "$floor$value over $passes, " . _confidence($case) . " interval $low to $high" : $value;
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

# Returns the reason in detail. What other load did, a warning and a property of the JUnit document tell once.
sub _reason {
    my ($case) = @_;
    my @base   = @{ $case->{base_load}  || [] } ? clean($case->{file}) . ' was measured beside ' . OTHER_LOAD : ();
    my @load   = @{ $case->{other_load} || [] } ? (_where($case) . OTHER_LOAD . ' was at work', @base)        : @base;
    my @all    = grep { defined } _limited($case), @load ? @load : $case->{reason};
    return @all ? join '; ', @all : undef;
}

# Returns where the interval of a value is, as the beginning of a text about other load.
sub _where {
    my ($case) = @_;
    return 'one pass does not show the spread, and ' if !defined $case->{low};
    return 'below the limit, but ' if $case->{high} < $case->{limit};
    return 'the limit is within the interval, but ' if $case->{low} < $case->{limit};
    return q{};
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
