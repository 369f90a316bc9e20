package WholeRun;

# Whole runs of Run with one copy, as figures about procedures need them: makes their results, and reads them.

use strict;
use warnings;

use Exporter 'import';
use Time::HiRes ();

use UnixBench::Store::ResultFile ();
use UnixBench::Store::Summary    ();

our @EXPORT_OK = qw(made read_from);

use constant COPIES => 1;

# Takes the suite's directory, one for results, a name and options for Run; returns the path of the result's JSON and
# the seconds from start to end. A whole result that is there already is kept, and nobody knows its seconds any more
# (undef). Dies when Run leaves none, or one that was interrupted: that one has a journal still.
sub made {
    my ($home, $directory, $name, @options) = @_;
    my $path     = "$directory/$name.json";
    my $is_whole = sub { -e $path && !-e "$directory/$name.journal" };
    return ($path, undef) if $is_whole->();
    local @ENV{qw(UB_RESULTDIR UB_OUTPUT_FILE_NAME)} = ($directory, $name);
    my $start_s = _now_s();
    open my $report, '-|', "$home/Run", '-q', '-c', COPIES, @options or die "Run: $!\n";
    () = readline $report;
    close $report;
    die "Run made no whole $path\n" if !$is_whole->();
    return ($path, _now_s() - $start_s);
}

# Takes the path of a result's JSON; returns { path, kind, machine, date, time_factor, measuring_s, rounds, tests =>
# { title => estimate }, index => estimate or undef, index_tests => text that names the tests of that } of its run with
# one copy. Estimates: see UnixBench::Score::Estimate. Dies with one line when it is no result, or has no such run.
sub read_from {
    my ($path)  = @_;
    my $result  = UnixBench::Store::ResultFile::result($path);
    my $summary = UnixBench::Store::Summary::of($result);
    my ($run)   = grep { $_->{copies} == COPIES } @{ $result->{runs} } or die "$path has no run with one copy\n";
    my ($known) = grep { $_->{copies} == COPIES } @{ $summary->{runs} };
    my ($index) = grep { $_->{category} eq 'system' } @{ $known->{indexes} };
    return {
        path        => $path,
        kind        => $summary->{procedure}{kind},
        time_factor => $summary->{procedure}{time_factor} // 1,
        machine     => _machine($summary, $run),
        date        => $summary->{date},
        measuring_s => $run->{ended} - $run->{started},
        rounds      => $run->{rounds},
        tests       => { map { $_->{title} => $_->{estimate} } grep { $_->{estimate} } @{ $known->{tests} } },
        index       => $index && $index->{estimate},
        index_tests => join(q{ }, sort @{ $index ? $index->{tests} : [] }),
    };
}

sub _machine {
    my ($summary, $run) = @_;
    my $facts = $summary->{facts};
    my %known = map { $_ => $facts->{$_} // 'unknown' } qw(CPU Kernel Hypervisor);
    return "CPU $known{CPU}, $run->{cpu_count} in use, kernel $known{Kernel}, hypervisor $known{Hypervisor}";
}

sub _now_s { return Time::HiRes::clock_gettime(Time::HiRes::CLOCK_MONOTONIC()) }

1;
