package Browser::Talk;

# The DevTools protocol of Chromium: JSON messages, each followed by a zero byte.

use strict;
use warnings;

use JSON::PP    ();
use Time::HiRes ();

use constant { CHUNK => 1 << 20, PATIENCE_S => 300 };

# Takes to and from, the handles, and why, a function that returns a possible reason for a silence.
sub new {
    my ($class, %with) = @_;
    my %own = (number => 0, unread => q{}, events => [], json => JSON::PP->new->utf8->allow_nonref);
    return bless { patience_s => PATIENCE_S, %own, %with }, $class;
}

# Takes a method and its parameters; returns its result. Events that arrive meanwhile are kept. Dies if Chromium refuses
# the method, or does not answer in time.
sub ask {
    my ($self, $method, %parameters) = @_;
    my $number  = $self->_say($method, %parameters);
    my $until_s = Time::HiRes::time() + $self->{patience_s};
    my $message = $self->_next($until_s, $method);
    $message = $self->_next($until_s, $method) while !$self->_is_answer($message, $number);
    die "$method: $message->{error}{message}\n" if $message->{error};
    return $message->{result};
}

# Takes the name of an event; waits for it and returns its parameters. Dies if it does not come in time.
sub await {
    my ($self, $event) = @_;
    my $until_s = Time::HiRes::time() + $self->{patience_s};
    my $happened;
    $self->_is_answer($self->_next($until_s, $event))
        while !(($happened) = grep { $_->{method} eq $event } @{ $self->{events} });
    return $happened->{params};
}

# Returns the events so far, each { method, params }, and forgets them.
sub events {
    my ($self) = @_;
    return splice @{ $self->{events} };
}

# Returns whether a message is the answer to the question with that number. Answers to other questions are ignored, and
# events are kept. Dialogs are closed, because the page would wait for ever.
sub _is_answer {
    my ($self, $message, $number) = @_;
    return $message->{id} == ($number // 0) if defined $message->{id};
    push @{ $self->{events} }, $message;
    $self->_say('Page.handleJavaScriptDialog', accept => $self->{json}->false)
        if $message->{method} eq 'Page.javascriptDialogOpening';
    return 0;
}

# Sends a method and its parameters; returns the number of the question.
sub _say {
    my ($self, $method, %parameters) = @_;
    my %session = defined $self->{session} ? (sessionId => $self->{session}) : ();
    my %asked   = (id => ++$self->{number}, method => $method, params => \%parameters, %session);
    my $text    = $self->{json}->encode(\%asked) . "\0";
    local $SIG{PIPE} = 'IGNORE';
    while (length $text) {
        my $written = syswrite $self->{to}, $text;
        die 'Chromium is gone: ' . $self->{why}->() if !defined $written;
        substr $text, 0, $written, q{};
    }
    return $self->{number};
}

# Returns the next message. Large data is cut out before it is decoded: JSON::PP reads one character at a time.
sub _next {
    my ($self, $until_s, $what) = @_;
    my $end;
    while (($end = index $self->{unread}, "\0") < 0) { $self->_read($until_s, $what) }
    my $text = substr $self->{unread}, 0, $end + 1, q{};
    chop $text;
    my $data    = $text =~ s{"data":"([A-Za-z0-9+/=]{1000,})"}{"data":""} ? $1 : undef;
    my $message = $self->{json}->decode($text);
    $message->{result}{data} = $data if defined $data;
    return $message;
}

sub _read {
    my ($self, $until_s, $what) = @_;
    my $left_s = $until_s - Time::HiRes::time();
    vec(my $readable = q{}, fileno $self->{from}, 1) = 1;
    if ($left_s <= 0 || !select $readable, undef, undef, $left_s) {
        die "Chromium has not answered for $self->{patience_s} s, asked for $what: " . $self->{why}->();
    }
    my $length = sysread $self->{from}, $self->{unread}, CHUNK, length $self->{unread};
    die "Chromium has ended, asked for $what: " . $self->{why}->() if !$length;
    return;
}

1;
