package Browser::Happening;

# Events of a page, as Chromium reports them, put into words.

use strict;
use warnings;

use Exporter 'import';

our @EXPORT_OK = qw(trouble);

my %TROUBLE = (
    'Runtime.consoleAPICalled' => sub {
        "console: " . join q{ }, map { $_->{value} // $_->{description} } @{ $_[0]{args} };
    },
    'Runtime.exceptionThrown'       => sub { "exception: $_[0]{exceptionDetails}{text}" },
    'Log.entryAdded'                => sub { "message: $_[0]{entry}{text}" },
    'Page.javascriptDialogOpening'  => sub { "dialog: $_[0]{type} $_[0]{message}" },
    'Page.windowOpen'               => sub { "window: $_[0]{url}" },
    'Page.downloadWillBegin'        => sub { "download: $_[0]{url}" },
    'Network.webSocketCreated'      => sub { "request: $_[0]{url}" },
    'Network.requestWillBeSent'     => sub { "request: $_[0]{request}{url}" },
    'Page.frameRequestedNavigation' => sub { "goes to: $_[0]{url}" },
    'Audits.issueAdded'             => sub { "issue: $_[0]{issue}{code}" },
);

# Takes an event { method, params } and the page's own URL; returns it in words, or nothing if pages may do that.
sub trouble {
    my ($event, $url) = @_;
    my $in_words = $TROUBLE{ $event->{method} } or return;
    my $text     = $in_words->($event->{params});
    return $text eq "request: $url" ? () : $text;
}

1;
