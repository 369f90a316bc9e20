package Fuzz::Targets;

# The parsers of texts that other programs write, with good inputs and what must hold for any input.

use strict;
use warnings;

use File::Temp ();
use JSON::PP   ();

use Disturbed                       qw(resealed);
use Fixture                         qw(failed measured result run skipped);
use Place                           qw(text_of write_file);
use Rendered                        qw(rendered);
use UnixBench::Base::JSON           ();
use UnixBench::Base::ResultSchema   ();
use UnixBench::Base::Shape          ();
use UnixBench::Command::Compare     ();
use UnixBench::Measure::Protocol    ();
use UnixBench::Plan::Baseline       ();
use UnixBench::Score                ();
use UnixBench::Store::ClassicReport ();
use UnixBench::Store::Journal       ();
use UnixBench::Store::ResultFile    ();

use constant HUGE => 9**9**9;

# Control characters, and characters that move or hide others.
our $UNPRINTABLE =
    qr/(?!\n)[\x00-\x1f\x7f-\x9f\x{200b}-\x{200f}\x{2028}-\x{202e}\x{2060}-\x{2069}\x{feff}\x{e0000}-\x{e007f}]/;

my $PLACE   = File::Temp->newdir;
my $CLASSIC = __FILE__ =~ s{lib/Fuzz/Targets[.]pm\z}{data/classic}r;

