# The multi-user test in the catalog, in requests and in plans.

use strict;
use warnings;

use Cwd        ();
use File::Temp ();
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Planned                        qw(make planned);
use Requested                      qw(context refusal);
use UnixBench::Base::Files;
use UnixBench::Catalog;
use UnixBench::Command;
use UnixBench::Multiuser::Load;
use UnixBench::Noise::Late;
use UnixBench::Plan::Plan;
use UnixBench::Plan::ResourceCheck;
use UnixBench::Score::Work;
use UnixBench::Setup::Software;

my $HOME = Cwd::abs_path("$FindBin::Bin/../../..");

sub command { return [@{ planned(@_)->{command} }] }

subtest 'the catalog has it' => sub {
    my $test = UnixBench::Catalog::test('multiuser');
    is_deeply([@$test{qw(title category seconds)}], ['Multi-User Script', 'multiuser', 60], 'title, category, seconds');
    is_deeply([map { UnixBench::Catalog::passes($test, $_) } undef, 1, 7], [1, 1, 7],
        'one pass, or as many as -i says');
    is_deeply([grep { $_ eq 'multiuser' } UnixBench::Catalog::expand('all')], [], 'the alias all does not include it');
    is(UnixBench::Catalog::category('multiuser')->{copies_max}, 1, 'it runs as one copy');
    ok(UnixBench::Noise::Late::takes_own_time(planned('multiuser')->{asked}), 'it takes its own time');
    is(UnixBench::Score::Work::of_test({ category => 'multiuser', passes => [] }),
        undef, 'it has no loops of fixed work');
    my $quick = planned('multiuser', quick => { seed => 1, precision => 0.02, max_time_s => 60 });
    ok(!exists $quick->{warm_up}, 'no pass warms up');
};

# Takes options and changes; returns the load of twenty users with a script of forty lines on two CPUs, changed by them.
sub load {
    my ($options, %with) = @_;
    my $script = { path => '/s/{users}', lines => 40, extract_lines => 40, sha256 => 'a' x 64 };
    return UnixBench::Multiuser::Load::of($options, script => $script, cpu_count => 2, %with);
}

subtest 'a load of users is planned' => sub {
    is_deeply(
        command('multiuser', load => load({})),
        ['/b in/multiuser', qw(--users 20 --think 2-15 --scale 0.02 --script /s/{users} --home {scratch})],
        'the command has the load'
    );
    is_deeply(command('multiuser')->[8], 'testdir/multiuser.script', 'without a load, the script is that of the suite');
    my @most = @{ command('multiuser', load => load({ find_capacity => 1, limit => 3 })) };
    is_deeply([@most[1 .. 5]], [qw(--find-capacity --limit 3 --think 2-15)], 'the search has a command of its own');
    my ($usual, $searched) = map { planned('multiuser', load => load($_)) } {}, { find_capacity => 1 };
    is_deeply([map { $_->{passes_wanted} } $usual, $searched], [1, 5], 'a load has 1 pass and a search 5');
    is_deeply(
        [map { $_->{title} } $usual, $searched],
        ['Multi-User Script',        'Multi-User Capacity'],
        'load and search have their titles'
    );
    is_deeply([map { $_->{pass_s} } $usual,  $searched], [10,  88],  'load and search have their durations');
    is_deeply([map { $_->{seconds} } $usual, $searched], [10,  88],  'the duration is the time of the users alone');
    is_deeply([map { $_->{limit_s} } $usual, $searched], [630, 864], 'load and search have their limits');
    is(planned('multiuser', load => load({}), timeout_s => 5)->{limit_s}, 5, '--timeout sets the limit');
    is(planned('multiuser')->{pass_s}, 60, 'without a load, a pass takes about a minute');
    is_deeply($usual->{needs}, UnixBench::Multiuser::Load::needs(load({})), 'the test needs the resources of its load');
    is(planned('multiuser', factor => 0.01, load => load({}, factor => 0.01))->{pass_s},
        3.3, 'UB_TIME_FACTOR shortens only the pauses');
    is(planned('pipe', load => load({}))->{load}, undef, 'other tests have no load');
};

