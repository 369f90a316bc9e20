# The load of the multi-user test: what a command line asks for, its plan, and its words.

use strict;
use warnings;

use Digest::SHA qw(sha256_hex);
use FindBin;
use POSIX ();
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use CommandLines                   qw(are_refused);
use Machines                       qw(side spread_rates);
use Place                          qw(place write_file);
use Planned                        qw(make planned);
use UnixBench::CLI::Options;
use UnixBench::Command;
use UnixBench::Compare::Comparison;
use UnixBench::Multiuser::Load;
use UnixBench::Plan;

my $SCRIPT = { path => '/s/my script', lines => 221, extract_lines => 40, sha256 => 'a' x 64 };
my $PLACE  = place();

# Takes words of the command line after multiuser; returns the options that they mean.
sub options { return UnixBench::Command::parse('multiuser', split q{ }, $_[0]) }

# Takes the same, and changes; returns the load that they ask for.
sub load {
    my ($words, %with) = @_;
    return UnixBench::Multiuser::Load::of(options($words), script => $SCRIPT, cpu_count => 4, %with);
}

# [words of the command line, time factor, words for the program, the load in words, whether it differs from the usual
# one].
my $PAUSES = 'pauses of 0.04 to 0.3 s';
my @LOADS  = (
    [q{},                            1, '20 | 2-15 | 0.02 | none',     "20 users, 221 lines, $PAUSES", 0],
    ['--users 20 --users 1',         1, '20,1 | 2-15 | 0.02 | none',   "20 users, then 1 user, 221 lines, $PAUSES"],
    ['--think 0.10-3600.0',          1, '20 | 0.1-3600 | 0.02 | none', '20 users, 221 lines, pauses of 0.002 to 72 s'],
    ['--scale 0.000001',             0.000001, '20 | 2-15 | 0.000000000001 | none', undef],
    ['--find-capacity',              1, ' | 2-15 | 0.02 | 2', "p95 at most 2 x a single user's, 40 lines, $PAUSES", 0],
    ['--find-capacity --limit 1.50', 1, ' | 2-15 | 0.02 | 1.5', "p95 at most 1.5 x a single user's, 40 lines, $PAUSES"],
);
for my $case (@LOADS) {
    my ($asked, $factor, $expected, $in_words, $differs) = @$case;
    my $load  = load($asked, factor => $factor);
    my $words = UnixBench::Multiuser::Load::words($load);
    is(join(' | ', map { $_ // 'none' } @$words{qw(users think scale limit)}), $expected, "$asked, factor $factor");
    my $planned = UnixBench::Multiuser::Load::planned($load, { seconds => 60, search => {} });
    is($planned->{load}{in_words}, $in_words, "$asked in words") if $in_words;
    my $change = UnixBench::Multiuser::Load::change(options($asked), $load);
    is($change ? 1 : 0, $differs // 1, "$asked: whether the load differs");
}
my %USUAL = (users => [20], think_min_s => 2, think_max_s => 15, scale => 0.02, script => 'a' x 64);

subtest 'wrong command lines' => sub {
    are_refused(
        ['--users 5'                     => 'option --users needs the test multiuser'],
        ['--limit 2 multiuser'           => 'option --limit needs --find-capacity'],
        ['--quick multiuser'             => 'test multiuser has no short passes: leave out --quick'],
        ['multiuser --users 5 --users 5' => 'option --users: 5 is given twice'],
    );
    my $words = '--users 20 --users 1 --think 0.5-15 --scale 1.5 --script /a';
    my @again = UnixBench::CLI::Options::lasting_words(UnixBench::Command::declaration(), options($words));
    is_deeply(UnixBench::Command::parse(@again), options($words), 'a resumed run has the load');
};

subtest 'the needs of a load are estimated' => sub {
    my $needs  = sub { return UnixBench::Multiuser::Load::needs(load(@_)) };
    my $twenty = { processes => 68, memory_kb => 60_000 + 4 * 12_288, scratch_kb => 16_000, text_kb => 0 };
    is_deeply($needs->('--users 20 --users 3'), $twenty, 'twenty users, and a compiler for each CPU');
    my $most = sub { return UnixBench::Multiuser::Load::users_most(load("--find-capacity $_[0]", cpu_count => 2)) };
    is_deeply([map { $most->("--scale $_") } 0.02, 0.1, 1], [128, 434, 1024], 'the users of a search, by their pauses');
};

subtest 'the plan' => sub {
    is_deeply(
        planned('multiuser', load => load(q{}))->{command},
        ['/b in/multiuser', qw(--users 20 --think 2-15 --scale 0.02 --script), '/s/my script', qw(--home {scratch})],
        'the command has the load'
    );
    my ($usual, $search) = map { planned('multiuser', load => load($_)) } q{}, '--find-capacity --limit 3';
    my $plans = ['Multi-User Script', 1, 46.4, 604, 'Multi-User Capacity', 5, 88, 1256];
    is_deeply([map { @$_{qw(title passes_wanted pass_s limit_s)} } $usual, $search], $plans, 'titles, passes, seconds');
    my @lines = split /\n/,
        UnixBench::Plan::describe(make(tests => ['multiuser'], copies => [1, 2], load => load(q{})));
    is_deeply(
        [map { s/ +/ /gr } @lines[1, 2, 4]],
        [
            ' multiuser Multi-User Script 1 x 46.4 s',
            " 20 users, 221 lines, $PAUSES",
            ' multiuser Multi-User Script skipped: multi-user tests run as one copy'
        ],
        'the plan in words'
    );
    my $unread = planned('multiuser', load => load(q{}, script => { path => '/s', why_not => q{can't read /s} }));
    is(UnixBench::Plan::skipped($unread, 1), q{skipped: can't read /s}, 'a script that cannot be read');
};

# Takes a label, and what differs from the usual load; returns a side of a comparison.
sub of_users {
    my ($label, %other) = @_;
    my %procedure = (kind => 'official', time_factor => 1, work_factor => 1, multiuser => { %USUAL, %other });
    return side($label, runs => { 1 => { multiuser => spread_rates(4000, 0.001) } }, procedure => \%procedure);
}

subtest 'different loads are not compared' => sub {
    my %search = (users => [], limit => 2);
    my @cases  = (
        [{}, { script => undef }    => []],
        [{}, { users => [1, 20] }   => ['users of the multi-user load: 20 in A, 1, then 20 in B']],
        [{}, { scale => 1 }         => ['think times of the multi-user test: 0.04 to 0.3 s in A, 2 to 15 s in B']],
        [{}, { script => 'f' x 64 } => ['script of the multi-user test: aaaaaaaaaaaa in A, ffffffffffff in B']],
        [{}, \%search               => ['multi-user test: load in A, capacity in B']],
        [\%search, { %search, limit => 3 } => ['limit of the multi-user capacity: 2 in A, 3 in B']],
    );
    for my $case (@cases) {
        my ($first, $second, $obstacles) = @$case;
        my @sides = (of_users('a', %$first), of_users('b', %$second));
        is_deeply(UnixBench::Compare::Comparison::of(\@sides, min_effect => 0.02)->{obstacles},
            $obstacles, "@$obstacles");
    }
};

# Text of a script => [number of its lines, number of the lines that a search runs].
my %LINES = (
    'true'                                                                    => [1,  1],
    "true\n" x 41                                                             => [41, 40],
    "#=extract\n" . "true\n" x 50 . "\t#=  whole \nfalse\n#= extract\ntrue\n" => [52, 51],
    "# #= extract\ntrue #= extract\n#= extracts\ntrue\n"                      => [2,  2],
);
for my $text (sort keys %LINES) {
    my $script = UnixBench::Multiuser::Load::script(write_file("$PLACE/script", $text));
    is_deeply([@$script{qw(lines extract_lines sha256)}], [@{ $LINES{$text} }, sha256_hex($text)], "lines of $text");
}
POSIX::mkfifo("$PLACE/fifo", 0600) or die "fifo: $!\n";
write_file("$PLACE/empty", "# all\n\n");
my %REFUSED = (
    none  => "can't read $PLACE/none: No such file or directory",
    fifo  => "can't read $PLACE/fifo: it is not a plain file",
    empty => "$PLACE/empty has no line for the users (blank lines and comments do not count)",
);
for my $name (sort keys %REFUSED) {
    is(UnixBench::Multiuser::Load::script("$PLACE/$name")->{why_not},       $REFUSED{$name},     $REFUSED{$name});
    is(eval { UnixBench::Multiuser::Load->check("$PLACE/$name"); 1 } // $@, "$REFUSED{$name}\n", 'check dies');
}

done_testing;
