package Browser::Print;

# Checks of a page that is printed on paper.

use strict;
use warnings;

use Exporter 'import';

use InPath qw(path_of);

our @EXPORT_OK = qw(print_findings);

use constant {
    SHEET_PX  => 1047,    # printable height of an A4 sheet
    MORE      => 2,       # times the height of the page: a sheet may end with free space
    BEGINNING => 30,      # letters of the page that are compared
};

# Returns the tool that is missing for reading a printed page, as [tool => NAME], or undef.
sub why_not { return path_of('pdftotext') && path_of('pdfinfo') ? undef : [tool => 'poppler-utils'] }

# Takes a browser that shows a page as on paper, and the path of a file. Prints the page to the file; returns a list of
# findings, one text each.
sub print_findings {
    my ($browser, $path) = @_;
    my $height = $browser->seen('document.documentElement.scrollHeight');
    my $shown  = $browser->seen(q{document.querySelector('main').innerText});
    $browser->print_out($path);
    return if why_not();
    my ($sheets) = qx(pdfinfo '$path' 2>&1) =~ /^Pages:\s+(\d+)/m or return 'it is not a PDF';
    my $most     = 1 + int MORE * $height / SHEET_PX;
    my $said     = _letters(scalar qx(pdftotext -l 1 '$path' - 2>&1));
    my $begin    = substr _letters($shown), 0, BEGINNING;
    return (
        ($sheets <= $most          ? () : "$sheets sheets, for $height px"),
        (index($said, $begin) == 0 ? () : "it begins with $said"),
    );
}

sub _letters { my ($text) = @_; return $text =~ tr/A-Za-z0-9//cdr }

1;
