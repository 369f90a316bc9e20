# Observed system calls: what they count, how results, journals and summaries keep them, and their reports.

use strict;
use warnings;

use Cwd        ();
use File::Path qw(make_path);
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Cases                          qw(cases);
use Cases::Observed                qw(observed_run);
use Fixture                        qw(host measured rendered result run);
use Golden                         qw(is_golden no_golden_left_over);
use Place                          qw(place write_file);
use UnixBench::Base::JSON;
use UnixBench::Observe::Calls;
use UnixBench::Observe::Observation;
use UnixBench::Store::ClassicReport;
use UnixBench::Store::Document;
use UnixBench::Store::Journal;
use UnixBench::Store::Redaction;
use UnixBench::Store::ResultFile;
use UnixBench::Summary;

my %RESULT = map { $_->{name} => $_->{result} } grep { $_->{result}{observing} } cases();

# The form of a line with a result that parsers of other programs expect.
my $RESULT_LINE = qr/^(.+?)\s{2,}([0-9.]+) (lps|lpm|KBps|MWIPS|fps|wps|score|users)\s+\(([0-9.]+) s, (\d+) samples\)$/;

# The sections of system calls; the rest is the report of any result.
my $observed = rendered(text => $RESULT{observed});
is_golden('observed.txt', join "\n", $observed =~ /^(System calls.*?\n)(?=---|\z)/msg);
like($observed, qr/^System Benchmarks Index Score .*\n\nSystem calls, observed /m,
    'they follow the index of their run');

# Returns the findings in a report of our parser and of other programs' patterns.
sub found {
    my ($text) = @_;
    my @rows   = grep { /\s[0-9]+[.][0-9]\s+[0-9]+[.][0-9]\s+[0-9]+[.][0-9]\s*\z/ } split /^/, $text;
    return [UnixBench::Store::ClassicReport::summary($text), [grep { $_ =~ $RESULT_LINE } split /\n/, $text], \@rows];
}

# Takes a result; returns it without the observation of system calls.
sub unobserved {
    my ($result) = @_;
    my @runs;
    for my $run (@{ $result->{runs} }) {
        push @runs, { %$run, tests => [map { +{ %$_, observed => undef } } @{ $run->{tests} }] };
    }
    return { %$result, runs => \@runs, observing => undef };
}

# Returns the lines of a text that another text does not have.
sub more {
    my ($text, $other) = @_;
    my @others = split /\n/, $other;
    return grep { !@others || $_ ne $others[0] || !defined shift @others } split /\n/, $text;
}

for my $name (sort keys %RESULT) {
    my ($text, $without) = map { rendered(text => $_) } $RESULT{$name}, unobserved($RESULT{$name});
    my @more = more($text, $without);
    cmp_ok(scalar @more, '>', 0, "$name: the text has more lines");
    is_deeply(found($text), found($without),                            "$name: parsers find no scores in them");
    is_deeply([grep { !/\A(?:System calls|  |\z)/ } @more],         [], "$name: they are in paragraphs of their own");
    is_deeply([grep { /lps|MWIPS|aborting|of tests|-{71}/ } @more], [], "$name: scripts don't search for them");
    is(rendered(csv => $RESULT{$name}), rendered(csv => unobserved($RESULT{$name})), "$name: CSV has none of them");
}

