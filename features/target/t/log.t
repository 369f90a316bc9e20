# Tests of reading logs of measure.sh: UnixBench::Target::Log. The logs in data were recorded: one with
# four passes of long tests, by BusyBox ash, and a quick one, by mksh, both with passes of a hundredth of their length.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use MadeLog                        qw(lines_of log_of raw_line);
use Place                          qw(text_of);
use TornLog                        qw(KERNEL doubled torn);
use UnixBench::Target::Lines;
use UnixBench::Target::Log;

my %LOG = map { $_ => text_of("$FindBin::Bin/data/$_.log") } qw(official quick);

sub read_log { return UnixBench::Target::Log::read_text(@_) }

# Takes passes, or lost passes; returns "COPIES TEST NUMBER" of each.
sub keys_of {
    return map { join q{ }, @$_{qw(copies test number)} } @_;
}

# Takes passes; returns { "COPIES TEST NUMBER" => all that their copies said }.
sub said_in {
    return {
        map {
            (keys_of($_))[0] => join "\n",
                map { @{ $_->{said} } }
                @{ $_->{made} }
        } @_
    };
}

is(UnixBench::Target::Lines::crc($_->[0]), $_->[1], "the CRC of \"$_->[0]\" is that of cksum")
    for [q{} => 4_294_967_295], [hello => 3_287_646_509], ['123456789' => 930_766_865];

subtest 'a log without damage' => sub {
    my $log = read_log($LOG{official});
    is(scalar @{ $log->{passes} }, 2 * (4 + 4 + 1), 'has all passes');
    is_deeply([@$log{qw(lost bad_lines is_ended signal others)}], [[], 0, 1, undef, 0], 'has lost nothing');
    my @in_text = $LOG{official} =~ /said[|][0-9][|](COUNT[^\n]*)[|][0-9]+[|][.]$/gm;
    my @in_log  = grep { /COUNT/ } map { split /\n/ } map {
        join "\n",
            map { @{ $_->{said} } }
            @{ $_->{made} }
    } @{ $log->{passes} };
    is_deeply(\@in_log, \@in_text, 'has each count');
    is_deeply(
        $log->{plan}{passes},
        [map { { test => $_->[0], wanted => $_->[1] } } [dhry2reg => 4], [pipe => 4], [fstime => 1]],
        'has the plan'
    );
    is($log->{made}{2}{pipe}{number}, 4, 'says how many passes were made');
    ok(scalar(grep { $_->{source} eq '/proc/cpuinfo' && $_->{line} =~ /^model name/ } @{ $log->{facts} }), 'has facts');
};

subtest 'what a console adds' => sub {
    is_read_as(official => added_to($LOG{official}));
};

sub is_read_as {
    my ($name, %added) = @_;
    my $plain = read_log($LOG{$name});
    is_deeply(read_log($added{$_}), $plain, "$name: $_ is ignored") for sort keys %added;
    return;
}

