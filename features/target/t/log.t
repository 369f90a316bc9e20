# Tests of reading logs of measure.sh: UnixBench::Target::Log. The logs in data were recorded: one with four passes of
# long tests, by BusyBox ash, and a quick one, by mksh, both with passes of a hundredth of their length. The quick one
# has no facts any more.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use MadeLog                        qw(doubled lines_of log_of raw_line);
use Place                          qw(text_of);
use UnixBench::Target::Lines;
use UnixBench::Target::Log;

use constant KERNEL => "[   42.424242] usb 1-1: new high-speed USB device number 7 using xhci_hcd\r\n";

my %LOG = map { $_ => text_of("$FindBin::Bin/data/$_.log") } qw(official quick);

# Takes the text of a log; returns what is read, or the line that refuses it.
sub read_log {
    my ($text) = @_;
    return eval { UnixBench::Target::Log::read_file('LOG', $text) } // ($@ || 'no log');
}

# Takes a log; returns what its copies said, by pass.
sub said_in {
    my ($log) = @_;
    return ref $log
        ? [
        map {
            [@$_{qw(copies test number)}, map { $_->{said} } @{ $_->{made} }]
        } @{ $log->{passes} }
        ]
        : $log;
}

is(UnixBench::Target::Lines::crc($_->[0]), $_->[1], "the CRC of \"$_->[0]\" is that of cksum")
    for [q{} => 4_294_967_295], [hello => 3_287_646_509], ['123456789' => 930_766_865];

my $WHOLE = read_log($LOG{official});
is(scalar @{ $WHOLE->{passes} }, 2 * (4 + 4 + 1), 'a log has all passes');
is_deeply([@$WHOLE{qw(signal is_cut others later)}], [undef, 0, 0, 0], 'it is whole');
is_deeply(
    [grep { /COUNT/ } map { @{ $_->{said} } } map { @{ $_->{made} } } @{ $WHOLE->{passes} }],
    [$LOG{official} =~ /said[|][0-9][|](COUNT[^\n]*)[|][0-9]+[|][.]$/gm],
    'it has each count'
);

subtest 'what a console does' => sub {
    my @lines = split /(?<=\n)/, $LOG{official};
    my %way   = (
        'carriage returns'          => join(q{},    map { s/\n/\r\n/r } @lines),
        'lines between'             => join(KERNEL, @lines),
        'text before lines'         => join(q{},    map { "# echo $_" } @lines),
        'colours'                   => join(q{},    map { "\e[1;32m$_\e[0m" } @lines),
        'each line twice'           => join(q{},    map { ($_, $_) } @lines),
        'the whole log twice'       => join(q{},    @lines, "\n", @lines),
        'a part again after a torn' =>
            join(q{}, @lines[0 .. 80], substr($lines[81], 0, 20) . "\n", @lines[70 .. $#lines]),
        'no cksum' => doubled($LOG{official}),
    );
    is_deeply(said_in(read_log($way{$_})), said_in($WHOLE), $_) for sort keys %way;
};

subtest 'a line is missing or damaged' => sub {
    my @lines = split /(?<=\n)/, $LOG{official};
    my $count = @lines;
    my %wrong = (
        'a line less'           => join(q{}, @lines[0 .. 80, 82 .. $#lines]),
        'another digit'         => $LOG{official} =~ s/COUNT[|]\K[0-9]/x/r,
        'a line within another' =>
            join(q{}, @lines[0 .. 80], substr($lines[81], 0, 20) . KERNEL, @lines[82 .. $#lines]),
        'a line with two texts' => join(q{}, @lines, raw_line(81, 'said|1|COUNT|9|1|lps', $lines[0] =~ /\AUB[|](\w+)/)),
        'a line without its begin' => join(q{}, @lines[0 .. 80], substr($lines[81], 5), @lines[82 .. $#lines]),
    );
    is(
        read_log($wrong{$_}),
        "LOG, a log of measure.sh, has lost 1 line of $count; copy it again, or measure again\n",
        "$_: one line refuses the log"
    ) for sort keys %wrong;
    like(read_log($LOG{official} =~ s/.{4}$//gmr), qr/ has no line with a right check; copy it again\n\z/, 'all lines');
};

subtest 'a log that was cut' => sub {
    my $small = log_of((grep { !/\Afact/ } lines_of($LOG{quick}))[0 .. 40]);
    my $whole = read_log($small);
    is($whole->{is_cut},             1, 'has no end');
    is(scalar @{ $whole->{passes} }, 3, 'but passes');
    my %count;
    for my $end (0 .. length $small) {
        my $log = read_log(substr $small, 0, $end);
        $count{ ref $log ? scalar @{ $log->{passes} } : $log =~ s/.*(?=has|no log)//r =~ s/[;:].*//sr }++;
    }
    my @keys = sort keys %count;
    is("@keys[0 .. 2]", '1 2 3', 'cut at each byte, it has the passes before that');
    like($_, qr/\A(?:no log|has no (?:whole p(?:lan|ass)|line with a right check))\z/, "or $_") for @keys[3 .. $#keys];
};

subtest 'several logs in one text' => sub {
    my $other = $LOG{quick} =~ s/^UB[|]\w+[|]([0-9]+)[|][0-9]+[|](.*)[|][0-9]+[|][.]$/
        raw_line($1, $2, 'mfedcba98765') =~ s{\n}{}r/gmer;
    my $log = read_log("$LOG{official}# sh measure.sh\n$other");
    is_deeply([$log->{plan}{kind}, @$log{qw(others later)}], ['quick', 1, 0], 'the last one is read');
    $log = read_log($LOG{official} . substr $other, 0, length($other) / 2);
    is_deeply([$log->{plan}{kind}, @$log{qw(others later)}], ['official', 1, 1], 'or the last complete one');
};

subtest 'text that looks like lines' => sub {
    my $inner = raw_line(46, 'said|1|COUNT|600000000|1|lps') =~ s/\n//r;
    my @lines =
        map { (/\Afact[|]uname[|]s/ ? "fact|environment|LD_PRELOAD=x $inner" : (), $_) } lines_of($LOG{official});
    my $log = log_of(@lines);
    is_deeply(said_in(read_log($_)), said_in($WHOLE), 'is not counted') for $log, doubled($log);
};

done_testing;
