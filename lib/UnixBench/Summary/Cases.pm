package UnixBench::Summary::Cases;

# Whether each test of a result was measured completely. A verdict about a machine needs a measurement of that machine,
# so a test that failed tells nothing about it: its disk may have been full. Only if a program crashed on a machine that
# measured other passes, the machine is broken.
#
# A case is such a verdict, plain data:
#   kind     'test'; features have cases of other kinds
#   verdict  'PASS', 'FAIL' if the machine is broken, 'SKIP', 'INCONCLUSIVE' if it was interrupted, or 'ERROR': it was
#            not measured because it failed, or because something that it needs is missing
#   reason   a text or undef
#   brief    a shorter one without numbers, or undef: "failed", "interrupted"
#   name, title, score, unit  as in the result
#   copies   the number of copies
#   run      the number of the run in the result, from 0
#   seconds  the time of its passes
#   is_missing  whether there is no value because something that the test needs is missing

use strict;
use warnings;

use List::Util ();
use POSIX      qw(SIGFPE SIGSEGV);

use UnixBench::Base::Result qw(elapsed_s is_measured);
use UnixBench::Catalog      ();

my %CANNOT_RUN = map { $_ => 1 } 126, 127;    # the exit statuses of a shell or wrapper that can't run a command

my %VERDICT = (measured => 'PASS', failed => 'ERROR', skipped => 'SKIP', interrupted => 'INCONCLUSIVE');

# The signals with which a processor or its memory ends a program that works on other machines. SIGILL is not among
# them, because programs may have been built for another processor; SIGBUS also comes from a full disk.
my %IS_CRASH = map { $_ => 1 } SIGFPE, SIGSEGV;

# Takes a summary, and its result with the passes, or undef. Returns the cases of its tests, a list for each run.
# Without passes, nothing is known but what each test has: its score, or why it has none.
sub by_run {
    my ($summary, $result) = @_;
    my %is_wanted =
        map { $_ => 1 } map { UnixBench::Catalog::expand($_) } grep { $_ ne 'all' } @{ $result->{asked} || [] };

    # Without any count, nothing is known about the machine: perhaps the programs do not fit it.
    my @measured = map  { $_->{tests} } @{ ($result || {})->{runs} || [] };
    my $is_known = grep { defined $_->{count} } map { @{ $_->{passes} } } map { @$_ } @measured;
    my @by_run;
    for my $number (0 .. $#{ $summary->{runs} }) {
        my ($copies, $tests) = @{ $summary->{runs}[$number] }{qw(copies tests)};
        my %of = (run => $number, copies => $copies, is_wanted => \%is_wanted, is_known => $is_known);
        push @by_run,
            [map { _case($tests->[$_], $measured[$number] ? $measured[$number][$_] : undef, %of) } 0 .. $#$tests];
    }
    return @by_run;
}

# Takes a case; returns whether it is that of a test that failed, was interrupted or has a shortfall. A test that could
# not be measured also counts if it was asked for by its name or by an alias other than "all".
sub is_failed {
    my ($case) = @_;
    return $case->{kind} eq 'test' && $case->{verdict} ne 'PASS' && $case->{verdict} ne 'SKIP';
}

# Takes cases; returns whether one is that of a failed test.
sub has_failed {
    my (@cases) = @_;
    return scalar grep { is_failed($_) } @cases;
}

# Takes why a result is not certain, one line; returns it as a case.
sub doubt {
    my ($reason) = @_;
    chomp $reason;
    return { kind => 'run', verdict => 'INCONCLUSIVE', reason => $reason };
}

sub _case {
    my ($test, $measured, %of) = @_;
    my @passes        = @{ ($measured || {})->{passes} || [] };
    my $is_missed     = $of{is_wanted}{ $test->{name} } && _lacks_requisite($test, $of{copies});
    my $shortfall     = $measured && is_measured($test) ? UnixBench::Catalog::shortfall($measured) : undef;
    my $verdict       = $is_missed || defined $shortfall ? 'ERROR' : $VERDICT{ $test->{status} };
    my @copies        = map                                 { @{ $_->{copies} } } @passes;
    my $has_crashed   = $test->{status} eq 'failed' && grep { $IS_CRASH{ $_->{signal} } } @copies;
    my $could_not_run = grep                                { $CANNOT_RUN{ $_->{status} } } @copies;
    return {
        kind => 'test',
        (map { $_ => $test->{$_} } qw(name title score unit)),
        run        => $of{run},
        copies     => $of{copies},
        verdict    => $of{is_known} && $has_crashed ? 'FAIL' : $verdict,
        reason     => is_measured($test) ? $shortfall        : ($test->{reason} // $test->{status}) =~ s/\Askipped: //r,
        brief      => is_measured($test) ? undef             : $test->{status},
        seconds    => List::Util::sum(0, map { elapsed_s($_) } @passes),
        is_missing => $test->{status} eq 'skipped' || $could_not_run ? 1 : 0,
    };
}

# Returns whether a test was skipped because something that it needs is missing. A test may also be skipped because it
# makes no sense with this number of copies.
sub _lacks_requisite {
    my ($test, $copies) = @_;
    my $most = (UnixBench::Catalog::category($test->{category}) || {})->{copies_max};
    return $test->{status} eq 'skipped' && (!$most || $copies <= $most);
}

1;
