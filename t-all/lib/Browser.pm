package Browser;

# Chromium without a window, driven through its DevTools protocol (https://chromedevtools.github.io/devtools-protocol).
# Opens pages, shows them as on a screen, a phone or paper, and reports what they did.

use strict;
use warnings;

use JSON::PP     ();
use MIME::Base64 ();

use Browser::Happening qw(trouble);
use Browser::Process   ();
use Browser::Talk      ();

use constant {
    WORLD       => 'test',                      # name of the JavaScript world of our own code; the page can't see it
    TALLEST     => 10_000,                      # height of a picture, in pixels
    PAPER       => [21 / 2.54, 29.7 / 2.54],    # A4, in inches
    MARGIN_INCH => 1 / 2.54,
};

my @PARTS = qw(Page Runtime Network Log Audits);
my ($YES, $NO) = (JSON::PP::true(), JSON::PP::false());

# Returns the tool that is missing, as [tool => 'chromium'], or undef.
sub why_not { return Browser::Process::why_not() }

# Takes texts of JavaScript; starts a browser. The JavaScript is loaded with each page, in an isolated world.
sub new {
    my ($class, @code) = @_;
    local $SIG{__DIE__};
    $SIG{$_} = sub { exit 1 }
        for qw(HUP INT TERM);    # so that Perl destroys the objects, and they end the browser
    my $process = Browser::Process->new;
    my ($to, $from) = $process->handles;
    my $talk = Browser::Talk->new(to => $to, from => $from, why => sub { $process->said });
    my $self = bless { process => $process, talk => $talk }, $class;
    $self->_attach;
    $self->_ask("$_.enable") for @PARTS;
    $self->_ask('Page.addScriptToEvaluateOnNewDocument', source => $_, worldName => WORLD) for @code;
    return $self;
}

# Takes the path of a file; opens it and waits until the page and its fonts are loaded.
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

# Shows the page in a given way. Takes width and height in pixels; is_phone; scheme, light or dark; medium, screen or
# print.
sub look {
    my ($self, %as) = @_;
    $self->{look} = \%as;
    $self->_size($as{height});
    $self->_ask('Emulation.setScrollbarsHidden', hidden => $as{medium} eq 'print' ? $YES : $NO);
    my @features = { name => 'prefers-color-scheme', value => $as{scheme} };
    return $self->_ask('Emulation.setEmulatedMedia', media => $as{medium}, features => \@features);
}

# Takes a JavaScript expression and evaluates it in the isolated world; returns its value, or that of its promise. Dies
# if it fails.
sub seen {
    my ($self, $expression) = @_;
    return $self->_value(expression => $expression, contextId => $self->{world});
}

# Takes a JavaScript expression and evaluates it in the page's own world; returns its value. Dies if it fails.
sub own_value {
    my ($self, $expression) = @_;
    return $self->_value(expression => $expression);
}

# Takes the path of a file; writes a picture of the page to it, at most TALLEST pixels high.
sub picture {
    my ($self, $path) = @_;
    my $height = $self->_ask('Page.getLayoutMetrics')->{cssContentSize}{height};
    $self->_size($height > TALLEST ? TALLEST : $height);
    my $answer = $self->_ask('Page.captureScreenshot', format => 'png', optimizeForSpeed => $YES);
    $self->_size($self->{look}{height});
    return _write($path, $answer->{data});
}

# Takes the path of a file; prints the page to it as PDF on A4.
sub print_out {
    my ($self, $path) = @_;
    my %paper   = (paperWidth => PAPER->[0], paperHeight => PAPER->[1], preferCSSPageSize => $YES);
    my %margins = map { ("margin$_" => MARGIN_INCH) } qw(Top Bottom Left Right);
    return _write($path, $self->_ask('Page.printToPDF', %paper, %margins)->{data});
}

# Returns the path of the browser's home directory.
sub home { my ($self) = @_; return $self->{process}->home }

# Takes the seconds that the browser may need for an answer.
sub be_patient { my ($self, $patience_s) = @_; return $self->{talk}{patience_s} = $patience_s }

# Returns what the page has done since it was opened that a page must not do, as texts: messages, exceptions, dialogs,
# requests.
sub troubles {
    my ($self) = @_;
    return map { trouble($_, $self->{url}) } $self->{talk}->events;
}

# Attaches to the first page, or to a new one.
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
