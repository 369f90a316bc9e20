package Browser;

# Chromium without a window, driven by Selenium in another process (browser.py).

use strict;
use warnings;

use File::Basename ();
use IPC::Open2     ();
use JSON::PP       ();

use Place qw(path_of python_with);

my $HERE = File::Basename::dirname(__FILE__);
my $JSON = JSON::PP->new->ascii->canonical;

# Returns the tool that is missing, as [tool => NAME], or undef.
sub why_not {
    my ($missing) = grep { !path_of($_) } qw(chromium chromedriver);
    return defined $missing ? [tool => $missing] : python_with('selenium') ? undef : [tool => 'python3-selenium'];
}

# Takes texts of JavaScript; starts a browser. The JavaScript is loaded before each page.
sub new {
    my ($class, @code) = @_;
    my @words = (python_with('selenium'), "$HERE/browser.py", map { path_of($_) } qw(chromium chromedriver));
    my $pid   = IPC::Open2::open2(my $from, my $to, @words);
    my $self  = bless { pid => $pid, from => $from, to => $to }, $class;
    $self->_ask(load => $_) for @code;
    return $self;
}

# Takes the path of a page and how it is shown: width and height in pixels; is_phone; scheme, light or dark; medium,
# screen or print. Shows it; returns what it did that no page should do, a text each: requests, and messages.
sub show {
    my ($self, $path, %look) = @_;
    my $is_phone = $look{is_phone} ? JSON::PP::true() : JSON::PP::false();
    return @{ $self->_ask(scheme => 'light', medium => 'screen', %look, is_phone => $is_phone, show => $path) };
}

# Takes JavaScript that returns a value; returns that value in this page.
sub seen { my ($self, $code) = @_; return $self->_ask(see => $code) }

# Writes a picture of the screen.
sub picture { my ($self, $path) = @_; return $self->_ask(picture => $path) }

sub _ask {
    my ($self, %question) = @_;
    print { $self->{to} } $JSON->encode(\%question), "\n";
    $self->{to}->flush;
    my $answer = $JSON->decode(readline $self->{from} // die "the browser has ended\n");
    die "$answer->{error}\n" if defined $answer->{error};
    return $answer->{value};
}

sub DESTROY {
    my ($self) = @_;
    local $?;
    close $self->{to};
    waitpid $self->{pid}, 0;
    return;
}

1;
