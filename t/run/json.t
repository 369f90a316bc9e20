# The JSON of real runs: it is valid, and all other reports can be made from it alone, on any machine.

use strict;
use warnings;

use File::Copy qw(copy);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Disturbed ();
use LoadedRun qw(eventually waited);
use Needs     qw(need_tools need_user skip_without);
use Place     qw(names_in place text_of write_file);
use Validator qw(complaints why_no_validator);

my $WHY_NOT = why_no_validator();
my @KINDS   = (q{}, '.html', '.csv');

# Returns a place for runs that write all reports. Takes the arguments of TestRun.
sub place_for {
    my (%with) = @_;
    return TestRun->new(%with, env => { UB_OUTPUT_CSV => 'true', UB_OUTPUT_JSON => 'true', %{ $with{env} || {} } });
}

# Takes the path of a JSON file and words; runs report in another time zone and other directories. Returns the run.
sub reported {
    my ($path, @words) = @_;
    return place_for(env => { TZ => 'UTC-9', DISPLAY => q{} })->run('report', $path, @words);
}

# Returns the path of the JSON in a place.
sub json_of {
    my ($test) = @_;
    my ($name) = grep { /[.]json\z/ } $test->reports;
    return $test->place('results', $name // 'none');
}

# Copies of every JSON that was rebuilt. The validator starts slowly, so it checks all of them at once.
my $kept = place();
my @kept;

# Takes a place and the exit status of its run; tests that its JSON gives the same reports in another directory.
sub is_rebuilt {
    my ($test, $status) = @_;
    push @kept, "$kept/" . @kept . '.json';
    copy(json_of($test), $kept[-1]) or die "copy: $!\n";
    my $there = place();
    copy(json_of($test), "$there/a copy.json") or die "copy: $!\n";
    my $other = place();
    my $run   = reported("$there/a copy.json", '--json', "$other/again.json");
    is_deeply([@$run{qw(status out)}], [$status, $test->report(q{})], 'only the report is printed again');
    is_deeply(names_in($there), [map { "a copy$_" } sort @KINDS, '.json'], 'the others are written next to the JSON');
    ok(text_of("$there/a copy$_") eq $test->report($_), "the same report$_") for @KINDS;
    ok(text_of($_) eq $test->report('.json'), "$_: the same JSON") for "$there/a copy.json", "$other/again.json";
    return;
}

sub journals {
    my ($test) = @_;
    return grep { /[.](?:journal|new)\z/ } $test->reports;
}

# A program that counts, then fails.
my $FAILS = q{echo 'COUNT|1000|1|lps' >&2; exit 1};

# Programs, words, and the exit status of a run.
my %RUNS = (
    'a test that failed'      => [{ syscall => $FAILS },                     [qw(-c 1 -c 2 -i 3 hanoi syscall)],  1],
    'a brief report'          => [{},                                        [qw(-b -c 2 -i 3 2d-rects syscall)], 0],
    'bytes that are not text' => [{ syscall => 'binary', hanoi => 'flood' }, [qw(-c 1 hanoi syscall)],            1],
);

for my $name (sort keys %RUNS) {
    my ($programs, $words, $status) = @{ $RUNS{$name} };
    subtest $name => sub {
        my $test = place_for(programs => $programs);
        is($test->run('-q', @$words)->{status}, $status, 'Run ends with its status');
        is_deeply([journals($test)], [], 'the journal is removed');
        is_rebuilt($test, $status);
    };
}

subtest 'odd bytes everywhere' => sub {
    my $odd  = "caf\xe9 \xff\"\\\e[31m<b>\xe2\x80\xa8 \x01";
    my %host = (PERL5OPT => "-I$TestRun::HOME/t/lib -MOtherHost", OTHER_HOST => "host $odd");
    my $test = place_for(env => \%host);
    my $bin  = $test->place("bin $odd");
    symlink $test->place('bin'), $bin or die "symlink: $!\n";
    $test->{env}{UB_BINDIR} = $bin;
    $test->replay(syscall => 1 => ['COUNT|5|1|lps note|' . $odd =~ s/ /_/gr, 'COUNT|6|1|lps']);
    is_deeply([@{ $test->run(qw(-q -c 1 -i 2 syscall)) }{qw(status err)}], [0, q{}], 'a run with odd bytes succeeds');
    like($test->report('.json'), $_, "a byte that is not UTF-8 is escaped: $_")
        for qr/"name":"host caf\\\\xe9 /, qr{"command":\["[^\n]*?/bin caf\\\\xe9 .*?/syscall"},
        qr/"note":\["caf\\\\xe9_/;
    is_rebuilt($test, 0);
};

subtest 'interrupted and resumed' => sub {
    my $test = Disturbed::place(env => { UB_OUTPUT_CSV => 'true', UB_OUTPUT_JSON => 'true' });
    my $run  = $test->started(qw(-q -i 4 -c 2 syscall hanoi));
    eventually(sub { ($test->report('.journal') =~ tr/\n//) >= 4 });
    kill TERM => $run->{pid};
    is(waited($run)->{signal}, 15, 'SIGTERM ends the run');
    my $interruption = qr/"interruption":\{"problem":null,"signal":"TERM"\}.*"status":"interrupted"/s;
    like($test->report('.json'), $interruption, 'the JSON is written, and names the signal');
    is_rebuilt($test, 1);
    is($test->run(qw(-q --resume), json_of($test))->{status}, 0, 'the run is resumed');
    is_deeply([journals($test)], [], 'the journal is removed');
    unlike(
        $test->report('.json'),
        qr/"interruption":[{]|interrupted by/,
        'the JSON of the resumed run is not interrupted'
    );
    my $resumed = qr/"notes":\["[^]]*resumed".*"interruption":null,.*"resumptions":\[[0-9.]+\]/s;
    like($test->report('.json'), $resumed, 'it has a note, and the resumption as data');
    is_rebuilt($test, 0);
};

# Returns a directory with the JSON of a finished run, and the place of that run.
sub finished {
    my $test = place_for();
    is($test->run(qw(-q -c 1 -i 3 syscall))->{status}, 0, 'the run succeeds');
    my $there = place();
    copy(json_of($test), "$there/r.json") or die "copy: $!\n";
    return ($there, $test);
}

subtest 'existing files are unchanged' => sub {
    my ($there, $test) = finished();
    write_file("$there/r", 'mine');
    symlink 'nowhere', "$there/r.csv" or die "symlink: $!\n";
    is_deeply([@{ reported("$there/r.json") }{qw(status out)}], [0, $test->report(q{})], 'the report is printed');
    is_deeply(
        [map { text_of("$there/r$_") } q{}, '.html'],
        ['mine',                            $test->report('.html')],
        'an existing report is kept, a missing one is written'
    );
    ok(!-e "$there/nowhere", 'a link is not followed');
    copy(json_of($test), "$there/other name") or die "copy: $!\n";
    is(reported("$there/other name")->{out}, $test->report(q{}), 'the report of a file with another name is printed');
    is(scalar(grep { /other/ } @{ names_in($there) }), 1,        'no reports are written for a file with another name');
};

subtest 'a directory without write permission' => sub {
    skip_without(machine => 'root') if $> != 0;
    need_user();
    my ($there, $test) = finished();
    chmod 0755, "$there", $test->place;
    my $run =
        waited($test->started_by($^X, "$TestRun::BIN/as-nobody", $^X, "$TestRun::HOME/Run", 'report', "$there/r.json"));
    is_deeply([@$run{qw(status out err)}], [0, $test->report(q{}), q{}], 'the report is printed');
    is_deeply(names_in($there),            ['r.json'],                   'no other report is written');
};

# The JSON of many tests with a pass each is twice as large as all files that are written before it, except the HTML. So
# disturbances, which make the journal and the JSON longer, do not matter.
subtest 'a limit of file sizes below the size of the JSON' => sub {
    need_tools('prlimit');
    my @words = qw(-q -i 1 -c 1 index short int long float double arithoh hanoi);
    my $test  = place_for();
    is($test->run(@words)->{status}, 0, 'the run succeeds without the limit');
    my $limit = int 0.75 * -s json_of($test);
    my $small = place_for();
    my $ended = waited($small->started_by('prlimit', "--fsize=$limit", $^X, "$TestRun::HOME/Run", @words));
    is($ended->{status}, 1, 'the run fails with the limit');
    my $base = $small->place('results') . qr{/[^/\n]+};
    my $why  = qr/File too large: raise the limit on file sizes [(]ulimit -f[)]/;
    like($ended->{err}, qr/^Run: can't write $base[.]json: $why$/m, 'the message names the JSON and the limit');
    is_deeply([grep { /json|new/ } $small->reports], [], 'no part of the JSON is left');
    my ($journal) = journals($small);
    is($small->run(qw(-q --resume), $journal)->{status}, 0, 'the run is resumed without the limit');
    is_rebuilt($small, 0);
};

SKIP: {
    skip_without(@$WHY_NOT, 1) if $WHY_NOT;
    is_deeply([complaints(@kept)], [map { q{} } @kept], 'the JSON of each run is valid');
}

done_testing;
