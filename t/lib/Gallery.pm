package Gallery;

# Pages to be viewed by people and by a browser. They show everything that reports can show, even if it is rare. A
# feature has a module in its folder t/lib/Gallery, with some of these subs:
#
#     pages       the pages of the feature, each { name, html }
#     results     results, each [name, runs, key => value, ...]
#     attacked    results, each [name, result], whose texts are replaced by attacks

use strict;
use warnings;

use Exporter 'import';
use File::Basename qw(dirname);
use Scalar::Util   qw(looks_like_number);

use Cases       qw(@TWO_MODES cases one_test rounds whole);
use Comparisons qw(comparisons distributions);
use Fixture     qw(@INDEX comparison_as failed host interrupted measured result run skipped tag tagged);
use HostTree    qw(recorded_files);
use OfFeatures  qw(helpers);
use UnixBench::Compare::Comparison;
use UnixBench::Compare::Published;
use UnixBench::Host::Facts;
use UnixBench::Report::Formats;
use UnixBench::Report::View;
use UnixBench::Summary;

our @EXPORT_OK = qw(gallery hostile large_host results);

my @PUBLISHED = UnixBench::Compare::Published::results(dirname(__FILE__) . '/../..');

# Attacks on HTML, attribute, script, style, URL, comment and template; then texts that are hard to show.
my @TEXTS = (
    '</style><script>window.pwned=1</script>',
    '</title></svg></text><script>window.pwned=1</script>',
    '<img src=x onerror=window.pwned=1>',
    '<svg/onload=window.pwned=1><a xlink:href="#">',
    '" onload="window.pwned=1" x="',
    q{' onmouseover='window.pwned=1' x='},
    'javascript:window.pwned=1//',
    'data:text/html,<script>top.pwned=1</script>',
    '}*{display:none!important}/*',
    ';position:fixed;left:-9999px;font-size:99px',
    '--><!-- ]]> <![CDATA[ <!DOCTYPE &x; &#60;script&#62; %3Cscript%3E',
    '{{7*7}} ${7*7} %s%n%99999d $(reboot) `reboot` \\',
    "tab\tline\nreturn\rbell\a zero\0 escape\e[31m delete\x7f \xc2\x85 \xe2\x80\xa8",
    "no UTF-8 \xff\xfe \xc0\xaf \xed\xa0\x80 \xf5\x80\x80\x80",
    "turned \xe2\x80\xae evil \xe2\x81\xa6 \xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d \xd9\x85\xd8\xb1\xd8\xad\xd8\xa8\xd8\xa7",
    "e\xcc\x81" . "\xcc\x81" x 9 . " \xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x92\xbb \xe6\x9c\xba",
    'Long' . 'x' x 300,
    '-' x 80 . ' ' . '&' x 80,
    q{},
    q{ },
);

# Returns the pages, each { name, html }.
sub gallery {
    my @results = map { { name => $_->{name}, html => _page_of($_->{result}) } } results();
    return (@results, _comparisons(), _of_features('pages'));
}

# Takes the name of a sub; returns what those of the features return that have it.
sub _of_features {
    my ($sub) = @_;
    return map { $_->can($sub)->() } grep { $_->can($sub) } helpers('Gallery');
}

# Takes a result; returns its page, with its place among the published ones.
sub _page_of {
    my ($result) = @_;
    my $view = UnixBench::Report::View->new(result => $result, published => sub { @PUBLISHED });
    return UnixBench::Report::Formats::of_result(html => $view);
}

