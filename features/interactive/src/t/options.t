# The command line: what is refused, by one line, and what the help and the manual page say. Then options have the
# effect that this page describes, seen from outside.

use strict;
use warnings;

use FindBin qw($Bin);
use POSIX   ();
use Test::More;

use lib map { "$Bin/$_" } qw(lib ../../../../t/lib);
use Interbench            qw(allowed_cpus begin children end_of interbench measured);
use Needs                 qw(need_built path_of skip_without);
use Place                 qw(eventually text_of);
use TestProgram           qw(command content entries run scratch write_file);

need_built('interbench');

my $LONG = 'x' x 3000;

#<<< tables
# Words that --list accepts without measuring anything.
my @ACCEPTED = (
    '-t 1', '-t0.000000001', '--warmup=0', '-B -20 -N 19', '-bcu', '--policy=catchup', '--max-disk=2048k',
    '--max-mem 2t', '-C 100 -I 10000000', '-w burn -w BURN -x none', '--load-cmd true',
);

# Words of the command line => a pattern that the error matches.
my @REFUSED = (
    refused_values('-t', qw(0 -1 1s . nan 86400.1 99999999999999999999), q{}),
    refused_values('-L', qw(0 65537 four 4294967297 1.5)),
    refused_values('-B', qw(-21 20 +1)),
    refused_values('--max-mem', qw(1023K 1.5G 1MB 8388608T 18446744073709551617)),
    refused_values('-m', "a\nb", $LONG),
    ['-t'                => qr/-t needs a value/],
    [[$LONG]             => qr/unexpected argument 'x{60}'/],
    ['-z'                => qr/unknown option, .*: -z;/],
    ['--mix=yes'         => qr/unknown option, or one without a value: --mix=yes;/],
    [["-\xff\e[31m"]     => qr/unknown option, .*: -/],
    ['-W Vidoe'          => qr/-W Vidoe: unknown task; the tasks are Audio, Video, X, Gaming, Probe, Video120, /],
    ['-x Audio'          => qr/-x Audio: unknown load; the loads are None, Video, X, Burn, .*, Command, Custom\n/],
    ['-W Custom'         => qr/Custom is not defined; define it with -C and -I/],
    ['-C 5'              => qr/-C and -I need each other/],
    ['-W Video -X Video' => qr/nothing is left to measure: -X excludes all tasks/],
    ['-w Burn -x burn'   => qr/nothing is left to measure: -x excludes all loads/],
    ['-W Video -w Video' => qr/nothing is left to measure: Video is not measured under itself/],
    ['-r -W X'           => qr/-r can't measure the task X; leave out -r or -W X/],
    ['--mix -W X'        => qr/-W, -X and -r have no effect with --mix/],
    ['--capacity -w X'   => qr/-w and -x have no effect with --capacity/],
);
#>>>

# Takes an option and values that it refuses; returns a case for each.
sub refused_values {
    my ($option, @values) = @_;
    return map { [[$option, $_] => qr/$option can't be '/] } @values;
}

sub words { return ref $_[0] ? @{ $_[0] } : split q{ }, $_[0] }

is(interbench({}, '--list', words($_))->{err}, q{}, "accepted: $_") for @ACCEPTED;
for my $case (@REFUSED) {
    my ($line, $said) = @$case;
    my $ended = interbench({}, words($line));
    my $name  = substr(join(q{ }, words($line)), 0, 40) =~ s/[^\x20-\x7e]/?/gr;
    ok($ended->{status} == 1 && $ended->{err} =~ /\Ainterbench: [\x20-\x7e\x80-\xff]{10,300}\n\z/, "refused: $name");
    like($ended->{err}, $said, "refused: $name: the reason");
}
is(interbench({}, qw(--protocol -t 1s))->{err}, "ERROR|-t can't be '1s'; the manual page has its values\n", 'ERROR');

my %said = map { $_ => run(command('interbench', $_)) } qw(-h --help --list --version);
is($said{$_}{status}, 0,                    "$_: exit status 0") for sort keys %said;
is($said{'-h'}{out},  $said{'--help'}{out}, '-h prints the same as --help');
my $page     = text_of('features/interactive/share/interbench.1') =~ s/\\-/-/gr;
my @sections = $page                                              =~ /^[.]SH (.*?)\n(.*?)(?=^[.]SH|\z)/gms;
my %sections = @sections;
my @usage    = $said{'--help'}{out} =~ /^  (-\S+)/mg;
for my $option (map { s/[,=].*//r } @usage) {
    ok($sections{OPTIONS} =~ /^[.]B[IR]* (?:.*(?:\\fP|[ "]))?\Q$option\E\b/m, "the page has $option");
}
my %known = map { $_ => 1 } $said{'--help'}{out} =~ /(--[a-z-]+)/g;
is(join(q{ }, grep { !$known{$_} } $page =~ /(?<![\w"-])(--[a-z][a-z-]+)/g), q{}, 'the page names no unknown option');
like($said{'--list'}{out}, qr/^  $_ +\S/m, "--list describes $_") for qw(Audio X Gaming Probe Burn Memload Hack Custom);
for my $example ($sections{EXAMPLES} =~ /^[.]B interbench (.*)$/mg) {
    my $ended = run(['sh', '-c', "exec \"\$0\" $example -x None --list x", @{ command('interbench') }]);
    is($ended->{err}, "interbench: unexpected argument 'x'; -h lists all options\n", "accepted: $example");
}
SKIP: {
    my $groff = path_of('groff') or skip_without(tool => 'groff', 1);
    is(qx($groff -man -Tutf8 -ww -z features/interactive/share/interbench.1 2>&1), q{}, 'groff has no warnings');
}

# Effects.

# A fixed number of loops, because each run would calibrate on a busy machine.
my @LOOPS = qw(-l 1000000);
my @BRIEF = (qw(-t 0.3 --warmup 0), @LOOPS);

# Takes words of the command line, a function and names of child processes. Starts interbench, calls the function with {
# name => number of the child }, and ends the program.
sub look {
    my ($words, $function, @children) = @_;
    my $running = begin({}, qw(-t 3600), @LOOPS, @$words);
    $function->(children($running, @children));
    kill TERM => $running->{pid};
    end_of($running);
    return;
}

sub report { return interbench({}, @_)->{out} }

# Returns the values without repetitions, sorted.
sub uniq {
    my %seen = map { $_ => 1 } @_;
    return join q{ }, sort keys %seen;
}

# Returns the numbers of a process's threads.
sub threads {
    return map { m{/(\d+)\z} } glob "/proc/$_[0]/task/*";
}

# Takes the number of a process and of a field, from 1 as in proc(5); returns that field of the stat of each thread.
sub fields {
    my ($pid, $number) = @_;
    my @stats = map { content("/proc/$pid/task/$_/stat") } threads($pid);
    return uniq(map { (split q{ }, s/\A\d+ \(.*\) //sr)[$number - 3] } @stats);
}

subtest 'duration and warm-up' => sub {
    my ($cell) = measured(@LOOPS, qw(-t 0.45 --warmup 0.2 -W Audio -w None));
    is($cell->{frames}, 9, '-t sets the exact duration, without the warm-up');
};

subtest 'nice, threads, CPUs' => sub {
    my $cpu  = (allowed_cpus())[-1];
    my $look = sub {
        my ($task, $load) = @{ $_[0] }{qw(task load)};
        ok(eventually(sub { threads($load) == 6 }), '-L sets the number of threads, in addition to the one that waits');
        ok(eventually(sub { threads($task) == 4 }), '-n starts a thread for each stream');
        ok(eventually(sub { fields($task, 19) eq '4' }), '-B sets the nice value of the task');
        ok(eventually(sub { fields($load, 19) eq '6' }), '-N sets the nice value of the load');
        is_deeply([map { allowed_cpus($_) } $task, $load], [$cpu, $cpu], '--pin binds both to one CPU');
    };
    look([qw(-W Audio -n 3 -w Burn -L 5 -B 4 -N 6 --pin), $cpu], $look, qw(task load));
    look(
        [qw(-W Audio -w Burn -u)],
        sub {
            is_deeply([map { allowed_cpus($_) } @{ $_[0] }{qw(task load)}], [(allowed_cpus())[0, 0]], '-u: one CPU');
        },
        qw(task load)
    );
};

subtest 'real time' => sub {
    skip_without(machine => 'the right to SCHED_FIFO') if system('chrt -f 1 true 2>/dev/null') != 0;
    my $look = sub {
        my ($task, $load) = @{ $_[0] }{qw(task load)};
        ok(eventually(sub { fields($task, 41) eq '0 1' }),  '-r gives streams SCHED_FIFO');
        ok(eventually(sub { fields($task, 40) eq '0 95' }), '-r gives streams the priority 95');
        is(fields($load, 41), '0', '-r does not give the load a real-time priority');
        ok(eventually(sub { content("/proc/$task/status") =~ /^VmLck:\s+[1-9]/m }), '-r locks the memory of the task');
    };
    look([qw(-r -W Audio -w Burn)], $look, qw(task load));
    is(uniq(map { $_->{task} } measured(@BRIEF, qw(-r -w None))), 'Audio Probe Video', '-r: three tasks');
};

subtest 'work of frames' => sub {
    my $loops = sub { return (report(qw(-t 0.1 --warmup 0 -W Audio -w None), @_) =~ /, (\d+) loops per ms/)[0] };
    is($loops->(qw(-l 12345)), 12_345,    '-l sets the number of loops');
    is($loops->('--fixed'),    4_214_517, '--fixed uses the loops of the reference machine');
    cmp_ok($loops->(qw(-l 12345 -b)), '>', 20_000, '-b calibrates in spite of -l');
    my ($custom) = measured(@BRIEF, qw(-C 10 -I 20000 -W Custom -w None));
    is($custom->{frames}, 15, '-I sets the time between frames of Custom');
};

subtest 'what is measured' => sub {
    my $cells = sub { return join q{ }, sort map { "$_->{task}/$_->{load}" } measured(@BRIEF, qw(-t 0.1), @_) };
    is($cells->(qw(-W audio -W VIDEO -w none -w video)), 'Audio/None Audio/Video Video/None', '-W and -w choose');
    is($cells->(qw(-X Audio -X X -X Gaming -X Probe -w None -w Burn -x Burn)), 'Video/None',  '-X and -x leave out');
    is($cells->(qw(--mix -w None)), 'Audio/None Probe/None Video/None X/None', '--mix measures Audio, Probe, Video, X');
    is($cells->(qw(-W Audio -w None --load-cmd true)), 'Audio/Command Audio/None', '--load-cmd is measured, too');
    is((measured(@BRIEF, qw(-W Audio -w None --repeat 3 -n 2 --policy catchup)))[0]{frames}, 36, 'all together');
};

subtest 'files' => sub {
    my $directory = scratch();
    my $is_file   = sub {
        my ($load) = $_[0]{load};
        my $file   = sub { return (grep { (readlink($_) // q{}) =~ /\A\Q$directory\E/ } glob "/proc/$load/fd/*")[0] };
        ok(eventually(sub { $file->() && (-s $file->() // 0) >= 20 << 20 }), '--tmpdir sets the directory of the file');
        is(-s $file->(),                    20 << 20, '--max-disk limits the size of the file');
        is(join(q{ }, entries($directory)), q{},      'the file has no name');
    };
    look([qw(-W Audio -w Write --max-disk 20M --tmpdir), $directory], $is_file, 'load');
    my $is_read = sub {
        my ($load) = $_[0]{load};
        my @flags = map { content($_) =~ /^flags:\s+0?(\d+)/m } glob "/proc/$load/fdinfo/*";
        ok((grep { oct($_) & oct '40000' } @flags), 'Read bypasses the cache');
    };
    my $said = interbench({}, @BRIEF, qw(-W Audio -w Read --max-disk 16M --tmpdir), $directory);
SKIP: {
        skip_without(machine => 'files that do not stay in memory', 1) if $said->{err} =~ /keeps files in memory/;
        look([qw(-W Audio -w Read --max-disk 16M --tmpdir), $directory], $is_read, 'load');
    }
};

subtest 'the log' => sub {
    my $command = command('interbench', @BRIEF, qw(-W Audio -w None -m), 'a comment');
    my $place   = scratch();
    my @ended   = map { run($command, in => $place) } 1 .. 2;
    my ($log)   = entries($place);
    is($log, (POSIX::uname())[2] . '.log',                          'the log is named after the kernel');
    is(scalar(() = content("$place/$log") =~ /^.*a comment$/mg), 2, 'each run adds to the log');
    my $announced = qr/interbench: the report is appended to \Q$log\E; -c writes no log\n/;
    like($_->{err}, qr/\A${announced}interbench: 1 of 1, /, 'the log is announced before the measurement') for @ended;
    my $quiet = run([@$command, '-c'], in => scratch());
    unlike($quiet->{err} . $quiet->{out}, qr/[.]log/, '-c writes no log');
    my $in_run = run([@$command, '--protocol'], in => scratch());
    like($in_run->{out}, qr/\A$announced/, '--protocol leaves standard error to the protocol');

    my $theirs = write_file(scratch() . '/victim', 'old');
    my $there  = scratch();
    symlink $theirs, "$there/$log" or die "symlink: $!";
    my $ended = run($command, in => $there);
    is_deeply([$ended->{status}, content($theirs)], [2, 'old'], 'a link instead of the log: nothing is written');
    like($ended->{err}, qr/\Ainterbench: \Q$log\E is not a regular file of this user .*\n\z/, 'and why');
};

done_testing;
