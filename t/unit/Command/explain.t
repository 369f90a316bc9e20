use strict;
use warnings;

use Cwd        ();
use File::Path qw(make_path);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Golden qw(is_golden no_golden_left_over);
use Place  qw(place write_file);
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

subtest 'share/tests.md is complete' => sub {
    is_deeply([sort map { @{ $_->{names} } } @sections], [sort @names], 'each test is in one section');
    for my $section (@sections) {
        my @titles = map { /\A[*][*](.+?):[*][*] \S.*[.]\z/ ? $1 : 'none' } @{ $section->{paragraphs} };
        is_deeply(\@titles, \@parts, "four parts that end with full stops: @{ $section->{names} }");
    }
    unlike($words, qr/[^\n -~]/, 'the file is ASCII');
    my @odd = grep { tr/`// % 2 } map { split /\n\s*\n/ } $words;
    is_deeply(\@odd, [], 'backquotes come in pairs');
};

my $text = explained(@names);
is_deeply([sort $text =~ /^(\S+): /mg], [sort @names], 'each test is explained');
is(scalar(() = $text  =~ /^  One loop: /mg), scalar @sections, 'tests of the same section share one explanation');
is_deeply([grep { length > 79 || /\s\z|[`*{}]/ } split /\n/, $text], [], 'lines are short, and without Markdown');
is_deeply([explained(qw(fsdisk pipe fstime-w dc)) =~ /^(\S+): /mg],  [qw(pipe fstime-w fsdisk dc)], 'in their order');
is_golden('dhry2reg.txt', explained('dhry2reg'));

my %LINE = (
    ubgears => "pgms/ubgears -time 20 -v\n  3 passes of 20 seconds (each takes about 25); unit fps, baseline 33.4\n",
    dc      => "pgms/looper 30 dc < testdir/dc.dat\n  3 passes of 30 seconds\n",
    C       => "pgms/looper 60 gcc -o \$UB_SCRATCH/cctest cctest.c\n  3 passes of 60 seconds\n",
);
like(explained($_), qr/\A[^\n]+\n  \Q$LINE{$_}\E\n/, "the command and the passes of $_") for sort keys %LINE;

my %test = (name => 'x', title => 'X', command => ['x'], passes_wanted => 2, seconds => 5, pass_s => 5);
my $long = join q{ }, ('12345') x 12;
is(
    UnixBench::Command::Explain::section(["**A:** $long `b -c`, *d*."], \%test),
    "x: X\n  x\n  2 passes of 5 seconds\n\n  A: $long\n    b -c, d.\n",
    'Markdown is removed, and code is not split'
);

subtest 'a missing share/tests.md is an error, not a missing section' => sub {
    my $place = place();
    make_path("$place/share", "$place/pgms");
    my $of = sub { return UnixBench::Command::Explain::of("$place", "$place/pgms", @_) };
    is(eval { $of->('pipe') }, undef, 'without share/tests.md, nothing is explained');
    like($@, qr{\Acan't read \Q$place\E/share/tests[.]md: No such file or directory; [^\n]+\n\z}, 'one line says so');
    write_file("$place/share/tests.md",  "### pipe\n\n**One loop:** A.\n");
    write_file("$place/pgms/index.base", "pipe|10|lps|?\n");
    my $pipe = "pipe: Pipe Throughput\n  pgms/pipe 10\n  10 passes of 10 seconds\n\n  One loop: A.\n";
    is($of->('pipe'), $pipe, 'a damaged baseline is left out');
    like($of->('dc'), qr/\Adc: [^\n]+\n  pgms[^\n]+\n  3 passes[^\n]+\n\z/, 'a test without a section has its command');
};

no_golden_left_over();
done_testing;
