# Which program says this: titles, the first line of the block, and the foot of a page (UnixBench::Report::Title).

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Fixture                   qw(failed measured quick_run result run sliced tag tagged);
use Gallery::Runs             qw(whole);
use UnixBench::Report::Markup qw(string_of);
use UnixBench::Report::Title  qw(identity result_titles titles);
use UnixBench::Report::View   ();
use UnixBench::Version;

my $PROGRAM = "UnixBench $UnixBench::Version::VERSION";
my %QUICK   = (kind => 'quick', time_factor => 1, work_factor => 1);

# Takes runs and facts of a result; returns its view.
sub view { return UnixBench::Report::View->new(result => result(@_)) }

# Takes the same; returns the title, with blanks that may break.
sub title_of {
    my %titles = result_titles(view(@_));
    return string_of($titles{title}) =~ s/\xc2\xa0/ /gr;
}

# Takes a page; returns the text of its first element with that name.
sub text_in {
    my ($name, $html) = @_;
    my ($inside) = $html =~ m{<$name\b[^>]*>(.*?)</$name>}s or return;
    return $inside =~ s/<[^>]*>//gr =~ s/\xc2\xa0/ /gr =~ s/\s+/ /gr =~ s/\A | \z//gr;
}

subtest 'the title of a result has the program, the first number, and the machine' => sub {
    my $machine = 'AMD EPYC, 2 CPUs';
    is(title_of([whole(1)]),               "UnixBench 1594 \xc2\xb10.5 %, $machine",            'an index');
    is(title_of([map { whole($_) } 1, 2]), "UnixBench 1594 \xc2\xb10.5 %, $machine",            'of two, the first');
    is(title_of([whole(2)]),               "UnixBench 2794 \xc2\xb10.4 % (2 copies), $machine", 'of several copies');
    is(title_of([run(1, measured('pipe', 1, 1e6))]), "UnixBench partial index 80.38, $machine", 'a partial index');
    is(
        title_of([run(1, measured('pipe', 1, 0.9e6, 1.1e6, 1e6))]),
        "UnixBench partial index 62 to 100, $machine",
        'a poor result'
    );
    my %loud = map { $_ => [tag(others => disturbed => 1.4)] } 1 .. 3;
    is(
        title_of([run(1, tagged(measured('pipe', 1, 0.9e6, 1.1e6, 1e6), \%loud))]),
        "UnixBench partial index at least 75 (disturbed), $machine",
        'a floor'
    );
    is(
        title_of([run(1, map { measured("2d-$_", 1, 5000) } qw(rects ellipse aashapes text blit window))]),
        "UnixBench 2D index 3333, $machine",
        'an index of graphics is not that of the system'
    );
    is(
        title_of([run(1, measured('hanoi', 1, 1000))]),
        "UnixBench Recursion Test -- Tower of Hanoi 50.00 lps, $machine",
        'the only test'
    );
    is(
        title_of([run(1, map { measured($_, 1, 1000) } qw(hanoi arithoh))]),
        "UnixBench, 2 scores, $machine",
        'several tests without an index'
    );
    is(
        title_of([run(1, (map { measured($_, 1, 1e6) } qw(pipe syscall)), failed('spawn', 'no'))]),
        "UnixBench, no index, $machine",
        'a failure'
    );
    is(title_of([]), "UnixBench, no score, $machine", 'nothing');
};

subtest 'what made a result' => sub {
    my $identity = sub { identity(view(@_)->summary) };
    is($identity->([whole(1)]),                       'UnixBench 8.0.0, official run, 2026-11-20',   'an official run');
    is($identity->([whole(1)], procedure => \%QUICK), 'UnixBench 8.0.0, quick estimate, 2026-11-20', 'a quick run');
    is(
        $identity->([whole(1)], procedure => { %QUICK, kind => 'official', time_factor => 0.1 }),
        'UnixBench 8.0.0, changed procedure, 2026-11-20',
        'a changed procedure'
    );
    is($identity->([]), 'UnixBench 8.0.0, official run',                             'nothing was measured');
    is(identity({ source => 'text report', version => '5.1.3' }), 'UnixBench 5.1.3', 'a text report without a date');
    is(identity({}),                                              'UnixBench',       'of an unknown version');
};

done_testing;
