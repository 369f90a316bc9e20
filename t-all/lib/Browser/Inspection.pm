package Browser::Inspection;

# All checks of a page: on a screen, on a phone, on tablets and on paper, with light and dark colours.

use strict;
use warnings;

use File::Basename ();

use JSON::PP ();

use Browser::Code          ();
use Browser::Print         qw(print_findings);
use UnixBench::Base::Files ();

# The widths of tablets, and the fonts of most systems without fonts of their own.
use constant TABLETS => (768, 820, 900);
use constant FONTS => ('DejaVu Sans', 'Liberation Sans');

# may_scroll: whether tables may scroll by themselves. axe: whether axe-core checks the page with its folded parts
# opened or closed, or not at all. rules: which of its rules it uses, see axe.js; contrast takes it long, so it checks
# that only here and there, and our own code checks it each time. With dark colours the layout is the same
# (t/report/html.t), so only colours are checked.
#<<< a table
my %SCREEN = (width => 1280, height => 800,  medium => 'screen', may_scroll => 1);
my %PHONE  = (width => 375,  height => 667,  medium => 'screen', is_phone => 1);
my %TABLET = (height => 1100, medium => 'screen', scheme => 'light', axe => q{}, is_tablet => 1);
my %PAPER  = (width => 718,  height => 1047, medium => 'print');
my @LOOKS  = (
    { name => '1280-light', %SCREEN, scheme => 'light', axe => 'closed', rules => 'appearance' },
    { name => '1280-dark',  %SCREEN, scheme => 'dark',  axe => q{} },
    { name => '375-light',  %PHONE,  scheme => 'light', axe => 'opened', rules => 'structure' },
    { name => '375-dark',   %PHONE,  scheme => 'dark',  axe => 'closed', rules => 'appearance' },
    { name => '718-print',  %PAPER,  scheme => 'light', axe => q{} },
    map { { name => "$_-light", width => $_, %TABLET } } TABLETS,
);
#>>>

# Takes a browser with the code of Browser::Code, the path of a page, and:
#     pictures     path of the pictures, without the suffix of each, or undef for none
#     is_thorough  whether to check all tablets and fonts, and to make a picture of each look, instead of only those
#                  with findings
#     look         name of the only look to check
#     axe_scheme   the only scheme in which axe-core checks colours; our own code checks them in both
#     tablet       the width of the only tablet to check
#     font         the only font to check; by default it is that of the browser
#     is_hostile   whether texts are so long that they may push numbers off the first screen
# Returns { checked => [[what, [finding, ...]], ...], marks => number of chart marks that were compared with numbers }.
sub inspect {
    my ($browser, $path, %with) = @_;
    my @looks = grep { _is_wanted($_, %with) } @LOOKS;
    my @fonts = $with{is_thorough} ? FONTS : $with{font} // ();
    $browser->look(%{ $looks[0] });
    $browser->open_file($path);
    my @checked = (['does nothing', [_deeds($browser)]]);
    $browser->seen('useFont(' . _js_text(shift @fonts) . ')') if @fonts;
    my $marks = 0;

    for my $look (@looks) {
        push @checked, _looked($browser, $look, %with);
        $marks += $browser->seen('marksSeen()') if _is_for_marks($look);
    }
    push @checked, map {
        _layout_in($browser, $_, grep { _is_for_layout($_) } @looks)
    } @fonts;
    push @checked, ['printed', [print_findings($browser, "$with{pictures}.pdf")]] if defined $with{pictures};
    push @checked, ['does nothing meanwhile', [$browser->troubles]];
    return { checked => \@checked, marks => $marks };
}

