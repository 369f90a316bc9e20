# Tests of refusing logs of measure.sh with right checks that contradict themselves, and of the time and memory that
# any log needs.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use MadeLog                        qw(lines_of log_of raw_line);
use Place                          qw(place text_of write_file);
use TestProgram                    ();
use UnixBench::Target::Log;
use UnixBench::Version;

use constant { SIZE => 1_000_000, CPU_S => 20, MEMORY_KB => 200_000 };

my %LOG   = map { $_ => [now(lines_of(text_of("$FindBin::Bin/data/$_.log")))] } qw(official quick);
my $PLACE = place();

# Takes lines; returns them as this version writes them.
sub now {
    return map { s/\Aplan[|]version[|]\K.*/$UnixBench::Version::VERSION/r } @_;
}

# Takes lines; returns the line that refuses the log, or "a log".
sub read_as {
    my (@lines) = @_;
    return eval { UnixBench::Target::Log::read_file('LOG', log_of(@lines)); 1 } ? 'a log' : $@;
}

# These return a change of lines: a text is replaced in each; lines are added behind the first that matches; lines are
# left out.
sub each_line {
    my ($from, $to) = @_;
    return sub {
        map { s/$from/$to/r } @_;
    }
}
sub planned { my ($key, $value) = @_; return each_line(qr/\Aplan[|]$key[|]\K.*/, $value) }

sub without {
    my ($at) = @_;
    return sub {
        grep { !/$at/ } @_;
    }
}

sub behind {
    my ($at, @more) = @_;
    return sub {
        my $is_done;
        map {
            ($_, !$is_done && /$at/ ? do { $is_done = 1; @more } : ())
        } @_;
    };
}

my @PASS = (
    'pass|1|pipe|4|1795692299|{bindir}/pipe 0.1', 'said|1|COUNT|900000|1|lps',
    'said|1|TIME|0.100044026',                    'copy|1|8506|0',
    'done|1|pipe|4|1795692299|*'
);
my $FIRST = qr/\Apass[|]1[|]pipe[|]1/;

my %OFFICIAL = (
    (map { ("factor $_" => planned(factor => $_)) } qw(0 -1 inf 2 1e-3), q{}),
    (map { ("copies $_" => planned(copies => $_)) } '0 2', '01 2', '1,2', '1', '10000'),
    (map { ("work $_"   => planned(work   => $_)) } qw(0 -1 1.5)),
    (map { ("kind $_"   => planned(kind   => $_)) } qw(fast quick)),
    (map { ("passes $_" => planned(passes => $_)) } 'pipe', 'pipe 0', 'nothing 4', 'ubgears 4', 'syscall 4'),
    'cpus 1e99'                    => planned(cpus => '1e99'),
    'gate 2'                       => planned(gate => '2'),
    'two plans'                    => behind(qr/\Afact/, 'plan|factor|0.5'),
    'no copies in the plan'        => without(qr/plan[|]copies/),
    'a test planned and skipped'   => sub { ('skip|pipe|skipped: no',    @_) },
    'an unknown test skipped'      => sub { ('skip|nothing|skipped: no', @_) },
    'skipped without a reason'     => sub { ('skip|hanoi|',              @_) },
    'skipped at the end'           => behind(qr/\Amade[|]2[|]fstime/,   'skip|hanoi|skipped: no'),
    'a pass twice'                 => behind(qr/\Adone[|]1[|]pipe[|]4/, @PASS),
    'a pass too many'              => behind(qr/\Adone[|]1[|]pipe[|]4/, map { s/pipe[|]4/pipe|5/r } @PASS),
    'a pass with number 0'         => each_line(qr/\A(?:pass|done)[|]1[|]pipe[|]\K1/,     '0'),
    'a pass of 3 copies'           => each_line(qr/\A(?:pass|done)[|]\K1(?=[|]pipe[|]1)/, '3'),
    'passes in another order'      => each_line(qr/\A(?:pass|done)[|]1[|]pipe[|]\K1/,     '2'),
    'the end of a test is missing' => without(qr/\Amade[|]1[|]pipe/),
    'a test ends twice'            => behind(qr/\Amade[|]1[|]pipe/, 'made|1|pipe|4|0'),
    'a test ends early'            => each_line(qr/\Amade[|]1[|]pipe[|]\K4/,               '3'),
    'a test ends late'             => each_line(qr/\Amade[|]1[|]pipe[|]\K4/,               '1000000'),
    'a quick pass'                 => each_line(qr/\Apass[|].*pipe \K0[.]1/,               '0.01'),
    'another program'              => each_line(qr/\Apass[|]1[|]pipe.*bindir.\/\Kpipe/,    'syscall'),
    'another command'              => each_line(qr/\Apass[|]1[|]pipe[|]1[|][0-9]+[|]\K.*/, 'rm -rf /'),
    'the end before the begin'     => each_line(qr/\Adone[|]1[|]pipe[|]1[|]\K[0-9]+/,      '17'),
    'more time than passed'        => each_line(qr/TIME[|]\K.*/,                           '7200.5'),
    'another first line'           => each_line(qr/\Adone[|]1[|]pipe[|]1[|][0-9]+[|]\K.*/, '1'),
    'the end of another pass'      => each_line(qr/\Adone[|]1[|]pipe[|]\K1/,               '2'),
    'a copy too many'              => each_line(qr/\Acopy[|]\K2/,                          '3'),
    'a copy too few'               => without(qr/\A(?:copy|said)[|]2[|]/),
    'a copy ends twice'            => behind(qr/\Acopy[|]1/, 'copy|1|9|0'),
    'a wrong time limit'           => behind(qr/\Acopy/,     'late|1'),
    'out of time twice'            => behind(qr/\Acopy/, ('late|61') x 2),
    'a pass in a pass'             => behind($FIRST,                  @PASS),
    'a fact in a pass'             => behind($FIRST,                  'fact|uname|s Linux'),
    'one look'                     => behind($FIRST,                  'look|1.0|2|1 2 3 4 5 6 7 8|1|1 2 3 4 5 6|1'),
    'an unknown kind of line'      => behind($FIRST,                  'luck|1'),
    'it goes on after a signal'    => behind(qr/\Amade[|]1[|]pipe/,   'stop|INT'),
    'an unknown signal'            => behind(qr/\Amade[|]2[|]fstime/, 'stop|KILL'),
    'lines after the end'          => behind(qr/\Aend/,               'plan|gate|1'),
);
my %QUICK = (
    'a seed of 0'          => planned(seed => '0'),
    'official passes'      => each_line(qr/\Apass[|].*pipe \K0[.]01/, '0.1'),
    'an official plan'     => planned(kind => 'official'),
    'a round too many'     => each_line(qr/\A(?:pass|done)[|]2[|]pipe[|]\K4/, '5'),
    'loops in braces'      => each_line(qr/ -n \K1/,                          '{loops}'),
    'no loops'             => each_line(qr/ -n \K1/,                          '0'),
    'a warm-up for a pass' => each_line(qr/\A(?:pass|done)[|]2[|]pipe[|]\K1/, '0'),
);
my %change = (official => \%OFFICIAL, quick => \%QUICK);
for my $log (sort keys %change) {
    is(read_as(@{ $LOG{$log} }), 'a log', "$log: the unchanged log is one");
    for my $case (sort keys %{ $change{$log} }) {
        my $said = read_as($change{$log}{$case}->(@{ $LOG{$log} }));
        like(
            $said,
            qr/\ALOG, a log of measure[.]sh, (?:contradicts itself: |has no whole )[ -~]+; measure again\n\z/,
            "$log, $case: one line"
        );
    }
}
like(
    read_as(planned(format => '3')->(map { s/8[.]\d[.]\d/99.0.0/r } @{ $LOG{quick} })),
    qr/is from measure[.]sh of UnixBench 99[.]0[.]0; make the report with that version/,
    'another format'
);

