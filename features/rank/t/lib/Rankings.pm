package Rankings;

# Results that are ranked, without files.

use strict;
use warnings;

use Exporter 'import';
use File::Basename qw(dirname);

use Cases   qw(%COUNT);
use Fixture qw(@INDEX host measured result run steady_result tag);
use UnixBench::Compare::Published;
use UnixBench::Rank::Own;
use UnixBench::Rank::Report;
use UnixBench::Store::ResultNames;
use UnixBench::Store::Summary;

our @EXPORT_OK = qw(machine own published ranking rankings);

my @PUBLISHED = UnixBench::Compare::Published::results(dirname(__FILE__) . '/../../../..');
my $NAMES     = UnixBench::Store::ResultNames->new(directory => 'results');

# Returns the published results of the suite.
sub published { return @PUBLISHED }

# Takes the name of a host, a factor for its speed, and perhaps copies => [numbers of copies], spread => by what part
# its passes vary, is_loud => whether other load disturbed them, and facts of the result; returns the result.
sub machine {
    my ($name, $factor, %with) = @_;
    my ($copies, $spread, $is_loud) =
        (delete $with{copies} || [1], delete $with{spread} // 0.01, delete $with{is_loud});
    my @runs = map { _run($_, $factor, $spread) } @$copies;
    my $result =
        steady_result(\@runs, host => host(name => $name, cpus => [map { { id => $_ } } 1 .. $copies->[-1]]), %with);
    return $result if !$is_loud;
    $_->{tags} = [tag(others => disturbed => 1.4)] for map { @{ $_->{passes} } } map { @{ $_->{tests} } } @runs;
    return $result;
}

sub _run {
    my ($copies, $factor, $spread) = @_;
    my @deviations = map { 1 + $spread * $_ } -1, 0, 1;
    my %count      = map { $_ => $factor * $copies**-0.1 * $COUNT{$_} } @INDEX;
    my @tests      = map { _test($_, $copies, $count{$_}, @deviations) } @INDEX;
    return { %{ run($copies, @tests) }, $copies > 1 ? (cpu_count => $copies) : () };
}

sub _test {
    my ($name, $copies, $count, @deviations) = @_;
    return measured($name, $copies, map { $count * $_ } @deviations);
}

# Takes a result; returns it as it is ranked.
sub own {
    my ($result) = @_;
    my $path     = "results/$result->{host}{name}.html";
    my %with     = (names => $NAMES, published => \@PUBLISHED);
    return UnixBench::Rank::Own::of_summary($path, UnixBench::Store::Summary::of($result), \%with);
}

# Takes results; returns the report of their ranking.
sub ranking {
    my (@results) = @_;
    my %list = (owns => [map { own($_) } @results], left_out => [], published => \@PUBLISHED);
    return UnixBench::Rank::Report::report_of(\%list);
}

# Returns { name => [results] } of rankings.
sub rankings {
    my @three = (machine(pi4 => 0.45), machine(vm => 1.3, copies => [1, 4]), machine(pi5 => 1.6));
    my @eight = (
        @three,
        machine(nas                               => 0.8, is_loud => 1),
        machine(laptop                            => 1.2, spread  => 0.3),
        machine(desktop                           => 4),
        machine('rented-machine-with-a-long-name' => 2.2, copies => [1, 8]),
        machine(old                               => 0.1)
    );
    my @counts = (@three, machine(server => 2, copies => [16]), machine(cluster => 1.5, copies => [64], spread => 0.3));
    return {
        one    => [$three[0]],
        three  => \@three,
        eight  => \@eight,
        sixty  => [map { machine("host-$_" => 0.5 * 1.03**$_) } 1 .. 60],
        counts => \@counts,
        poor   => [map { machine("host-$_" => $_, spread => 0.3) } 1, 2],
    };
}

1;
