package UnixBench::Accept::Verdict;

# A case of UnixBench::Accept::Acceptance in words, in at most 80 characters.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Text qw(clean copies_text counted fitted fixed shorter);

our @EXPORT_OK = qw(cause_of reason reason_of sentence);

use constant { REASON_MOST => 80, MORE_MOST => 50 };    # characters; runs

use constant { PLAIN_LEAST => 100, DIGITS => 4 };       # below 100, four digits are printed

# Takes a case; returns the verdict and its reason in one line, such as
# "FAIL index>=1500 (1 copy): 1409.2, at most 1418.4". If several results are judged, that of a test names its result.
sub sentence {
    my ($case) = @_;
    return "$case->{verdict} " . _subject($case, 1) . reason($case);
}

sub _subject {
    my ($case, $is_counted) = @_;
    return q{} if !defined $case->{title};
    return clean($case->{title}) . ': ' if $case->{kind} eq 'requirement' && !defined $case->{copies};
    my $where = join ', ', copies_text($case->{copies}), map { clean($_) } $case->{label} // ();
    my $of = $is_counted && $case->{references} ? ' (' . counted($case->{references}, 'result', 'results') . ')' : q{};
    return clean($case->{title}) . "$of ($where): ";
}

# Takes a case; returns its reason: the value, the end of its interval that decides, and why the verdict is not a pass.
sub reason {
    my ($case) = @_;
    return fitted(REASON_MOST, _forms($case));
}

# Takes cases, the most important one first; returns its reason, with its title, and how many more there are.
sub reason_of {
    my ($first,   @further) = @_;
    my ($subject, $more)    = (_subject($first), _more(@further));
    return fitted(REASON_MOST, map { "$subject$_$more" } _forms($first));
}

# Takes cases, the most important one first; returns why, without numbers: what cases of several hosts may have in
# common.
sub cause_of {
    my ($first, @further) = @_;
    my $side    = $first->{is_most}           ? 'above'           : 'below';
    my $too_low = $first->{verdict} eq 'FAIL' ? "$side the limit" : $first->{verdict};
    my ($subject, $more) = (_subject($first), _more(@further));
    return fitted(REASON_MOST, map { "$subject$_$more" } shorter($first->{brief} // _why($first) // $too_low));
}

sub _more { my (@further) = @_; return @further ? '; and ' . @further . ' more' : q{} }

# Returns forms of a reason, the fullest first.
sub _forms {
    my ($case) = @_;
    my $why    = ($case->{advice} ? undef : _more_runs($case)) // _why($case);
    my @values = defined $case->{score} ? _figure($case->{score}) . " $case->{unit}" : _values($case);
    return @values ? @values : $case->{verdict} if !defined $why;
    my @forms;
    for my $form (shorter($why)) {
        push @forms, (map { "$_: $form" } @values), $form;
    }
    return (@forms, $case->{kind} eq 'requirement' ? $case->{brief} // () : ());
}

# Returns the value of a requirement with the end of its interval that decides, and with less.
sub _values {
    my ($case) = @_;
    my ($value, @ends) = map { defined $_ ? _figure($_) : undef } $case->{value},
        @$case{ exists $case->{at_least} ? qw(at_least at_most) : qw(low high) };
    return if !defined $value;
    my ($least, $most) = map { defined $ends[$_] ? ('at least ', 'at most ')[$_] . $ends[$_] : undef } 0, 1;
    my ($of_pass, $of_fail) = $case->{is_most} ? ($most, $least) : ($least, $most);
    my $end =
          $case->{verdict} eq 'PASS'   ? $of_pass
        : $case->{verdict} eq 'FAIL'   ? $of_fail
        : 2 == grep({ defined } @ends) ? "somewhere from $ends[0] to $ends[1]"
        :                                $least // $most;
    my @forms = ((defined $end ? "$value, $end" : ()), $value);
    return $case->{is_relative} ? (_with_limit($case, $forms[0]), @forms) : @forms;
}

# The requirement does not name this limit, which is a part of another value.
sub _with_limit {
    my ($case,  $value) = @_;
    my ($limit, $trust) = ("$value, limit " . _figure($case->{limit}), $case->{trust} // q{});
    return ($trust =~ /\A(?:poor|fair)\z/ ? "$limit (trust: $trust)" : (), $limit);
}

# Takes a case; returns why the verdict is not a pass, or undef. A recorded limit of CPU time is always a reason.
sub _why {
    my ($case)  = @_;
    my $limit   = $case->{verdict} ne 'PASS' && defined $case->{value} ? $case->{cpu_limit} : undef;
    my @reasons = grep { defined } defined $limit ? "CPU time limit: $limit" : undef, $case->{reason};
    return @reasons ? join '; ', @reasons : undef;
}

sub _more_runs {
    my ($case) = @_;
    my $more = $case->{more_runs} // return;
    return $more > MORE_MOST
        ? 'so near that ' . MORE_MOST . ' more runs may not decide'
        : 'about ' . counted($more, 'more run', 'more runs') . ' would decide';
}

sub _figure {
    my ($number) = @_;
    return $number >= PLAIN_LEAST ? fixed($number) : sprintf '%.*g', DIGITS, $number;
}

1;