# Takes a log; returns { what is added => the log with it }.
sub added_to {
    my ($log) = @_;
    my $beads = 0;
    return (
        'the ends of lines of a terminal' => $log =~ s/\n/\r\n/gr,
        'escape sequences'                => $log =~ s/(?=UB)/\e[0m\e[1;32m/gr =~ s/(?<=[|])/\e[K/gr,
        'messages between lines'          => $log =~ s/^/$beads++ % 3 ? q{} : KERNEL/gmer,
        'text before and after lines'     => $log =~ s/^/[    1.0] random: UB|7|/gmr =~ s/$/[    1.1] ok/gmr,
        'an echoed command'               => "# sh measure.sh -c 1 >UB|log\n$log# poweroff\n",
        'the time before each line'       => $log =~ s/^/[2026-11-26T09:35:01Z] /gmr,
        'a check without cksum'           => doubled($log),
    );
}

subtest 'lines that are damaged' => sub {
    my @lines   = split /(?<=\n)/, $LOG{official};
    my ($at)    = grep { $lines[$_] =~ /said[|]2[|]COUNT/ } 0 .. $#lines;
    my ($key)   = map  { m{pass[|](\d+)[|](\S+?)[|](\d+)} ? "$1 $2 $3" : () } reverse @lines[0 .. $at];
    my $with    = sub { return join q{}, @lines[0 .. $at - 1], @_, @lines[$at + 1 .. $#lines] };
    my $line    = $lines[$at];
    my %damaged = (
        'lost'             => $with->(),
        'torn'             => $with->(substr($line, 0, 20) . "\n"),
        'cut by a message' => $with->(substr($line, 0, 20), KERNEL, substr $line, 20),
        'with other digit' => $with->($line =~ s/(?<=COUNT[|])(.)/($1 + 1) % 10/er),
        'without its end'  => $with->($line =~ s/[|][.]$//r),
    );
    for my $case (sort keys %damaged) {
        my $log = read_log($damaged{$case});
        is_deeply([keys_of(@{ $log->{lost} })], [$key], "a line that is $case: its pass is lost");
        is($log->{bad_lines},          1,  '... and the line is counted');
        is(scalar @{ $log->{passes} }, 17, '... and all others count');
    }
};

subtest 'lines that are repeated' => sub {
    my @lines = split /(?<=\n)/, $LOG{official};
    my ($at)  = grep { $lines[$_] =~ /said[|]2[|]COUNT/ } 0 .. $#lines;
    my $torn  = join q{}, @lines[0 .. $at - 1], substr($lines[$at], 0, 20) . "\n", @lines[$at - 9 .. $#lines];
    my $other = $lines[$at] =~ s/^UB[|]m\w+[|]([0-9]+)[|][0-9]+[|](.*COUNT[|])(.*)[|][0-9]+[|][.]$/
        raw_line($1, "${2}9$3") =~ s{\n}{}r/er;
    is_read_as(
        official                         => 'the same log twice' => join(q{}, (@lines) x 2),
        'with empty lines between'       => join("\r\n\r\n", ($LOG{official} =~ s/\n/\r\n/gr) x 2),
        'two copies that overlap'        => join(q{},        @lines[0 .. $at + 9, $at - 9 .. $#lines]),
        'a part again after a torn line' => $torn,
        'each line doubled'              => join(q{}, map { ($_, $_) } @lines),
    );
    my $log = read_log(join q{}, @lines[0 .. $at], $other, @lines[$at + 1 .. $#lines], @lines);
    is_deeply([$log->{bad_lines}, scalar @{ $log->{passes} }], [1, 17], 'a line with another value is damaged');
};

subtest 'a whole pass that is lost is known from the end of its test' => sub {
    my $log = read_log($LOG{official} =~ s/^UB[|]\w+[|]\d+[|]\d+[|]pass[|]1[|]pipe[|]2.*?done[^\n]*\n//msr);
    is_deeply([keys_of(@{ $log->{lost} })], ['1 pipe 2'], 'it is named');
};

subtest 'a whole pass and the end of its test are lost' => sub {
    my $without = $LOG{official} =~ s/^UB[|]\w+[|]\d+[|]\d+[|]pass[|]1[|]pipe[|]2.*?done[^\n]*\n//msr;
    my $log     = read_log($without =~ s/^[^\n]*made[|]1[|]pipe[^\n]*\n//mr);
    is_deeply([keys_of(@{ $log->{lost} })], ['1 pipe 2'], 'the pass is known from the next one');
};

subtest 'several logs in one text' => sub {
    my $log = read_log($LOG{quick} . "# sh measure.sh\n" . $LOG{official});
    is($log->{plan}{kind}, 'official', 'the last one is read');
    is($log->{others},     1,          'the number of the others is known');
    is_deeply($log->{lost}, [], 'nothing is lost');
};

subtest 'a log that was cut' => sub {
    my $log = read_log(substr $LOG{official}, 0, length($LOG{official}) * 0.7);
    is($log->{is_ended}, 0, 'has no end');
    ok(@{ $log->{passes} }, 'has the passes before that');
};

subtest 'text that looks like lines' => sub {
    my @looks = map { raw_line($_->[0], $_->[1]) } [46 => 'said|1|COUNT|600000000|1|lps'],
        [185 => 'pass|1|pipe|5|1795692299|{bindir}/pipe 0.1'];
    my @lines = lines_of($LOG{official});
    my ($at)  = grep { $lines[$_] =~ /COUNT/ } 0 .. $#lines;
    my $plain = read_log($LOG{official});
    for my $text (map { s{\n}{}gr } @looks, join q{}, @looks) {
        my $number = 1 + grep { /\A(?:plan|fact)/ } @lines[0 .. $at];
        my $begin  = raw_line($number, 'fact|environment|LD_PRELOAD=x') =~ s/\AUB[|](.*)[|][0-9]+[|][.]\n/$1/r;
        my $ended  = 'x|' . UnixBench::Target::Lines::crc($begin) . "|.$text";
        for my $value ($text, $ended, "$text $text") {
            my @more = @lines;
            splice @more, $at - 1, 0, "fact|environment|LD_PRELOAD=$value";
            my $log = log_of(@more);
            for my $way ($log, doubled($log)) {
                my $read = read_log($way);
                is_deeply(
                    said_in(@{ $read->{passes} }),
                    said_in(@{ $plain->{passes} }),
                    "no pass comes from \"$value\""
                );
                is("$read->{bad_lines} $read->{others}", '0 0', '... and no line, and no log');
            }
            my $torn = read_log($log =~ s/(?<=environment[|]LD_)P/p/r);
            is_deeply(said_in(@{ $torn->{passes} }), said_in(@{ $plain->{passes} }), '... also if its line is damaged');
        }
    }
};

subtest 'two logs of which the first has no end, and the second no beginning' => sub {
    my @lines = split /(?<=\n)/, $LOG{official};
    my @other = split /(?<=\n)/, $LOG{official} =~ s/^UB[|]m\w+[|]([0-9]+)[|][0-9]+[|](.*)[|][0-9]+[|][.]$/
        raw_line($1, $2, 'mfedcba98765') =~ s{\n}{}r/gmer;
    for my $cut (60, 90, 120) {
        my $log = read_log(join q{}, @lines[0 .. $cut - 1], @other[$cut .. $#other]);
        is($log->{others}, 1, "cut after line $cut: there are two logs");
        cmp_ok(@{ $log->{passes} }, '<', 18, '... and the passes are those of one of them');
        $log = read_log(join q{}, map { ($lines[$_], $other[$_]) } 0 .. $#lines);
        is_deeply([$log->{others}, $log->{bad_lines}, scalar @{ $log->{passes} }], [1, 0, 18], '... also if mixed');
    }
    my $log = read_log($LOG{quick} . join q{}, @other[0 .. 60]);
    is_deeply([@{$log}{qw(others later is_ended)}], [1, 1, 1], 'the last complete one is read');
};

# A log that ends anywhere has the passes before that.
subtest 'a log that is cut at each byte' => sub {
    my @lines = grep { !/\Afact/ } lines_of($LOG{quick});
    my $small = log_of(@lines[0 .. 30]);
    my $whole = said_in(@{ read_log($small)->{passes} });
    is(keys(%$whole), 1, 'a small log has a pass');
    my @wrong;
    for my $end (0 .. length $small) {
        my $log = read_log(substr $small, 0, $end);
        my $now = said_in(@{ $log->{passes} });
        push @wrong, $end if $log->{bad_lines} || grep { $now->{$_} ne $whole->{$_} } keys %$now;
    }
    is_deeply(\@wrong, [], 'no pass is invented, and no line is lost');
};

# No number may come out that was not measured, and each pass is either whole or named, or its test has no end.
subtest 'a thousand random changes' => sub {
    my (%missing, %invented, %before);
    for my $seed (1 .. 1000) {
        srand $seed;
        my $name    = (sort keys %LOG)[$seed % 2];
        my $text    = $seed % 5 ? $LOG{$name} : doubled($LOG{$name});
        my $before  = $before{$text} ||= read_log($text);
        my $after   = read_log(torn($text));
        my %said    = %{ said_in(@{ $before->{passes} }) };
        my $now     = said_in(@{ $after->{passes} });
        my %is_fact = map { ("$_->{source} $_->{line}" => 1) } @{ $before->{facts} };
        $invented{$seed} = 1 if grep { $now->{$_} ne ($said{$_} // q{}) } keys %$now;
        $invented{$seed} = 1 if grep { !$is_fact{"$_->{source} $_->{line}"} } @{ $after->{facts} };
        $invented{$seed} = 1 if grep { !exists $said{$_} } keys_of(@{ $after->{lost} });
        my %known = map { $_ => 1 } keys %$now, keys_of(@{ $after->{lost} });

        for my $key (grep { !$known{$_} } keys %said) {
            my ($copies, $test) = split q{ }, $key;
            $missing{$seed} = $key if $after->{is_ended} && $after->{made}{$copies}{$test};
        }
    }
    is_deeply([sort keys %invented], [], 'no value is invented');
    is_deeply(\%missing,             {}, 'no pass is missing unless it is named, or the end of its test is lost');
};

done_testing;
