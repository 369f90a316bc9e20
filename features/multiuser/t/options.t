use strict;
use warnings;

use Digest::SHA qw(sha256_hex);
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Alive                          qw(eventually);
use LateModules                    qw(loads_nothing_late);
use LoadedRun;
use TestRun qw(waited);
use UnixBench::Base::JSON;

# Without disturbances by other processes, which would make requirements inconclusive.
local $ENV{PERL5OPT} = "-I$FindBin::Bin/../../../t/lib -MPlayedLoad";

# Options of the multi-user test in whole runs, with a fake of multiuser that prints its output at once.

my $SCRIPT = "# a script\n#= class tour\necho 'a|b'\n\n#= class compile\nfalse #= status 1\ntrue\n";

# Returns a place with that script, which has three lines.
sub place_for {
    my (%env) = @_;
    my $test =
        TestRun->new(programs => { multiuser => "$FindBin::Bin/bin/like-multiuser", syscall => 'count' }, env => \%env);
    $test->write('test', 'multiuser.script', $SCRIPT);
    return $test;
}

sub json { my ($test) = @_; return UnixBench::Base::JSON::decode($test->report('.json')) }

# Returns the arguments of the program in each pass, without the paths of the place.
sub calls {
    my ($test) = @_;
    my $place  = $test->place;
    my @calls  = $test->report('.log') =~ /called: (.*)$/mg;
    return [map { s{\Q$place\E/test/}{T/}gr =~ s{\Q$place\E/tmp/\S+}{H}gr } @calls];
}

my $DEFAULT = '--think 2-15 --scale 0.00002 --script T/multiuser.script --home H';
my $PAUSES  = '0.00004 to 0.0003 s';

# Words of the command line => the arguments of the program, and the note about another load, if there is one.
my %SEEN = (
    q{}                                               => ["--users 20 $DEFAULT"],
    '--users 3 --users 1 --think 0.50-1 --scale 1000' => [
        '--users 3,1 --think 0.5-1 --scale 1 --script T/multiuser.script --home H',
        '3 users, then 1 user, 3 lines, pauses of 0.5 to 1 s'
    ],
    '--script T/other' => [
        '--users 20 ' . $DEFAULT =~ s/multiuser[.]script/other/r,
        "20 users, 1 line, pauses of $PAUSES, another script"
    ],
    '--find-capacity -i 1 --limit 1.5' =>
        ["--find-capacity --limit 1.5 $DEFAULT", "p95 at most 1.5 x a single user's, 3 lines, pauses of $PAUSES"],
);

# Returns the notes of a report.
sub notes { my ($test) = @_; return [$test->report(q{}) =~ /^ *Note: (.*)$/mg] }

subtest 'arguments of the program, and the note about another load' => sub {
    for my $words (sort keys %SEEN) {
        my $test  = place_for();
        my $other = $test->write('test', 'other', "true\n");
        my $run   = $test->run('-q', 'multiuser', map { s{\AT/other\z}{$other}r } split q{ }, $words);
        my ($call, $load) = @{ $SEEN{$words} };
        is_deeply([@$run{qw(status err)}], [0, q{}], "multiuser $words");
        is_deeply(calls($test),            [$call],  "the arguments of the program: multiuser $words");
        my @changed =
            ('passes and pauses shortened to 0.001 of their length', defined $load ? "multi-user: $load" : ());
        is_deeply(notes($test), ['changed procedure: ' . join '; ', @changed], "the note: multiuser $words");
    }
};

