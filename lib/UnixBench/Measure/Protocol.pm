package UnixBench::Measure::Protocol;

# What a program says on standard error: bytes in, data and errors out.

use strict;
use warnings;

use constant {
    LINE_MAX  => 4096,    # longer lines are cut
    SHOWN_MAX => 160,     # of a line that is quoted
    NAMES_MAX => 1000,    # further data that a program may give
    LARGEST   => 1e50,    # number, 1 / LARGEST the smallest: no score of them is infinite or 0
};

# Digits, a fraction and an exponent; longer numbers are nobody's measurement.
my $NUMBER = qr/\A[0-9]{1,20}(?:\.[0-9]{0,20})?(?:[eE][-+]?[0-9]{1,3})?\z/;

my @LINES = (
    [qr/\A(COUNT)\|([^|]*)\|([^|]*)\|([^|]*)\z/   => \&_count],
    [qr/\A(TIME)\|([^|]*)\z/                      => \&_time],
    [qr/\A(?:COUNT|TIME)[0-9]*\b/                 => \&_malformed],
    [qr/\AERROR\|(.*)\z/                          => \&_error],
    [qr/\AERROR[0-9]*\b/                          => \&_stray],
    [qr/\A([A-Za-z][A-Za-z0-9_.-]{0,63})\|(.*)\z/ => \&_further],
    [qr/\S/                                       => \&_stray],
);

# A reader for one copy's standard error.
sub new {
    my ($class) = @_;
    return bless { rest => q{}, data => {}, errors => 0 }, $class;
}

# Takes the next bytes, in pieces of any size.
sub add {
    my ($self, $bytes) = @_;
    my ($last, @more) = reverse split /\n/, $bytes, -1;
    for my $piece (reverse @more) {
        $self->_append($piece);
        $self->_line;
    }
    $self->_append($last) if defined $last;
    return;
}

# To be called when no more bytes will come: a last line without a newline counts.
sub finish {
    my ($self) = @_;
    $self->_line if length $self->{rest};
    return;
}

# What was said: { COUNT0, COUNT1, COUNT2, TIME, NAME, ... }, and ERROR when something was wrong.
sub data {
    my ($self) = @_;
    return { %{ $self->{data} } };
}

# The first thing that was wrong, or undef.
sub error {
    my ($self) = @_;
    my $error  = $self->{data}{ERROR};
    my $more   = $self->{errors} - 1;
    return $more > 0 ? sprintf '%s (and %d more %s)', $error, $more, $more == 1 ? 'line' : 'lines' : $error;
}

sub _append {
    my ($self, $piece) = @_;
    my $room = LINE_MAX - length $self->{rest};
    $self->{rest} .= length $piece > $room ? substr($piece, 0, $room) : $piece;
    return;
}

sub _line {
    my ($self) = @_;
    my $line = $self->{rest};
    $self->{rest} = q{};
    $line =~ s/\r\z//;
    for my $form (@LINES) {
        my ($pattern, $take) = @$form;
        my @found = $line =~ $pattern or next;
        $take->($self, $line, @found);
        last;
    }
    return;
}

sub _count {
    my ($self, $line, undef, $count, $timebase, $label) = @_;
    return $self->_wrong($line, 'not a count') if !_is_number($count);
    return $self->_wrong($line, 'a count of 0') if $count == 0;
    return $self->_wrong($line, 'not a timebase') if !_is_number($timebase);
    return $self->_wrong($line, 'not a label') if $label !~ /\A[!-~](?:[ -~]{0,30}[!-~])?\z/;
    @{ $self->{data} }{qw(COUNT0 COUNT1 COUNT2)} = ($count, $timebase, $label);
    return;
}

sub _time {
    my ($self, $line, undef, $seconds) = @_;
    return $self->_wrong($line, 'not a time in seconds') if !_is_number($seconds) || $seconds == 0;
    $self->{data}{TIME} = $seconds;
    return;
}

sub _malformed {
    my ($self, $line) = @_;
    return $self->_wrong($line, 'expected COUNT|score|timebase|label or TIME|seconds');
}

sub _error {
    my ($self, undef, $message) = @_;
    return $self->_failed(length $message ? _shown($message) : 'an error without a message');
}

sub _further {
    my ($self, undef, $name, $rest) = @_;
    my @values = split /\|/, $rest, -1;
    @values = (q{}) if !@values;
    my @names = @values > 1 ? map { "$name$_" } 0 .. $#values : $name;
    return if @names + keys %{ $self->{data} } > NAMES_MAX;
    @{ $self->{data} }{@names} = @values;
    return;
}

sub _stray {
    my ($self, $line) = @_;
    return $self->_failed(_shown($line));
}

sub _wrong {
    my ($self, $line, $what) = @_;
    return $self->_failed("$what: \"" . _shown($line) . q{"});
}

sub _failed {
    my ($self, $message) = @_;
    $self->{data}{ERROR} = $message if !$self->{errors}++;
    return;
}

sub _is_number {
    my ($text) = @_;
    return $text =~ $NUMBER && ($text == 0 || $text >= 1 / LARGEST && $text <= LARGEST);
}

# A line as it may be quoted in a report: short, printable, ASCII.
sub _shown {
    my ($line) = @_;
    $line =~ s/([^\x20-\x7e])/sprintf '\\x%02x', ord $1/ge;
    return length $line > SHOWN_MAX ? substr($line, 0, SHOWN_MAX) . '...' : $line;
}

1;
