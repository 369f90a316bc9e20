package Fixture;

# Builders of results as a run would make them, scored by the real code, and of their reports. The modules of reports
# are loaded when one is made.

use strict;
use warnings;

use Digest::SHA qw(sha256_hex);
use Exporter 'import';
use File::Basename qw(dirname);

use Place qw(text_of);
use UnixBench::Base::ResultSchema;
use UnixBench::Catalog;
use UnixBench::Plan::Baseline;
use UnixBench::Score;

our @EXPORT_OK = qw(
    @INDEX
    baseline comparison_as counted failed host interrupted measured quick_run rendered resealed result run skipped
    sliced steady_result tag tagged unstyled
);

# The twelve tests of the index of 1995. The alias "index" may get more.
our @INDEX = qw(dhry2reg whetstone-double execl fstime fsbuffer fsdisk pipe context1 spawn syscall shell1 shell8);

use constant STARTED => 1_795_140_750;    # Fri Nov 20 2026 02:12:30

# Units that are not in loops a second, and their timebases.
my %UNIT = (
    'whetstone-double' => ['MWIPS', 0],
    ubgears            => ['fps',   0],
    (map { ("interactive-$_" => [$_ eq 'capacity' ? 'fps' : 'wps', 0]) } qw(capacity response)),
    (map { ("2d-$_"          => ['score',                          0]) } qw(rects ellipse aashapes text blit window)),
    (map { $_ => ['lpm', 60] } qw(C dc grep shell1 shell8 shell16)),
    (
        map {
            my $test = $_;
            map { ("$test$_" => ['KBps', 0]) } q{}, '-r', '-w'
        } qw(fstime fsbuffer fsdisk)
    ),
);

my $BASELINE = text_of(dirname(__FILE__) . '/../../pgms/index.base');

# Returns the text of the official index.base.
sub baseline { return $BASELINE }

# Takes facts to replace; returns a machine with two CPUs.
sub host {
    my (%facts) = @_;
    my @flags   = qw(fpu pae sep mmx mmxext syscall lm ht sse sse2);
    my %cpu     = (model => 'AMD EPYC', bogomips => '5192.2', flags => \@flags);
    return {
        name     => 'vm',
        system   => 'GNU/Linux',
        os       => 'GNU/Linux',
        release  => '6.18.44',
        version  => '#1 SMP PREEMPT_DYNAMIC',
        machine  => 'x86_64',
        platform => 'unknown',
        cpus     => [map { { id => $_, %cpu } } 0, 1],
        uptime   => '02:12:30 up 2 min,  0 user,  load average: 0.02, 0.03, 0.00; runlevel 5',
        %facts,
    };
}

# Takes runs and, after them, facts to replace; returns a result.
sub result {
    my ($runs, %facts) = @_;
    return {
        schema    => UnixBench::Base::ResultSchema::SCHEMA,
        version   => '8.0.0',
        procedure => { kind => 'official', time_factor => 1, work_factor => 1, replacements => [], resumptions => [] },
        asked     => ['index'],
        is_brief  => 0,
        utc_offset_s => 0,
        facts        => undef,
        host         => host(),
        language     => { lang => 'en_US.utf8', charmap => 'UTF-8', collate => 'UTF-8' },
        notes        => [],
        build        => {
            compiler => 'gcc',
            version  => '12.2.0',
            flags    => '-O3 -ffast-math -march=native -mtune=native',
            cpu      => 'AMD EPYC',
            libc     => 'glibc 2.36',
        },
        runs => $runs,
        %facts,
    };
}

# Takes the same; returns the result of a machine that does not vary from run to run: 100,000 earlier runs show that.
sub steady_result {
    my ($runs, %facts) = @_;
    my @earlier;
    for my $run (@$runs) {
        my %steady = (copies => $run->{copies}, runs => 100_000, squares => 0, within => 0, since => STARTED);
        push @earlier, map { { %steady, kind => 'test',  name => $_->{name} } } @{ $run->{tests} };
        push @earlier, map { { %steady, kind => 'index', name => $_->{category} } } @{ $run->{indexes} };
    }
    return result($runs, earlier => \@earlier, %facts);
}