# Returns the results, each { name, result }: those of all reports, on a machine of which every fact is known, and
# others as on real machines; then those whose texts are attacks, all in each text, or each text in turn.
sub results {
    my %quick =
        (kind => 'quick', time_factor => 1, work_factor => 1, seed => 1995, precision => 0.01, max_time_s => 120);
    my @texts = @TEXTS;
    my $all   = join q{ }, @texts;
    return (
        cases(),
        _of('one'               => [whole(1)]),
        _of('two'               => [map { whole($_) } 1, 8],                 host => large_host(8)),
        _of('eight'             => [map { whole($_) } map { 2**$_ } 0 .. 7], host => large_host(128)),
        _of('quick-two'         => [rounds(5, 1), rounds(9, 8)], host => large_host(8), procedure => \%quick),
        _of('hundred-passes'    => [run(1, map { one_test($_, 1, /pipe|execl/ ? 100 : 0) } @INDEX)]),
        _of('sixteen-disturbed' => [_disturbed(1), _disturbed(16)], host => large_host(16)),
        (map { _of(@$_) } _of_features('results')),
        _of('long-titles' => [map { _long_titles($_) } 1, 4]),
        { name => 'hostile-all', result => hostile(_everything(), sub { $all }) },
        (
            map { { name => $_->[0], result => hostile($_->[1], _in_turn(@texts)) } } ['hostile-turns', _everything()],
            _of_features('attacked')
        ),
    );
}

# Takes texts; returns a function that returns them in turn.
sub _in_turn {
    my (@texts) = @_;
    my $turn = 0;
    return sub { $texts[$turn++ % @texts] };
}

sub _of {
    my ($name, $runs, %more) = @_;
    my $host = $more{host} || host(graphics => 'llvmpipe (LLVM 15.0.6, 256 bits)');
    my @runs = map { +{ %$_, cpu_count => scalar @{ $host->{cpus} } } } @$runs;
    return { name => $name, result => result(\@runs, facts => _facts(), %more, host => $host) };
}

# Returns the pages of comparisons: those of all reports, and others of results above, and of attacks.
sub _comparisons {
    my %recorded = comparisons();
    my %summary  = map { $_->{name} => UnixBench::Summary::of($_->{result}) } results();
    my @pages    = (
        (map { ["compare-$_" => $recorded{$_}] } sort keys %recorded),
        ['compare-eight' => _compared(map { [$_ => $summary{$_}] } qw(eight two))],
        ['compare-quick' => _compared(map { [$_ => $summary{$_}] } qw(quick-two quick-two one))],
        [
            'compare-hostile' =>
                _compared(map { [$_->[0], $summary{ $_->[1] }] } [join(q{ }, @TEXTS), 'hostile-turns'], [b => 'eight'])
        ],
        ['compare-distributions' => distributions(8, 3)],
    );
    return map { { name => $_->[0], html => comparison_as(html => $_->[1]) } } @pages;
}

# Takes [label, summary] of each side; returns their comparison.
sub _compared {
    my (@sides) = @_;
    return UnixBench::Compare::Comparison::of(
        [map { { label => "results/$_->[0].json", summary => $_->[1] } } @sides],
        min_effect => 0.02,
        is_forced  => 1
    );
}

# Returns a small result in which every kind of data occurs.
sub _everything {
    my @runs  = map { _some_of_everything($_) } 1, 2;
    my @notes = ('shortened passes', 'index.base was edited', 'resumed on Fri Nov 20 2026 02:12:30');
    return _of('everything', \@runs, notes => \@notes)->{result};
}

# Takes a number of copies; returns a small run in which every kind of test and status occurs.
sub _some_of_everything {
    my ($copies) = @_;
    my @measured =
        ((map { _tagged(one_test($_, $copies, 3)) } qw(pipe spawn)), measured('2d-rects', $copies, 5000, 5100));
    my @failed = (failed('syscall', 'killed', 1e6), skipped('ubgears', 'one copy'), interrupted('grep', 'stopped', 5));
    $_->{passes}[0]{copies}[0]{output} = 'said' for @measured;
    return run($copies, @measured, @failed);
}

my @CAUSES = qw(steal others throttled thermal swap major_faults run_queue pressure_cpu pressure_io pressure_memory);

