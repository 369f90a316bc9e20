# Tests of reading logs of measure.sh, and of the disturbances of passes that it has watched.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use MadeLog                        qw(doubled log_of official quick raw_line);
use Place                          qw(place write_file);
use TestProgram                    ();
use UnixBench::Target::Disturbances;
use UnixBench::Target::Log;

use constant { SIZE => 1_000_000, CPU_S => 20, MEMORY_KB => 200_000 };
use constant KERNEL => "[   42.424242] usb 1-1: new high-speed USB device number 7 using xhci_hcd\r\n";

my $OFFICIAL = log_of(official());

# Takes the text of a log; returns what is read, or the line that refuses it.
sub read_log {
    my ($text) = @_;
    return eval { UnixBench::Target::Log::read_file('LOG', $text) } // ($@ || 'no log');
}

# Takes a log; returns what its copies said, by pass.
sub said_in {
    my ($log) = @_;
    return $log if !ref $log;
    my @said = map { [@$_{qw(copies test number)}, map { $_->{said} } @{ $_->{made} }] } @{ $log->{passes} };
    return \@said;
}

my $WHOLE = read_log($OFFICIAL);
is(scalar @{ said_in($WHOLE) }, 18, 'a log has all its passes');

subtest 'what a console adds' => sub {
    my @lines = split /(?<=\n)/, $OFFICIAL;
    my %way   = (
        'carriage returns'          => join(q{},    map { s/\n/\r\n/r } @lines),
        'lines between'             => join(KERNEL, @lines),
        'text before lines'         => join(q{},    map { "# echo $_" } @lines),
        'colours'                   => join(q{},    map { "\e[1;32m$_\e[0m" } @lines),
        'the whole log twice'       => join(q{},    @lines, "\n", @lines),
        'a part again after a torn' =>
            join(q{}, @lines[0 .. 50], substr($lines[51], 0, 20) . "\n", @lines[40 .. $#lines]),
        'no cksum' => doubled($OFFICIAL),
    );
    is_deeply(said_in(read_log($way{$_})), said_in($WHOLE), $_) for sort keys %way;
};

subtest 'a line is missing or damaged' => sub {
    my @lines = split /(?<=\n)/, $OFFICIAL;
    my ($count, @before) = (scalar @lines, @lines[0 .. 50]);
    my %wrong = (
        'a line less'              => join(q{}, @before, @lines[52 .. $#lines]),
        'another digit'            => $OFFICIAL =~ s/COUNT[|]\K[0-9]/x/r,
        'a line within another'    => join(q{}, @before, substr($lines[51], 0, 20) . KERNEL, @lines[52 .. $#lines]),
        'a line without its begin' => join(q{}, @before, substr($lines[51], 5), @lines[52 .. $#lines]),
    );
    my $lost = "LOG, a log of measure.sh, has lost 1 line of $count; copy it again, or measure again\n";
    is(read_log($wrong{$_}), $lost, "$_: one line refuses the log") for sort keys %wrong;
    like(read_log($OFFICIAL =~ s/.{4}$//gmr), qr/ has no line with a right check; copy it again\n\z/, 'all lines');
};

subtest 'a log that was cut' => sub {
    my $small = log_of((quick())[0 .. 31]);
    my $whole = read_log($small);
    is_deeply([$whole->{is_cut}, scalar @{ $whole->{passes} }], [1, 2], 'has no end, but passes');
    my %count;
    for my $end (0 .. length $small) {
        my $log = read_log(substr $small, 0, $end);
        $count{ ref $log ? scalar @{ $log->{passes} } : $log =~ s/.*(?=has|no log)//r =~ s/[;:].*//sr }++;
    }
    my @keys = sort keys %count;
    is("@keys[0, 1]", '1 2', 'cut at each byte, it has the passes before that');
    like($_, qr/\A(?:no log|has no (?:whole p(?:lan|ass)|line with a right check))\z/, "or $_") for @keys[2 .. $#keys];
};

subtest 'several logs in one text' => sub {
    my @lines = quick();
    my $other = join q{}, map { raw_line(1 + $_, $lines[$_], 'mfedcba98765') } 0 .. $#lines;
    my $log   = read_log("$OFFICIAL# sh measure.sh\n$other");
    is_deeply([$log->{plan}{kind}, $log->{others}], ['quick', 1], 'the last one is read');
};

subtest 'text that looks like lines' => sub {
    my $inner = raw_line(46, 'said|1|COUNT|600000000|1|lps') =~ s/\n//r;
    my @lines = map { (/\Afact[|]uname[|]s/ ? "fact|environment|LD_PRELOAD=x $inner" : (), $_) } official();
    my $log   = log_of(@lines);
    is_deeply(said_in(read_log($_)), said_in($WHOLE), 'is not counted') for $log, doubled($log);
};

# [what a line has, what it has instead]: logs that the script can't have written.
my $FIRST = 'pass[|]1[|]pipe[|]1[|]';
my @WRONG = (
    (map { ['plan[|]factor[|]\K.*' => $_] } qw(0 -1 inf 1e-3)),
    ['plan[|]copies[|]\K.*'      => '01 2'],
    ['plan[|]work[|]\K.*'        => '0'],
    ['plan[|]kind[|]\K.*'        => 'quick'],
    ['plan[|]passes[|]pipe \K.*' => '0'],
    ['plan[|](?=copies)'         => 'plan|no'],
    ["$FIRST.*\\Kpipe 0[.]1"     => 'syscall 0.1'],
    ["$FIRST.*[|]\\K.*"          => 'rm -rf /'],
    ['pass[|]1[|]pipe[|]\K1'     => '2'],
    ['copy[|]\K2'                => '3'],
    ['copy[|]2[|].*'             => 'stop|INT'],
    ['said[|]1[|]TIME.*'         => 'fact|uname|s Linux'],
    ['made[|]1[|]pipe[|]4[|]'    => 'luck|1'],
);
subtest 'a log that contradicts itself' => sub {
    for my $case (@WRONG) {
        my ($from, $to) = @$case;
        my $refusal = qr/\ALOG, a log of measure[.]sh, (?:contradicts itself: |has no whole )[ -~]+; measure again\n\z/;
        like(read_log(log_of(map { s/\A$from/$to/r } official())), $refusal, "$to for $from: one line");
    }
};

for my $other ('format|4', 'passes|pipe 4') {
    my @lines = map { s/\Aplan[|]version[|]\K.*/99.0.0/r =~ s/\Aplan[|]format.*/plan|$other/r } official();
    s/pipe 0[.]1/pipe 0.2/ for @lines;
    like(read_log(log_of(@lines)), qr/UnixBench 99[.]0[.]0; make the report with that version/, 'another version');
}

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
        'right lines, one line' => megabyte_of(sub { raw_line($_[0], 'end|1') =~ s/\n//r }),
        'many logs'             => megabyte_of(sub { raw_line(1,     'end|1', sprintf 'm%09d', $_[0]) }),
        'escape sequences'      => 'UB|' . "\e[" x (SIZE / 2),
        'a huge number'         => $OFFICIAL . raw_line(999_999_999, 'end|999999999'),
        'thousands of copies'   => log_of(map { s/copies[|]\K1 2/join q{ }, 1 .. 3000/er } official()),
    );
    my $read = 'print eval { UnixBench::Target::Log::read_file($ARGV[0]); 1 } ? "a log\n" : $@ || "no log\n"';
    for my $case (sort keys %text) {
        my $path   = write_file(place() . '/console.log', $text{$case});
        my $limits = 'ulimit -t ' . CPU_S . '; ulimit -v ' . MEMORY_KB . '; exec "$@"';
        my @perl  = ($^X, (map { "-I$_" } qw(lib features/target/lib)), '-MUnixBench::Target::Log', '-e', $read, $path);
        my $ended = TestProgram::run(['sh', '-c', $limits, 'sh', @perl]);
        is("$ended->{status}$ended->{err}", 0, $case);
        like($ended->{out}, qr/\A[ -~]+\n\z/, '... and one line says what was found');
    }
};

# Disturbances.

# Returns two looks, one second apart, on four CPUs. Takes what differs: the ticks of processes, of steal, those of the
# script and its copy, and other values of the second look.
sub looks {
    my (%differ) = (busy => 100, steal => 0, own => 100, last => {}, running => 1, @_);
    my $unused   = 400 - $differ{busy} - $differ{steal};
    my %first    = (uptime_s => '10.00', cpus => 4, running => $differ{running}, waited_ns => q{});
    return [
        { %first, ticks => '0 0 0 0 0 0 0 0', own => '0 0 0 0 0 0' },
        {
            %first,
            ticks    => "$differ{busy} 0 0 $unused 0 0 0 $differ{steal}",
            own      => "9 0 0 0 $differ{own} 0",
            uptime_s => '11.00',
            %{ $differ{last} }
        },
    ];
}

sub found {
    my ($looks) = @_;
    my %copy = (gated => 1, elapsed_s => 1, time_s => 1, count => 1000, timebase => 1, data => {});
    return UnixBench::Target::Disturbances::disturbances(
        looks       => $looks,
        copies      => [\%copy],
        planned     => { asked => { seconds => 1, of => 'elapsed_s', loops_at_once => 1, is_alone => 1 } },
        usable_cpus => 4,
        is_quick    => 1
    );
}

# Returns "CAUSE LEVEL" of each disturbance.
sub names {
    return join q{, }, map { "$_->{cause} $_->{level}" } @{ $_[0] };
}

is_deeply(found(looks()), [], 'an idle machine: a pass was watched, and nothing disturbed it');
is(names(found(looks(busy => 250))),            'others disturbed',    'other processes');
is(names(found(looks(steal => 40))),            'steal disturbed',     'steal');
is(names(found(looks(running => 9))),           'run_queue disturbed', 'waiting processes');
is(names(found(looks(own => 90, busy => 250))), 'others disturbed',    '... and the own CPU time is slightly too low');
is(found(looks(own => 0)), undef, 'own CPU time that stands still, as under qemu-arm: nothing is known');
is(found(undef),           undef, 'without looks, nothing is known');
for my $case (
    ['the time goes back'    => { uptime_s => '9.00' }],
    ['a counter goes back'   => { own      => '0 0 0 0 0 -1' }],
    ['the CPUs have changed' => { cpus     => 2 }],
    )
{
    my ($name, $last) = @$case;
    is(found(looks(last => $last)), undef, "$name: nothing is known");
}

done_testing;
