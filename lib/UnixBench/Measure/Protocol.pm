package UnixBench::Measure::Protocol;

# Parses the lines that a program writes to standard error: takes bytes, returns data and errors.

use strict;
use warnings;

use UnixBench::Base::Arguments qw(named);
use UnixBench::Base::Text      qw(beginning clean);

use constant {
    LINE_MAX   => 4096,    # longer lines are cut
    SHOWN_MAX  => 160,     # of a line that is quoted
    VALUES_MAX => 1000,    # that a program may report
    LARGEST    => 1e50,    # number; 1 / LARGEST is the smallest: so no score is infinite or 0
    DIGITS     => 15,      # of a value of a line USED
};

# Digits, a fraction and an exponent. A longer number can't be a measurement.
my $NUMBER = qr/\A[0-9]{1,20}(?:\.[0-9]{0,20})?(?:[eE][-+]?[0-9]{1,3})?\z/;

# The lines that a program may write only once. Another one comes from something else, such as a command in front of it.
my $ONCE = qr/\A(?:COUNT|TIME|LOOPS|REFUSED)\z/;

# The line by which programs of the suite report what their work used, see ub_report_used() of src/ub.h, and its values.
my $USED  = qr/\AUSED((?:[|]-?[0-9]{1,18}){8,9})\z/;
my @USED  = qw(clock_s span_s user_s kernel_s minor_faults major_faults switches forced_switches waited_s);
my $IN_US = qr/_s\z/;

my @LINES = (
    [$USED                                        => \&_used],
    [qr/\A(COUNT)\|([^|]*)\|([^|]*)\|([^|]*)\z/   => \&_count],
    [qr/\A(TIME)\|([^|]*)\z/                      => \&_time],
    [qr/\A(?:COUNT|TIME)[0-9]*\b/                 => \&_malformed],
    [qr/\AERROR\|(.*)\z/                          => \&_error],
    [qr/\AERROR[0-9]*\b/                          => \&_stray],
    [qr/\A([A-Za-z][A-Za-z0-9_.-]{0,63})\|(.*)\z/ => \&_further],
    [qr/\S/                                       => \&_stray],
);

# Makes a parser for the standard error of one copy. Optionally takes is_under, whether the copy runs under a command of
# the user. Such a command may say something of its own: that is an error only if the copy counts nothing.
sub new {
    my ($class, @given) = @_;
    return bless { rest => q{}, data => {}, size => 0, errors => 0, %{ named(\@given, qw(is_under)) } }, $class;
}

# Takes the next bytes, which may end anywhere.
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

# Has to be called when no more bytes will come. A last line without a newline is used.
sub finish {
    my ($self) = @_;
    $self->_line if length $self->{rest};
    return;
}

# Returns the values of each line as texts, { COUNT => [count, timebase, unit], TIME => [seconds], NAME => [value, ...],
# ... }. If a name comes twice, the later line replaces the earlier one, but a second COUNT, TIME, LOOPS or REFUSED is
# wrong. If something was wrong, ERROR => [text] is the first error.
sub data {
    my ($self) = @_;
    return { map { $_ => [@{ $self->{data}{$_} }] } keys %{ $self->{data} } };
}

# Returns the lines COUNT and TIME as numbers, { count, timebase, unit, time_s }. Without TIME there is no time_s.
# Without COUNT returns undef.
sub counted {
    my ($self) = @_;
    my ($count, $timebase, $unit) = @{ $self->{data}{COUNT} || return };
    my ($time_s) = @{ $self->{data}{TIME} || [] };
    return {
        count    => 0 + $count,
        timebase => 0 + $timebase,
        unit     => $unit,
        (defined $time_s ? (time_s => 0 + $time_s) : ()),
    };
}

# Has to be called before the start gate opens. A program that waits there has not worked, so it has nothing to report.
sub gate_opens {
    my ($self)  = @_;
    my ($early) = grep { $self->{data}{$_} } qw(COUNT TIME);
    $self->_failed("a $early line before the start gate opened") if $early;
    return;
}

# Returns what the program has used, as far as it has reported that, else undef. Between the begin and the end of its
# work: span_s, the seconds that passed; clock_s, those that its own clock shows; user_s, kernel_s, minor_faults and
# major_faults, with its children; switches, forced_switches and, if it is known, waited_s, of its process alone.
sub used { my ($self) = @_; return $self->{used} && { %{ $self->{used} } } }

# Returns the first error, with the number of the others, or undef.
sub error {
    my ($self)  = @_;
    my $said    = $self->{data}{COUNT} ? undef : $self->{data}{said};
    my ($error) = @{ $self->{data}{ERROR} || $said || return };
    my $more    = $self->{errors} - 1;
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
    return $self->_wrong($line, 'counted nothing') if $count == 0;
    return $self->_wrong($line, 'not a timebase') if !_is_number($timebase);
    return $self->_wrong($line, 'not a label') if $label !~ /\A[!-~](?:[ -~]{0,30}[!-~])?\z/;
    return $self->_keep(COUNT => $count, $timebase, $label);
}

sub _time {
    my ($self, $line, undef, $seconds) = @_;
    return $self->_wrong($line, 'not a time in seconds') if !_is_number($seconds) || $seconds == 0;
    return $self->_keep(TIME => $seconds);
}

sub _used {
    my ($self, $line, $values) = @_;
    return $self->_wrong($line, 'a second USED line') if $self->{used};
    my (undef, @values) = split /[|]/, $values;
    return $self->_wrong($line, 'negative or too large') if grep { $_ < 0 || length > DIGITS } @values[1 .. $#values];
    $self->{used} = { map { $USED[$_] => $USED[$_] =~ $IN_US ? $values[$_] / 1e6 : 0 + $values[$_] } 0 .. $#values };
    return;
}

sub _malformed {
    my ($self, $line) = @_;
    return $self->_wrong($line, 'expected COUNT|score|timebase|label or TIME|seconds');
}

sub _error {
    my ($self, undef, $message) = @_;
    return $self->_failed($message =~ /[^ ]/ ? _shown($message) : 'an error without a message');
}

sub _further {
    my ($self, undef, $name, $rest) = @_;
    my @values = split /\|/, $rest, -1;
    @values = (q{}) if !@values;
    return if @values + $self->{size} > VALUES_MAX;
    return $self->_keep($name, @values);
}

sub _stray {
    my ($self, $line) = @_;
    return $self->_failed(_shown($line)) if !$self->{is_under};
    $self->_keep(said => _shown($line)) if !$self->{data}{said};
    return;
}

sub _wrong {
    my ($self, $line, $what) = @_;
    return $self->_failed("$what: \"" . _shown($line) . q{"});
}

sub _failed {
    my ($self, $message) = @_;
    $self->_keep(ERROR => $message) if !$self->{errors}++;
    return;
}

sub _keep {
    my ($self, $name, @values) = @_;
    return $self->_wrong(join(q{|}, $name, @values), "a second $name line") if $name =~ $ONCE && $self->{data}{$name};
    $self->{size} += @values - @{ $self->{data}{$name} || [] };
    $self->{data}{$name} = \@values;
    return;
}

sub _is_number {
    my ($text) = @_;
    return $text =~ $NUMBER && ($text == 0 || $text >= 1 / LARGEST && $text <= LARGEST);
}

# Returns a line as a report may quote it: short, printable UTF-8.
sub _shown {
    my ($text) = @_;
    my $line = clean($text);
    return length $line > SHOWN_MAX ? beginning(substr $line, 0, SHOWN_MAX) . '...' : $line;
}

1;