sub _is_wanted {
    my ($look, %with) = @_;
    return $look->{name} eq $with{look} if defined $with{look};
    return !$look->{is_tablet} || $with{is_thorough} || $look->{width} == ($with{tablet} // 0);
}

# Checks the layout of a page in another font; returns what was checked.
sub _layout_in {
    my ($browser, $font, @looks) = @_;
    $browser->seen('useFont(' . _js_text($font) . ')');
    my @checked;
    for my $look (@looks) {
        $browser->look(%$look);
        for my $is_open (0, 1) {
            $browser->seen('openAll(' . _js($is_open) . ')');
            push @checked, [_name_of($look, $is_open) . ": layout in $font", $browser->seen(_layout_call($look))];
        }
    }
    $browser->seen('openAll(false)');
    return @checked;
}

# Returns all texts on which findings depend, except the page: the code, and the versions of the browser and its fonts.
sub depends_on {
    my $here = File::Basename::dirname(__FILE__);
    my @code = map { UnixBench::Base::Files::content($_) } "$here/../Browser.pm", sort glob "'$here'/*";
    my @axe  = UnixBench::Base::Files::content(Browser::Code::path_of_axe()) // 'no axe-core';
    return @code, @axe, Browser::Print::why_not() ? 'nothing is printed' : 'printed',
        scalar qx(chromium --version 2>/dev/null), sort qx(fc-list 2>&1);
}

# Returns the fonts of FONTS that are not installed.
sub missing_fonts {
    my $installed = qx(fc-list 2>&1);
    return grep { index($installed, $_) < 0 } FONTS;
}

sub _deeds {
    my ($browser) = @_;
    my $pwned = $browser->own_value('String(window.pwned)');
    return (
        $browser->troubles,
        @{ $browser->seen('contentFindings()') },
        $pwned eq 'undefined' ? () : 'a script of the machine has run'
    );
}

# Checks a page as it is, and then with all folded parts opened; returns what was checked.
sub _looked {
    my ($browser, $look, %with) = @_;
    my @checked;
    $browser->look(%$look);
    for my $is_open (0, 1) {
        $browser->seen('openAll(' . _js($is_open) . ')');
        my @now = _checked($browser, $look, $is_open, %with);
        push @checked, @now;
        next if !defined $with{pictures} || !$with{is_thorough} && !grep { @{ $_->[1] } } @now;
        $browser->picture("$with{pictures}-$look->{name}" . ($is_open ? '-open' : q{}) . '.png');
    }
    $browser->seen('openAll(false)');
    return @checked;
}

sub _checked {
    my ($browser, $look, $is_open, %with) = @_;
    my %call;
    $call{layout}   = _layout_call($look) if _is_for_layout($look);
    $call{pictures} = 'pictureFindings({})' if _is_for_marks($look) && !$is_open;
    $call{first}    = "firstFindings($look->{width}, $look->{height})"
        if _is_for_first($look) && !$is_open && !$with{is_hostile};
    $call{contrast} = 'contrastFindings()' if $is_open && !$look->{is_tablet};
    $call{axe}      = "axeFindings('$look->{rules}')"
        if $look->{axe} eq ($is_open ? 'opened' : 'closed') && _is_for_axe($look, $with{axe_scheme});
    my $name = _name_of($look, $is_open);
    return map { ["$name: $_", $browser->seen($call{$_})] } sort keys %call;
}

sub _name_of { my ($look, $is_open) = @_; return $look->{name} . ($is_open ? ', opened' : q{}) }

sub _layout_call { my ($look) = @_; return "layoutFindings($look->{width}, " . _js($look->{may_scroll}) . ')' }

sub _is_for_layout { my ($look) = @_; return $look->{scheme} eq 'light' }
sub _is_for_marks  { my ($look) = @_; return _is_for_layout($look) && !$look->{is_tablet} }

sub _is_for_first { my ($look) = @_; return _is_for_marks($look) && $look->{medium} eq 'screen' }

sub _is_for_axe {
    my ($look, $scheme) = @_;
    return if Browser::Code::why_no_axe();
    return $look->{rules} ne 'appearance' || !defined $scheme || $look->{scheme} eq $scheme;
}

sub _js      { my ($is)   = @_; return $is ? 'true' : 'false' }
sub _js_text { my ($text) = @_; return qq{"$text"} }
sub _js_data { my ($data) = @_; return JSON::PP->new->canonical->ascii->encode($data) }

1;
