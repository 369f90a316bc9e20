use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../lib ../../../t/lib);
use Cases                          qw(%COUNT);
use Fixture                        qw(@INDEX host measured result run steady_result tag);
use Place                          qw(place text_of write_file);
use Rendered                       qw(rendered);
use UnixBench::Rank::Command;
use UnixBench::Compare::Published;
use UnixBench::Store::ResultNames;

use constant TESTS =>
    qw(dhry2reg whetstone-double execl fstime fsbuffer fsdisk pipe context1 spawn shell1 shell8 syscall);

my $HEADING = join(q{,}, qw(machine kind cpu cpus copies index results version year source known_as), TESTS) . "\n";

delete local $ENV{SSH_CONNECTION};

# A fake console that keeps what is shown. It may have a terminal.
package FakeConsole {
    sub new    { my ($class, %with) = @_; return bless { said => q{}, can_print => 1, %with }, $class }
    sub show   { my ($self, $text) = @_; $self->{said} .= $text; return $self->{can_print} }
    sub refuse { my ($self, $text) = @_; $self->{said} .= "refused: $text"; return }
    sub answer { my ($self, $text) = @_; return $self->show($text) }
    sub screen { my ($self) = @_; return $self->{screen} }
}

# A fake call of the command.
package FakeCall {
    sub new            { my ($class, %with) = @_; return bless {%with}, $class }
    sub options        { my ($self) = @_; return $self->{options} }
    sub names          { my ($self) = @_; return $self->{names} }
    sub console        { my ($self) = @_; return $self->{console} }
    sub home           { my ($self) = @_; return $self->{home} }
    sub of_directories { return {} }
    sub left_out       { return }
    sub complain_of    { return }
}

# Takes a directory, the name of a file and a text; writes the file and returns its path.
sub file {
    my ($place, $name, $text) = @_;
    return write_file("$place/$name", $text);
}

# Takes a factor and facts; returns a complete result of one copy, whose passes vary by the fraction "spread".
sub one {
    my ($factor, %facts) = @_;
    my $spread = delete $facts{spread} // 0;
    my @tests  = map {
        my $count = $factor * $COUNT{$_};
        measured($_, 1, map { $count * (1 + $spread * $_) } -1, 0, 1)
    } @INDEX;
    return result([run(1, @tests)], %facts);
}

# Takes lines of published results without scores; returns a suite with them.
sub suite {
    my (@lines) = @_;
    my $home = place();
    mkdir "$home/share" or die "share: $!\n";
    file("$home/share", 'published.csv', join q{}, $HEADING, map { $_ . q{,} x (1 + TESTS) . "\n" } @lines);
    return $home;
}

my ($ONE) = map { $_->{index} } @{ one(1)->{runs}[0]{indexes} };

# Takes an index and the other values of a published result; returns its line.
sub line {
    my ($index, $machine, $cpu, $results, $source) = @_;
    return sprintf '%s,PC,%s,1,1,%.1f,%d,5.1.3,2021,%s', $machine, $cpu, $index, $results // 1, $source // 'x/y';
}

our $HOME =
    suite(line($ONE / 10, 'slow', 'A B'), line($ONE * 10, q{}, 'C', 12, 'z'), 'many,PC,D,8,8,12345,1,5.1.3,2024,z');

