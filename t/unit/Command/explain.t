use strict;
use warnings;

use Cwd        ();
use File::Path qw(make_path);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Golden qw(is_golden no_golden_left_over);
use Place  qw(place);
use UnixBench::Base::Files;
use UnixBench::Catalog;
use UnixBench::Command::Explain;

my $home  = Cwd::abs_path("$FindBin::Bin/../../..");
my @names = map { $_->{name} } UnixBench::Catalog::tests();
my @parts = ('One loop', 'What limits it', 'What it does not tell', 'History');
my $words = UnixBench::Base::Files::content("$home/share/tests.md");

# The file also has sections about tests of features that are not here.
my %is_test  = map { $_ => 1 } @names;
my @sections = grep {
    grep { $is_test{$_} }
        @{ $_->{names} }
} UnixBench::Command::Explain::parsed($words);

# Takes names of tests; returns their explanation.
sub explained { return UnixBench::Command::Explain::of($home, "$home/pgms", @_) }

# Takes a text; returns the names of the tests that its headings have, in order.
sub headings { return [$_[0] =~ /^(\S+): /mg] }

# Takes files (path => text); returns a new tree with them.
sub tree {
    my (%text_of) = @_;
    my $place = place();
    make_path("$place/share", "$place/pgms");
    UnixBench::Base::Files::write_whole("$place/$_", $text_of{$_}) for keys %text_of;
    return $place;
}

subtest 'share/tests.md is complete' => sub {
    is_deeply([sort map { @{ $_->{names} } } @sections], [sort @names], 'each test is in one section');
    for my $section (@sections) {
        my @titles = map { /\A[*][*](.+?):[*][*] \S/ ? $1 : 'none' } @{ $section->{paragraphs} };
        is_deeply(\@titles,                                        \@parts, "four parts: @{ $section->{names} }");
        is_deeply([grep { !/[.]\z/ } @{ $section->{paragraphs} }], [],      'each paragraph ends with a full stop');
    }
    unlike($words, qr/[^\n -~]/, 'the file is ASCII');
    my @odd = grep { tr/`// % 2 } map { split /\n\s*\n/ } $words;
    is_deeply(\@odd, [], 'backquotes come in pairs');
};

subtest 'each test is explained' => sub {
    for my $name (@names) {
        my $text = explained($name);
        is_deeply(headings($text),                [$name], "$name has a heading");
        is_deeply([$text =~ /^  (\w[\w ]+): /mg], \@parts, "$name has four parts");
        is_deeply([grep { length > 79 || /\s\z|[`*{}]/ } split /\n/, $text],
            [], "$name has short lines without Markdown");
    }
    my @whole = explained(@names) =~ /^  One loop: /mg;
    is(scalar @whole, scalar @sections, 'tests of the same section share one explanation');
};

subtest 'tests are explained in the order of the words' => sub {
    is_deeply(
        headings(explained(qw(fsdisk pipe fstime-w dc))),
        [qw(fsdisk fstime-w pipe dc)],
        'tests of the same section stay together'
    );
};

subtest 'an explanation is as recorded' => sub {
    is_golden('dhry2reg.txt', explained('dhry2reg'));
};

subtest 'the command and the passes of a test are explained' => sub {
    my %line = (
        pipe    => "  pgms/pipe 10\n  10 passes of 10 seconds; unit lps, baseline 12440\n",
        ubgears =>
            "  pgms/ubgears -time 20 -v\n  3 passes of 20 seconds (each takes about 25); unit fps, baseline 33.4\n",
        'fsdisk-r' => "  pgms/fstime -r -t 30 -d tmp -b 4096 -m 8000\n  3 passes of 30 seconds (each takes about 40)\n",
        dc         => "  pgms/looper 30 dc < testdir/dc.dat\n  3 passes of 30 seconds\n",
        C          => "  pgms/looper 60 gcc -o \$UB_SCRATCH/cctest cctest.c\n  3 passes of 60 seconds\n",
        '2d-window' =>
            "  pgms/gfx-x11 window 3 2\n  3 passes of 2 seconds (each takes about 52); unit score, baseline 15\n",
    );
    for my $name (sort keys %line) {
        like(explained($name), qr/\A[^\n]+\n\Q$line{$name}\E\n/, "the command and the passes of $name");
    }
};

subtest 'paragraphs are wrapped' => sub {
    my %test = (name => 'x', title => 'X', command => ['x'], passes_wanted => 2, seconds => 5, pass_s => 5);
    my $long = join q{ }, ('12345') x 12;
    my $text = UnixBench::Command::Explain::section(["**A:** $long `b -c`, *d*."], \%test);
    is(
        $text,
        "x: X\n  x\n  2 passes of 5 seconds\n\n  A: $long\n    b -c, d.\n",
        'Markdown is removed, and code is not split'
    );
};

subtest 'a missing share/tests.md is an error' => sub {
    my $place = tree();
    is(eval { UnixBench::Command::Explain::of($place, "$place/pgms", 'pipe') }, undef, 'nothing is explained');
    like(
        $@,
        qr{\Acan't read \Q$place\E/share/tests[.]md: No such file or directory; [^\n]+\n\z},
        'the error names the file and the remedy'
    );
};

subtest 'an explanation can do without baseline and section' => sub {
    my $place = tree('share/tests.md' => "### pipe\n\n**One loop:** A.\n");
    my $pipe  = "pipe: Pipe Throughput\n  pgms/pipe 10\n  10 passes of 10 seconds\n\n  One loop: A.\n";
    is(UnixBench::Command::Explain::of($place, "$place/pgms", 'pipe'), $pipe, 'a test is explained without a baseline');
    like(
        UnixBench::Command::Explain::of($place, "$place/pgms", 'dc'),
        qr/\Adc: [^\n]+\n  pgms[^\n]+\n  3 passes[^\n]+\n\z/,
        'a test without a section has its command and passes'
    );
    UnixBench::Base::Files::write_whole("$place/pgms/index.base", "pipe|10|lps|?\n");
    is(UnixBench::Command::Explain::of($place, "$place/pgms", 'pipe'), $pipe, 'a damaged baseline is ignored');
};

no_golden_left_over();
done_testing;
