use strict;
use warnings;

use File::Temp ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Fixture      qw(failed measured result run);
use LoadFiles    qw(load_file search_file written);
use MultiUserRun qw(load_lines played);
use Rendered     qw(rendered);
use UnixBench::Command::Compare;
use UnixBench::Report::Formats;

my $place   = File::Temp->newdir;
my $classic = "$FindBin::Bin/../../data/classic";
my $multics = "$FindBin::Bin/../../data/multics.json";

sub analysed {
    my (@files)  = @_;
    my %with     = ref $files[-1] ? %{ pop @files } : ();
    my $compared = eval { UnixBench::Command::Compare::of(files => \@files, analysis => 1, %with) }
        or return { why_not => $@ };
    my %texts = map { $_ => UnixBench::Report::Formats::of_blocks($_, $compared->{report}) } qw(text html markdown);
    return { %$compared, %texts };
}

# Returns a load of users that failed after a good pass.
sub failed_load {
    my %test = %{ failed('multiuser', 'no line was answered', 4720) };
    $test{passes}[0] = played([load_lines()])->{passes}[0];
    return \%test;
}

my @THREE = map { +{ factor => $_ } } 1, 1.02, 0.99;

my $before = load_file($place, 'before.json', \@THREE);
my $after  = load_file($place, 'after.json',  [map { +{ factor => $_->{factor} / 2 } } @THREE]);
my $lost   = load_file($place, 'lost.json',   [{ lost => 1 }]);
my $bare   = load_file($place, 'bare.json',   [{ bare => 1 }]);
my $other  = load_file($place, 'other.json',  [{}], script => 'ff' x 32, scale => 1);
my $ten    = load_file($place, 'ten.json',    [{ users => 10 }], users => [10]);
my $search = search_file($place, 'search.json');
my $failed = written($place, 'failed.json', rendered(json => result([run(1, failed_load())])));
my $pipe   = written($place, 'pipe.json',   rendered(json => result([run(1, measured('pipe', 1, 5, 6))])));

subtest 'the loads of two results are analysed' => sub {
    my $analysed = analysed($before, $after);
    is($analysed->{why_not},  undef, 'two results are accepted');
    is($analysed->{is_worse}, 0,     'neither result is worse');
    like(
        $analysed->{text},
        qr/\ATwo systems under the same load, 20 users with pauses of 0.04 to 0.3 s: A is/,
        'the text names the load'
    );
    like(
        $analysed->{text},
        qr/^Elapsed time \(s\) +61[.]\d\d +30[.]\d\d +2[.]000 +1[.]\d+-2[.]\d+$/m,
        'the text has meters that differ'
    );
    like(
        $analysed->{text},
        qr/^CPU, total \(s\) +93[.]11 +93[.]11 +1[.]000 +1[.]000-1[.]000$/m,
        'the text has meters that do not differ'
    );
    like($analysed->{text}, qr/^ +A total CPU +93[.]11 s /m,                               'the text has the formula');
    like($analysed->{html}, qr{\A<!DOCTYPE html>.*<mtext[^>]*>A total CPU<.*</html>\n\z}s, 'the page has the formula');
    like($analysed->{markdown}, qr{\A## Analysis: .*A total CPU / B total CPU = }s,        'Markdown has the formula');
    like(
        analysed($before, $before)->{text},
        qr/A and B used the same CPU time, within the interval[.]/,
        'the same file twice shows no difference'
    );
    like(
        analysed($before, $bare)->{text},
        qr/The effect of overhead is left out: B has no idle time; B has no useful time/,
        'an effect without its meters is left out, with the reason'
    );
    like(
        analysed($before, $after, { prices => [1, 2] })->{text},
        qr/^ +B price x elapsed +2 x /m,
        '--price adds the price of a run'
    );
};

subtest 'users that did not finish are reported' => sub {
    my $text = analysed($before, $lost)->{text};
    like(
        $text,
        qr/^B: 2 lines failed, 2 of 20 users did not finish[.] CPU times/m,
        'failed lines and unfinished users are counted'
    );
    like($text, qr/^CPU, good \(s\) +66[.]84 +66[.]84 /m, 'the CPU time of the other users stands for all');
};

subtest 'one file may have the meters of two systems' => sub {
    my $analysed = analysed($multics);
    like(
        $analysed->{text},
        qr/\AThe meters of two systems, as they were typed in: A is 645, /,
        'the meters of 1973 are analysed'
    );
    is($analysed->{is_worse}, 0, 'neither system is worse');
    like(
        analysed($multics, { prices => [1.2, 3] })->{text},
        qr/would be 3[.]51 an hour for B/,
        '--price adds the price of an hour'
    );
};

subtest "results that can't be analysed are refused" => sub {
    my $head  = "these results can't be compared";
    my $force = "use --force to compare them anyway\n";
    is(
        analysed($before, $ten)->{why_not},
        "$head\nA is $before\nB is $ten\nusers of the multi-user load: 20 in A, 10 in B\n$force",
        'different numbers of users are refused'
    );
    like(
        analysed($before, $ten, { force => 1 })->{text},
        qr/\AThe procedures differ \(--force\): users of the multi-user load: 20 in A, 10 in B[.]\n/,
        '--force analyses different numbers of users'
    );
    like(
        analysed($before, $other)->{why_not},
        qr/\nthink times of the [^\n]* in A, [^\n]* in B\nscript of the [^\n]* in A, f+ in B\n\Q$force\E\z/,
        'another script and other pauses are refused, with a line for each'
    );
    for my $force (0, 1) {
        is(
            analysed($before, $pipe, { force => $force })->{why_not},
            "$head\nA is $before\nB is $pipe\nB has no pass of the test multiuser with meters\n",
            "a result of another test is refused with force $force"
        );
        is(
            analysed($before, $failed, { force => $force })->{why_not},
            "$head\nA is $before\nB is $failed\nB has no pass of the test multiuser with meters\n",
            "a load that failed is refused with force $force"
        );
        is(
            analysed($search, $before, { force => $force })->{why_not},
            "$head\nA is $search\nB is $before\nA has no meters, because it is a search for the capacity\n",
            "a search for the capacity is refused with force $force"
        );
    }
    like(
        analysed($before, $before, $before)->{why_not},
        qr/\Aoption --analysis takes two results, or one file with the meters of two systems, not 3 files\n\z/,
        'three results are refused'
    );
    like(
        analysed($before)->{why_not},
        qr/before[.]json has no meters of two systems: it is one result; name two results, /,
        'one result is refused'
    );
    like(
        analysed($before, $multics)->{why_not},
        qr{multics[.]json is not a result: JSON, but not from UnixBench\n\z},
        'a result and a file of typed-in meters are refused'
    );
    like(
        analysed($before, "$classic/1-copy")->{why_not},
        qr{1-copy is not a result: a text report, without the data of the passes\n\z},
        'a text report is refused'
    );
    like(
        analysed($before, "$place/none")->{why_not},
        qr{\Acan't read \S+/none: No such file or directory\n\z},
        'a missing file is reported'
    );
    like(
        analysed("$place/none")->{why_not},
        qr{\Acan't read \S+/none: No such file or directory\n\z},
        'a single missing file is reported'
    );
    is(
        analysed($before, $after, { min_effect => 0.1 })->{why_not},
        "option --min-effect is not for --analysis: leave it out\n",
        '--min-effect is refused'
    );
};

done_testing();
