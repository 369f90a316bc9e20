use strict;
use warnings;

use File::Temp ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Requested qw(context refusal);
use Place     qw(write_file);
use UnixBench::Base::Files;
use UnixBench::CLI::Environment;
use UnixBench::Call::ThisMachine;
use UnixBench::Call::Output;

is_deeply([context('pipe')->warnings],             [], 'an ordinary machine has no warnings');
is_deeply([context('pipe', quota => 2)->warnings], [], 'a quota of all CPUs is not a warning');
my $limited = qr/\Aa control group limits CPU time to that of 1[.]50 of 2 CPUs\n\z/;
like(join('', context('pipe', quota   => 1.5)->warnings),    $limited, 'a quota of fewer CPUs is a warning');
like(join('', context('pipe', missing => 'sync')->warnings), qr/\Athere is no program sync: .*\n\z/, 'no sync');

subtest 'the context has the published indexes' => sub {
    my @published = context('pipe')->machine->published->();
    cmp_ok(scalar @published, '>=', 30, 'those of the suite');
    my $home = File::Temp->newdir;
    mkdir "$home/share" or die "share: $!\n";
    my $settings = UnixBench::CLI::Environment::read_from({}, "$home");
    my $of_home  = sub { UnixBench::Call::ThisMachine->new(home => "$home", settings => $settings)->published };
    is_deeply([$of_home->()->()], [], 'without the file, there are none');
    UnixBench::Base::Files::write_whole("$home/share/published.csv", "damaged\n");
    is_deeply([$of_home->()->()], [], 'a damaged file does not stop the run');
};

my %copies = (
    pipe                 => [1, 2],
    'pipe graphics'      => [1, 2],
    graphics             => [1],
    '-c 2 graphics'      => [2],
    '-c all pipe'        => [2],
    '-c 4,all pipe'      => [4, 2],
    '-c all,2 pipe'      => [2],
    '-c all -c all pipe' => [2],
    '-c sweep pipe'      => [1, 2],
    '-c 2,sweep pipe'    => [2, 1],
    '-c sweep graphics'  => [1],
);
is_deeply(context($_)->plan->{copies}, $copies{$_}, "numbers of copies for $_") for sort keys %copies;

subtest 'the time limit of a quick run' => sub {
    my $words = sub { return context(@_)->plan_in_words };
    like($words->('--quick -c 1 pipe'), qr/, 50 s to 60 s\n.*^In all at most 60 s$/ms, 'the default');
    my $limits = qr/^1 parallel copy of tests, [^\n]* to 60 s\n.*^512 [^\n]* to [0-9]{3} s\n.*^In all at most/ms;
    like($words->('--quick -c 1,512 index'), $limits, 'each number of copies has its own limit');
    my $plan  = context('--quick -c 1 gindex', display => 'given')->plan;
    my $limit = $plan->{quick}{max_time_s};
    cmp_ok($limit, '>', 60, 'it is longer if eight rounds need more');
    is($plan->{duration_s}, $limit, 'the duration of the plan is that limit');
    my ($text) = grep { $_->{name} eq '2d-text' } @{ $plan->{tests} };
    is($text->{command}[-1], '-s', 'a short pass of x11perf does not calibrate for seconds');
    my $graphics = context('--quick graphics', display => 'given')->plan;
    cmp_ok($graphics->{duration_s}, '<=', 300, 'a quick run of all graphics tests takes five minutes at most');
};

