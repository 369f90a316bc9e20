package UnixBench::Store::EarlierRuns;

# What the directory of results shows about a machine: how the values of a result varied in earlier runs, which measured
# the same in the same way. It is found out once, at the end of a run, and stored in the result. So it is known wherever
# the result goes.

use strict;
use warnings;

use UnixBench::Features        qw(loaded);
use UnixBench::Score::Estimate ();
use UnixBench::Score::Repeat   ();
use UnixBench::Score::Stats    qw(t_quantile);
use UnixBench::Store::Summary  ();

use constant {
    RUNS_MOST => 50,    # the latest, which count
    LOOKED_AT => 100,   # pages, at most: others may be of other machines, and 8.0 had other formulas, which takes 50 ms
    MTIME     => 9,     # of the values that stat returns
    ROUNDS    => 6,     # degrees of freedom of an interval, which an outline does not tell: few rounds have more
};

# Half of an interval, by the standard error.
use constant ERRORS => t_quantile((1 + UnixBench::Score::Estimate::COVERED) / 2, ROUNDS);

# The trust in runs that count.
my %IS_EVIDENCE = map { $_ => 1 } qw(good fair);

# Takes a result, complete or without scores, and the directory of results; returns what earlier runs there show, as the
# key earlier of a result has it, see UnixBench::Base::ResultSchema, or undef if they show nothing. A directory that
# can't be read has no runs, and neither has a file.
sub of {
    my ($result, $directory) = @_;
    my @pages = _pages($directory) or return;
    require UnixBench::Store::Outline;
    my $own = UnixBench::Store::Outline::of(UnixBench::Store::Summary::of($result));
    my (%series, $runs);
    for my $page (@pages) {
        my ($outline) = eval { UnixBench::Store::Outline::of_file($page) } or next;
        next if !_is_earlier($outline, $own);
        _add(\%series, $outline, $own);
        last if ++$runs == RUNS_MOST;
    }
    my @shown = map { _shown($_, reverse @{ $series{$_} }) } sort keys %series;
    return @shown ? \@shown : undef;
}

# Returns the paths of the pages in a directory, the newest first.
sub _pages {
    my ($directory) = @_;
    opendir my $handle, $directory or return;
    my %time  = map  { $_ => (stat)[MTIME] } grep { -f } map { "$directory/$_" } grep { /[.]html\z/ } readdir $handle;
    my @pages = sort { $time{$b} <=> $time{$a} || $a cmp $b } keys %time;
    splice @pages, LOOKED_AT if @pages > LOOKED_AT;
    return @pages;
}

# Takes the outline of another result, and the own one; returns whether it is of an earlier run of this machine, in the
# same way.
sub _is_earlier {
    my ($other, $own) = @_;
    return if !$IS_EVIDENCE{ $other->{trust} // q{} } || grep { !defined $_->{name} } $other, $own;
    return if grep { ($other->{$_} // q{}) ne ($own->{$_} // q{}) } qw(name procedure cpu source);
    return $other->{started} < $own->{started};
}

# Adds the values of a run to the series of the own values.
sub _add {
    my ($series, $other, $own) = @_;
    for my $what (keys %{ $own->{values} }) {
        my $value    = $other->{values}{$what} // next;
        my @programs = map { UnixBench::Store::Outline::digests($what, $_->{programs}) } $other, $own;
        next if $programs[0] ne $programs[1];
        my $half = $other->{halves}{$what} // 0;
        my %run  = (value => $value, log_se => $half / ERRORS, started => $other->{started});
        push @{ $series->{$what} }, \%run;
    }
    return;
}

# Takes "COPIES KIND NAME" and its earlier values, the earliest first; returns what those since the last change show.
sub _shown {
    my ($what, @values) = @_;
    my ($copies, $kind, $name) = split / /, $what, 3;
    my @logs = map { log $_->{value} } @values;
    for my $module (UnixBench::Features::list('changes_in')) {
        splice @values, 0, loaded($module)->can('last_change')->(@logs);
    }
    return { copies => $copies, kind => $kind, name => $name, %{ UnixBench::Score::Repeat::shown_by(@values) } };
}

1;