for my $observing ({ tracer => 'bpftrace' }, { tracer => 'strace', why_not => 'bpftrace needs root' }) {
    my $text = rendered(text => { %{ $RESULT{observed} }, observing => $observing }) =~ s/\s+/ /gr;
    my ($tracer, $why) = ($observing->{tracer}, join q{}, map { "; $_" } $observing->{why_not} // ());
    like($text, qr/System calls, observed by $tracer in a short pass/, "the tracer is named: $tracer");
    like($text, qr/ $tracer (?:counts|stops) [^.;]*$why\. Per loop/,   'with its delays');
}

my $zone = rendered(text => { %{ $RESULT{observed} }, utc_offset_s => 3600 });
like($zone, qr/^ +03:19:13 +18251 /m, 'processes have local times');

like(rendered(details => $RESULT{observed}), qr/^openat +3 +0[.]000 /m, 'the details have all calls');
{
    my ($call) = map { @{ $_->{observed}{calls} || [] } } @{ $RESULT{observed}{runs}[0]{tests} };
    local $call->{name} = 'abc' x 12;
    like(rendered(details => $RESULT{observed}), qr/^(?:abc){8}a[.]{3} /m, 'a name of more than 28 characters is cut');
}
my $page = rendered(html => $RESULT{observed});
like($page, qr/>System calls, $_</,            'the page has a section') for '1\W+copy', '4\W+copies';
like($page, qr/>All 10 calls</,                'with a list of all calls');
like($page, qr/>The busiest of all processes/, 'with the processes');

my $markdown = rendered('markdown details' => $RESULT{observed});
like($markdown, qr/^[|] write [|] 11033 [|] 1[.]000 [|] 2403 [|] 88122 [|] 50[.]6 % [|]$/m, 'Markdown: the calls');
like($markdown, qr/^[*]{2}System Call Overhead[*]{2}: not observed: killed/m, 'Markdown: the reason of a test');
my $reason = qr/^System calls were not observed: strace is not installed$/m;
like(rendered('markdown details' => $RESULT{'not-observed'}), $reason, 'Markdown: the reason of a result');

# Results.

my $PLACE = place();
my $JSON  = rendered(json => result([run(1, measured('pipe', 1, 5e6, 5.1e6, 5.05e6))]));

my %CALL = (name    => 'read', count => 5, returned => 5, total_ns => 9000);
my %GOOD = (command => ['pipe', 1], calls => [{%CALL}]);

# Takes the observation of the test; returns the path of a file with it, whose checksum is right.
sub file_with {
    my ($observed) = @_;
    my $document = UnixBench::Base::JSON::decode($JSON);
    $document->{runs}[0]{tests}[0]{observed} = $observed;
    my $json = q{};
    UnixBench::Store::Document::write_to($document, sub { $json .= $_[0] });
    write_file("$PLACE/x.json", $json);
    return "$PLACE/x.json";
}

sub read_file { return UnixBench::Store::ResultFile::result(@_) }

# [why it is not a result, changes of the observation].
my $NEITHER = 'pipe: an observation must have either calls or an error';
my $ONE     = 'runs[0].tests[0].observed';
my @MISFITS = (
    [$NEITHER                                               => { calls    => undef }],
    [$NEITHER                                               => { error    => 'x' }],
    ['pipe: the slowdown of an observation is out of range' => { slowdown => 1e-140 }],
    ["$ONE.calls[0].count: not a whole number from 0"       => { calls    => [{ %CALL, count => -1 }] }],
);
for my $misfit (@MISFITS) {
    my ($why, $changes) = @$misfit;
    my $path = file_with({ %GOOD, %$changes });
    is(eval { read_file($path) } // $@, "$path is not a result: $why\n", "refused: $why");
}

subtest 'the calls of a loop' => sub {
    my %calls = (loops => 100, calls => [{ count => 300 }, { count => 200 }]);
    is_deeply(UnixBench::Observe::Observation->counts(\%calls), { calls => 5 }, 'the calls of a loop are counted');
    is_deeply(UnixBench::Observe::Observation->counts($_),      {}, 'else nothing is known') for { error => 'x' }
    , { %calls, loops => 0 }, { %calls, loops => undef }, { %calls, calls => [] };
    my %used   = (user_s => 1, kernel_s => 1, minor_faults => 3, major_faults => 4, clock_mhz => 2000);
    my $test   = measured('pipe', 1, 5e6, 5e6);
    my @passes = map { +{ %$_, used => {%used} } } @{ $test->{passes} };
    my $result = result([run(1, { %$test, passes => \@passes, observed => { %GOOD, %calls } })]);
    my ($seen) = @{ UnixBench::Summary::of($result)->{runs}[0]{tests} };
    is($seen->{work}{per_loop}{calls}, 5, 'a summary has them');
};

subtest 'names are removed' => sub {
    my %one    = (command => ['/home/zaphod/syscall', '1.5']);
    my %calls  = (%one, calls => [{ name => 'marvin', count => 1, returned => 1, total_ns => 5 }], loops => 5);
    my %failed = (%one, error => "marvin: can't run /home/zaphod/unix bench/pgms/spawn");
    my @tests  = map { +{ %{ measured('pipe', 1, 1000) }, observed => $_ } } \%calls, \%failed, undef;
    my $result = result([run(1, @tests)], observing => { why_not => 'zaphod is not root' });
    my $shown = UnixBench::Store::Redaction->new(directories => { '/home/zaphod/unix bench' => q{.} })->result($result);
    is_deeply($shown->{observing}, { why_not => '... is not root' }, 'in the reason against a tracer');
    my ($calls, $failed, $none) = map { $_->{observed} } @{ $shown->{runs}[0]{tests} };
    is_deeply($calls->{command}, ['pgms/syscall', '1.5'], 'directories in commands are removed');
    is($failed->{error}, q{... can't run pgms/spawn}, 'names in errors are removed');
    is_deeply({ %$calls, command => $one{command} }, \%calls, 'all else is kept');
    is($none,                                              undef, 'a test without an observation has none');
    is($result->{runs}[0]{tests}[0]{observed}{command}[0], '/home/zaphod/syscall', 'the result itself does not change');
};

my %HEAD = (
    pid         => 4711,
    words       => ['syscall'],
    environment => {},
    fingerprint => {},
    result      => result([], host => host(graphics => undef, cpu_quota => 1.5)),
);
delete @{ $HEAD{result} }{qw(build facts runs)};
my $PASS  = { %{ measured('syscall', 1, 5)->{passes}[0] }, run => 0, test => 'syscall' };
my @LINES = (
    [head  => %HEAD],
    [run   => number => 0, copies => 1, started => 5.25, cpu_count => 2],
    [pass  => %$PASS, copies => [map { +{ %$_, output => q{} } } @{ $PASS->{copies} }]],
    [ended => run => 0, at => 99.5],
);
my @OBSERVED = (observed => run => 0, test => 'syscall', %GOOD);

# Takes lines of a journal, each [kind, data]; returns its contents.
sub read_back {
    my $journal = UnixBench::Store::Journal->new;
    return UnixBench::Store::Journal::read_text(join q{}, map { $journal->line(@$_) } @_);
}

subtest 'observations are read back from a journal' => sub {
    my $state = read_back(@LINES, \@OBSERVED, [resumed => at => 101]);
    is_deeply($state->{runs}[0]{observed}, { syscall => {%GOOD} }, 'an observation of a run that has ended');
    my @damaged = (
        ['"observed" is out of order'                        => [observed => run => 0, test => 'pipe',    %GOOD]],
        ['"observed" is out of order'                        => [observed => run => 2, test => 'syscall', %GOOD]],
        ['"observed" is out of order'                        => \@OBSERVED, \@OBSERVED],
        ['an observation must have either calls or an error' => [@OBSERVED, error => 'x']],
    );
    for my $case (@damaged) {
        my ($why, @more) = @$case;
        my $number = @LINES + @more;
        is(eval { read_back(@LINES, @more); 1 }, undef, "refused: $why");
        like($@, qr/\Aline $number is damaged: \Q$why\E\n/, 'with the line and the reason');
    }
};

# Without the feature, its data can be anything: they are kept, and no report shows them.
subtest 'a core without the feature' => sub {
    my $observed = result([observed_run(run(1, measured('pipe', 1, 1e6, 1e6)))], observing => { why_not => 'bored' });
    my $json     = rendered(json => $observed);
    write_file("$PLACE/observed.json", $json);
    make_path("$PLACE/core/lib", "$PLACE/core/features");
    my $home   = Cwd::abs_path("$FindBin::Bin/../../..");
    my @others = map { m{/(features/\w+)\z} && $1 ne 'features/observe' ? $1 : () } glob "$home/features/*";
    symlink "$home/$_", "$PLACE/core/$_" or die "symlink: $!\n" for 'lib/UnixBench', @others;
    my $begin = <<'END';
        use strict;
        use warnings;
        use UnixBench::Report::Formats;
        use UnixBench::Report::View;
        use UnixBench::Store::Redaction;
        use UnixBench::Store::ResultFile;
        my $result = UnixBench::Store::ResultFile::result($ARGV[0]);
END
    my $print = 'print UnixBench::Report::Formats::of_result($_, UnixBench::Report::View->new(result => $result)) for ';
    my $redacted = '$result = UnixBench::Store::Redaction->new(directories => {})';
    is(of_core("$begin $print 'json'", 'observed.json'), $json, 'its JSON has the same data');
    my $reports = of_core("$begin $print qw(text details)", 'observed.json');
    like($reports, qr/^Pipe Throughput +[0-9.]+ lps /m, 'its reports have the scores');
    unlike($reports, qr/bored|System calls/, 'but not the calls');
    unlike(of_core("$begin $redacted->result(\$result); $print 'json'", 'observed.json'), qr/bored/, 'no data');
};

# Takes a program and the name of a file; returns what it prints about that file, with the core alone.
sub of_core {
    my ($program, $name) = @_;
    local $ENV{PERL5LIB} = q{};
    open my $core, '-|', $^X, "-I$PLACE/core/lib", '-e', $program, "$PLACE/$name" or die "perl: $!\n";
    my $said = join q{}, readline $core;
    return close $core ? $said : "exit status $?\n$said";
}

# What a result keeps of an observed pass, and the values that reports show of it.

# Takes the name and numbers of a call, which always returned.
sub call {
    my ($name, $count, $total_ns) = @_;
    return { name => $name, count => $count, returned => $count, total_ns => $total_ns, max_ns => 9 };
}

# Takes a timebase, and [{ count, LOOPS }, ...] that the copies reported, and arguments that differ; returns the
# observation.
sub observation {
    my ($timebase, $copies, %with) = @_;
    my @copies = map { { count => $_->{count}, data => { LOOPS => [$_->{LOOPS} // ()] } } } @$copies;
    return UnixBench::Observe::Observation::of_pass(
        command => [qw(pgms/syscall 2 mix)],
        score   => 1250,
        traced  => { calls => [call('read', 10, 100)] },
        pass    => { count => 1000, time_s => 2, timebase => $timebase, copies => \@copies },
        %with
    );
}

is_deeply(
    observation(1, [{ count => 1000 }], traced => { calls => [call('read', 10, 100)], rows => [], processes => 1 }),
    {
        command   => [qw(pgms/syscall 2 mix)],
        loops     => 1000,
        slowdown  => 2.5,
        calls     => [call('read', 10, 100)],
        rows      => [],
        processes => 1
    },
    'all that a result keeps'
);
is(observation(1, [], score => undef)->{slowdown}, undef, 'without a score there is no slowdown');
is(observation(0, [{}])->{slowdown},               1.25,  'the slowdown of a rate');
is(observation(1, [], score => 1e-40)->{slowdown}, undef, 'an absurd slowdown is left out');

my @LOOPS = (
    ['reported by the copies',    1,  [{ count => 5, LOOPS => 70 }, { count => 5, LOOPS => 71 }], 141],
    ['counted by the copies',     60, [{ count => 5 }, { count => 6 }],                           11],
    ['a rate has none',           0,  [{ count => 5 }],                                           undef],
    ['a rate with a report',      0,  [{ count => 5, LOOPS => 70 }],                              70],
    ['a wrong report',            1,  [{ count => 5, LOOPS => '-1' }],                            5],
    ['a count that is too large', 1,  [{ count => '1' . '0' x 16 }],                              undef],
);
for my $case (@LOOPS) {
    my ($what, $timebase, $copies, $loops) = @$case;
    is(observation($timebase, $copies)->{loops}, $loops, "loops: $what");
}

# Takes calls and the number of loops, perhaps undef; returns what reports show of them.
sub shown {
    my ($loops, @calls) = @_;
    return UnixBench::Observe::Observation::of_test({ observed => { loops => $loops, calls => \@calls } });
}

# Takes what reports show; returns the names of the calls in the loop.
sub main_of {
    my ($known) = @_;
    return join q{ }, map { $_->{name} } @{ $known->{main} };
}

subtest 'the calls of a loop are those of at least half of the loops' => sub {
    my $known = shown(100, call('a', 200, 4000), call('b', 50, 3000), call('c', 49, 3000));
    is(main_of($known), 'a b', 'the loop');
    is_deeply([@{ $known->{main}[0] }{qw(per_loop mean_ns share)}], [2, 20, 0.4], 'calls a loop, mean, share');
    is_deeply($known->{others}, { calls => 1, count => 49, share => 0.3 },        'the other calls in sum');
    my $many = shown(10, map { call("c$_", 10, 100 - $_) } 10 .. 24);
    is(main_of($many),         join(q{ }, map { "c$_" } 10 .. 21), 'twelve calls are listed');
    is($many->{others}{calls}, 3,                                  'the others belong to the loop, too');
    my $unknown = shown(undef, call('a', 1, 990), call('b', 9, 9), call('c', 1, 1));
    is(main_of($unknown),                               'a',   'without loops, a call needs a hundredth of the time');
    is($unknown->{main}[0]{per_loop},                   undef, 'and is not divided');
    is(shown(0, call('a', 1, 1))->{calls}[0]{per_loop}, undef, 'nor by 0 loops');
    my $never = { %{ call('exit_group', 1, 0) }, returned => 0, max_ns => undef };
    is_deeply([@{ shown(1, $never)->{calls}[0] }{qw(mean_ns share)}], [undef, 0], 'a call that never returned');
};

subtest 'at most 100 processes have a row' => sub {
    my $read      = sub { return { name => 'read', count => $_[0], returned => 0, total_ns => 0 } };
    my @processes = map { { at => 5, pid => $_, tally => { read => $read->(1 + ($_ > 90)) } } } reverse 1 .. 120;
    my $found     = UnixBench::Observe::Calls::rows(\@processes, [$read->(150)], 120);
    is_deeply([map { $_->{pid} } @{ $found->{rows} }], [1 .. 70, 91 .. 120], 'those with the most calls');
    is_deeply([@$found{qw(processes unlisted)}], [120, { processes => 20, count => 20 }], 'the others are counted');
    my $lost = UnixBench::Observe::Calls::rows([@processes[0, 1]], [$read->(7)], 5);
    is_deeply($lost->{unlisted}, { processes => 3, count => 3 }, 'also those that the tracer has lost');
};

no_golden_left_over();
done_testing;