subtest 'a display that can not be opened' => sub {
    my $why     = q{the X display :77 can't be opened: Connection refused};
    my $context = context('-c 1 gindex', display => 'given', display_refusal => $why);
    like($context->plan_in_words, qr/^  2d-rects .* skipped: \Q$why\E$/m, 'the plan says so');
    is(($context->warnings)[0], "$why; the graphics tests are skipped", 'it is said before the first pass');
    my $hidden = context('--no-identity 2d-rects', display => 'given', display_refusal => $why);
    like(($hidden->warnings)[0], qr/\Athe X display [.]{3} can't be/, '--no-identity hides the name of the display');
    is((grep { /X display/ } context('pipe', display => 'given', display_refusal => $why)->warnings),
        0, 'others need none');
};

subtest 'procedure describes how a run measures' => sub {
    my $procedure = sub {
        my %told = %{ context(@_)->procedure };
        return { map { $_ => $told{$_} } qw(kind time_factor work_factor seed precision max_time_s) };
    };
    my %none     = map { $_ => undef } qw(seed precision max_time_s);
    my %official = (%none, kind => 'official', time_factor => 0.5, work_factor => 3);
    my %factors  = (time_factor => 0.5, factor => 3);
    is_deeply($procedure->('pipe', %factors), \%official, 'an official run has its kind and its factors');
    is_deeply(
        $procedure->('--quick --seed 1 --max-time 200 pipe', %factors),
        { %official, kind => 'quick', seed => 1, precision => 0.02, max_time_s => 200 },
        'a quick run has its seed and its limits, too'
    );
};

# [words, the machine, why it can't run them].
my %DISK   = (device    => 1, free_kb => 100);
my %MEMORY = (memory_kb => 20_000);
for my $case (
    ['-c 1 fsdisk', [limits => \%MEMORY, space => { '/t' => { %DISK, free_kb => 50_000 } }], qr/\A\z/],
    [
        '-c 1 fsdisk',
        [limits => \%MEMORY, space => { '/t' => { %DISK, free_kb => 50_000, is_in_memory => 1 } }],
        qr/\A1 copy needs about 24 MB of memory, but 19 MB are free: [^\n]+\n\z/
    ],
    [
        '-c 1 -c 40 pipe context1',
        [limits => { cgroup_processes => 60, %MEMORY }],
        qr/\A40 copies need 88 processes, [^\n]+; 40 copies need about 28 MB of memory, [^\n]+\n\z/
    ],
    [
        '-c 1 shell1',
        [factor => 2, space => { '/t' => \%DISK }],
        qr/\Afiles need about 132 KB in UB_TMPDIR \(\/t\), but 100 KB are free/
    ],
    )
{
    my ($words, $machine, $why) = @$case;
    like(refusal($words, @$machine), $why, "the limits of the system: $words");
}

my $place = File::Temp->newdir;
mkdir "$place/in" or die "in: $!\n";
write_file("$place/$_", q{}) for qw(a.json b.json);
symlink 'a.json', "$place/linked" or die "linked: $!\n";
link "$place/a.json", "$place/hard" or die "hard: $!\n";

sub error_of {
    my ($check) = @_;
    return eval { $check->(); 1 } ? 'nothing' : $@;
}

# [options with files that are read, the file to be written, whether writing would destroy a file that is read, other
# files that are read].
my @SOURCES = (
    [["$place/a.json"],                  "$place/a.json",       1],
    [["$place/a.json"],                  "$place/in/../a.json", 1],
    [["$place/linked"],                  "$place/a.json",       1],
    [["$place/a.json"],                  "$place/linked",       1],
    [["$place/a.json"],                  "$place/hard",         1],
    [["$place/a.json"],                  "$place/b.json",       0],
    [["$place/a.json"],                  "$place/new",          0],
    [["$place/a.json"],                  q{-},                  0],
    [["$place/b.json", "$place/a.json"], "$place/a.json",       1],
);

for my $case (@SOURCES) {
    my ($read, $file, $is_lost) = @$case;
    for my $key (qw(json markdown)) {
        my $refusal = error_of(sub { UnixBench::Call::Output::check({ outputs => [[$key => $file]] }, $read) });
        if ($is_lost) {
            my $why = qr/\Aoption --$key would overwrite \S+, which is read: name another file\n\z/;
            like($refusal, $why, "--$key does not overwrite a file that is read");
        }
        else { is($refusal, 'nothing', "--$key writes another file") }
    }
}

my @OF_RUN = map { "$place/run$_" } q{}, qw(.html .json .log .journal);
write_file($_,               q{}) for @OF_RUN[0 .. 2];
write_file("$place/run.log", q{#} x 56 . "\n");
for my $path (@OF_RUN[0 .. 3], "$place/in/../run.html") {
    my $kept = "option --markdown would overwrite $path, which is a file of the run ";
    like(error_of(sub { UnixBench::Call::Output::check({ outputs => [[markdown => $path]] }, []) }),
        qr/\A\Q$kept\E/, $path);
}
my $own = sub { UnixBench::Call::Output::check({ outputs => [[$_[0] => "$place/run.json"]] }, [], "$place/in/../run") };
is(error_of(sub { $own->('json') }), 'nothing', 'a run replaces its own JSON');
like(error_of(sub { $own->('html') }), qr/which is a file of the run/, 'but not by a page');
my @twice = UnixBench::Call::Output::write_files(
    [[json => "$place/out"], [html => "$place/in/../out"], [html => "$place/run.json"]],
    sub { $_[0] }, "$place/run");
is_deeply(
    \@twice,
    [
        "can't write $place/in/../out, which has just been written\n",
        "can't write $place/run.json, which is a file of the run $place/run\n"
    ],
    'outputs do not replace each other'
);

like(
    error_of(sub { UnixBench::Call::Output::check({ outputs => [[json => "$place/none/x"]] }, []) }),
    qr/\Acan't write \S+: No such file or directory\n\z/,
    "a file that can't be written is refused"
);

done_testing;
