use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Alive                          qw(eventually);
use KnownRates                     qw(give_rates measure_into rated);
use LoadedRun;
use TestRun qw(waited);
use UnixBench::Base::Files;

# Disturbances by other processes do not change the verdicts.
local $ENV{PERL5OPT} = "-I$FindBin::Bin/../../../t/lib -MPlayedLoad";

# Returns the words of the command line for these requirements.
sub required {
    return map { ('--require', $_) } @_;
}

# Takes a place and words; interrupts a run in its third pass. Returns the ended run and its name.
sub interrupted {
    my ($test, @words) = @_;
    my $run = $test->started(qw(-q -c 1 -i 3), 'syscall', @words);
    eventually(sub { $test->report('.journal') =~ /"pass".*"pass"/s });
    kill TERM => $run->{pid};
    my $ended = waited($run);
    my ($name) = map { s/[.]journal\z//r } grep { /[.]journal\z/ } $test->reports;
    return ($ended, $name);
}

subtest 'an interrupted run' => sub {
    my $test = rated({ syscall => [990, 1000] });
    my ($ended, $name) = interrupted($test, required('syscall>=900'), '--junit', $test->place('j.xml'));
    is($ended->{signal}, 15, 'the run ends by the signal');
    my $why = '"System Call Overhead": interrupted after 2 of 3 passes';
    like($ended->{err}, qr/^Run: INCONCLUSIVE syscall>=900 \(1 copy\): $why$/m, 'an interrupted run is inconclusive');
    like(
        UnixBench::Base::Files::content($test->place('j.xml')),
        qr/<error [^>]*INCONCLUSIVE/,
        'the JUnit file of an interrupted run is inconclusive'
    );
};

subtest 'a resumed run' => sub {
    my $test = TestRun->new;
    measure_into($test, 'last', [(1000) x 3]);
    give_rates($test, syscall => [990, 1000]);
    my ($ended, $name) = do {
        local $test->{cwd} = $test->place('results');
        interrupted($test, required('syscall>=0.9*last.json', 'syscall>=2000'), '--junit', $test->place('first.xml'));
    };
    give_rates($test, syscall => [1010]);
    my $run = $test->run(qw(-q --json - --resume), $name, '--junit', $test->place('second.xml'));
    is($run->{status}, 3, 'the requirements apply to the resumed run');
    my @said = $run->{err} =~ /^Run: (\S+ syscall>=\d[.]?\d*)/mg;
    is_deeply(\@said, ['PASS syscall>=0.9', 'FAIL syscall>=2000'], 'a file is found relative to the first directory');
    like($run->{out}, qr/^[{].*[}]\n\z/s, 'the resumed run prints the report that is asked for now');
    like(
        UnixBench::Base::Files::content($test->place('second.xml')),
        qr/<failure [^>]*FAIL/,
        'the resumed run writes the file that is asked for now'
    );
    like(UnixBench::Base::Files::content($test->place('first.xml')),
        qr/INCONCLUSIVE/, 'the file of the interrupted run is not written again');
};

subtest 'a resumed run without the file of its requirement' => sub {
    my $test = rated({});
    my $file = measure_into($test, 'last', [(1000) x 3]);
    give_rates($test, syscall => [990, 1000]);
    my ($ended, $name) = interrupted($test, required("syscall>=0.9*$file"));
    rename $file, "$file.away" or die "rename: $!\n";
    my $journal = $test->text("$name.journal");
    my $run     = $test->run(qw(-q --resume), $name);
    is($run->{status}, 1, 'a missing file of a requirement is refused');
    like($run->{err}, qr{^Run: can't read \Q$file\E: No such file or directory\n\z}m, 'with a line that names it');
    is($test->text("$name.journal"), $journal, 'the journal is unchanged after the refusal');
};

done_testing();