# Takes a number of copies and tests; returns a run with its indexes.
sub run {
    my ($copies, @tests) = @_;
    my $start  = STARTED + ($copies - 1) * 403;
    my $parsed = UnixBench::Plan::Baseline::parse($BASELINE);
    return {
        copies    => $copies,
        started   => $start,
        ended     => $start + 403,
        cpu_count => 2,
        tests     => \@tests,
        indexes   => UnixBench::Score::indexes(\@tests, $parsed),
    };
}

# Takes a test's name, a number of copies and the count of one copy in each pass; returns the test.
sub measured {
    my ($name, $copies, @counts) = @_;
    my @passes = map { _pass($name, $_ + 1, $copies, $counts[$_]) } 0 .. $#counts;
    return { _test($name, \@passes), status => 'measured', %{ UnixBench::Score::test(\@passes) } };
}

# Takes rounds, a number of copies and tests; returns a quick run with its indexes.
sub quick_run {
    my ($rounds, $copies, @tests) = @_;
    return { %{ run($copies, @tests) }, rounds => $rounds };
}

# Takes a test's name, a number of copies and its short passes; returns the test of a quick run. A short pass is the
# count of one copy in about a second, or { count, time_s, timebase, number (of the round), tags }.
sub sliced {
    my ($name, $copies, @slices) = @_;
    my @given = map { ref ? $_ : { count => $_ } } @slices;
    my %test  = %{ measured($name, $copies, map { $_->{count} } @given) };
    for my $pass (@{ $test{passes} }) {
        my %slice = %{ shift @given };
        for my $copy (@{ $pass->{copies} }) {
            $copy->{elapsed_s}  = $slice{time_s} // 1 + $copy->{pid} / 1e6;
            $copy->{data}{TIME} = [$slice{time_s} // 1.1] if defined $copy->{data}{TIME};
            $copy->{time_s}     = ($copy->{data}{TIME} || [$copy->{elapsed_s}])->[0];
            $copy->{timebase}   = $slice{timebase} // $copy->{timebase};
        }
        my %of_slice = map { defined $slice{$_} ? ($_ => $slice{$_}) : () } qw(number tags);
        %$pass = (%$pass, %{ UnixBench::Score::pass($pass->{copies}) }, %of_slice);
    }
    delete $test{passes_wanted};
    return { %test, %{ UnixBench::Score::test_of_rounds($test{passes}) } };
}

# Takes a cause, a level and a value; returns the tag.
sub tag {
    my ($cause, $level, $value) = @_;
    return { cause => $cause, level => $level, value => $value };
}

# Takes a test, and { number of a pass => [tag, ...] }; returns the test with these tags.
sub tagged {
    my ($test, $tags) = @_;
    my @passes = map { +{ %$_, tags => $tags->{ $_->{number} } || [] } } @{ $test->{passes} };
    return { %$test, passes => \@passes };
}

# Takes a test's name, the reason, and the counts of the passes before; returns the failed test.
sub failed {
    my ($name, $reason, @counts) = @_;
    my @passes = map { _pass($name, $_ + 1, 1, $counts[$_]) } 0 .. $#counts;
    my %end    = $reason =~ /SIGSEGV/ ? (status => 0, signal => 11) : (status => 3, signal => 0);
    my $copy   = { pid => 999, elapsed_s => 0.25, %end, error => $reason, gated => 0, data => {} };
    my $number = @passes + 1;
    push @passes, { number => $number, copies => [$copy], error => $reason, where => "pass $number, copy 1" };
    return { _test($name, \@passes), status => 'failed', reason => $reason };
}

# Takes a test's name and the reason; returns the skipped test.
sub skipped {
    my ($name, $reason) = @_;
    return { _test($name, []), status => 'skipped', reason => $reason };
}

# Takes a test's name, the reason, and the counts of the passes before; returns the interrupted test.
sub interrupted {
    my ($name, $reason, @counts) = @_;
    my @passes = map { _pass($name, $_ + 1, 1, $counts[$_]) } 0 .. $#counts;
    return { _test($name, \@passes), status => 'interrupted', reason => $reason };
}

sub _test {
    my ($name, $passes) = @_;
    my $test  = UnixBench::Catalog::test($name);
    my %facts = map { $_ => $test->{$_} } qw(name title category);
    return (
        %facts,
        command       => ["/opt/my suite/pgms/$name", $test->{seconds}, '/opt/x/multi.sh'],
        passes_wanted => 3,
        passes        => $passes
    );
}

sub _pass {
    my ($name, $number, $copies, $count) = @_;
    my @copies = map { _copy($name, $count, 1000 * $number + $_) } 1 .. $copies;
    return { number => $number, copies => \@copies, %{ UnixBench::Score::pass(\@copies) }, tags => [] };
}

# Takes a copy's count, timebase, unit and seconds; returns these fields of a copy. The copy itself does not report its
# time.
sub counted {
    my ($count, $timebase, $unit, $time_s) = @_;
    my %data = (COUNT => [$count, $timebase, $unit]);
    return (count => $count, timebase => $timebase, unit => $unit, time_s => $time_s, data => \%data);
}

sub _copy {
    my ($name, $count, $pid) = @_;
    my ($unit, $timebase) = @{ $UNIT{$name} || ['lps', 1] };
    my $seconds   = UnixBench::Catalog::test($name)->{seconds};
    my $elapsed_s = $seconds + $pid / 1e6;
    my $own_s     = $timebase == 0 ? $seconds + 0.1 : undef;
    my %copy      = counted($count, $timebase, $unit, $own_s // $elapsed_s);
    $copy{data}{TIME} = [$own_s] if defined $own_s;
    return { pid => $pid, elapsed_s => $elapsed_s, %copy, status => 0, signal => 0, gated => 1, output => q{} };
}

# Takes the kind of a report (see UnixBench::Report::Formats), a result, and perhaps its cases (see
# UnixBench::Accept::Acceptance); returns the report.
sub rendered {
    my ($kind, $result, @cases) = @_;
    require UnixBench::Report::Formats;
    require UnixBench::Report::View;
    return UnixBench::Report::Formats::of_result($kind, UnixBench::Report::View->new(result => $result), @cases);
}

# Takes "text", "html" or "markdown", and a comparison; returns its report.
sub comparison_as {
    my ($kind, $comparison) = @_;
    require UnixBench::Report::Comparison;
    require UnixBench::Report::Formats;
    return UnixBench::Report::Formats::of_blocks($kind, UnixBench::Report::Comparison::report_of($comparison));
}

# Takes a page; returns it without its style sheet, which is the same in all pages, and without its data. Each row of a
# table, each item of a list and each picture is one line.
sub unstyled {
    my ($html) = @_;
    my $page   = $html =~ s{<style>.*?</style>\n}{}sr =~ s{(<script [^>]*>)[^<]*(?=</script>)}{$1}gr;
    return $page =~ s{\n(?=<t[hd][ >]|</t[rhd]>|</(?:circle|line|rect)>)|<li>\K\n|\n(?=</li>)}{}gr;
}

# Takes the JSON of a result that a test has changed; returns it with its right checksum, which is in its last line.
sub resealed {
    my ($json) = @_;
    my ($body) = $json =~ /\A(.*\n)"sha256":/s or die "no checksum\n";
    return $json =~ s/^"sha256":"\K[0-9a-f]{64}/sha256_hex($body)/mer;
}

1;
