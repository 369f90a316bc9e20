package Browser::Inspection;

# Everything that is looked at in a page: on a screen, on a phone and on paper, in the light and in the dark.

use strict;
use warnings;

use File::Basename ();

use Browser::Code          ();
use Browser::Print         qw(print_findings);
use UnixBench::Base::Files ();

# may_scroll: whether tables may scroll by themselves; axe: whether axe-core looks at what is folded, or not, or not at
# all; rules: by which of its rules, see axe.js. Contrast takes it long, and we look at it ourselves each time. In the
# dark a page has other colours and the same layout (t/report/html.t), so only colours are looked at.
#<<< a table
my %SCREEN = (width => 1280, height => 800,  medium => 'screen', may_scroll => 1);
my %PHONE  = (width => 375,  height => 812,  medium => 'screen', is_phone => 1);
my %PAPER  = (width => 718,  height => 1047, medium => 'print');
my @LOOKS  = (
    { name => '1280-light', %SCREEN, scheme => 'light', axe => 'closed', rules => 'appearance' },
    { name => '1280-dark',  %SCREEN, scheme => 'dark',  axe => q{} },
    { name => '375-light',  %PHONE,  scheme => 'light', axe => 'opened', rules => 'structure' },
    { name => '375-dark',   %PHONE,  scheme => 'dark',  axe => 'closed', rules => 'appearance' },
    { name => '718-print',  %PAPER,  scheme => 'light', axe => q{} },
);
#>>>

# Takes a browser that has Browser::Code's code and the path of a page; pictures, where they go to, without what tells
# them apart, or undef for none; is_thorough, whether there is one of each look, or only of those in which something was
# found; look, the name of the only one that is wanted; axe_scheme, the only scheme in which axe-core looks at colours,
# which we look at ourselves in both. Returns what was checked, each [what, [finding, ...]], and how many marks of
# pictures were held against numbers.
sub inspect {
    my ($browser, $path, %with) = @_;
    my @looks = grep { !defined $with{look} || $_->{name} eq $with{look} } @LOOKS;
    $browser->look(%{ $looks[0] });
    $browser->open_file($path);
    my @checked = (['does nothing', [_deeds($browser)]]);
    my $marks   = 0;
    for my $look (@looks) {
        push @checked, _looked($browser, $look, %with);
        $marks += $browser->seen('marksSeen()') if _is_for_layout($look);
    }
    push @checked, ['printed', [print_findings($browser, "$with{pictures}.pdf")]] if defined $with{pictures};
    push @checked, ['does nothing meanwhile', [$browser->troubles]];
    return { checked => \@checked, marks => $marks };
}

# The texts on which findings depend beside the page: those of the code that looks, and of the browser and its fonts.
sub depends_on {
    my $here = File::Basename::dirname(__FILE__);
    my @code = map { UnixBench::Base::Files::content($_) } "$here/../Browser.pm", sort glob "'$here'/*";
    my @axe  = UnixBench::Base::Files::content(Browser::Code::path_of_axe()) // 'no axe-core';
    return @code, @axe, Browser::Print::why_not() ? 'nothing is printed' : 'printed',
        scalar qx(chromium --version 2>/dev/null), sort qx(fc-list 2>&1);
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

# A page as it is, and with all that is folded in it.
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
    if (_is_for_layout($look)) {
        $call{layout}   = "layoutFindings($look->{width}, " . _js($look->{may_scroll}) . ')';
        $call{pictures} = 'pictureFindings()' if !$is_open;
    }
    $call{contrast} = 'contrastFindings()' if $is_open;
    $call{axe}      = "axeFindings('$look->{rules}')"
        if $look->{axe} eq ($is_open ? 'opened' : 'closed') && _is_for_axe($look, $with{axe_scheme});
    my $name = $look->{name} . ($is_open ? ', opened' : q{});
    return map { ["$name: $_", $browser->seen($call{$_})] } sort keys %call;
}

sub _is_for_layout { my ($look) = @_; return $look->{scheme} eq 'light' }

sub _is_for_axe {
    my ($look, $scheme) = @_;
    return if Browser::Code::why_no_axe();
    return $look->{rules} ne 'appearance' || !defined $scheme || $look->{scheme} eq $scheme;
}

sub _js { my ($is) = @_; return $is ? 'true' : 'false' }

1;
