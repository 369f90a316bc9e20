use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use TestProgram qw(content);
use UnixBench::Plan::Baseline;

my $official = UnixBench::Plan::Baseline::parse(content("$FindBin::Bin/../../../pgms/index.base"));
is_deeply($official->{shell1}, { score => 42.4, unit => 'lpm', seconds => 60, iterations => 1 }, 'all its values');
ok(UnixBench::Plan::Baseline::is_official($official), 'the official baseline is official');

my $lenient =
    UnixBench::Plan::Baseline::parse(
    "# comment\n\n  pipe | 10 |lps| |12440|2 # George\r\n \t\ngrep|||||\n" =~ s/grep.*\n//r);
is_deeply([map { @{$_}{qw(score unit)} } $lenient->{pipe}], [12440, 'lps'], 'comments, blanks and CR LF are accepted');
is_deeply(UnixBench::Plan::Baseline::parse(''),             {},             'an empty file is an empty baseline');
is(UnixBench::Plan::Baseline::parse("a|1|lps|1|1|1\na|1|lps|2|2|1\n")->{a}{score}, 2,   'the last line is used');
is(UnixBench::Plan::Baseline::parse('a|1|lps|1|.5')->{a}{score},                   0.5, 'five fields are enough');

my %EDITS = (
    'a score'       => sub { $_[0]{pipe} = { score => 12441 } },
    'one test less' => sub { delete $_[0]{pipe} },
    'another test'  => sub { $_[0]{hanoi} = delete $_[0]{pipe} },
);
for my $what (sort keys %EDITS) {
    my %edited = %{$official};
    $EDITS{$what}->(\%edited);
    ok(!UnixBench::Plan::Baseline::is_official(\%edited), "an edited baseline is not official: $what");
}
my %notes = (%{$official}, pipe => { score => 12440, unit => 'loops' });
ok(UnixBench::Plan::Baseline::is_official(\%notes), 'only names and scores make a baseline official');

my @broken = (
    ["a|1|lps|1",                    qr/line 1: expected test\|seconds/,                'too few fields'],
    ["a|1|lps|1|zero|1",             qr/line 1: the score of a, "zero", is/,            'a score that is a word'],
    ["a|1|lps|1|0|1",                qr/line 1: the score of a, "0", is/,               'a score of 0'],
    ["a|1|lps|1|nan|1",              qr/"nan"/,                                         'a score of nan'],
    ["a|1|lps|1|1e999|1",            qr/"1e999"/,                                       'an infinite score'],
    ["a|1|lps|1|\xff\t9|1",          qr/"\\xff\\t9"/,                                   'a binary score'],
    ["a b|1|lps|1|1|1",              qr/line 1: "a b" is not a test/,                   'a name with a blank'],
    ["a|1|lps|1|" . '9' x 5000,      qr/line 1: the score of a, "9{60}[.]{3}", is/,     'a long score'],
    ['a' x 5000 . '|1|lps|1|0',      qr/line 1: the score of a{60}[.]{3}, "0", is/,     'a long name'],
    ["\e[31m\xe2\x80\xae|1|lps|1|0", qr/line 1: "\\x1b\[31m\\x[{]202e}" is not a test/, 'control characters'],
);
for my $case (@broken) {
    my ($text, $message, $what) = @{$case};
    ok(!eval { UnixBench::Plan::Baseline::parse($text); 1 }, "refused: $what");
    like($@, $message,                                      "refused: $what: the error gives the reason");
    like($@, qr/\Aindex[.]base line \d+: [ -~]{1,200}\n\z/, "refused: $what: the error is one short line");
}

done_testing();