# Takes a function that makes a line from its number; returns a text of a megabyte.
sub megabyte_of {
    my ($line) = @_;
    my ($text, $number) = (q{}, 0);
    $text .= $line->(++$number) while length $text < SIZE;
    return $text;
}

subtest 'the reader needs little time and memory' => sub {
    my $inner = raw_line(46, 'said|1|COUNT|9|1|lps') =~ s/\n//r;
    my %text  = (
        'long lines with marks' => megabyte_of(sub { "UB|abcdefgh|$_[0]|9999|fact|x|" . $inner x 100 . "|1|.\n" }),
        'long lines with ends'  => megabyte_of(sub { 'UB|abcdefgh|1|5|fact|' . '|1|.' x 800 . "\n" }),
        'right lines, one line' => megabyte_of(sub { raw_line($_[0], 'end|1') =~ s/\n//r }),
        'many logs'             => megabyte_of(sub { raw_line(1,     'end|1', sprintf 'm%09d', $_[0]) }),
        'many short lines'      => megabyte_of(sub { raw_line($_[0], 'end|1') }),
        'marks alone'           => 'UB|' x (SIZE / 3),
        'escape sequences'      => 'UB|' . "\e[" x (SIZE / 2),
        'bytes of 0'            => 'UB|abcdefgh|1|9|plan|' . "\0" x SIZE,
        'a huge number'         => log_of(@{ $LOG{quick} }) . raw_line(999_999_999, 'end|999999999'),
        'thousands of copies'   => log_of(planned(copies => join q{ }, 1 .. 3000)->(@{ $LOG{official} })),
    );
    my $read = 'print eval { UnixBench::Target::Log::read_file($ARGV[0]); 1 } ? "a log\n" : $@ || "no log\n"';
    for my $case (sort keys %text) {
        my $path   = write_file("$PLACE/console.log", $text{$case});
        my $limits = 'ulimit -t ' . CPU_S . '; ulimit -v ' . MEMORY_KB . '; exec "$@"';
        my @perl  = ($^X, (map { "-I$_" } qw(lib features/target/lib)), '-MUnixBench::Target::Log', '-e', $read, $path);
        my $ended = TestProgram::run(['sh', '-c', $limits, 'sh', @perl]);
        is("$ended->{status}$ended->{err}", 0, $case);
        like($ended->{out}, qr/\A[ -~]+\n\z/, '... and one line says what was found');
    }
};

done_testing;
