# Opens each page of the gallery in a real browser and checks it, each on another tablet and in another font. Pages that
# passed before and have not changed are left out. To check a few pages in any case, on all tablets, in all fonts, and
# with pictures:
#   UB_PAGES=quick,eight prove -Ilib t-all/pages/pages.t
# Pages are left in t/screenshots, with pictures of those that have findings.

use strict;
use warnings;

use File::Path     qw(make_path);
use File::Basename ();
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/../../$_" } qw(t-all/lib t/lib);
use Place                                qw(write_file);
use Browser                              ();
use Browser::Code                        ();
use Browser::Crew                        qw(crew_of shared);
use Browser::Inspection                  ();
use Browser::Print                       ();
use Gallery                              qw(gallery);
use Needs                                qw(note_without skip_without);
use Passed                               ();

use constant SHOWN => 4;    # findings of a kind that are printed

skip_without(@{ Browser::why_not() }) if Browser::why_not();
note_without(@$_) for grep { defined } Browser::Code::why_no_axe(), Browser::Print::why_not();
note_without(tool => "the font $_") for Browser::Inspection::missing_fonts();

binmode Test::More->builder->$_, ':encoding(UTF-8)' for qw(output failure_output todo_output);

my %wanted  = map  { $_ => 1 } split /,/, $ENV{UB_PAGES} // q{};
my @pages   = grep { !%wanted || $wanted{ $_->{name} } } gallery();
my @SCHEMES = qw(light dark);
my @TABLETS = Browser::Inspection::TABLETS;
my @FONTS   = Browser::Inspection::FONTS;
for my $at (%wanted ? () : 0 .. $#pages) {
    @{ $pages[$at] }{qw(axe_scheme tablet font)} =
        ($SCHEMES[$at % @SCHEMES], $TABLETS[$at % @TABLETS], $FONTS[$at / 2 % @FONTS]);
}
my $passed  = Passed->new(pages => Browser::Inspection::depends_on());
my @to_look = grep { %wanted || !$passed->has(what_is_looked_at($_)) } @pages;
my $folder  = File::Basename::dirname($FindBin::Bin) . q{/screenshots};
make_path($folder);
unlink glob "'$folder'/*";

sub written {
    my ($page) = @_;
    return write_file("$folder/$page->{name}.html", $page->{html});
}

sub worker {
    my $browser = Browser->new(Browser::Code::code());
    return sub {
        my ($page) = @_;
        return Browser::Inspection::inspect(
            $browser, written($page),
            pictures => "$folder/$page->{name}",
            (map { $_ => $page->{$_} } qw(axe_scheme tablet font)),
            is_hostile  => scalar $page->{name} =~ /hostile/,
            is_thorough => scalar %wanted
        );
    };
}

my %seen;
@seen{ map { $_->{name} } @to_look } = shared(crew_of(), \&worker, @to_look);
my $marks = 0;
for my $page (@pages) {
    my $seen = $seen{ $page->{name} };
    if (!$seen) {
        pass("$page->{name}: unchanged since it passed");
        next;
    }
    next if !ok(!$seen->{died}, "$page->{name}: the page could be checked") && diag $seen->{died};
    for my $checked (@{ $seen->{checked} }) {
        my ($what, $found) = @$checked;
        ok(!@$found, "$page->{name}: $what") or diag map { "   $_\n" } shown(@$found);
    }
    $passed->add(what_is_looked_at($page)) if !grep { @{ $_->[1] } } @{ $seen->{checked} };
    $marks += $seen->{marks};
}
cmp_ok($marks, '>', 100, 'more than 100 marks of charts were compared with numbers') if !%wanted && @to_look == @pages;
$passed->keep if !%wanted;

# Returns the text by which a page that passed is recognised.
sub what_is_looked_at {
    my ($page) = @_;
    return join ' ', map { $_ // q{} } @$page{qw(name axe_scheme tablet font html)};
}

sub shown {
    my (@found) = @_;
    return @found <= SHOWN ? @found : (@found[0 .. SHOWN - 1], 'and ' . (@found - SHOWN) . ' more');
}

done_testing;
