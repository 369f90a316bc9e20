package WholeRun;

# Whole runs with one copy, for figures about procedures: makes their results and reads them.

use strict;
use warnings;

use Exporter 'import';
use Time::HiRes ();

use UnixBench::Store::ResultFile ();
use UnixBench::Store::Summary    ();

our @EXPORT_OK = qw(made read_from);

use constant COPIES => 1;

# Takes the suite's directory, a directory for results, a name and options for Run. Returns the path of the result's
# JSON, and the seconds from start to end. An existing complete result is kept; its seconds are undef. Dies if Run
# leaves no result or an interrupted one, which still has a journal.
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
    die "Run has not made a complete $path\n" if !$is_whole->();
    return ($path, _now_s() - $start_s);
}

# Takes the path of a result's JSON. Returns these facts about its run with one copy:
#     path, kind, machine, date, time_factor, measuring_s, rounds
#     tests        { title => estimate }, see UnixBench::Score::Estimate
#     index        estimate, or undef
#     index_tests  text with the names of the tests of the index
# Dies with one line if it is not a result, or has no such run.
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
