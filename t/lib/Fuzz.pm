package Fuzz;

# Fuzzing of the parsers of texts that other programs write, and that a user may change: good inputs, damaged ones and
# random ones, and what must hold for any of them.

use strict;
use warnings;

use File::Temp ();
use JSON::PP   ();

use Fixture                         qw(failed measured rendered result run skipped);
use Place                           qw(text_of write_file);
use UnixBench::Base::JSON           ();
use UnixBench::Base::ResultSchema   ();
use UnixBench::Base::Shape          ();
use UnixBench::Command::Compare     ();
use UnixBench::Measure::Protocol    ();
use UnixBench::Score                ();
use UnixBench::Store::ClassicReport ();
use UnixBench::Store::ResultFile    ();

use constant { MESSAGE_MAX => 400, SHOWN_MAX => 2000, LENGTH_MAX => 3000, HUGE => 9**9**9 };

# Control characters, and characters that move or hide others.
my $UNPRINTABLE =
    qr/(?!\n)[\x00-\x1f\x7f-\x9f\x{200b}-\x{200f}\x{2028}-\x{202e}\x{2060}-\x{2069}\x{feff}\x{e0000}-\x{e007f}]/;

my $NUMBERS = '0 -0 00 1. .5 1e5 1E+5 1e400 -1e400 1e-400 1e 0x10 nan inf 4294967296 18446744073709551616 5e-324';
my $BYTES = '0d0a 1b5b33316d feff efbbbf c3a9 e280a8 eda080 edb280 f09f9880 c080 e280ae 00 01 7f 80 ff 22 27 5c 25736e';
my @ODD   = ((map { '9' x $_ } 19, 400), split(q{ }, $NUMBERS), map { pack 'H*', $_ } split q{ }, $BYTES);
my $PLACE = File::Temp->newdir;
my $CLASSIC = __FILE__ =~ s{lib/Fuzz[.]pm\z}{data/classic}r;
my @TESTS   = (measured('pipe', 2, 5, 7), failed('spawn', 'killed by SIGSEGV', 3), skipped('ubgears', 'no display'));
my @RUNS    = ([], [run(2, @TESTS)], [map { run($_, $TESTS[0]) } 1, 3]);

# Name => { part, of the number of inputs; samples, good inputs; words, lines and words of these; check, which takes an
# input, dies with the message if it is refused, and with "wrong: " and why if an accepted one has a wrong result }.
our %TARGETS = (
    JSON => {
        part    => 0.4,
        check   => \&_json,
        samples => [
            '{"name":"pipe","score":1234.5,"ok":true,"none":null,"list":[1,-2,3e5,0.25,""]}',
            '[[],{},[[1]],{"a":{"b":[false]}},"\u00e9\ud83d\ude00\n\\\\\"\/","\udcff\udc80"]',
            " [ 1 ,\t2 ,\r\n{ \"a\" : \"\xc3\xa9\xe2\x80\xa8\xf0\x9f\x98\x80\" } ] \n",
            (map { '[' x $_ . ']' x $_ } 20, 100, 101),
            qw("a" -1.5E-3 10.001234567890123 18446744073709551615),
        ],
    },
    Protocol => {
        part    => 0.4,
        check   => \&_protocol,
        samples => [
            "COUNT|123456|1|lps\nTIME|10.000213\n",
            "SAMPLE|1|2||4\nNOTE|some text, x=1\r\nCOUNT|1.5e+06|0|a unit of mine\nLOOPS|7\n",
            "ERROR|no space left on device\n",
            'NOTE|' . 'x' x (4096 - 5) . "\nMORE|" . 'x' x 4096 . "\nCOUNT|5|1|lps\n",
            'LIST' . '|1' x 998 . "\nA|1\nB|2\nCOUNT|5|1|lps\n",
        ],
    },
    Result => {
        part    => 0.03,
        check   => \&_result,
        samples => [map { rendered(json => result($_)) } @RUNS],
    },
    Report => {
        part    => 0.17,
        check   => \&_report,
        samples => [map { substr text_of($_), -2000 } glob "$CLASSIC/*"],
    },
);

