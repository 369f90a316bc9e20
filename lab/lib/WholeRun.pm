package WholeRun;

# Whole runs, for figures about procedures: makes their results and reads them.

use strict;
use warnings;

use Exporter 'import';
use Time::HiRes ();

use UnixBench::Store::ResultFile ();
use UnixBench::Store::Summary    ();

our @EXPORT_OK = qw(made read_from);

# Takes the suite's directory, a directory for results, a name, and options for Run, with the number of copies. Returns
# the path of the result's JSON, and the seconds from start to end. An existing complete result is kept; its seconds are
# undef. Dies if Run leaves no result or an interrupted one, which still has a journal.
sub made {
    my ($home, $directory, $name, @options) = @_;
    my $path     = "$directory/$name.json";
    my $is_whole = sub { -e $path && !-e "$directory/$name.journal" };
    return ($path, undef) if $is_whole->();
    local @ENV{qw(UB_RESULTDIR UB_OUTPUT_FILE_NAME UB_OUTPUT_JSON)} = ($directory, $name, 'true');
    my $start_s = _now_s();
    open my $report, '-|', "$home/Run", '-q', @options or die "Run: $!\n";
    () = readline $report;
    close $report;
    die "Run has not made a complete $path\n" if !$is_whole->();
    return ($path, _now_s() - $start_s);
}

# Takes the path of a result's JSON. Returns these facts about its first run:
#     copies, kind, machine, started, date, time_factor, measuring_s, rounds
#     tests  { title => estimate }, see UnixBench::Score::Estimate
#     index  estimate, or undef
# Dies with one line if it is not a result, or has no run.
sub read_from {
    my ($path)  = @_;
    my $result  = UnixBench::Store::ResultFile::result($path);
    my $summary = UnixBench::Store::Summary::of($result);
    my ($run)   = @{ $result->{runs} } or die "$path has no run\n";
    my ($known) = @{ $summary->{runs} };
    my ($index) = grep { $_->{category} eq 'system' } @{ $known->{indexes} };
    return {
        copies      => $run->{copies},
        kind        => $summary->{procedure}{kind},
        time_factor => $summary->{procedure}{time_factor} // 1,
        machine     => _machine($summary, $run),
        started     => $run->{started},
        date        => $summary->{date},
        measuring_s => $run->{ended} - $run->{started},
        rounds      => $run->{rounds},
        tests       => { map { $_->{title} => $_->{estimate} } grep { $_->{estimate} } @{ $known->{tests} } },
        index       => $index && $index->{estimate},
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
