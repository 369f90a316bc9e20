# Which results are judged together: those of one machine, measured in the same way.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Fixture qw(measured result run);
use UnixBench::Accept::Together;
use UnixBench::Store::Summary;

my @CRITERIA = ({ copies => 1, name => 'pipe' });
my $STARTED  = 1_785_000_000;

# Takes a label and keys of the summary to replace; returns that side, whose run began when no other did.
sub side {
    my ($label, %other) = @_;
    my $summary = UnixBench::Store::Summary::of(result([run(1, measured('pipe', 1, 1000, 1010))]));
    my %files   = (programs => { pipe => 'aaaa', spawn => 'bbbb' });
    return { label => $label, summary => { %$summary, started => $STARTED++, files => \%files, %other } };
}

# Takes sides and whether they are forced; returns the error, without the words that all errors have, or undef.
sub refusal {
    my ($sides, $is_forced) = @_;
    return if eval { UnixBench::Accept::Together::of($sides, \@CRITERIA, $is_forced) };
    return $@ =~ s/\Athese results can't be judged together: //r =~ s/; judge each alone, or use --force\n\z//r;
}

my %OFFICIAL = (kind => 'official', time_factor => 1, work_factor => 1);

# What is other in the second of three results => why they are refused.
my @OTHER = (
    [{ name      => 'db-1' } => 'host: vm in A and C, db-1 in B'],
    [{ flags     => '-O2' }  => 'compiler flags: -O3 -ffast-math -march=native -mtune=native in A and C, -O2 in B'],
    [{ facts     => { CPU => '2 x Xeon' } }             => 'CPU: 2 x AMD EPYC in A and C, 2 x Xeon in B'],
    [{ facts     => {} }                                => undef],
    [{ procedure => { %OFFICIAL, kind => 'quick' } }    => 'procedure: official in A and C, quick in B'],
    [{ procedure => { %OFFICIAL, time_factor => 0.5 } } => 'length of passes (UB_TIME_FACTOR): 1 in A and C, 0.5 in B'],
    [
        { procedure => { %OFFICIAL, turns => { states => 2 } } } =>
            'states in turns, --under: none in A and C, several in B'
    ],
    [{ files => { programs => { pipe => 'aaaa', spawn => 'cccc' } } } => undef],
    [{ files => { programs => { pipe => 'cccc', spawn => 'bbbb' } } } => 'other programs: pipe'],
    [{ files => undef }                                               => undef],
    [{ name  => undef }                                               => undef],
);

for my $case (@OTHER) {
    my ($other, $why) = @$case;
    my ($what) = keys %$other;
    my @sides = (side('A'), side('B', %$other), side('C'));
    is(scalar refusal(\@sides),
        $why, "another $what: " . (defined $why ? 'they are refused' : 'they are judged together'));
    is(scalar refusal(\@sides, 1), undef, 'with --force, they are judged together');
}

subtest 'results of one machine' => sub {
    my $together = UnixBench::Accept::Together::of([map { side($_) } 'A', 'B'], \@CRITERIA);
    is_deeply([map { $_->{label} } @{ $together->{members} }], [qw(A B)], 'they are one side of a comparison');
    is(scalar @{ $together->{summary}{runs}[0]{tests}[0]{of_runs} }, 2, 'a test has both runs');
};

subtest 'a run that is given twice' => sub {
    my $side  = side('A');
    my @sides = ($side, side('B'), { %$side, label => "A.json\n" });
    my $why   = "A.json\\n and A are the same run: leave out one of them\n";
    is(refusal(\@sides),    $why, 'it is refused');
    is(refusal(\@sides, 1), $why, 'also with --force: it would count twice');
};

done_testing();
