package UnixBench::Cpus::Own;

# Where the two processes of context1 were in a run, which binds none: in the measured place that has the rate of the
# run. It is found for the newest result when the CPUs are measured, and at the end of each later run.

use strict;
use warnings;

use UnixBench::Base::Files       ();
use UnixBench::Base::JSON        ();
use UnixBench::Base::Result      qw(is_measured);
use UnixBench::Base::Shape       ();
use UnixBench::Report::Block     qw(in_full paragraphs);
use UnixBench::Score             qw(index_of_test);
use UnixBench::Store::ResultFile ();

# A rate is near another one up to this ratio. Places whose rates are not twice as far apart are not told apart.
use constant { NEAR => 1.3, LOOKED_AT => 20 };

# What is read of the file of an earlier measurement. One without names says nothing.
my %RATE = map { $_ => 'positive' } qw(low value high);
my %FILE = (host => 'text', model => 'text', cpus => { places => [{ name => 'text', rate => \%RATE }] });

# Takes the runs of a result or of its summary, and [places], see the type cpus_place. Returns the run of one copy, its
# test context1, and the only place that can have its rate; or nothing.
sub _in_runs {
    my ($runs, $places) = @_;
    my ($run)  = grep { $_->{copies} == 1 } @$runs                                       or return;
    my ($test) = grep { $_->{name} eq 'context1' && is_measured($_) } @{ $run->{tests} } or return;
    my $rate   = $test->{score};
    my @can    = grep { $_->{rate}{high} * NEAR**2 > $rate && $_->{rate}{low} / NEAR**2 < $rate } @$places;
    return if @can != 1 || abs log($can[0]{rate}{value} / $rate) > log NEAR;
    return ($run, $test, @can);
}

# Takes the names of results (UnixBench::Store::ResultNames), the name of this machine, the model of its CPUs, and
# [places]. Returns the type cpus_own for the newest result of this machine that has one of them, or undef.
sub newest {
    my ($names, $host, $model, $places) = @_;
    my ($best) = sort { $b->{rate}{value} <=> $a->{rate}{value} } @$places;
    return if !defined $best->{index};
    for my $path ($names->newest_first(LOOKED_AT)) {
        my $summary = eval { UnixBench::Store::ResultFile::summary($path) } or next;
        next if ($summary->{name} // q{}) ne $host || !grep { index($_, $model) >= 0 } values %{ $summary->{facts} };
        my ($run, $test, $place) = _in_runs($summary->{runs}, $places) or next;
        my ($system) = grep { $_->{category} eq 'system' && $_->{complete} && $_->{estimate} } @{ $run->{indexes} };
        my $value    = $system && $system->{estimate}{value};
        my $would    = $system && $value * ($best->{rate}{value} / $test->{score})**(1 / @{ $system->{tests} });
        my %own      = (index => index_of_test($test), place => $place->{name}, other => $best->{name});
        return { %own, result => $names->word($path), system => $value, would => $would };
    }
    return;
}

# Takes the directory of results, and a result at the end of its run. Returns (place => the name of the place among
# those that were measured last on this machine), or nothing.
sub of_directory {
    my (undef, $directory, $result) = @_;
    my ($host, $model) = ($result->{host}{name}, $result->{host}{cpus}[0]{model} // 'unknown');
    opendir my $entries, $directory or return;
    for my $base (reverse sort map { /\A(.+-cpus(?:-[0-9]+)?)[.]json\z/ ? "$directory/$1" : () } readdir $entries) {
        my $of = eval { UnixBench::Base::JSON::decode(UnixBench::Base::Files::content("$base.json") // q{}) };
        next if UnixBench::Base::Shape::misfit($of, \%FILE) || $of->{host} ne $host || $of->{model} ne $model;
        my ($place) = (_in_runs($result->{runs}, $of->{cpus}{places}))[2];
        return $place ? (place => $place->{name}) : ();
    }
    return;
}

# Takes a view; returns the entry of the block, see UnixBench::Report::EndBlock.
sub block_entries {
    my ($view) = @_;
    my $place = $view->head->{place} // return;
    return [Switching => "one copy of context1 ran on $place (./Run cpus)" =~ s/on same/on the same/r];
}

# Takes a view; returns the same for the page.
sub before_runs {
    my ($view) = @_;
    return in_full(paragraphs(map { join ': ', @$_ } block_entries($view)));
}

1;
