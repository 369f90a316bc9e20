use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Cases    qw(%COUNT);
use Fixture  qw(@INDEX host measured result run);
use Place    qw(place);
use Rendered qw(rendered);
use UnixBench::Command::Rank;
use UnixBench::Compare::Published;
use UnixBench::Store::ResultNames;

my $HEADING = "machine,cpu,cpus,copies,index,results,version,year,source\n";

# A fake console that keeps what is printed.
package FakeConsole {
    sub new    { my ($class, $can_print) = @_; return bless { can_print => $can_print, said => q{} }, $class }
    sub inform { my ($self, $text) = @_; $self->{said} .= $text;            return $self->{can_print} }
    sub refuse { my ($self, $text) = @_; $self->{said} .= "refused: $text"; return }
}

# Takes a directory, the name of a file and a text; writes the file and returns its path.
sub file {
    my ($place, $name, $text) = @_;
    open my $file, '>:raw', "$place/$name" or die "$name: $!\n";
    print {$file} $text;
    close $file or die "$name: $!\n";
    return "$place/$name";
}

# Takes a factor and facts; returns a complete result of one copy.
sub one {
    my ($factor, %facts) = @_;
    my @tests = map { my $count = $factor * $COUNT{$_}; measured($_, 1, ($count) x 3) } @INDEX;
    return result([run(1, @tests)], %facts);
}

my ($ONE) = map { $_->{index} } @{ one(1)->{runs}[0]{indexes} };

# A suite with two published results of one copy, one of them lower than that of one().
my $HOME = place();
mkdir "$HOME/share" or die "share: $!\n";
file("$HOME/share", 'published.csv',
          $HEADING
        . sprintf("slow,A B,1,1,%.1f,1,5.1.3,2021,x/y\n,C,8,1,%.1f,12,5.1.2,2011,z\n", $ONE / 10, $ONE * 10)
        . "many,D,8,8,12345,1,5.1.3,2024,z\n");

# Takes path or names; returns the outcome and what is printed.
sub ranked {
    my (%with)  = @_;
    my $console = FakeConsole->new(1);
    my $names   = UnixBench::Store::ResultNames->new(directory => $with{directory} // '/nowhere');
    my $outcome =
        UnixBench::Command::Rank::ranked(home => "$HOME", names => $names, console => $console, path => $with{path});
    return ($outcome, $console->{said});
}

my $PLACE = place();
my $ABOUT = "\nIndexes of one copy, as people have published them. They were measured with other compilers, versions, "
    . "systems and file\nsystems, so the place is only a rough guide.\n";
my $NONE =
      'No result in the directory of results can be ranked: none has a complete index of one copy by the unchanged '
    . "procedure.\nMeasure one: ./Run -c 1\n";
my @LINES = (
    sprintf("  %8.1f  slow, A B (version 5.1.3, 2021, x/y)\n",   $ONE / 10),
    sprintf("  %8.1f  C (version 5.1.2, 2011, z, mean of 12)\n", $ONE * 10),
);
my $MACHINE = '2 CPUs AMD EPYC, Linux 6.18, gcc 12.2 -O3 -march=native, version 8.0.0';

subtest 'a result is listed among the published ones' => sub {
    my ($outcome, $said) = ranked(path => file($PLACE, 'a.html', rendered(html => one(1))));
    is($outcome, 'done', 'the outcome is done');
    is(
        $said,
        $LINES[0] . sprintf("> %8.1f  this result: vm, $MACHINE\n", $ONE) . $LINES[1] . $ABOUT,
        'the lines are in the order of the index, and that of the result is marked'
    );
    my $hostile = host(name => "v\e[31mm");
    ($outcome, $said) = ranked(path => file($PLACE, 'b.json', rendered(json => one(100, host => $hostile))));
    is(
        $said,
        $LINES[0] . $LINES[1] . sprintf("> %8.1f  this result: v\\x1b[31mm, $MACHINE\n", 100 * $ONE) . $ABOUT,
        'a JSON file is read, too, and control characters are escaped'
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
    like($said, qr/^> +@{[sprintf '%.1f', $ONE]}  this result: /m, 'the newest one that can be ranked is marked');
    ($outcome, $said) = ranked();
    is_deeply(
        [$outcome, $said],
        ['done',   join q{}, @LINES, $ABOUT, $NONE],
        'without any, the list ends with the reason'
    );
};

subtest 'a result that cannot be ranked is refused' => sub {
    my %why = (
        part => [
            result([run(1, measured('pipe', 1, 5, 6))]),
            "can't be ranked: it has no complete index of one copy by the unchanged procedure; measure one: ./Run -c 1"
        ],
        quicker => [
            one(1, procedure => { kind => 'official', time_factor => 0.5, work_factor => 1 }),
            "can't be ranked: it has no complete index of one copy by the unchanged procedure; measure one: ./Run -c 1"
        ],
    );
    for my $name (sort keys %why) {
        my $path = file($PLACE, "$name.json", rendered(json => $why{$name}[0]));
        is_deeply([ranked(path => $path)], ['wrong usage', "refused: $path $why{$name}[1]"], $name);
    }
    my $text = file($PLACE, 'text', rendered(text => one(1)));
    is_deeply(
        [ranked(path => $text)],
        ['wrong usage', "refused: $text is not a result: a text report, without the data of the passes\n"],
        'a text report'
    );
};

subtest 'problems of the suite are errors' => sub {
    my $console = FakeConsole->new(0);
    my $names   = UnixBench::Store::ResultNames->new(directory => '/nowhere');
    my %with    = (names => $names, console => $console);
    is(UnixBench::Command::Rank::ranked(%with, home => "$HOME"), 'failed', 'an output that cannot be written');
    is(
        eval { UnixBench::Command::Rank::ranked(%with, home => '/nowhere') } // $@,
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
    like($said, qr/^> +[0-9.]+  this result: vm, /m, 'a bare name: the result is marked');
    is_deeply([$ran->($_)], [2, q{}], "$_: exit status 2") for 'part', 'text', 'none-such', "'$PLACE'";
    open my $file, '<', $errors or die "errors: $!\n";
    like(
        scalar readline $file,
        qr/\ARun: the directory .* has [0-9] results; name one of them\n\z/,
        'a directory with several results is refused'
    );
};

done_testing;