subtest 'a load of users may be skipped' => sub {
    my $skipped = sub { return UnixBench::Plan::Plan::skipped(planned('multiuser', load => load({}), @_), 1) };
    is($skipped->(), undef, 'a load is not skipped if nothing is missing');
    is(
        $skipped->(is_there => sub { 0 }),
        'skipped: there is no program multiuser',
        'a load is skipped without its program'
    );
    my $unread = load({}, script => { path => '/s', why_not => q{can't read /s: Is a directory} });
    is(
        $skipped->(load => $unread),
        q{skipped: can't read /s: Is a directory},
        "a load is skipped if its script can't be read"
    );
    is(
        $skipped->(load => $unread, is_there => sub { 0 }),
        'skipped: there is no program multiuser',
        'only one reason is given'
    );
    is(
        UnixBench::Plan::Plan::skipped(planned('multiuser'), 2),
        'skipped: multi-user tests run as one copy',
        'a load is skipped if two copies are asked for'
    );
};

subtest 'a plan with a load in words' => sub {
    my @users = split /\n/,
        UnixBench::Plan::Plan::describe(make(tests => ['multiuser'], copies => [1, 2], load => load({})));
    like($users[1], qr/^  multiuser +Multi-User Script +1 x 10 s\z/, 'a load of users has its passes and seconds');
    is($users[2], q{ } x 23 . '20 users, 40 lines, pauses of 0.04 to 0.3 s', 'a load of users is described');
    like(
        $users[4],
        qr/^  multiuser .* skipped: multi-user tests run as one copy\z/,
        'a load that is skipped is not described'
    );
    like($users[5], qr/^In all about 13 s/, 'the whole time follows');
};

# [words of the command line, CPUs, who needs it, processes, memory, scratch files and reports in KB].
my @LOADS = (
    ['--users 1',            1, '1 user needs',    19,   8192 + 3000 + 12_288,          804,       529],
    ['--users 20 --users 1', 4, '20 users need',   76,   8192 + 60_000 + 4 * 12_288,    16_004,    529],
    ['--users 2000 -i 3',    2, '2000 users need', 6016, 8192 + 6_000_000 + 2 * 12_288, 1_600_004, 128 + 3 * 401],
    [
        '--find-capacity -i 1',         2,       'a search with up to 128 users needs', 400,
        8192 + 128 * 3000 + 2 * 12_288, 102_404, 529
    ],
);

for my $case (@LOADS) {
    my ($words, $cpu_count, @expected) = @$case;
    my $options = UnixBench::Command::parse('multiuser', split ' ', $words);
    my $script  = { path => '/s', lines => 40, extract_lines => 40, sha256 => 'a' x 64 };
    my $load    = UnixBench::Multiuser::Load::of($options, script => $script, cpu_count => $cpu_count, factor => 0.001);
    my $plan    = UnixBench::Plan::Plan::make(
        tests      => ['multiuser'],
        copies     => [1],
        iterations => $options->{iterations},
        factor     => 0.001,
        load       => $load,
        words      => { bindir => 'b', tmpdir => 't' },
        is_there   => sub { 1 }
    );
    my $demand = UnixBench::Plan::ResourceCheck::demand($plan, 1, 1);
    is_deeply(
        [
            $demand->{load}{who}, @$demand{qw(processes memory_kb scratch_kb)},
            UnixBench::Plan::ResourceCheck::reports_kb($plan)
        ],
        \@expected,
        "demand of $words on $cpu_count CPUs"
    );
}

subtest 'a load of users is planned for the test multiuser' => sub {
    my $bin = File::Temp->newdir;
    UnixBench::Base::Files::write_whole("$bin/multiuser", q{});
    is(context('pipe')->load, undef, 'other tests have no load');
    my $load = context('multiuser --users 3')->load;
    is_deeply([@$load{qw(users cpu_count)}], [[3], 2], 'the load has its users and the number of CPUs');
    is($load->{script}{path}, "$HOME/testdir/multiuser.script", 'the script is that of the suite');
    cmp_ok($load->{script}{lines}, '>=', 1, 'the script is read');
    is(context('multiuser --script /none')->load->{script}{path}, '/none', '--script names another script');
    my ($own, $other) = map { context($_)->plan->{tests}[0] } 'multiuser',
        "multiuser --script $HOME/t/unit/Command/run-context.t --users 7";
    is_deeply(
        [@{ $other->{command} }[2, 8]],
        [7, "$HOME/t/unit/Command/run-context.t"],
        'the plan has users and script'
    );
    is_deeply($own->{load}{script}, $load->{script}, 'the plan has the script of the suite');
    is(
        context('multiuser --script /none', bindir => $bin)->plan->{tests}[0]{skipped},
        q{skipped: can't read /none: No such file or directory},
        "a script that can't be read makes the test skipped"
    );
    is(
        refusal('multiuser --users 2000', bindir => $bin, limits => { memory_kb => 1_000_000 }),
        "2000 users need about 5892 MB of memory, but 976 MB are free: use fewer users (--users)\n",
        'too many users for the memory are refused'
    );
};

subtest 'the procedure has the load' => sub {
    my $procedure = sub { return context(@_)->procedure };
    my %factors   = (time_factor => 0.5);
    my $load      = $procedure->('--users 3 multiuser', %factors)->{multiuser};
    like(delete $load->{script}, qr/\A[0-9a-f]{64}\z/, 'a load of users has the SHA-256 of its script');
    is_deeply($load, { users => [3], think_min_s => 2, think_max_s => 15, scale => 0.01 }, 'it has its pace');
    my $none = "$FindBin::Bin/none";
    is($procedure->("--script $none multiuser")->{multiuser}, undef, 'a load without a script is left out');
};

# What the users need is missing on a machine that has everything else: [missing things, whether something is built,
# what is reported].
my @BARE  = map { "program $_" } qw(gcc cc clang make gmake);
my @LACKS = (
    [\@BARE,                    0, 'a C compiler; make'],
    [['header stdio.h'],        0, 'the C headers'],
    [[@BARE, 'header stdio.h'], 1, 'a C compiler; make; the C headers'],
    [['locale en_US.utf8'],     0, 'the locale en_US.utf8'],
);
for my $case (@LACKS) {
    my ($missing, $is_build, $reported) = @$case;
    my %is_missing = map { $_ => 1 } @$missing;
    my %has        = map {
        my $kind = $_;
        ("has_$kind" => sub { !$is_missing{"$kind $_[0]"} })
    } qw(program module header locale display own);
    my $software = UnixBench::Setup::Software->new(%has, make => 'make', env => {});
    my @found    = $software->missing(tests => ['multiuser'], is_build => $is_build, unbuilt => []);
    is(join('; ', map { $_->{what} } @found), $reported, "missing for the users: $reported");
}

done_testing;
