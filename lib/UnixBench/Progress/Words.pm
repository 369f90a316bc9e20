package UnixBench::Progress::Words;

# The texts of the progress about a pass, a test, a round and a run.

use strict;
use warnings;

use UnixBench::Base::Number    qw(percent plus_minus);
use UnixBench::Base::Text      qw(clean counted defused);
use UnixBench::Base::Time      ();
use UnixBench::Report::Lines   qw(plain);
use UnixBench::Report::Wording qw(index_value);
use UnixBench::Score::StopRule ();

# Scripts search standard output for this word to detect that a test failed.
use constant KEYWORD => 'aborting';

use constant OBSERVING => 'observing system calls';

use constant { EXACT_S => 100, ROUGH_S => 600, STEP_S => 5 };

my %WHY = (
    reached => 'precise enough',
    time    => 'time limit reached',
    failed  => 'no test is left',
    kept    => 'it had ended here before the resume',
);

# Takes a pass; returns its outcome, a printable text.
sub of_pass {
    my ($pass) = @_;
    my $what   = defined $pass->{error} ? $pass->{error} : sprintf '%.1f in %.1f s', @$pass{qw(count time_s)};
    return defused(clean($what), KEYWORD);
}

# Takes a test and its run; returns the number of copies and the title, a printable text.
sub title {
    my ($test, $run) = @_;
    return plain("$run->{copies} x $test->{title}");
}

# Takes a test without a score; returns the reason, a printable text.
sub why_no_score {
    my ($test) = @_;
    return plain(($test->{status} eq 'failed' ? 'failed: ' : q{}) . $test->{reason});
}

# Takes a test that is skipped in a quick run; returns its title and the reason, a printable text.
sub of_skipped {
    my ($test) = @_;
    return '  ' . clean("$test->{title}: $test->{reason}");
}

# Takes seconds; returns a text on the time left, rounded to five seconds if it is between 100 s and 10 minutes.
sub time_left {
    my ($seconds) = @_;
    return UnixBench::Base::Time::duration_in_brief($seconds) . ' left' if $seconds < EXACT_S || $seconds >= ROUGH_S;
    my $rounded = STEP_S * int($seconds / STEP_S + 0.5);
    my ($minutes, $rest_s) = (int($rounded / 60), $rounded % 60);
    return "$minutes min " . ($rest_s ? "$rest_s s " : q{}) . 'left';
}

# Takes the place of a quick run, see UnixBench::Progress::Estimate; returns it as a text, and the same in short.
sub place_in_quick_run {
    my ($place) = @_;
    my ($test, $tests, $round, $rounds) = @$place{qw(test tests round rounds)};
    my $is_last = $rounds <= $round;
    return (
        "test $test of $tests, round $round" . ($is_last ? q{} : " of about $rounds"),
        "test $test/$tests, round $round" .    ($is_last ? q{} : "/$rounds")
    );
}

# Takes a quick run that begins, and its goals, see UnixBench::Plan::Plan::make; returns a line about them.
sub of_quick_run {
    my ($run, $quick) = @_;
    return sprintf '%s: rounds of short passes, seed %d, until %s, at most %s', _copies($run),
        $quick->{seed},
        plus_minus(percent($quick->{precision}, 4)),
        UnixBench::Base::Time::limit_in_brief($quick->{max_time_s});
}

# Takes a quick run after a complete round and, if it was the last one, the reason (a key of WHY). Returns a text with
# the number of the round and the indexes so far.
sub of_round {
    my ($run, $why) = @_;
    my $known = index_so_far($run);
    my $text  = _copies($run) . ", round $run->{rounds}" . (defined $known ? ": $known" : q{});
    return $text . (defined $why ? "; $WHY{$why}" : q{});
}

# Takes the same run; returns a text with its indexes and their precision, or undef if nothing is known yet.
sub index_so_far {
    my ($run)      = @_;
    my $half_width = UnixBench::Score::StopRule::precision_of($run)->{half_width};
    my $indexes    = join ', ', map { sprintf '%s %.1f', _name_of($_), index_value($_) } @{ $run->{indexes} };
    my @known      = (length $indexes ? $indexes : (), defined $half_width ? plus_minus(percent($half_width, 3)) : ());
    return @known ? "@known" : undef;
}

sub _name_of {
    my ($index) = @_;
    my $what    = $index->{lacking} ? "mean of $index->{mean_of_others}{tests} tests" : 'index';
    return $index->{category} eq 'system' ? $what : "$index->{category} $what";
}

sub _copies {
    my ($run) = @_;
    return counted($run->{copies}, 'copy', 'copies');
}

1;
