package Fuzz::Protocol;

# Fuzzing of the parser of a program's standard error, in pieces of any size, compared with a second parser.

use strict;
use warnings;

use Fuzz::Number                 ();
use UnixBench::Measure::Protocol ();
use UnixBench::Score::Score      ();

sub samples {
    return (
        "COUNT|123456|1|lps\nTIME|10.000213\n",
        "COUNT|5.25|60|lpm\n",
        "COUNT|1.5e+06|0|MWIPS\r\nTIME|9.99\r\n",
        "SAMPLE|1|2||4\nNOTE|some text, x=1\nCOUNT|43|1|a unit of mine\n",
        "ERROR|no space left on device\n",
        "fstime: cannot open: Permission denied\nCOUNT|1|1|lps",
        "COUNT|4|60|lpm\nLOOPS|7\nTIME|30.003119\n",
        "COUNT|4|60|lpm\nCOUNT|7|1|lps\n",
        'NOTE|' . 'x' x (4096 - 5) . "\nMORE|" . 'x' x 4096 . "\nCOUNT|5|1|lps\n",
        'LIST' . '|1' x 998 . "\nA|1\nB|2\nC|3\nCOUNT|5|1|lps\n",
        "RENDERER|llvmpipe (LLVM 15)\nTIMER|5\nCOUNTER|6\nERRORS|7\nCOUNT|3|1|fps\n",
    );
}

sub words {
    return (
        qw(COUNT TIME ERROR COUNT| TIME| ERROR| COUNT|5|1|lps TIME|2 COUNT0 TIMER ERROR0 NAME N.a-m_e 1 60 0 lps),
        qw(LOOPS|3 REFUSED|1),
        qw(| | |), "\n", "\n", "\r\n", 'x' x 33, 'x' x 65, q{ },
    );
}

sub refusal { return qr/\A[\x20-\x7e]+\z/ }

sub check {
    my (undef, $input) = @_;
    my $reader = _heard($input);
    my $data   = $reader->data;
    my ($expected, @wrong) = _expected($input);
    $expected->{ERROR} = _heard("$wrong[0]\r\n")->data->{ERROR} // _second($data) if @wrong;
    _compare($data, $expected);
    my ($more) = ($reader->error // '') =~ /[(]and ([0-9]+) more lines?[)]\z/;
    die "wrong are $more more lines, not $#wrong\n" if @wrong > 1 && $more != $#wrong;
    _score($reader->counted) if $data->{COUNT};
    return $reader->error;
}

# Feeds the input to the parser in pieces, most of them small; returns the parser.
sub _heard {
    my ($input) = @_;
    my $reader  = UnixBench::Measure::Protocol->new;
    my $from    = 0;
    while ($from < length $input) {
        my $size = 1 + int rand(rand() < 0.7 ? 9 : 9000);
        $reader->add(substr $input, $from, $size);
        $from += $size;
    }
    $reader->finish;
    return $reader;
}

# Takes the data of the parser. Returns its error if a line is wrong only because it is the second one of its name.
sub _second {
    my ($data)  = @_;
    my ($error) = @{ $data->{ERROR} || [q{}] };
    return $error =~ /\Aa second (?:COUNT|TIME|LOOPS|REFUSED) line: "/ ? [$error] : ['a second line'];
}

sub _compare {
    my ($data, $expected) = @_;
    for my $name (keys %{ { %$data, %$expected } }) {
        my ($is, $should) = map { defined $_->{$name} ? join '|', @{ $_->{$name} } : '(missing)' } $data, $expected;
        die "$name is $is, not $should\n" if $is ne $should;
    }
    return;
}

# Dies if a count that was understood does not give a score.
sub _score {
    my ($counted) = @_;
    my $pass      = UnixBench::Score::Score::pass([map { +{ time_s => 10.5, %$counted } } 1 .. 3]);
    my $score     = UnixBench::Score::Score::test([$pass, $pass, $pass])->{score};
    die "a score of $score\n" if !($score > 0 && $score < 9**9**9);
    return;
}

# Returns the expected data and the lines that are wrong.
sub _expected {
    my ($input) = @_;
    my (@wrong, %data);
    my @lines = split /\n/, $input, -1;
    pop @lines if !length $lines[-1] || $input eq '';
    for my $line (@lines) {
        $line = substr $line, 0, 4096;
        chop $line if substr($line, -1) eq "\r";
        next if _take(\%data, $line);
        push @wrong, $line;
        $data{ERROR} = [$line];
    }
    return (\%data, @wrong);
}

# Takes a line and adds its data; returns whether the line is right.
sub _take {
    my ($data, $line) = @_;
    my ($name, @values) = split /[|]/, $line, -1;
    return 1 if $line =~ tr/ \t\r\f\x0b//c == 0;
    return _further($data, $name, @values) if _is_name($name) && @values && _head($name) !~ /\A(?:COUNT|TIME|ERROR)\z/;
    return 0 if $name eq 'ERROR';
    return 0 if $data->{$name};
    if ($name eq 'COUNT' && @values == 3) {
        return 0 if !_number($values[0]) || !defined _number($values[1]) || !_is_label($values[2]);
        $data->{COUNT} = \@values;
        return 1;
    }
    return 0 if $name ne 'TIME' || @values != 1 || !_number($values[0]);
    $data->{TIME} = \@values;
    return 1;
}

sub _further {
    my ($data, $name, @values) = @_;
    return 0 if $data->{$name} && $name =~ /\A(?:LOOPS|REFUSED)\z/;
    my $size = 0;
    $size += @$_ for values %$data;
    $data->{$name} = \@values if @values + $size <= 1000;
    return 1;
}

# Returns the first word of a name; a reserved word loses the digits at its end.
sub _head {
    my ($name) = @_;
    my ($word) = split /[.-]/, $name;
    $word =~ s/\A(COUNT|TIME|ERROR)[0-9]+\z/$1/;
    return $word;
}

sub _is_name {
    my ($name) = @_;
    return
           length($name // '')
        && length $name <= 64
        && ($name =~ tr/A-Za-z0-9_.-//c) == 0
        && (substr($name, 0, 1) =~ tr/A-Za-z//);
}

# Returns the value of a number; undef if the text is not a number, or is too large or too small for a score.
sub _number {
    my ($text) = @_;
    my $value = Fuzz::Number::value($text, 20, 20, 3);
    return defined $value && ($value == 0 || ($value >= 1e-50 && $value <= 1e50)) ? $value : undef;
}

sub _is_label {
    my ($label) = @_;
    return length $label && length $label <= 32 && ($label =~ tr/ -~//c) == 0 && $label !~ /\A | \z/;
}

1;