subtest 'passes' => sub {
    my %passes = (
        'multiuser --find-capacity' => 5,
        'multiuser -i 3'            => 3,
        'multiuser syscall -c 1'    => 1,
        'multiuser -c 1 -c 2'       => 1,
        'all -i 3'                  => 0,
    );
    for my $words (sort keys %passes) {
        my $plan = place_for()->run('--dry-run', split q{ }, $words)->{out};
        my ($passes) = $plan =~ /^  multiuser +Multi-User \w+ +(\d+) x /m;
        is($passes // 0, $passes{$words}, "passes of ./Run $words");
        next if $words !~ /-c 2/;
        my ($skipped) = grep { /^  multiuser/ } reverse split /\n/, $plan;
        like($skipped, qr/skipped: /, 'the test is skipped for several copies');
    }
};

subtest 'the plan' => sub {
    my @words = qw(--dry-run multiuser --users 1 --users 2 --scale 1 --think 1-3 -i 10);
    my $run   = place_for(UB_TIME_FACTOR => 1)->run(@words);
    is_deeply([@$run{qw(status err)}], [0, q{}], 'two loads are planned');
    like(
        $run->{out},
        qr/^  multiuser +Multi-User Script +10 x 12 s\n {23}1 user, then 2 users, 3 lines, pauses of 1 to 3 s$/m,
        'the plan has their duration and a description'
    );
};

# The messages of the parser have tests of their own. Here are one about an option, and all about scripts.
my %REFUSED = (
    '--users 5'                    => 'option --users is for the test multiuser: ./Run multiuser --users 5',
    'multiuser --script /none'     => q{can't read /none: No such file or directory},
    'multiuser --script /dev/null' => q{can't read /dev/null: it is not a plain file},
);

subtest 'wrong usage' => sub {
    for my $words (sort keys %REFUSED) {
        my $test = place_for();
        my $run  = $test->run('-q', split q{ }, $words);
        is_deeply([@$run{qw(status err out)}], [2, "Run: $REFUSED{$words}\n", q{}], "./Run $words");
        is_deeply([$test->reports],            [], "./Run $words: no report is written");
    }
    my $test  = place_for();
    my $empty = $test->write('test', 'empty', "# nothing\n");
    is(
        $test->run('multiuser', '--script', $empty)->{err},
        "Run: $empty has no line for the users (blank lines and comments do not count)\n",
        'a script without lines is refused'
    );
};

subtest 'without the usual script' => sub {
    my $test = place_for();
    my $path = $test->place('test', 'multiuser.script');
    unlink $path;
    is($test->run(qw(-q multiuser))->{status}, 1, 'a missing script: exit status 1');
    like(
        $test->report(q{}),
        qr/^Multi-User Script +no measured results: skipped: can't read \S+: No such file/m,
        'a missing script: the report has the reason'
    );
    is(json($test)->{procedure}{multiuser},               undef, 'a missing script: the JSON has no load');
    is(place_for()->run(qw(explain multiuser))->{status}, 0,     'explain works without the script');
};

subtest 'the load in the result' => sub {
    my $test = place_for(UB_TIME_FACTOR => 0.5);
    $test->run(qw(-q multiuser --users 20 --users 1 --think 1-4 --scale 0.1));
    my %load = (users => [20, 1], think_min_s => 1, think_max_s => 4, scale => 0.05, limit => undef);
    $load{script} = sha256_hex($SCRIPT);
    my $json = json($test);
    is_deeply($json->{procedure}{multiuser}, \%load, 'the JSON has the load');
    is($json->{facts}{programs}{'script of the users'}, sha256_hex($SCRIPT), 'the JSON has the checksum of the script');
    is_deeply(
        $json->{procedure}{load_change},
        {
            users            => [20, 1],
            limit            => undef,
            lines            => 3,
            pause_min_s      => 0.05,
            pause_max_s      => 0.2,
            has_other_script => 0
        },
        'the JSON has the differences from the usual load'
    );
    my $search = place_for();
    $search->run(qw(-q multiuser --find-capacity --limit 3 -i 1));
    is_deeply([@{ json($search)->{procedure}{multiuser} }{qw(users limit)}],
        [[], 3], 'the JSON has the limit of a search');
    like($search->report(q{}), qr/^Multi-User Capacity +5[.]1 users/m, 'the report has the result of a search');
    my $other = place_for();
    $other->run(qw(-q syscall));
    is(json($other)->{procedure}{multiuser}, undef, 'without the multi-user test the JSON has no load');
};

subtest 'incidents' => sub {
    my $test = place_for(LIKE_MULTIUSER => 'failing dead');
    my $run  = $test->run(qw(-q --users 3 multiuser));
    is($run->{status}, 1, 'a load with incidents: exit status 1');
    my @lines = split /\n/, $run->{err};
    is(
        $lines[0],
        q{Run: "Multi-User Script": user 1, line 3: exit status 1 instead of 0: "echo 'a|b'"},
        'an incident is printed in one line'
    );
    is(scalar @lines, 3, 'each of three incidents is printed');
    like(
        $lines[2],
        qr/\ARun: "Multi-User Script": user 3, line 6: ended: killed by SIGKILL/,
        'a user that was killed is printed'
    );
    like($test->report(q{}), qr/^Multi-User Script +[0-9.]+ lpm +[(]/m, 'a load with incidents has a score');
    is(json($test)->{runs}[0]{tests}[0]{status}, 'measured', 'a load with incidents is measured');
    my $dead = place_for(LIKE_MULTIUSER => 'dead', UB_TIME_FACTOR => 1);
    $dead->run(qw(-q multiuser --scale 0.0001));
    my $short = 'multi-user load: 1 of 20 users did not finish';
    my $slow  = 'changed procedure: multi-user: 20 users, 3 lines, pauses of 0.0002 to 0.0015 s';
    is_deeply(notes($dead), [$slow, $short], 'the notes name the pauses and the missing users');
    my ($file) = grep { /[.]html\z/ } $dead->reports;
    my $again = $dead->run('report', $dead->place('results', $file), '--details');
    is($again->{status}, 1, 'report of a load with missing users: exit status 1');
    like($again->{out}, qr/^ *Note: $short$/m, 'report prints the note about missing users');
    like($again->{out}, qr/^ *user 20, line 6: ended: killed by SIGKILL/m, 'report prints the incident in the details');
};

subtest 'a requirement relative to another load' => sub {
    my $first = place_for();
    $first->run(qw(-q -i 2 multiuser));
    my ($name) = grep { /[.]html\z/ } $first->reports;
    my $file   = $first->place('results', $name);
    my $run    = place_for()->run(qw(-q -i 2 --users 5 multiuser --require), "multiuser>=0.1*$file");
    is($run->{status}, 2, 'a requirement relative to another load is refused');
    like(
        $run->{err},
        qr/: users of the multi-user load: 5 in this run, 20 in \Q$file\E; use --force to compare them anyway$/m,
        'the refusal names the difference'
    );
    is(place_for()->run(qw(-q -i 2 multiuser --require), "multiuser>=0.1*$file")->{status},
        0, 'a requirement relative to the same load is accepted');
};

# Interrupts a run of three passes after the first; returns the place and the path of the journal.
sub interrupted {
    my $test = place_for(LIKE_MULTIUSER => 'slow');
    my $run  = $test->started(qw(-q -i 2 multiuser --users 7 --users 3 --think 1-2));
    ok(eventually(sub { $test->report('.journal') =~ /"test":"multiuser"/ }), 'a pass is finished');
    kill TERM => $run->{pid};
    is(waited($run)->{signal}, 15, 'the run ends by the signal');
    my ($journal) = grep { /[.]journal\z/ } $test->reports;
    return ($test, $test->place('results', $journal));
}

subtest 'resumed' => sub {
    my ($test, $journal) = interrupted();
    my $script = $test->place('test', 'multiuser.script');
    $test->write('test', 'multiuser.script', "$SCRIPT\ntrue\n");
    my $changed = $test->run(qw(-q --resume), $journal);
    is($changed->{status}, 1, 'the run is not resumed with another script');
    is(
        $changed->{err},
        "Run: can't resume $journal: script of the users has changed\n",
        'the message says that the script has changed'
    );
    unlink $script;
    my $gone = $test->run(qw(-q --resume), $journal);
    is(
        $gone->{err},
        "Run: can't resume $journal: script of the users was there, is not there\n",
        'the run is not resumed without the script'
    );
    $test->write('test', 'multiuser.script', $SCRIPT);
    is($test->run(qw(-q --users 9 --resume), $journal)->{status}, 2, 'the run is not resumed with another load');
    my $run = $test->run(qw(-q --resume), $journal);
    is_deeply([@$run{qw(status err)}], [0, q{}], 'the run is resumed with its own script and load');
    is_deeply(
        [map { /\A(.*?) --scale/ } @{ calls($test) }],
        [('--users 7,3 --think 1-2') x 2],
        'the load of the resumed run is the same'
    );
    is_deeply(json($test)->{procedure}{multiuser}{users}, [7, 3], 'the result has the load of the run');
};

subtest 'without names' => sub {
    my $test = place_for();
    mkdir $test->place('secret-place') or die "mkdir: $!\n";
    my $script = $test->write('secret-place', 'night.script', "true\n");
    is($test->run(qw(-q --no-identity multiuser --script), $script)->{status}, 0, 'a run without names is measured');
    like($test->report('.log'), qr{ --script [.]{3} }, 'the log does not have the name of the script');
    is_deeply([grep { $test->text($_) =~ /secret-place/ } $test->reports],
        [], 'no report has the directory of the script');
    my $incident = place_for(LIKE_MULTIUSER => 'failing', HOME => "/home/j\xc3\xb6rg");
    my $here     = $incident->place('here');
    mkdir $here or die "mkdir: $!\n";
    $script = $incident->write('here', 'one.script', "ls /home/j\xc3\xb6rg/data | wc; ls $here/x\n");
    $incident->run(qw(-q --no-identity multiuser --script), $script);
    is(json($incident)->{runs}[0]{multiuser}{incidents}[0]{text},
        '... wc; ...', 'of the failed line only words that are free of names are reported');
    is_deeply([grep { $incident->text($_) =~ /rg.data/ } $incident->reports],
        [], 'no report has the name of the home directory');
};

my %FAKE = (multiuser => "$FindBin::Bin/bin/like-multiuser");
loads_nothing_late('users', \%FAKE, qw(-q -c 1 -i 1 --users 2 --script S multiuser));

done_testing;
