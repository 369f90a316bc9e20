package Browser::Talk;

# What is said to Chromium and what it answers: its DevTools protocol, JSON texts with a zero byte behind each.

use strict;
use warnings;

use JSON::PP    ();
use Time::HiRes ();

use constant { CHUNK => 1 << 20, PATIENCE_S => 300 };

# Takes to and from, the handles, and why, a function that tells what may explain a silence.
sub new {
    my ($class, %with) = @_;
    my %own = (number => 0, unread => q{}, events => [], json => JSON::PP->new->utf8->allow_nonref);
    return bless { patience_s => PATIENCE_S, %own, %with }, $class;
}

# Takes a method and its parameters; returns its result. What happens meanwhile is kept. Dies when it is refused, or
# when no answer comes in time.
sub ask {
    my ($self, $method, %parameters) = @_;
    my $number  = $self->_say($method, %parameters);
    my $until_s = Time::HiRes::time() + $self->{patience_s};
    while (1) {
        my $message = $self->_next($until_s, $method);
        next if !$self->_is_answer($message, $number);
        return $message->{result} if !$message->{error};
        die "$method: $message->{error}{message}\n";
    }
}

# Takes the name of an event; waits until it has happened, and returns its parameters. Dies when it takes too long.
sub await {
    my ($self, $event) = @_;
    my $until_s = Time::HiRes::time() + $self->{patience_s};
    while (1) {
        for my $happened (@{ $self->{events} }) {
            return $happened->{params} if $happened->{method} eq $event;
        }
        $self->_is_answer($self->_next($until_s, $event));
    }
}

# What has happened so far, each { method, params }; it is forgotten.
sub events {
    my ($self) = @_;
    return splice @{ $self->{events} };
}

# Whether a message is the answer to that question. Other answers are for nobody; events are kept, and dialogs closed,
# or the page would wait for ever.
sub _is_answer {
    my ($self, $message, $number) = @_;
    return $message->{id} == ($number // 0) if defined $message->{id};
    push @{ $self->{events} }, $message;
    $self->_say('Page.handleJavaScriptDialog', accept => $self->{json}->false)
        if $message->{method} eq 'Page.javascriptDialogOpening';
    return 0;
}

# Takes a method and its parameters, returns the number of the question.
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

# Large data is taken out of a message first: JSON::PP reads it a character at a time.
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
