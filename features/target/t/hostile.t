# Tests that a log of measure.sh needs little time and memory, whatever it contains: UnixBench::Target::Lines,
# UnixBench::Target::Log, and UnixBench::Store::ResultFile, which says what any other file is. Limits of CPU time and
# memory end a reader that needs too much.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use MadeLog                        qw(lines_of log_of raw_line);
use Place                          qw(place text_of write_file);
use TestProgram                    ();
use UnixBench::Target::Lines;

use constant { SIZE => 1_000_000, CPU_S => 20, MEMORY_KB => 200_000 };

# Takes a function that makes a line from its number; returns a text of a megabyte.
sub megabyte_of {
    my ($line) = @_;
    my ($text, $number) = (q{}, 0);
    $text .= $line->(++$number) while length $text < SIZE;
    return $text;
}

# Returns a line without its end.
sub short { my ($number, $line) = @_; return raw_line($number, $line) =~ s/\n//r }

my @lines = lines_of(text_of("$FindBin::Bin/data/official.log"));
my $inner = short(46, 'said|1|COUNT|9|1|lps');

# Returns the log with another line for the first one that matches.
sub with {
    my ($at, $line) = @_;
    return log_of(map { /$at/ ? $line : $_ } @lines);
}

my %text = (
    'long lines with many marks' =>
        megabyte_of(sub { "UB|abcdefgh|$_[0]|9999|fact|environment|X=" . 'UB|abcdefgh|1|9|said|1|.' x 300 . "|1|.\n" }),
    'long lines with many ends'   => megabyte_of(sub { 'UB|abcdefgh|1|5|fact|' . '|1|.' x 800 . "\n" }),
    'long lines with right lines' => megabyte_of(sub { "UB|abcdefgh|$_[0]|9999|fact|x|" . $inner x 100 . "|1|.\n" }),
    'right lines, many in one'    => megabyte_of(
        sub {
            join(q{}, map { short($_, 'end|1') } 1 .. 500) . "\n";
        }
    ),
    'right lines, all in one' => megabyte_of(sub { short($_[0], 'end|1') }),
    'many logs'               => megabyte_of(sub { raw_line(1,     'end|1', sprintf 'm%09d', $_[0]) }),
    'many short lines'        => megabyte_of(sub { raw_line($_[0], 'end|1') }),
    'wrong lengths'    => megabyte_of(sub { 'UB|abcdefgh|1|16000|fact|' . "\n" x ($_[0] % 9 == 0) }),
    'passes in passes' => megabyte_of(sub { raw_line($_[0], $_[0] % 2 ? 'pass|1|pipe|1|1|x' : 'done|1|pipe|1|1|1') }),
    'many copies'      => megabyte_of(
        sub {
            raw_line($_[0],
                ("pass|9999|pipe|$_[0]|1|x", 'late|1', "done|9999|pipe|$_[0]|1|@{[$_[0] - 2]}")[($_[0] - 1) % 3]);
        }
    ),
    'marks alone'                  => 'UB|' x (SIZE / 3),
    'marks in lines of their own'  => "UB|\n" x (SIZE / 4),
    'beginnings of lines'          => "UB|abcdefgh|1|2|3|x\n" x (SIZE / 20),
    'rests of lines'               => "N|made|1|pipe|1000000|0\n" x (SIZE / 24),
    'wrong checks'                 => "UB|abcdefgh|12|13|plan|copies|1|4|.\n" x (SIZE / 36),
    'escape sequences'             => 'UB|' . "\e[" x (SIZE / 2),
    'texts for terminals'          => megabyte_of(sub { 'UB|' . "\e]0;" x 500 . "\n" }),
    'bytes of 0'                   => 'UB|abcdefgh|1|9|plan|' . "\0" x SIZE,
    'carriage returns'             => megabyte_of(sub { "UB|abcdefgh|1|9|plan|\r" }),
    'all bytes'                    => 'UB|' . join(q{}, map { chr } 0 .. 255) x (SIZE / 256),
    'a test of a million passes'   => with(qr/\Amade[|]1[|]pipe/,      'made|1|pipe|1000000|0'),
    'a million passes in the plan' => with(qr/\Aplan[|]passes[|]pipe/, 'plan|passes|pipe 99999'),
    'a huge number of a line'      => log_of(@lines) . raw_line(999_999_999, 'end|999999999'),
    'huge numbers'                 => with(qr/\Acopy/, 'copy|1|9999999999|9999999999'),
    'thousands of copies'          => log_of(map { s/\Aplan[|]copies[|]\K.*/join q{ }, 1 .. 3000/er } @lines),
);

my $place = place();
my $read  = <<'END';
my $log = eval { UnixBench::Target::Log::read_file($ARGV[0]) };
eval { UnixBench::Store::ResultFile::result($ARGV[0]) } if !defined $log && !$@;
print defined $log ? scalar @{ $log->{passes} } : $@;
END
my $refusal = qr/, a log of measure[.]sh, [ -~]+|is not a result: neither JSON nor a report/;
for my $case (sort keys %text) {
    my $path   = write_file("$place/console.log", $text{$case});
    my $limits = 'ulimit -t ' . CPU_S . '; ulimit -v ' . MEMORY_KB . '; exec "$@"';
    my $ended  = TestProgram::run(
        [
            'sh', '-c', $limits, 'sh', $^X,
            (map { "-I$_" } qw(lib features/target/lib)),
            (map { "-MUnixBench::$_" } qw(Target::Log Store::ResultFile)),
            '-e', $read, $path
        ]
    );
    is("$ended->{status}$ended->{err}", 0, "$case: the reader needs little time and memory");
    like($ended->{out}, qr/\A(?:[0-9]+|\Q$path\E ?(?:$refusal)\n)\z/, '... and says what it found in one line');
}

done_testing;
