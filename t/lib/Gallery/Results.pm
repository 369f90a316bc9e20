package Gallery::Results;

# Results as on real machines, scored by the real code.

use strict;
use warnings;

use Fixture          qw(failed host measured result run);
use Gallery::Machine qw(facts large_host);
use Gallery::OddRuns qw(disturbed extremes long_titles of_features some_of_everything);
use OfFeatures       qw(helpers);
use Gallery::Runs    qw(@INDEX graphics graphics_skipped one_test rounds stopped whole with_failures);

# Returns the results, each { name, result }.
sub all {
    return (
        _of('one'       => [whole(1)]),
        _of('two'       => [map { whole($_) } 1, 8],                 host => large_host(8)),
        _of('eight'     => [map { whole($_) } map { 2**$_ } 0 .. 7], host => large_host(128)),
        _of('many-cpus' => [map { whole($_) } 1, 256],               host => large_host(256), is_brief => 1),
        _of('partial'   => [run(2, map { one_test($_, 2) } qw(pipe spawn))]),
        _of('failed'    => [with_failures(1), with_failures(4)]),
        _of('skipped'   => [graphics(1),      graphics_skipped(2)]),
        _of(
            'interrupted' => [whole(1), stopped(2)],
            notes         => ['interrupted by SIGINT'],
            procedure => { kind => 'official', time_factor => 1, work_factor => 1, interruption => { signal => 'INT' } }
        ),
        _quick('quick'     => [rounds(7, 1)]),
        _quick('quick-two' => [rounds(5, 1), rounds(9, 8)], host => large_host(8)),
        _of('graphics'       => [graphics(1)]),
        _of('hundred-passes' => [run(1, map { one_test($_, 1, /pipe|execl/ ? 100 : 0) } @INDEX)]),
        _of('one-pass'       => [run(1, map { one_test($_, 1, 1) } @INDEX)]),
        _of('disturbed'      => [disturbed(1), disturbed(16)], host => large_host(16)),
        _of('no-baseline'    => [run(1, measured('hanoi', 1, 1e6, 1.01e6), measured('arithoh', 1, 5e6, 5e6))]),
        (map { _of(@$_) } of_features('results')),
        _of('empty'       => []),
        _of('all-failed'  => [run(1, map { failed($_, 'not executable') } @INDEX)]),
        _of('long-titles' => [long_titles(1), long_titles(4)]),
        _of('extremes'    => [extremes(1),    extremes(2)]),
    );
}

# Returns a small result in which every kind of data occurs.
sub everything {
    my @runs   = map { some_of_everything($_) } 1, 2;
    my @notes  = ('shortened passes', 'index.base was edited', 'resumed on Fri Nov 20 2026 02:12:30');
    my $result = _of('everything', \@runs, notes => \@notes)->{result};
    $result = $_->can('everything')->($result) for grep { $_->can('everything') } helpers('Gallery');
    return $result;
}

sub _of {
    my ($name, $runs, %more) = @_;
    my $host = $more{host} || host(graphics => 'llvmpipe (LLVM 15.0.6, 256 bits)');
    my $cpus = @{ $host->{cpus} };
    my @runs = map { +{ %$_, cpu_count => $cpus } } @$runs;
    return { name => $name, result => result(\@runs, facts => facts(), %more, host => $host) };
}

sub _quick {
    my ($name, $runs, %more) = @_;
    my %how = (kind => 'quick', time_factor => 1, work_factor => 1, seed => 1995, precision => 0.01, max_time_s => 120);
    my @note = 'Quick run: estimate, not an official result';
    return _of($name, $runs, %more, procedure => \%how, notes => \@note);
}

1;
