package JudgedRun;

# Runs of the real program that are judged by requirements.

use strict;
use warnings;

use Exporter 'import';
use File::Basename ();

use TestRun qw(eventually waited);

our @EXPORT_OK = qw(@RATES @USUAL $MET $NEAR $UNMET ended_by ended_of lines required without_ends);

# Disturbances by other processes do not change the verdicts.
$ENV{PERL5OPT} = '-I' . File::Basename::dirname(__FILE__) . '/../../../../t/lib -MPlayedLoad';

our @USUAL = qw(-q -c 1 -i 3);
our @RATES = (990, 1000, 1010);

# What is said of requirements on these rates.
our $MET   = 'syscall>=900 (1 copy): 1000.0, at least LIMIT';
our $UNMET = 'syscall>=1100 (1 copy): 1000.0, at most LIMIT';
our $NEAR  = 'so near that 50 more runs may not decide';

# Takes a text; returns it without the ends of intervals, which depend on the machine.
sub without_ends { my ($text) = @_; return $text =~ s/(?:least|most|from|to) \K[\d.]+(?=$|: |, |; | to )/LIMIT/gmr }

# Takes the end of a run; returns its exit status and errors.
sub ended_of { my ($run) = @_; return [$run->{status}, without_ends($run->{err})] }

# Returns lines as they are printed on standard error.
sub lines { return join q{}, map { "Run: $_\n" } @_ }

# Returns the words of the command line for these requirements.
sub required {
    return map { ('--require', $_) } @_;
}

# Takes a signal, a place and words; starts a run, sends it the signal in its third pass, and waits. Returns the ended
# run and its name.
sub ended_by {
    my ($signal, $test, @words) = @_;
    my $run = $test->started(@USUAL, 'syscall', @words);
    eventually(sub { $test->report('.journal') =~ /"pass".*"pass"/s });
    kill $signal => $run->{pid};
    my $ended = waited($run);
    return ($ended, map { s/[.]journal\z//r } grep { /[.]journal\z/ } $test->reports);
}

1;
