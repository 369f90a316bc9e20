package Browser;

# Chromium without a window, driven through its DevTools protocol (https://chromedevtools.github.io/devtools-protocol):
# opens pages, looks at them as screen, phone or paper does, and tells what they did.

use strict;
use warnings;

use JSON::PP     ();
use MIME::Base64 ();

use Browser::Happening qw(trouble);
use Browser::Process   ();
use Browser::Talk      ();

use constant {
    WORLD       => 'test',                      # where our own code runs, which the page can't see
    TALLEST     => 10_000,                      # of what is in a picture, in pixels
    PAPER       => [21 / 2.54, 29.7 / 2.54],    # A4, in inches
    MARGIN_INCH => 1 / 2.54,
};

my @PARTS = qw(Page Runtime Network Log Audits);
my ($YES, $NO) = (JSON::PP::true(), JSON::PP::false());

# Why there is none here, or undef.
sub why_not { return Browser::Process::why_not() }

# Starts one. What is given is JavaScript that will be there beside each page, in a world of its own.
sub new {
    my ($class, @code) = @_;
    local $SIG{__DIE__};
    $SIG{$_} = sub { exit 1 }
        for qw(HUP INT TERM);    # so that objects are destroyed, and the browser with them
    my $process = Browser::Process->new;
    my ($to, $from) = $process->handles;
    my $talk = Browser::Talk->new(to => $to, from => $from, why => sub { $process->said });
    my $self = bless { process => $process, talk => $talk }, $class;
    $self->_attach;
    $self->_ask("$_.enable") for @PARTS;
    $self->_ask('Page.addScriptToEvaluateOnNewDocument', source => $_, worldName => WORLD) for @code;
    return $self;
}

# Takes the path of a file; opens it, and waits until it is there with its fonts.
sub open_file {
    my ($self, $path) = @_;
    $self->{talk}->events;
    $self->{url} = 'file://' . $path =~ s{([^\w./-])}{sprintf '%%%02x', ord $1}ger;
    my $answer = $self->_ask('Page.navigate', url => $self->{url});
    die "$path: $answer->{errorText}\n" if defined $answer->{errorText};
    $self->{talk}->await('Page.loadEventFired');
    my $world = $self->_ask('Page.createIsolatedWorld', frameId => $answer->{frameId}, worldName => WORLD);
    $self->{world} = $world->{executionContextId};
    return $self->seen('document.fonts.ready.then(() => 1)');
}

# Takes width and height in pixels; is_phone; scheme, light or dark; medium, screen or print. Shows the page so.
sub look {
    my ($self, %as) = @_;
    $self->{look} = \%as;
    $self->_size($as{height});
    $self->_ask('Emulation.setScrollbarsHidden', hidden => $as{medium} eq 'print' ? $YES : $NO);
    my @features = { name => 'prefers-color-scheme', value => $as{scheme} };
    return $self->_ask('Emulation.setEmulatedMedia', media => $as{medium}, features => \@features);
}

# Takes an expression of JavaScript, evaluated beside the page; returns its value, or what it promises. Dies when it
# fails.
sub seen {
    my ($self, $expression) = @_;
    return $self->_value(expression => $expression, contextId => $self->{world});
}

# The same with an expression that is the page's own.
sub own_value {
    my ($self, $expression) = @_;
    return $self->_value(expression => $expression);
}

# Takes the path of a file, writes a picture of the whole page, or of the begin of a very long one.
sub picture {
    my ($self, $path) = @_;
    my $height = $self->_ask('Page.getLayoutMetrics')->{cssContentSize}{height};
    $self->_size($height > TALLEST ? TALLEST : $height);
    my $answer = $self->_ask('Page.captureScreenshot', format => 'png', optimizeForSpeed => $YES);
    $self->_size($self->{look}{height});
    return _write($path, $answer->{data});
}

# Takes the path of a file, prints the page to it as PDF on A4.
sub print_out {
    my ($self, $path) = @_;
    my %paper   = (paperWidth => PAPER->[0], paperHeight => PAPER->[1], preferCSSPageSize => $YES);
    my %margins = map { ("margin$_" => MARGIN_INCH) } qw(Top Bottom Left Right);
    return _write($path, $self->_ask('Page.printToPDF', %paper, %margins)->{data});
}

# The directory where it keeps what it has to keep.
sub home { my ($self) = @_; return $self->{process}->home }

# Takes for how many seconds it may be silent when it was asked something.
sub be_patient { my ($self, $patience_s) = @_; return $self->{talk}{patience_s} = $patience_s }

# What the page has done since it was opened that a page must not do, in words: messages, exceptions, dialogs, requests.
sub troubles {
    my ($self) = @_;
    return map { trouble($_, $self->{url}) } $self->{talk}->events;
}

# The first page that there is, or a new one.
sub _attach {
    my ($self)  = @_;
    my ($found) = grep { $_->{type} eq 'page' } @{ $self->_ask('Target.getTargets')->{targetInfos} };
    my $page    = $found || $self->_ask('Target.createTarget', url => 'about:blank');
    my $session = $self->_ask('Target.attachToTarget', targetId => $page->{targetId}, flatten => $YES);
    $self->{talk}{session} = $session->{sessionId};
    return;
}

sub _size {
    my ($self, $height) = @_;
    my %size = (width => $self->{look}{width}, height => int $height, deviceScaleFactor => 1);
    return $self->_ask('Emulation.setDeviceMetricsOverride', %size, mobile => $self->{look}{is_phone} ? $YES : $NO);
}

sub _value {
    my ($self, %what) = @_;
    my $answer = $self->_ask('Runtime.evaluate', %what, returnByValue => $YES, awaitPromise => $YES);
    my $failed = $answer->{exceptionDetails} or return $answer->{result}{value};
    die "JavaScript: $failed->{text} " . ($failed->{exception}{description} // q{}) . "\n";
}

sub _ask {
    my ($self, @question) = @_;
    return $self->{talk}->ask(@question);
}

sub _write {
    my ($path, $base64) = @_;
    open my $file, '>:raw', $path or die "$path: $!\n";
    print {$file} MIME::Base64::decode_base64($base64);
    close $file or die "$path: $!\n";
    return;
}

1;