# Takes path, that of a result, is_all and copies, which are options, directory, that of results, and screen, a
# terminal; all are optional. Returns the outcome and what is shown.
sub ranked {
    my (%with)  = @_;
    my $console = FakeConsole->new(screen => delete $with{screen});
    my $names   = UnixBench::Store::ResultNames->new(directory => delete $with{directory} // '/nowhere');
    my %options = (
        words   => [grep { defined } $with{path}],
        all     => $with{is_all},
        outputs => [],
        map { $_ => $with{$_} } qw(copies cpus)
    );
    my $call = FakeCall->new(home => "$HOME", names => $names, console => $console, options => \%options);
    return (UnixBench::Rank::Command::run($call), $console->{said});
}

my $PLACE = place();
my $ABOUT =
      "\nPublished indexes of one copy, the fastest first. They were measured with other compilers,\n"
    . "  versions, systems and file systems, so the place is only a rough guide.\n";
my $ASSUMED = "The interval is about the machine: one run, 1.0 % from run to run assumed.\n";
my $NONE    = 'No result in the directory of results can be ranked: none has a complete index of one copy, or of one '
    . "copy for each CPU, by the unchanged procedure.\n";
my @LINES = (
    sprintf("  %12.1f  C (version 5.1.3, 2021, z, mean of 12)\n", $ONE * 10),
    sprintf("  %12.1f  slow, A B (version 5.1.3, 2021, x/y)\n",   $ONE / 10),
);
my $AGAINST = sprintf 'Against: 2nd of 2 published results for one copy; nearest: C (%.1f, version 5.1.3).' . "\n",
    $ONE * 10;
my $MACHINE = '2 CPUs AMD EPYC, Linux 6.18, gcc 12.2 -O3 -march=native, version 8.0.0';

# Takes a number and a text; returns the line of the result.
sub own { my ($number, $text) = @_; return sprintf "> %12s  this result, %s\n", $number, $text }

subtest 'a result is listed among the published ones' => sub {
    my ($outcome, $said) = ranked(path => file($PLACE, 'a.html', rendered(html => one(1))));
    is($outcome, 'done', 'the outcome is done');
    is(
        $said,
        $LINES[0]
            . own(sprintf('%.1f', $ONE), "+-2.3 %, 2nd of 2: vm, $MACHINE")
            . $LINES[1]
            . $ABOUT
            . $ASSUMED
            . $AGAINST,
        'the lines are in the order of the index, and that of the result is marked'
    );
    my $steady = steady_result(one(1)->{runs});
    (undef, $said) = ranked(path => file($PLACE, 'steady.html', rendered(html => $steady)));
    like($said, qr/this result, [+]-0[.]0 %, 2nd .*: one run, 0[.]0 % from run to run[.]\n/s, 'a known deviation');
    my $hostile = host(name => "v\e[31mm");
    ($outcome, $said) = ranked(path => file($PLACE, 'b.json', rendered(json => one(100, host => $hostile))));
    like(
        $said,
        qr/^> +[0-9]+  this result, .* 1st of 2: v\\x1b\[31mm, \Q$MACHINE\E$/m,
        'a JSON file is read, too, and control characters are escaped'
    );
};

subtest 'the value is that of all passes, and the place an interval' => sub {
    my @around = map { line($ONE * $_, "m$_", q{}) } 0.95, 0.99, 1.01, 1.5;
    local $HOME = suite(@around);
    my (undef, $said) = ranked(path => file($PLACE, 'wide.html', rendered(html => one(1, spread => 0.06))));
    like($said, qr/^> +[0-9]{4}  this result, [+]-[0-9.]+ %, 2nd to 4th of 4: vm, /m, 'with its interval');
    (undef, $said) = ranked(path => file($PLACE, 'poor.html', rendered(html => one(1, spread => 0.3))));
    like(
        $said,
        qr/^> +[1-9][0-9]00 to [1-9][0-9]00  this result, no place, because the trust in it is poor: vm, /m,
        'a poor result has a range of two digits, and no place'
    );
    unlike($said, qr/from run to run/, 'nor an interval about the machine');
    my $loud = one(1, spread => 0.01);

    for my $pass (map { @{ $_->{passes} } } @{ $loud->{runs}[0]{tests} }) {
        $pass->{tags} = [tag(others => disturbed => 1.4)];
    }
    (undef, $said) = ranked(path => file($PLACE, 'loud.html', rendered(html => $loud)));
    like(
        $said,
        qr/^> +at least [1-9][0-9]00  this result [(]disturbed[)], no place, because other load disturbed it: vm, /m,
        'a result beside other load is a floor without a place'
    );
    my ($floor) = $said =~ /^> +at least ([0-9]+)/m;
    my ($below) = $said =~ /^>.*\n +([0-9.]+) /m;
    ok(!defined $below || $below <= $floor, 'and stands where its floor is');
};

subtest 'results of one machine from one source are one line' => sub {
    my @vms = map { line($_, 'rented VM', 'QEMU', 1, 'x') } 270.4, 1100, 2246.6;
    local $HOME = suite(
        @vms,
        line(1200, 'rented VM', 'KVM',  1, 'y'),
        line(500,  'pi4',       'A72',  1, 'x'),
        line(600,  'pi4',       'A72',  2, 'x'),
        line(700,  'pi4',       q{},    1, 'y'),
        line(800,  q{},         'Xeon', 1, 'y'),
        line(900,  q{},         'Xeon', 1, 'y')
    );
    my $one = file($PLACE, 'c.html', rendered(html => one(1)));
    my (undef, $said) = ranked(path => $one);
    is(
        join("\n", grep { !/\A>/ } (split /\n/, $said)[0 .. 6]),
        join("\n",
            '        1200.0  rented VM, KVM (version 5.1.3, 2021, y)',
            '   270 to 2247  3 rented VMs, QEMU (version 5.1.3, 2021, x)',
            '    800 to 900  2 x Xeon (version 5.1.3, 2021, y)',
            '         700.0  pi4 (version 5.1.3, 2021, y)',
            '    500 to 600  2 x pi4, A72 (version 5.1.3, 2021, x)',
            q{}),
        'in the order of their medians'
    );
    (undef, $said) = ranked(path => $one, is_all => 1);
    is(scalar(() = $said =~ /^  +[0-9]/mg), 9, 'with --all, each has a line');
};

subtest 'the ten nearest, the fastest and the slowest are listed' => sub {
    local $HOME = suite(map { line($ONE * 1.1**$_, "m$_", q{}) } -12 .. -1, 1 .. 12);
    my $one   = file($PLACE, 'd.html', rendered(html => one(1)));
    my @names = map { /  (m-?[0-9]+|this|[.]{3})/ ? $1 : () } split /\n/, (ranked(path => $one))[1];
    is_deeply(
        \@names,
        ['m12', '...', (map { "m$_" } reverse 1 .. 5), 'this', (map { "m-$_" } 1 .. 5), '...', 'm-12'],
        'dots stand for the others'
    );
    @names = map { /  (m-?[0-9]+|this|[.]{3})/ ? $1 : () } split /\n/, (ranked(path => $one, is_all => 1))[1];
    is(scalar @names, 25, '--all lists all');
    my $best = file($PLACE, 'e.html', rendered(html => one(100)));
    @names = map { /  (m-?[0-9]+|this|[.]{3})/ ? $1 : () } split /\n/, (ranked(path => $best))[1];
    is_deeply(\@names, ['this', (map { "m$_" } reverse 3 .. 12), '...', 'm-12'], 'the result may be the fastest');
};

subtest 'on a terminal' => sub {
    local $HOME = suite(line(100, 'a machine with a long name', 'A CPU with a long name', 3, 'a/long-source'),
        line(200, 'short', 'B'));
    my $one = file($PLACE, 'f.html', rendered(html => one(1, spread => 0.02)));
    for my $columns (40, 60, 80, 100, 200) {
        my (undef, $said) = ranked(path => $one, screen => { columns => $columns });
        is_deeply([grep { length > $columns } split /\n/, $said], [], "no line is longer than $columns columns");
        like($said, qr/^Next +.*\n(?: .*\n)*\z/m, "$columns columns: the next step is at the end");
    }
    my (undef, $said) = ranked(path => $one, screen => { columns => 80, paint => sub { "<$_[0]>" } });
    like($said, qr/^ +100[.]0  a machine with a long name, A CPU with a long name$/m, 'a source may have no room');
    my ($block) = $said =~ /^(Index .*)/ms;
    like($block, qr{\AIndex      1 copy [0-9]+ [+]-[0-9.]+ %\nAgainst    1st of 2 published results}, 'the verdict');
    like(
        $block,
        qr{^Trust      <good>: .*\nNext       ./Run compare \Q$PLACE\E/f OTHER\n\z}m,
        'trust and the next step'
    );
    (undef, $said) = ranked(screen => { columns => 80 });
    like($said, qr{^Verdict    No result .*\n(?: .*\n)*Next       ./Run -c 1\n\z}m, 'without a result');
    (undef, $said) = ranked(
        path   => file($PLACE, 'g.html', rendered(html => one(1, spread => 0.3))),
        screen => { columns => 80 }
    );
    like(
        $said,
        qr{^Against    no place, .*\nTrust      poor: .*\n(?: .*\n)*Next       ./Run doctor\n\z}m,
        'a poor result'
    );
};

subtest 'without a result, the newest one that can be ranked is listed' => sub {
    my $place = place();
    my %age   = (
        'old.html'     => [30, rendered(html => one(2))],
        'good.html'    => [20, rendered(html => one(1))],
        'part.html'    => [10, rendered(html => result([run(1, measured('pipe', 1, 5, 6))]))],
        'damaged.html' => [5,  substr rendered(html => one(1)), 0, 5000],
    );
    for my $name (sort keys %age) {
        my $path = file($place, $name, $age{$name}[1]);
        utime((1_000_000 - $age{$name}[0]) x 2, $path) or die "utime: $!\n";
    }
    my ($outcome, $said) = ranked(directory => "$place");
    is($outcome, 'done', 'the outcome is done');
    like($said, qr/^> +@{[sprintf '%.1f', $ONE]}  this result, /m, 'the newest one that can be ranked is marked');
    ($outcome, $said) = ranked(directory => "$place", screen => { columns => 80 });
    like($said, qr{^Next       ./Run compare good OTHER$}m, 'its name is enough for the next command');
    ($outcome, $said) = ranked();
    is_deeply(
        [$outcome, unfolded($said)],
        ['done',   unfolded(join q{}, @LINES, $ABOUT, $NONE, "Measure one: ./Run -c 1\n")],
        'without any, the list ends with the reason'
    );
};

sub unfolded { my ($text) = @_; return $text =~ s/\n  (?=[a-z])/ /gr }

my $WHY = "can't be ranked: it has no complete index of one copy, or of one copy for each CPU, by the unchanged "
    . "procedure; measure one: ./Run -c 1\n";

subtest 'a result that cannot be ranked is refused' => sub {
    my %refused = (
        part    => result([run(1, measured('pipe', 1, 5, 6))]),
        quicker => one(1, procedure => { kind => 'official', time_factor => 0.5, work_factor => 1 }),
    );
    for my $name (sort keys %refused) {
        my $path = file($PLACE, "$name.json", rendered(json => $refused{$name}));
        is_deeply([ranked(path => $path)], ['wrong usage', "refused: $path $WHY"], $name);
    }
    my $no_result = file($PLACE, 'nothing', "A line.\n");
    my ($outcome, $said) = ranked(path => $no_result);
    is_deeply(
        [$outcome,      $said =~ /\A(refused: .* is not a result)/],
        ['wrong usage', "refused: $no_result is not a result"],
        'another file'
    );
};

subtest 'text reports are ranked by their classic index' => sub {
    my $classic = "$FindBin::Bin/../../../t/data/classic";
    local $HOME = suite(line(1000, 'low', q{}), line(2000, 'high', q{}));
    my ($outcome, $said) = ranked(path => "$classic/1-copy", screen => { columns => 80 });
    is($outcome, 'done', 'a report of version 5 without its head');
    like($said, qr/^> +1363  this result, the classic score, 2nd of 2$/m,       'it has no interval');
    like($said, qr/^Index      1 copy 1363\n(?:Against| ).*\n(?: .*\n)*Next /m, 'and no trust');
    ($outcome, $said) = ranked(path => "$classic/4-copies");
    is($outcome, 'wrong usage', 'a report of four copies has no place');
    ($outcome, $said) = ranked(path => file($PLACE, 'own-text', rendered(text => one(1))));
    like($said, qr/^> +[0-9.]+  this result, the classic score, 2nd of 2: vm, .*, version 8[.]0[.]0$/m, 'our own');
    my $quick = one(1, notes => ['changed procedure: index.base is edited']);
    ($outcome, $said) = ranked(path => file($PLACE, 'short-text', rendered(text => $quick)));
    is($outcome, 'wrong usage', 'not with a note on a changed procedure');
};

subtest 'each classic report with a complete index has a place' => sub {
    my ($one, $four) = map { text_of("$FindBin::Bin/../../../t/data/classic/$_") } qw(1-copy 4-copies);
    local $HOME = suite(
        line(1000, 'low',  q{}),
        line(2000, 'high', q{}),
        'four,PC,D,4,4,3000,1,5.1.3,2024,z',
        'half,PC,D,8,4,9000,1,5.1.3,2024,z'
    );
    my $place = sub {
        my ($text, %with) = @_;
        return (ranked(path => file($PLACE, 'post.md', $text), %with))[1];
    };
    like($place->($four), qr/^> +3357  this result, the classic score, 4 copies, 1st of 1$/m, 'one copy for each CPU');
    like($place->($four), qr/^Published indexes of one copy for each CPU, the fastest/m,      'the text says it');
    unlike($place->($four =~ s/4 CPUs/8 CPUs/r), qr/^>/m, 'not with fewer copies than CPUs');
    like($place->("$one$four"), qr/^> +1363  this result, the classic score, 2nd of 2$/m, 'one copy comes first');
    my $failed = $four =~ s/^(Process Creation).*lps.*/$1   no measured results/mr;
    like($place->("$one$failed" =~ s/^Process.* 273.*\n//mr =~ s/3357[.]0/none (incomplete)/r),
        qr/^> +1363 /m, 'a test of another run that failed does not matter');
    my ($table) = $one =~ /^(System Benchmarks Index Values.*)/ms;
    like(
        $place->("```\n$table```\n"),
        qr/^> +1363  this result, the classic score, no place, because the number of copies is unknown\n/m,
        'the table alone has no place'
    );
    like($place->($table), qr/^Note: the number of copies is unknown; give it with --copies N, and/m, 'a note says so');
    unlike($place->($table), qr/[0-9](?:st|nd|rd|th) |published/i, 'and nothing is said of places');
    my $screen = { columns => 80 };
    like(
        $place->($table, screen => $screen),
        qr{^Against    no place, .* copies is unknown\nNext       ./Run rank .* --copies N --cpus N$}m,
        'nor on a terminal'
    );
    my $readme = text_of("$FindBin::Bin/../../../README.md");
    my ($index) = $readme =~ /^System Benchmarks Index Score +(\S+)$/m;
    like($place->($readme), qr/^> +\Q@{[sprintf '%.0f', $index]}\E  /m, 'so is the one in README.md');
    my $given = $place->("```\n$table```\n", copies => [1]);
    like($given, qr/^> +1363  this result, the classic score, 2nd of 2$/m, 'unless the user gives the number');
    unlike($given, qr/^Note/m, 'then there is no note');
    like(
        $place->($one . $one =~ s/2018/2019/r),
        qr/^Note: the newest of 2 reports in the same file was read: /m,
        'a note names the report that was read'
    );
};

subtest 'a report with several copies, without their line' => sub {
    local $HOME = suite('eight,PC,D,8,8,3000,1,5.1.3,2024,z');
    my $four    = text_of("$FindBin::Bin/../../../t/data/classic/4-copies");
    my ($table) = $four =~ /^(System Benchmarks Index Values.*)/ms;
    my $place   = sub {
        my ($text, %with) = @_;
        return (ranked(path => file($PLACE, 'post.md', $text), %with))[1];
    };
    like($place->($table, copies => [8]), qr/^> +3357  .*, 8 copies, 1st of 1$/m, 'eight copies have their place');
    like($place->($table, copies => [8]), qr/^Note: the number of CPUs is unknown; .*assumes one/ms, 'with a note');
    unlike($place->($table, copies => [8], cpus => 8),  qr/^Note/m, 'unless the number of CPUs is given');
    unlike($place->($table, copies => [8], cpus => 16), qr/^>/m,    'fewer copies than CPUs have none');
    like(
        $place->($four =~ s/4 CPUs in system; //r),
        qr/^> +3357  .*, 4 copies, no place, because the number of CPUs is unknown\n/m,
        'nor has an unknown number of CPUs'
    );
};

subtest 'problems of the suite are errors' => sub {
    my $console = FakeConsole->new(can_print => 0);
    my $names   = UnixBench::Store::ResultNames->new(directory => '/nowhere');
    my $run     = sub {
        my %options = (words => [], outputs => []);
        return UnixBench::Rank::Command::run(
            FakeCall->new(names => $names, console => $console, home => $_[0], options => \%options));
    };
    is($run->("$HOME"), 'failed', 'an output that cannot be written');
    is(
        eval { $run->('/nowhere') } // $@,
        "share/published.csv is missing: unpack or install the suite again\n",
        'a missing list'
    );
};

subtest './Run rank reads a result' => sub {
    my $run = "$FindBin::Bin/../../../Run";
    local $ENV{UB_RESULTDIR} = "$PLACE";
    my $errors = "$PLACE/errors";
    my $ran    = sub { my $said = qx('$^X' '$run' rank $_[0] 2>'$errors'); return ($? >> 8, $said) };
    my ($status, $said) = $ran->('a');
    is($status, 0, 'a bare name: exit status 0');
    like($said, qr/^> +[0-9.]+  this result, .*: vm, /m, 'a bare name: the result is marked');
    my ($all_status, $all) = $ran->('--all a');
    cmp_ok(length $all, '>', length $said, '--all prints more');
    is_deeply([$ran->($_)], [2, q{}], "$_: exit status 2") for 'part', 'nothing', 'none-such', 'a nothing';
};

done_testing;
