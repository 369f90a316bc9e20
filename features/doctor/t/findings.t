use strict;
use warnings;

use File::Path qw(make_path);
use File::Temp ();
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use DoctoredHost;
use Fixture      qw(tag);
use HostTree     qw(recorded_hosts recorded_tree);
use QuietMachine qw(faults_of pressure stat_of);

use UnixBench::Doctor::Command;
use UnixBench::Doctor::Look;
use UnixBench::Host::Facts;
use UnixBench::Host::Machine;

my $HOME = "$FindBin::Bin/../../..";

# A fake look that returns the values that were passed to new.
package FakeLook {
    sub new { my ($class, %seen) = @_; return bless {%seen}, $class }
    sub look { my ($self) = @_; return { looked_s => 2.5, is_possible => 1, tags => [], busiest => [], %$self } }
}

# Takes properties of a DoctoredHost and of a look; returns the doctor for them.
sub doctor {
    my ($is, %look) = @_;
    my $host = DoctoredHost->new($HOME, env => { UB_BINDIR => "$HOME/t/bin" }, %$is);
    return UnixBench::Doctor::Command->new(
        context     => $host->context,
        preparation => $host,
        look        => FakeLook->new(%look)
    );
}

# Takes the same; returns the text of the report.
sub text_of {
    my ($text) = doctor(@_)->report;
    return $text;
}

# Takes a kind of finding, and properties for doctor; returns the weights of the findings of that kind.
sub weights {
    my ($kind, @more) = @_;
    return [map { $_->{weight} } grep { $_->{kind} eq $kind } @{ doctor(@more)->seen->{findings} }];
}

# Takes a cause, its level and its value; returns the properties of a look that has seen this disturbance.
sub tagged { return (tags => [tag(@_)]) }
my %SCRATCH = (facts => { scratch => { file_system => 'tmpfs' } });

# [kind of finding, its weight, properties of the host, properties of the look].
my @WEIGHTS = (
    [others   => 'disturbs', {}, tagged(others   => 'disturbed', 0.5)],
    [swap     => 'little',   {}, tagged(swap     => 'note',      2)],
    [affinity => 'disturbs', {}, tagged(affinity => 'disturbed', 1)],
    [affinity => 'known',    {}, tagged(affinity => 'note',      1)],
    [quota    => 'disturbs', { quota => 1.5 }],
    [quota    => 'known',    { quota => 1.5, words => '-c 1 pipe' }],
    [scratch  => 'limits',   { %SCRATCH, words => 'fsdisk' }],
    [scratch  => 'known',    \%SCRATCH],
    [locale   => 'limits',   { charmap => 'ANSI_X3.4-1968' }],
    [load     => 'little',   { facts   => { load => [0.5, 0, 0] } }],
    [turbo    => 'known',    { facts   => { cpu  => { turbo => 'on' } } }],
);
for my $case (@WEIGHTS) {
    my ($kind, $weight, @more) = @$case;
    is_deeply(weights($kind, @more), [$weight], "the weight of $kind is $weight");
}
my %found = (missing => { locale => { text => 'missing: the locale' } });
is_deeply(weights(locale => { charmap => 'ASCII', found => \%found }), [], 'a missing locale is reported once');

subtest 'the report has a verdict, a plan and facts' => sub {
    my $text = text_of({ words => '--quick -c 2 pipe', env => {} });
    like($text, qr/^   Host name .*^Plan: .*^(?:Obstacles|Ready).*^\w+ problem[^\n]+\n\z/ms, 'problems come last');
    like(
        $text,
        qr/^Plan: 1 test [(]pipe[)] with 2 copies, at most 60 s[.]\nNote in the reports: Quick run/m,
        'the plan has its time and its notes'
    );
    like($text, qr/^   Host name +marvin$/m, 'facts are listed');
    unlike(text_of({ words => '-q pipe' }), qr/^   Host name/m, 'facts are left out with -q');
};

subtest 'report also returns whether there is a problem' => sub {
    my $programs = File::Temp->newdir;
    symlink "$HOME/t/bin/steady",    "$programs/pipe"       or die "pipe: $!\n";
    symlink "$HOME/pgms/index.base", "$programs/index.base" or die "index.base: $!\n";
    my %ready = (env => { UB_BINDIR => "$programs" });
    my @cases = (
        [0, {%ready}],
        [0, {%ready}, tagged(steal => 'note',      0.02)],
        [1, {%ready}, tagged(steal => 'disturbed', 0.2)],
        [1, { %ready, charmap => 'ANSI_X3.4-1968' }],
    );
    for my $case (@cases) {
        my ($is_problem, @properties) = @$case;
        my ($text,       $reported)   = doctor(@properties)->report;
        my ($first) = $text =~ /^(.*)\n\z/m;
        is($reported, $is_problem,
            ($is_problem ? 'more than a minor disturbance: ' : 'at most a minor disturbance: ') . $first);
    }
};

