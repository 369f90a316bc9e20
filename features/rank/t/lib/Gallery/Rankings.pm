package Gallery::Rankings;

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
use UnixBench::Report::HTML;
use UnixBench::Store::ResultNames;
use UnixBench::Summary;

our @EXPORT_OK = qw(machine names ranking rankings);

# Returns the names of a directory of results without any.
sub names { return UnixBench::Store::ResultNames->new(directory => 'results') }

# Takes the name of a host, a factor for its speed, and perhaps copies => [numbers of copies], spread => by what part
# its passes vary, is_loud => whether other load disturbed them, and facts of the result; returns the result.
sub machine {
    my ($name, $factor, %with)      = @_;
    my ($copies, $spread, $is_loud) = delete @with{qw(copies spread is_loud)};
    my @runs   = map { _run($_, $factor, $spread // 0.01) } @{ $copies ||= [1] };
    my %host   = (host => host(name => $name, cpus => [map { { id => $_ } } 1 .. $copies->[-1]]));
    my $result = steady_result(\@runs, %host, %with);
    return $result if !$is_loud;
    $_->{tags} = [tag(others => disturbed => 1.4)] for map { @{ $_->{passes} } } map { @{ $_->{tests} } } @runs;
    return $result;
}

sub _run {
    my ($copies, $factor, $spread) = @_;
    my @tests;
    for my $name (@INDEX) {
        my $count = $factor * $copies**-0.1 * $COUNT{$name};
        push @tests, measured($name, $copies, map { $count * (1 + $spread * $_) } -1, 0, 1);
    }
    return { %{ run($copies, @tests) }, $copies > 1 ? (cpu_count => $copies) : () };
}

# Takes results; returns the report of their ranking.
sub ranking {
    my (@results) = @_;
    my @published = UnixBench::Compare::Published::results(dirname(__FILE__) . '/../../../../..');
    my %with      = (names => names(), published => \@published);
    my @owns;
    for my $result (@results) {
        my $summary = UnixBench::Summary::of($result);
        push @owns, UnixBench::Rank::Own::of_summary("results/$result->{host}{name}.html", $summary, \%with);
    }
    return UnixBench::Rank::Report::report_of({ owns => \@owns, left_out => [], published => \@published });
}

# Returns { name => [results] } of rankings.
sub rankings {
    my @three = (machine(pi4 => 0.45), machine(vm => 1.3, copies => [1, 4]), machine(pi5 => 1.6));
    my @more  = (machine(nas => 0.8, is_loud => 1), machine(laptop => 1.2, spread => 0.3), machine(old => 0.1));
    my $long  = machine('rented-machine-with-a-long-name' => 2.2, copies => [1, 8]);
    my @many  = (machine(server => 2, copies => [16]), machine(cluster => 1.5, copies => [64], spread => 0.3));
    return {
        one    => [$three[0]],
        three  => \@three,
        eight  => [@three, @more, machine(desktop => 4), $long],
        sixty  => [map { machine("host-$_" => 0.5 * 1.03**$_) } 1 .. 60],
        counts => [@three,                                            @many],
        poor   => [map { machine("host-$_" => $_, spread => 0.3) } 1, 2],
    };
}

# Returns the pages, each { name, html }.
sub pages {
    my $rankings = rankings();
    return map { { name => "rank-$_", html => UnixBench::Report::HTML::render(ranking(@{ $rankings->{$_} })) } }
        sort keys %$rankings;
}

1;
