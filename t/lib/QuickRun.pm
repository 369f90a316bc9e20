package QuickRun;

# Quick runs, scored by the real code, and SciPy's numbers for such samples and others.

use strict;
use warnings;

use Exporter 'import';
use File::Basename ();
use List::Util     ();
use Test::More     ();

use Fixture                    qw(quick_run);
use UnixBench::Base::Files     ();
use UnixBench::Base::JSON      ();
use UnixBench::Catalog         ();
use UnixBench::Score::Estimate ();
use UnixBench::Score::Score    ();

our @EXPORT_OK = qw(has_known_estimate in_rounds known run_of_rounds);

use constant PRECISION => 1e-9;

# Takes a part of t/data/statistics.json (see lab/settled.md); returns its cases.
sub known {
    my ($part) = @_;
    my $path   = File::Basename::dirname(__FILE__) . '/../data/statistics.json';
    my $text   = UnixBench::Base::Files::content($path) // die "$path: $!\n";
    return @{ UnixBench::Base::JSON::decode($text)->{$part} };
}

# Tests that an estimate and its half-width are the known ones.
sub has_known_estimate {
    my ($estimate, $known, $name) = @_;
    my %is  = (%$estimate, half_width => UnixBench::Score::Estimate::half_width($estimate));
    my @off = grep { abs($is{$_} - $known->{$_}) > PRECISION * $known->{$_} } sort keys %$known;
    return Test::More::is_deeply({ map { $_ => $is{$_} } @off }, {}, $name);
}

# Takes a test's name and its short passes; returns the test. A short pass is a count, or { number (of the round),
# count, time_s, timebase, tags }. By default it takes a second, and rounds follow each other.
sub in_rounds {
    my ($name, @slices) = @_;
    my $test   = UnixBench::Catalog::test($name);
    my @passes = map { _pass($_ + 1, ref $slices[$_] ? %{ $slices[$_] } : (count => $slices[$_])) } 0 .. $#slices;
    return {
        (map { $_ => $test->{$_} } qw(name title category)),
        command => ["/opt/unixbench/pgms/$name", 1],
        passes  => \@passes,
        status  => 'measured',
        %{ UnixBench::Score::Score::test_of_rounds(\@passes) },
    };
}

# Takes tests; returns a quick run of one copy, with its indexes.
sub run_of_rounds {
    my (@tests) = @_;
    my $rounds = List::Util::max(0, map { $_->{number} } map { @{ $_->{passes} } } @tests);
    return quick_run($rounds, 1, @tests);
}

sub _pass {
    my ($number, %slice) = @_;
    my %counted = (
        count    => $slice{count},
        time_s   => $slice{time_s}   // 1,
        timebase => $slice{timebase} // 1,
        unit     => 'lps',
    );
    my %data = (COUNT => [@counted{qw(count timebase unit)}], TIME => [$counted{time_s}]);
    my %copy =
        (pid => 1000 + $number, elapsed_s => $counted{time_s}, status => 0, signal => 0, gated => 1, output => q{});
    my @copies = ({ %copy, %counted, data => \%data });
    return {
        number => $slice{number} // $number,
        copies => \@copies,
        %{ UnixBench::Score::Score::pass(\@copies) },
        tags => $slice{tags} || []
    };
}

1;