subtest '--no-identity leaves out names' => sub {
    local @ENV{qw(USER HOME)} = ('zaphod', '/home/zaphod');
    my %is = (
        words => '--no-identity pipe',
        found => { missing   => {}, refusal => "built on marvin by zaphod in /home/zaphod/x for dent" },
        facts => { kernel    => { command_line => 'quiet token=dent' }, process => { ld_preload => '/srv/dent.so' } },
        env   => { UB_BINDIR => "$HOME/t/bin",                          UB_RESULTDIR => '/dev/null/zaphod' },
    );
    my $text =
        text_of(\%is, tagged(others => 'disturbed', 1), busiest => [{ pid => 7, name => 'dent-9', cpus => 1 }]);
    unlike($text, qr/marvin|zaphod|dent|\Q$HOME\E/, 'no host, user or directory is named');
    like($text, qr/[.]{3}, process 7 /,                      'a process has its number');
    like($text, qr/Can't make directory results: Not a dir/, 'a directory has the last part of its path');
};

# With these recorded machines Perl prints no warnings, and the lines are short.
my @warnings;
local $SIG{__WARN__} = sub { push @warnings, @_ };
for my $machine (recorded_hosts()) {
    my @seams   = (root => recorded_tree($machine), uname => ['Linux', 'vm', '6.18', '#1 SMP', 'x86_64']);
    my $context = DoctoredHost->new($HOME, words => 'all')->context;
    @$context{qw(host facts)} = (UnixBench::Host::Machine->new(@seams), UnixBench::Host::Facts->new(@seams));
    my $look = UnixBench::Doctor::Look->new(
        clock       => QuietMachine->new,
        usable_cpus => 2,
        root        => recorded_tree($machine),
        pause       => sub { }
    );
    my $preparation = DoctoredHost->new($HOME);
    my $doctor      = UnixBench::Doctor::Command->new(context => $context, preparation => $preparation, look => $look);
    my ($text)      = $doctor->report;
    is(join("\n", grep { length > 100 } split /\n/, $text), q{}, 'no line is longer than 100 columns: ' . $machine);
    like(
        $text,
        qr/^   Other load is unknown: this system has no \/proc\/stat[.]$/m,
        'the report says that /proc/stat is missing'
    );
}
is("@warnings", q{}, 'Perl prints no warnings');

# Takes files for the first pause and for the second pause of a look (path => text), and perhaps the number of planned
# copies. Looks at a machine that is quiet except for these files; returns the value of look.
sub look_at {
    my ($before, $meanwhile, $copies) = @_;
    my $machine = QuietMachine->new;
    my @pauses  = (sub { put($machine, $before) }, sub { put($machine, $meanwhile) });
    return UnixBench::Doctor::Look->new(
        clock       => $machine,
        root        => $machine->{root},
        usable_cpus => 2,
        copies      => $copies // 1,
        ours        => sub { (5, 2) },
        pause       => sub { $machine->{now_s} += $_[0]; (shift @pauses)->() },
    )->look;
}

sub put {
    my ($machine, $files) = @_;
    for my $path (map { "$machine->{root}$_" } sort keys %$files) {
        make_path($path =~ s{/[^/]+\z}{}r);
        open my $file, '>:raw', $path or die "$path: $!\n";
        print {$file} $files->{ $path =~ s/\A\Q$machine->{root}\E//r };
        close $file or die "$path: $!\n";
    }
    return;
}

subtest 'a look reports load and the processes that cause it' => sub {
    my $quiet = look_at({}, {});
    is_deeply(
        $quiet,
        { looked_s => 2.5, is_possible => 1, tags => [], busiest => [] },
        'a quiet machine has no disturbances'
    );
    my $bound = { '/proc/self/status' => "Cpus_allowed_list:\t1\n" };
    is_deeply(look_at($bound, {}, $_->[0])->{tags}, [tag(affinity => $_->[1], 1)], "one CPU for $_->[0] copies")
        for [1, 'note'], [2, 'disturbed'];
    is_deeply(look_at({}, { '/proc/self/stat' => faults_of(10, 1020) })->{tags},
        [], 'faults of passes are not looked for');
    my ($stat) = map { "4711 (burner) R 1 1 1 0 -1 0 1 2 3 4 $_ 0 0 0 20 0 1 0 77 99 99\n" } '%d';
    my $busy = look_at(
        {
            '/proc/4711/stat' => sprintf($stat, 1000),
            '/proc/loadavg'   => "0.5 0 0 2/86 12\n",
            pressure(io => 5_500_000)
        },
        { '/proc/4711/stat' => sprintf($stat, 1150), '/proc/stat' => stat_of(user => 150, idle => 150) },
    );
    is_deeply(
        [map { "@$_{qw(cause level value)}" } @{ $busy->{tags} }],
        ['others disturbed 0.98', 'run_queue note 1', 'pressure_io disturbed 0.5'],
        'load and earlier pressure are reported'
    );
    is_deeply(
        $busy->{busiest},
        [{ pid => 4711, name => 'burner', cpus => 1, is_by_children => !!0 }],
        'the busiest process is named'
    );
};

# With perl-base alone, doctor can only do the preparation.
subtest 'with perl-base alone, doctor says what is missing' => sub {
    my $script =
          'package P { sub findings { +{ missing => { run => { text => "missing: B" } } } } } '
        . 'require UnixBench::Doctor::Command; '
        . 'print +(UnixBench::Doctor::Command->new(preparation => bless {}, "P")->report)[0]';
    my @perl =
        ($^X, "-I$HOME/lib", (map { "-I$FindBin::Bin/$_" } qw(../lib ../../../t/lib)), qw(-MPerlBase -e), $script);
    open my $from, '-|', @perl or die "perl: $!\n";
    like(
        join('', <$from>),
        qr/\AAll other checks need a complete .*^   Missing: B[.]\n.*^1 problem: missing software, [^\n]+\n\z/ms,
        'the missing thing is named'
    );
    close $from;
};

done_testing;
