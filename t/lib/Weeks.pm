package Weeks;

# Results of a host as ./Run or an older UnixBench writes them once a week, with known values, for tests of its history.

use strict;
use warnings;

use Exporter 'import';

use Fixture qw(failed host measured result run tag tagged);
use Place;
use UnixBench::Report::Formats;
use UnixBench::Report::View;

our @EXPORT_OK = qw(noise started write_week write_weeks);

use constant { START => 1_764_554_400, WEEK => 7 * 86_400 };    # Mon Dec 1 2025 02:00:00 UTC

# Parts of a value that runs differ by: the deviation is 0.4 %.
my @NOISE = map { $_ / 1000 } 0, -6, 6, 2, -3, -1, 5, -4, 3, -2;

# The counts of passes.
my %COUNT    = (pipe => 16_000_000, spawn => 240_000, syscall => 24_000_000);
my %PROGRAMS = map { $_ => "$_-1" x 8 } qw(pipe spawn syscall);

# Takes the number of a week, from 0; returns when its run starts, in seconds since 1970.
sub started { my ($week) = @_; return START + $week * WEEK }

# Takes a number; returns the noise at that place, a factor.
sub noise { my ($place) = @_; return 1 + $NOISE[$place % @NOISE] }

# Takes a week and, all optional,
#   factor     { test => times its usual value }
#   copies     [numbers of copies] (default: 1)
#   failed     { test => reason }
#   disturbed  the cause that disturbed every pass
#   later_s    how much later than usual it starts
#   host       { what differs about the machine }; facts, the same of all other facts
#   programs   { test => what differs about its program }
#   result     { keys of the result to replace }
# Returns the result.
sub week_result {
    my ($week, %of) = @_;
    my %digests = (%PROGRAMS, %{ $of{programs} || {} });
    my @runs    = map { _run($week, $_, %of) } @{ $of{copies} || [1] };
    return result(
        \@runs,
        host  => host(%{ $of{host} || {} }),
        facts => { programs => \%digests, %{ $of{facts} || {} } },
        %{ $of{result} || {} },
    );
}

sub _run {
    my ($week, $copies, %of) = @_;
    my $start = started($week) + ($of{later_s} || 0) + 600 * ($copies - 1);
    my @tests = map { _test($week, $copies, $_, %of) } sort keys %COUNT;
    return { %{ run($copies, @tests) }, started => $start, ended => $start + 400 };
}

sub _test {
    my ($week, $copies, $name, %of) = @_;
    return failed($name, $of{failed}{$name}) if ($of{failed} || {})->{$name};
    my $place = $week * 7 + length $name;
    my $count = $COUNT{$name} * noise($place) * (($of{factor} || {})->{$name} // 1);
    my $test  = measured($name, $copies, map { int $count * $_ } 0.999, 1, 1.001);
    return $test if !$of{disturbed};
    return tagged($test, { map { $_ => [tag($of{disturbed}, 'disturbed', 0.8)] } 1 .. 3 });
}

# Takes a directory, a week, and what differs as week_result() does; also name, the name of the file without its suffix.
# Writes the page of the result; returns its path.
sub write_week {
    my ($directory, $week, %of) = @_;
    my $view = UnixBench::Report::View->new(result => week_result($week, %of));
    my $name = $of{name} // sprintf 'week-%02d', $week;
    return Place::write_file("$directory/$name.html", UnixBench::Report::Formats::of_result('html', $view));
}

# Takes a directory, the first and the last week, and what differs; writes a page for each.
sub write_weeks {
    my ($directory, $first, $last, %of) = @_;
    write_week($directory, $_, %of) for $first .. $last;
    return;
}

1;