for my $target (values %TARGETS) {
    my %words = map { $_ => 1 } map { (split(/^/m), split /([^\w.])/) } @{ $target->{samples} };
    $target->{words} = [sort grep { length && length() < 100 } keys %words];
}

# Takes the name of a target, a seed and a number of inputs, of which the target has its part. Returns { inputs,
# accepted, refused, violations => [text, ...] }. Ends after five violations.
sub tried {
    my ($name, $seed, $inputs) = @_;
    my $target = $TARGETS{$name};
    my %done   = (inputs => 0, accepted => 0, refused => 0, violations => []);
    srand $seed;
    while ($done{inputs} < $inputs * $target->{part} && @{ $done{violations} } < 5) {
        my $input = _input($target);
        my $wrong;
        local $SIG{__WARN__} = sub { $wrong = "warning: $_[0]" };
        my $message = eval { $target->{check}->($input); 1 } ? undef : $@;
        $wrong //= _wrong_with($message) if defined $message;
        push @{ $done{violations} }, "$name: " . shown($wrong) . '; input: ' . shown($input) . "\n" if defined $wrong;
        $done{$_}++ for 'inputs', defined $message ? 'refused' : 'accepted';
    }
    return \%done;
}

# Takes bytes; returns them on one line, as a Perl string literal.
sub shown {
    my ($text) = @_;
    $text =~ s/([^\x20-\x7e]|["\\\$\@])/sprintf '\\x{%x}', ord $1/ge;
    return '"' . (length $text > SHOWN_MAX ? substr($text, 0, SHOWN_MAX) . '"...' : "$text\"");
}

# Takes the message that refuses an input; returns a complaint, or nothing. It must be one short line that can be
# printed, without a line of the program or an address in memory.
sub _wrong_with {
    my ($message) = @_;
    return $1 if $message =~ /\Awrong: ([^\n]+)\n\z/;
    return "a message from within: $message" if $message =~ / at \S+ line \d+[.]?\n\z|\(0x[0-9a-f]{6,}\)/;
    my $is_printable = utf8::decode($message) && $message !~ $UNPRINTABLE;
    return $is_printable && length $message <= MESSAGE_MAX && $message =~ /\A[^\n]+\n\z/ ? () : "a message: $message";
}

sub _one_of { return $_[rand @_] }

# Takes a target; returns an input, which depends on rand only: a damaged sample, words, bytes, or a sample.
sub _input {
    my ($target) = @_;
    my $kind     = rand;
    my $text     = _one_of(@{ $target->{samples} });
    return join q{}, map { _one_of(@{ _one_of(($target->{words}) x 8, \@ODD) }) } 0 .. rand 12
        if $kind > 0.70 && $kind < 0.90;
    return join q{}, map { chr rand 256 } 0 .. rand 40 if $kind > 0.96;
    for (1 .. ($kind < 0.70 ? 1 + rand 4 : 0)) {
        my ($from, $length) = _part($text);
        my ($part, $sample) = (substr($text, $from, $length), _one_of(@{ $target->{samples} }));
        my @other = (q{}, $part x (rand() < 0.9 ? 2 : rand 200), substr($sample, rand length $sample), chr rand 256);
        push @other, substr($text, $_->[0], $_->[1]) for [_part($text)];
        substr $text, $from, $length,
            _one_of(@other, _one_of(@ODD), _one_of(@ODD), _one_of(@{ $target->{words} }) . $part);
    }
    return length $text > LENGTH_MAX && rand() < 0.95 ? substr $text, 0, LENGTH_MAX : $text;
}

# Returns start and length of a part of the text, which is a number, a field, or any, usually a small one.
sub _part {
    my ($text) = @_;
    my $kind = _one_of(qr/[0-9.]+/, qr/[^|\n\0,]+/, undef, undef, undef);
    my @parts;
    while ($kind && $text =~ /$kind/g) { push @parts, [$-[0], $+[0] - $-[0]] }
    return @{ _one_of(@parts) } if @parts;
    my $from = int rand 1 + length $text;
    return ($from, int rand(rand() < 0.8 ? 9 : 1 + length($text) - $from));
}

# The differences to JSON::PP: messages for input that it accepts only, and patterns of input that only our reader
# accepts, or reads as a number. JSON::PP also accepts a surrogate pair with other characters between its halves.
my $ONLY_THEIRS = qr/(?:the same key again|a number out of range|more than 100 levels|half of a surrogate pair) at/;
my $ONLY_OURS   = qr/\\u[dD][cC][89a-fA-F]|[0-9]{10}[.]/;
my $THEIRS      = JSON::PP->new->utf8->allow_nonref->canonical->max_depth(512);

# What was read must be what JSON::PP reads, and so must be what is written of it.
sub _json {
    my ($input) = @_;
    my $data    = eval { UnixBench::Base::JSON::decode($input) };
    my $message = $@;
    my $theirs  = eval { $THEIRS->decode($input) };
    my $refused = $@;
    die "wrong: written\n" if UnixBench::Base::JSON::decode(UnixBench::Base::JSON::encode($input)) ne $input;
    if ($message) { die $refused || $message =~ $ONLY_THEIRS ? $message : "wrong: refused: $message" }
    my $json = UnixBench::Base::JSON::encode($data);
    die "wrong: not one line\n" if $json =~ /[\x00-\x1f\x7f]/;
    die "wrong: read back as something else\n"
        if UnixBench::Base::JSON::encode(UnixBench::Base::JSON::decode($json)) ne $json;
    return if $input =~ $ONLY_OURS || $json =~ $ONLY_OURS;
    die "wrong: JSON::PP refuses or reads something else: $refused\n"
        if $refused || _plain($theirs) ne _plain($THEIRS->decode($json));
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
    $pieces->add(substr $input, 0, 1 + int rand(rand() < 0.7 ? 9 : 9000), q{}) while length $input;
    $_->finish for $whole, $pieces;
    my ($one, $other) = map { UnixBench::Base::JSON::encode([$_->data, $_->error]) } $whole, $pieces;
    die "wrong: in pieces it is $other, not $one\n" if $one ne $other;
    if ($whole->data->{COUNT}) {
        my $pass  = UnixBench::Score::pass([map { +{ time_s => 10.5, %{ $whole->counted } } } 1 .. 3]);
        my $score = UnixBench::Score::test([($pass) x 3])->{score};
        die "wrong: a score of $score\n" if !($score > 0 && $score < HUGE);
    }
    die $whole->error . "\n" if defined $whole->error;
    return;
}

# Nearly all inputs have a wrong checksum. A second check leaves that out, so that reports get odd results.
sub _result {
    my ($input) = @_;
    my $file = write_file("$PLACE/result.json", $input);
    eval { UnixBench::Store::ResultFile::result($file) };
    no warnings 'redefine';    ## no critic (ProhibitNoWarnings)
    local *UnixBench::Store::ResultFile::_check_seal = sub { return };
    local *UnixBench::Store::Document::is_sound      = sub { return };
    my $json = rendered(json => UnixBench::Store::ResultFile::result($file));
    rendered(csv => UnixBench::Store::ResultFile::result($file));
    eval { UnixBench::Command::Compare::of(files => [$file, $file]); 1 }
        or $@ =~ /\A(?:these results can't be compared\n|[^\n]+\n\z)/
        or die "wrong: comparing: $@";
    write_file($file, $json);
    die "wrong: another result when written and read again\n"
        if rendered(json => UnixBench::Store::ResultFile::result($file)) ne $json;
    return;
}

sub _report {
    my ($input) = @_;
    my $summary = UnixBench::Store::ClassicReport::summary($input) or die "no report\n";
    my @runs    = @{ $summary->{runs} };
    my @tests   = map { @{ $_->{tests} } } @runs;
    delete $summary->{head};    # which no file has
    $_->{copies}   //= 1      for @runs;
    $_->{category} //= 'misc' for @tests;
    my $difference = UnixBench::Base::Shape::difference($summary, UnixBench::Base::ResultSchema::shape('summary'));
    die "wrong: $difference\n" if defined $difference;
    die "wrong: an estimate\n" if grep { $_->{estimate} } @tests, map { @{ $_->{indexes} } } @runs;
    die "wrong: a run of nothing\n" if grep { !@{ $_->{tests} } } @runs;
    return;
}

1;
