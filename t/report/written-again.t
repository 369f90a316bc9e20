# Tests that the reports of a result that was read are those that were written, with random results: passes that other
# processes disturbed, tests that failed or were interrupted, any numbers. Perl gives the keys of each hash another
# order, so a report that depends on it differs.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Fixture  qw(failed measured quick_run result run sliced);
use Place    qw(place write_file);
use Rendered qw(rendered);
use UnixBench::Store::ResultFile;

use constant { RESULTS => 60, FIRST_SEED => 20_261_126 };

my @TESTS  = qw(dhry2reg pipe spawn syscall execl hanoi);
my @CAUSES = qw(others steal run_queue late pressure_io swap overlap moon);
my @NAMES  = qw(perl sh Run make cc1);
my $place  = place();

sub any { return $_[rand @_] }

sub some {
    return grep { rand() < 0.5 } @_;
}

# Returns any number above 0.
sub number { return any(1e-9 + rand, rand(1e6) + 1, 1 + int rand 1e6, 1e-5 * (1 + rand), 1 / 3) }

# Returns a process that used CPU time. Few PIDs, names and numbers of CPUs make equal ones probable.
sub process {
    my %used = (cpus => any(0.5, 0.25, 0.1, 1e-6 * number()));
    return rand() < 0.1 ? \%used : { %used, name => any(@NAMES), pid => any(7, 100, 101) };
}

sub tag {
    my ($cause) = @_;
    my %by = rand() < 0.7 ? (by => [map { process() } 0 .. rand 3]) : ();
    return { cause => $cause, level => any('note', 'disturbed'), value => 0 + sprintf('%.6g', number()), %by };
}

# Takes the function that builds a measured test, its name and the copies; returns a test of any kind.
sub random_test {
    my ($measured, $name, $copies) = @_;
    my @counts = map { 1000 * number() } 0 .. rand 6;
    my $test   = $measured->($name, $copies, @counts);
    if (rand() < 0.15) {
        delete @$test{qw(score unit time_s samples dropped kept)};
        @$test{qw(status reason)} = ('interrupted', 'interrupted after pass ' . @counts);
    }
    $test = failed($name, 'exit status 3', @counts) if $copies == 1 && rand() < 0.15;
    for my $pass (some(@{ $test->{passes} })) {
        $pass->{tags} = [map { tag($_) } some(@CAUSES)];
        $pass->{used} = { user_s => number(), kernel_s => number(), minor_faults => 5, clock_mhz       => number() };
        $_->{used}    = { ran_s  => number(), waited_s => number(), switches     => 3, forced_switches => 4 }
            for @{ $pass->{copies} };
    }
    return $test;
}

# Takes a seed; returns a result.
sub random_result {
    srand shift;
    my $is_quick = rand() < 0.5;
    my @runs;
    for my $copies (1, some(2, 4)) {
        my @tests = map { random_test($is_quick ? \&sliced : \&measured, $_, $copies) } some(@TESTS);
        push @runs, $is_quick ? quick_run(int rand 7, $copies, @tests) : run($copies, @tests);
    }
    my %procedure = (kind => $is_quick ? 'quick' : 'official', time_factor => 1, work_factor => 1, replacements => []);
    $procedure{resumptions}  = [map { 1_795_140_750 + number() } some(1, 2)];
    $procedure{interruption} = { signal => 'TERM', problem => undef } if rand() < 0.4;
    return result(\@runs, procedure => \%procedure);
}

my @differ;
for my $seed (FIRST_SEED .. FIRST_SEED + RESULTS - 1) {
    my $result = random_result($seed);
    my $json   = rendered(json => $result);
    my $read   = UnixBench::Store::ResultFile::result(write_file("$place/result.json", $json));
    my @kinds  = $seed % 6 ? 'json' : qw(json text csv html markdown details);
    push @differ, map { "$_ of seed $seed" } grep { rendered($_, $read) ne rendered($_, $result) } @kinds;
}
is_deeply(\@differ, [], 'the reports of all results are the same after reading');

done_testing;
