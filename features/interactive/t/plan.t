# The interactive tests in the catalog, and in a plan.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Place                          qw(place touch write_file);
use Planned                        qw(make planned);
use UnixBench::Catalog;
use UnixBench::CLI::Environment;
use UnixBench::Command;
use UnixBench::Noise::Late;
use UnixBench::Plan::Plan;
use UnixBench::Score::Work;
use UnixBench::Setup::Preparation;

my @QUICK = (quick => { seed => 1, precision => 0.02, max_time_s => 60 });
my @TESTS = qw(interactive-capacity interactive-response);

sub command { return [@{ planned(@_)->{command} }] }

subtest 'the catalog has them' => sub {
    is(join(q{ }, UnixBench::Catalog::expand('interactive')), "@TESTS", 'tests of the alias interactive');
    is_deeply([grep { /interactive/ } UnixBench::Catalog::expand('all')], [], 'the alias all does not include them');
    my ($capacity, $response) = map { UnixBench::Catalog::test($_) } @TESTS;
    is_deeply([@$capacity{qw(title category seconds)}], ['Interactive Capacity', 'interactive', 3], 'the capacity');
    is_deeply([@$response{qw(title category seconds)}], ['Interactive Response', 'interactive', 5], 'the response');
    is_deeply([map { UnixBench::Catalog::passes($response, $_) } undef, 1, 7], [1, 1, 7], 'passes, and those of -i N');
    my $category = UnixBench::Catalog::category('interactive');
    is_deeply([@$category{qw(title copies_max)}], ['Interactivity Benchmarks', 1], 'their category');
};

subtest 'their commands' => sub {
    is_deeply(
        command('interactive-capacity'),
        ['/b in/interbench', qw(--capacity --protocol -c -t 3 --warmup 1)],
        'the command of the capacity'
    );
    is_deeply(
        command('interactive-response'),
        ['/b in/interbench', qw(--mix --fixed --max-disk 256M --protocol -c -t 5 --warmup 1)],
        'the command of the response'
    );
    my @of_factor = @{ command('interactive-response', factor => 0.01) };
    is_deeply([@of_factor[-3 .. -1]], [qw(0.05 --warmup 0.01)], 'UB_TIME_FACTOR shortens the response and its warm-up');
    my @of_quick = @{ command('interactive-response', @QUICK) };
    is_deeply([@of_quick[-3 .. -1]],
        [qw(2 --warmup 0.3)], 'in a quick run the response takes twice as long as a p99 needs');
};

subtest 'their passes and time limits' => sub {
    is(planned('interactive-capacity')->{passes_wanted},                  1,   'one pass');
    is(planned('interactive-capacity', iterations => 5)->{passes_wanted}, 5,   '-i 5: five passes');
    is(planned('interactive-response')->{limit_s},                        600, 'a limit of its own');
    my %short = (capacity => 1, response => 2);
    for my $name (sort keys %short) {
        my $test = planned("interactive-$name", @QUICK);
        is($test->{seconds}, $short{$name}, "$name: seconds of a short pass");
        cmp_ok($test->{pass_s}, '<', 30, "$name: short passes fit into a quick run");
        is($test->{warm_up}, undef, "$name: a test that takes its own time has no pass that warms up");
        ok(UnixBench::Noise::Late::takes_own_time($test->{asked}), "$name: it takes its own time");
    }
    cmp_ok(make(tests => \@TESTS)->{duration_s}, '<=', 120, 'both take two minutes in all');
};

subtest 'they run as one copy, on Linux' => sub {
    my $copies = sub { return [UnixBench::Plan::Plan::usual_copies(@_)] };
    is_deeply($copies->(4, 'interactive-capacity'), [1], 'one copy for interactive tests alone');
    is_deeply($copies->(4, qw(interactive-capacity pipe 2d-text)),
        [1, 4], 'both numbers if one of the tests can run as several copies');
    my $response = planned('interactive-response', display => undef);
    is(UnixBench::Plan::Plan::skipped($response, 1), undef, 'they need no display');
    is(
        UnixBench::Plan::Plan::skipped($response, 2),
        'skipped: interactive tests run as one copy',
        'they are skipped for two copies'
    );
    is(
        UnixBench::Plan::Plan::skipped(planned('interactive-response', is_there => sub { 0 }), 1),
        'skipped: there is no program interbench; it is for Linux',
        'interbench is missing'
    );
};

# A machine that has everything.
package FakeHost {
    sub new         { my ($class) = @_; return bless {}, $class }
    sub has_program { return 1 }
    sub display     { return 'virtual' }
    sub language    { return { charmap => 'UTF-8' } }
    sub cpu_kind    { return 'this one' }
}

subtest 'interbench is built on Linux alone' => sub {
    my $tree = place();
    mkdir "$tree/$_" or die "$_: $!\n" for qw(pgms src testdir);
    touch("$tree/Makefile", "$tree/testdir/large.txt");
    write_file("$tree/pgms/build.info", "compiler=cc\nflags=-O2\n");
    local @ENV{qw(CC CFLAGS UB_GCC_OPTIONS MAKE)} = (q{}, q{}, q{}, 'make');
    for my $system (qw(linux freebsd)) {
        local $^O = $system;
        my $preparation = UnixBench::Setup::Preparation->new(
            home     => "$tree",
            options  => UnixBench::Command::parse('interactive-response'),
            settings => UnixBench::CLI::Environment::read_from({}, "$tree"),
            warn     => sub { die "it is said: $_[0]" },
            host     => FakeHost->new,
        );
        my $why = $system eq 'linux' ? 'interbench is not built' : undef;
        is($preparation->findings->{why_build}, $why, "this is $system");
    }
};

is(UnixBench::Score::Work::of_test({ category => 'interactive', passes => [] }),
    undef, 'interactive tests do not count loops of fixed work');

done_testing;