# Takes a number of copies; returns a run of the index with all disturbances. One test becomes faster, one is slow at
# first, and one has two modes.
sub _disturbed {
    my ($copies) = @_;
    my %odd = (
        syscall  => [map { 24_000_000 + 400_000 * $_ } 0 .. 9],
        pipe     => [14_359_609, map { 16_359_609 + 9_000 * ($_ % 3) } 1 .. 9],
        context1 => [@TWO_MODES[1, 0, 2, 3, 4, 6, 5, 7 .. 9]],    # nothing disturbs the slow passes 2, 4 and 6
    );
    my @tests = map { $odd{$_} ? measured($_, $copies, @{ $odd{$_} }) : one_test($_, $copies, 5) } @INDEX;
    return run($copies, map { _tagged($_) } @tests);
}

sub _tagged {
    my ($test) = @_;
    my $passes = @{ $test->{passes} };
    my @loud   = $test->{name} eq 'context1' ? (1, 3) : grep { $_ % 2 } 1 .. $passes;       # a floor has no modes
    my %tags   = map                                         { $_ => [_tags($_)] } @loud;
    my $again  = { count => 80_211, time_s => 1.01, tags => [tag('run_queue', 'disturbed', 3)] };
    my $tagged = tagged($test, \%tags);
    $tagged->{passes}[1]{set_aside} = [$again, $again];
    return $tagged;
}

sub _tags {
    my ($number) = @_;
    my @causes   = map { $CAUSES[($number * 3 + $_) % @CAUSES] } 0 .. 3;
    return map { tag($_, $number % 3 ? 'disturbed' : 'note', 0.06 + $number) } @causes;
}

# Takes a number of copies; returns a run with long titles and a long reason.
sub _long_titles {
    my ($copies) = @_;
    my @tests = map { one_test($_, $copies) } @INDEX;
    $tests[$_]{title} = ('A title that goes on, ' x 5, 'x' x 90, 'with/slashes/' . 'and-hyphens-' x 9)[$_] for 0 .. 2;
    return run($copies, @tests, failed('hanoi', 'a reason that is long, too, ' x 9 . 'y' x 120));
}

# Values that the program chooses itself.
my %IS_OWN = map { $_ => 1 } qw(kind category status cause level schema tracer display baseline letter verdict);

# Takes data and a function that takes a text and returns another. Returns the data with its texts replaced, in the
# order of the keys. Numbers and values that the program chooses itself stay. Titles keep their text after the attack,
# so that they differ.
sub hostile {
    my ($data, $other, $key, $is_test) = @_;
    return $data if !defined $data;
    if (ref $data eq 'ARRAY') {
        return [map { hostile($_, $other, $key) } @$data];
    }
    if (ref $data eq 'HASH') {
        my $has_title = exists $data->{title};
        return { map { $_ => hostile($data->{$_}, $other, $_, $has_title) } sort keys %$data };
    }
    return $data if looks_like_number($data) || $IS_OWN{$key} || $key eq 'name' && $is_test;
    my $attack = $other->($data);
    return $key eq 'title' ? "$attack $data" : $attack;
}

# Takes a number of CPUs; returns a host with that number of CPUs, of two models.
sub large_host {
    my ($count) = @_;
    my @flags   = map { "flag-$_" } 1 .. 40;
    my %fast    = (model => 'AMD EPYC 9754 128-Core Processor',              bogomips => '4493.2', flags => \@flags);
    my %slow    = (model => 'Intel(R) Xeon(R) Platinum 8481C CPU @ 2.70GHz', bogomips => '5400.0', flags => \@flags);
    my @cpus    = map { { id => $_, $_ % 64 < 48 ? %fast : %slow } } 0 .. $count - 1;
    return host(name => "node-$count.cluster", cpus => \@cpus, graphics => 'NVIDIA H200/PCIe/SSE2');
}

# Returns the facts about a recorded machine.
sub _facts {
    my %files = recorded_files('x86-server');
    my %of    = (recorded => \%files, uname => ['Linux', 'vm', '6.1.0-25-amd64', '#1', 'x86_64'], env => {});
    return {
        %{ UnixBench::Host::Facts->new(%of)->facts },
        programs => { map { $_ => sprintf('%08x', 7919 * length) x 8 } qw(dhry2reg pipe spawn syscall) },
    };
}

1;
