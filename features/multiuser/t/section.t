# The section of a comparison about two multi-user loads. To record it again: UB_RECORD=1 prove -Ilib
# features/multiuser/t/section.t

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Golden                         qw(is_golden no_golden_left_over);
use LoadPair                       qw(fast_side load_pass load_side slow_side);
use ValidMarkdown                  qw(are_valid_markdown);
use ValidPage                      qw(is_valid_page);
use UnixBench::Multiuser::Comparison;
use UnixBench::Report::Block qw(document);
use UnixBench::Multiuser::Section;
use UnixBench::Report::Formats;

# Takes a kind and two sides; returns the report.
sub report {
    my ($kind, @sides) = @_;
    my $compared = UnixBench::Multiuser::Comparison::of(@sides);
    my $report =
        document({ title => 'Loads', is_folded => 1 }, UnixBench::Multiuser::Section::section_of($compared));
    return UnixBench::Report::Formats::of_blocks($kind, $report);
}

my @pair = (slow_side(), fast_side());
is_golden('loads.txt', report(text => @pair));
is_valid_page(loads => report(html => @pair));
are_valid_markdown(loads => report(markdown => @pair));

subtest 'each format has the effects and the meters' => sub {
    like(
        report(html => @pair),
        qr{<th class="short" scope="row">Total: total CPU time, A/B</th>\n<td [^>]*>2[.]172<},
        'the page'
    );
    like(report(markdown => @pair), qr/^\| Total: total CPU time, A\/B +\| +2[.]172 \|/m, 'Markdown');
};

subtest 'what makes numbers unsure is said' => sub {
    my %finished = ('finished.cpu_user_s' => 54, 'finished.cpu_system_s' => 20);
    my $dead     = load_side(
        A => [load_pass(finished => 19, meters => \%finished)],
        '3 lines failed, 1 of 20 users did not finish'
    );
    my $stolen = load_side(B => [load_pass(good_s => 70, system_s => 30, times => { steal => 70, idle => 5 })]);
    my $text   = report(text => $dead, $stolen);
    like(
        $text,
        qr/^A: 3 lines failed, 1 of 20 users did not finish[.] CPU time, page faults and/m,
        'users that did not finish'
    );
    like($text, qr/^The product differs by more than 5 %/m, 'a product that differs from the total effect');
    unlike($text, qr/Stretch/, 'a meter that is unknown on both sides is left out');
    my @bare = map {
        load_side($_, [load_pass(meters => { map { ("machine.cpu_${_}_s" => undef) } qw(user system idle) })])
    } qw(A B);
    like(
        report(text => @bare),
        qr/^Overhead: [^\n]+ - *\nProduct[^\n]+ - *$/m,
        'an effect without its meters is a dash'
    );
};

no_golden_left_over();
done_testing();