# Name => { part, of all inputs; samples, good inputs; words, parts of such inputs; refusal, a pattern for the messages;
# check, which takes an input, dies with the message if it is refused, and with "wrong: " and why if an accepted one has
# a wrong result }.
our %TARGETS = (
    JSON => {
        part    => 20,
        samples => [
            '{"name":"pipe","score":1234.5,"ok":true,"none":null,"list":[1,-2,3e5,0.25,""]}',
            '[[],{},[[1]],{"a":{"b":[false]}},"\u00e9\ud83d\ude00\n\\\\\"\/"]',
            " [ 1 ,\t2 ,\r\n{ \"a\" : \"b\" } ] \n",
            '{"a":"\udcff\udc80","k":10.001234567890123,"z":-0,"big":18446744073709551615}',
            "\"\xc3\xa9\xe2\x80\xa8\xf0\x9f\x98\x80\"",
            qw("a" -1.5E-3 null [] {}),
            (map { '[' x $_ . ']' x $_ } 20, 100, 101),
            '{"a":' x 10 . '1' . '}' x 10,
        ],
        words => [
            qw([ ] { } : "a" "b": true null 1 -2.5e3 {"a":1} \u00e9 \ud83d \ude00 \udcff \n \x \" tru "\udc80\ude00"),
            '[' x 99, ']' x 99, q{,}, q{ }, "\n", "\xc3\xa9", qq{"\x1f"},
        ],
        refusal => qr/\Anot JSON: [A-Za-z0-9:,\]}" -]+ at byte [0-9]+\n\z/,
        check   => \&_json,
    },
    Protocol => {
        part    => 20,
        samples => [
            "COUNT|123456|1|lps\nTIME|10.000213\n",
            "COUNT|1.5e+06|0|MWIPS\r\nTIME|9.99\r\n",
            "SAMPLE|1|2||4\nNOTE|some text, x=1\nCOUNT|43|1|a unit of mine\nLOOPS|7\n",
            "ERROR|no space left on device\n",
            'NOTE|' . 'x' x (4096 - 5) . "\nMORE|" . 'x' x 4096 . "\nCOUNT|5|1|lps\n",
            'LIST' . '|1' x 998 . "\nA|1\nB|2\nCOUNT|5|1|lps\n",
        ],
        words   => ['COUNT|5|1|lps', 'TIME|2', qw(ERROR| LOOPS|3 REFUSED|1 COUNT0 NAME 1 60 0 lps |), "\n", "\r\n"],
        refusal => qr/\A[^\n]+\n\z/,
        check   => \&_protocol,
    },
    Baseline => {
        part    => 10,
        samples => [
            "# George\ndhry2reg|10|lps|116700|116700|2\nwhetstone-double|10|MWIPS|55.0|55.0|2\n",
            "pipe|10|lps|12440|12440|2 # comment\r\n\r\nshell1|60|lpm|42.4|42.4|1\r\n",
            "  a.b_c-d | 1 |lps| | .5 |\n\n\t\n#\n",
        ],
        words   => [qw(pipe 2d-text lps 12440 .5 0 -1 1e5 | | a|1|l|1|1|1), '#', "\n", "\r\n", "\t", q{ }],
        refusal => qr/\Aindex[.]base line [1-9][0-9]*: [^\n]+\n\z/,
        check   => \&_baseline,
    },
    Journal => {
        part    => 10,
        samples => [_journals()],
        words   => [
            (map { /(\N+\n)\z/ } _journals()),
            qw({"run": "count": "timebase":-1 "time_s":1e-320 "unit":null { } 1), "\n",
        ],
        refusal => qr/\A(?:the run had not begun|line [1-9][0-9]* is damaged|[^\n]+ began this run,)[^\n]+\n\z/,
        check   => \&_journal,
    },
    Result => {
        part    => 1,
        samples => [_results()],
        words   => [
            (map { qq{"$_":} } qw(value low high score baseline index count time_s copies started tests status)),
            qw(null true 0 -1 1e308 5e-324 "measured" "failed" { } [ ] :),
            q{,}, "\n",
        ],
        refusal => qr/ is not a result: [^\n]+\n\z|can't be compared|can't read; use that version/,
        check   => \&_result,
    },
    ClassicReport => {
        part    => 5,
        samples => [map { substr text_of($_), -2000 } glob "$CLASSIC/*"],
        words   => [
            "   BYTE UNIX Benchmarks (Version 8.0.0)\n",
            "   CPU 0-63,128: AMD EPYC (5192.2 bogomips)\n",
            "Benchmark Run: Fri Nov 20 2026 02:12:30 - 02:19:13\n",
            "2 CPUs in system; running 1 parallel copy of tests\n",
            "Pipe Throughput  1635797.2 lps   (10.0 s, 1 samples)\n",
            "Pipe Throughput   12440.0    1635797.2   1314.9\n",
            "System Benchmarks Index Score (Partial Only)   1314.9\n",
            'Pipe Throughput  ---  ',
            '> ',
            "\e[1m",
            "\n",
            "\r\n",
            q{ },
        ],
        refusal => qr/\A[^\n]+\n\z/,
        check   => \&_classic_report,
    },
);

# The differences to JSON::PP: messages for input that it accepts only, and a pattern of input that only our reader
# accepts. JSON::PP also accepts a surrogate pair with other characters between its halves.
my $ONLY_THEIRS =
    qr/\Anot JSON: (?:the same key again|a number out of range|more than 100 levels|half of a surrogate pair) at/;
my $ONLY_OURS = qr/\\u[dD][cC][89a-fA-F]/;
my $THEIRS    = JSON::PP->new->utf8->allow_nonref->canonical->max_depth(512);

# What was read must be what JSON::PP reads, and so must be what is written of it.
sub _json {
    my ($input) = @_;
    my ($data, $theirs);
    my $message = eval { $data   = UnixBench::Base::JSON::decode($input); 1 } ? undef : $@;
    my $refused = eval { $theirs = $THEIRS->decode($input);               1 } ? undef : $@;
    die "wrong: written\n" if UnixBench::Base::JSON::decode(UnixBench::Base::JSON::encode($input)) ne $input;
    if (defined $message) { die defined $refused || $message =~ $ONLY_THEIRS ? $message : "wrong: refused: $message" }
    my $json = UnixBench::Base::JSON::encode($data);
    die "wrong: not one line\n" if $json =~ /[\x00-\x1f\x7f]/;
    die "wrong: read back as something else\n"
        if UnixBench::Base::JSON::encode(UnixBench::Base::JSON::decode($json)) ne $json;
    return if $input =~ $ONLY_OURS || $json =~ $ONLY_OURS;
    die "wrong: JSON::PP: $refused" if defined $refused;
    die "wrong: JSON::PP reads something else\n" if _plain($theirs) ne _plain($THEIRS->decode($json));
    return;
}

# Takes a value from JSON::PP, which returns long whole numbers as texts; returns it as JSON.
sub _plain {
    my ($theirs) = @_;
    my %is = (true => 1, false => 0);
    return $THEIRS->encode($theirs) =~ s/"(-?[0-9]{10,})"/0 + $1/ger =~ s/\b(true|false)\b/$is{$1}/gr;
}

# Feeds the input in pieces of random size: the result must be that of the whole.
sub _protocol {
    my ($input) = @_;
    my ($whole, $pieces) = map { UnixBench::Measure::Protocol->new } 1, 2;
    $whole->add($input);
    for (my $from = 0; $from < length $input;) {
        my $size = 1 + int rand(rand() < 0.7 ? 9 : 9000);
        $pieces->add(substr $input, $from, $size);
        $from += $size;
    }
    $_->finish for $whole, $pieces;
    my ($one, $other) = map { UnixBench::Base::JSON::encode([$_->data, $_->error]) } $whole, $pieces;
    die "wrong: in pieces it is $other, not $one\n" if $one ne $other;
    _is_score(map { +{ time_s => 10.5, %{ $whole->counted } } } 1 .. 3) if $whole->data->{COUNT};
    die $whole->error . "\n" if defined $whole->error;
    return;
}

# Takes what copies counted. Dies if that is not a score.
sub _is_score {
    my (@counted) = @_;
    my $score = UnixBench::Score::test([(UnixBench::Score::pass(\@counted)) x 3])->{score};
    die "wrong: a score of $score\n" if !($score > 0 && $score < HUGE);
    return;
}

sub _baseline {
    my ($input) = @_;
    my $baseline = UnixBench::Plan::Baseline::parse($input);
    for my $name (keys %$baseline) {
        my $score = $baseline->{$name}{score};
        die "wrong: $name has $score\n" if !($score > 0 && $score < 1e19) || index($input, $name) < 0;
    }
    return;
}

sub _journals {
    my %head = (
        pid         => 4711,
        words       => [qw(-c 1 syscall)],
        environment => { UB_TMPDIR              => "/tmp/caf\xe9" },
        fingerprint => { kernel                 => '6' },
        result      => { %{ result([]) }, asked => ['syscall'] },
    );
    delete $head{result}{runs};
    my %counted = (count => 17, time_s    => 10.001234567890123, timebase => 60, unit => 'lpm');
    my %copy    = (pid   => 7,  elapsed_s => 0.3, status => 0, signal => 0, gated => 1, output => "\xff\n", %counted);
    $copy{data} = { COUNT => [17, 60, 'lpm'], TIME => [10.001234567890123] };
    my $journal = UnixBench::Store::Journal->new;
    my @pass    = (run => 0, test => 'syscall', copies => [\%copy]);
    my @lines   = (
        $journal->line(head  => %head),
        $journal->line(run   => number => 0, copies => 1, started => 5.25, cpu_count => 2),
        $journal->line(pass  => @pass, number => 1, %counted),
        $journal->line(pass  => @pass, number => 2, error => 'no COUNT line', where => 'pass 2, copy 1'),
        $journal->line(ended => run => 0, at => 99.5),
    );
    return map { join q{}, @lines[0 .. $_] } 1 .. $#lines;
}

# Almost no damaged line has the right checksum, so the input is also parsed with new ones, in half of the cases with a
# torn last line.
sub _journal {
    my ($input) = @_;
    my $as_is = eval { UnixBench::Store::Journal::read_text($input) };
    die "wrong: a changed line is read\n"
        if $as_is && resealed(substr $input, 0, $as_is->{size}) ne substr $input, 0, $as_is->{size};
    my $sealed = resealed($input);
    substr $sealed, -1 - int rand 20, 20, q{} if length $sealed > 20 && rand() < 0.5;
    my $state = UnixBench::Store::Journal::read_text($sealed);
    for my $run (@{ $state->{runs} }) {
        for my $passes (values %{ $run->{passes} }) {
            die "wrong: the numbers of passes\n" if grep { $passes->[$_ - 1]{number} != $_ } 1 .. @$passes;
            my @good = grep { !defined $_->{error} } @$passes or next;
            _is_score(@good);
        }
    }
    return;
}

sub _results {
    my @tests = (measured('pipe', 2, 5, 7), failed('spawn', 'killed by SIGSEGV', 3), skipped('ubgears', 'no display'));
    return map { rendered(json => $_) } result([]), result([run(2, @tests)]), result([map { run($_, $tests[0]) } 1, 3]);
}

# Nearly all inputs have a wrong checksum. A second check leaves that out, so that reports get odd results.
sub _result {
    my ($input) = @_;
    my $file    = write_file("$PLACE/result.json", $input);
    my $read    = sub { return UnixBench::Store::ResultFile::result($file) };
    eval { $read->() };
    no warnings 'redefine';    ## no critic (ProhibitNoWarnings)
    local *UnixBench::Store::ResultFile::_check_seal = sub { return };
    local *UnixBench::Store::Document::is_sound      = sub { return };
    my $json = rendered(json => $read->());
    rendered(csv => $read->());
    eval { UnixBench::Command::Compare::of(files => [$file, $file]); 1 }
        or $@ =~ /\A(?:these results can't be compared\n|[^\n]+\n\z)/
        or die "wrong: comparing: $@";
    write_file($file, $json);
    die "wrong: another result when written and read again\n" if rendered(json => $read->()) ne $json;
    return;
}

sub _classic_report {
    my ($input) = @_;
    my $summary = UnixBench::Store::ClassicReport::summary($input) or die "no report\n";
    $_->{copies}   //= 1      for @{ $summary->{runs} };
    $_->{category} //= 'misc' for map { @{ $_->{tests} } } @{ $summary->{runs} };
    my $difference = UnixBench::Base::Shape::difference($summary, UnixBench::Base::ResultSchema::shape('summary'));
    die "wrong: $difference\n" if defined $difference;
    die "wrong: an estimate\n"
        if grep { $_->{estimate} } map { @{ $_->{tests} }, @{ $_->{indexes} } } @{ $summary->{runs} };
    die "wrong: a run of nothing\n" if grep { !@{ $_->{tests} } } @{ $summary->{runs} };
    return;
}

1;
