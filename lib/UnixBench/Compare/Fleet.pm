package UnixBench::Compare::Fleet;

# Many machines of one kind, and which of them stand out.

use strict;
use warnings;

use UnixBench::Base::Format             qw(clean);
use UnixBench::Compare::Facts           ();
use UnixBench::Compare::Fleet::Measures ();
use UnixBench::Compare::Fleet::Outliers ();
use UnixBench::Compare::Kind            ();
use UnixBench::Compare::Runs            ();
use UnixBench::Score::Stats             qw(median);

my $FEWEST      = UnixBench::Compare::Fleet::Outliers::FEWEST;
my @OF_TEST     = qw(name title category status unit baseline);
my @OF_INDEX    = qw(category title complete index);
my $NONE_SHARED = "no number of copies that $FEWEST of them share";

# Takes machines, each { label (its file), summary, perhaps as lean() returns it }, and is_forced, whether machines that
# were measured in different ways are taken together all the same. Returns
#   count      of the machines,
#   obstacles  [why they are not of one kind, in sentences],
#   refusals   [why nothing was judged, in sentences]: empty, or all that follows is,
#   omissions  [which runs are not judged, in sentences],
#   runs       [{ copies, lacking => [labels], measures => [{ kind, title, unit, is_partial, is_trimmed,
#              lacking => [labels], readings as in Fleet::Measures, count, median, limits and outliers as in
#              Fleet::Outliers }, ...] }, ...], for each number of copies that eight share,
#   named      [{ label, name, findings => [{ copies, kind, title, is_partial, is, value, median, z }, ...],
#              differences => [{ label, text, usual }, ...], other_files => [sentences] }, ...], the machines that stand
#              out, and what else is unusual about them,
#   is_slow    whether one of them is slow.
sub of {
    my ($given, %with) = @_;
    my $machines  = _told_apart($given);
    my @obstacles = UnixBench::Compare::Kind::obstacles(@$machines);
    my %fleet     = (count => scalar @$machines, obstacles => \@obstacles);
    return { %fleet, _refused(@obstacles) } if @obstacles && !$with{is_forced};
    my @sharing = UnixBench::Compare::Runs::sharing(@$machines);
    my @shared  = grep { @{ $_->[1] } >= $FEWEST } @sharing;
    my @rare    = grep { @{ $_->[1] } < $FEWEST } @sharing;
    return { %fleet, _refused($NONE_SHARED) } if !@shared;
    my @omissions = ((map { _too_rare(@$_) } @rare), UnixBench::Compare::Runs::repeated(@$machines));
    return { %fleet, refusals => [], omissions => \@omissions, _judged($machines, @shared) };
}

# Takes a summary, and a hash that is kept for all machines of a fleet; returns what a fleet needs of the summary, in
# less memory: facts that another machine has, too, are the same data.
sub lean {
    my ($summary, $shared) = @_;
    return $summary if $summary->{is_lean};
    my @runs = map { _lean_run($_, $shared) } @{ $summary->{runs} };
    return { %$summary, is_lean => 1, facts => _shared($summary->{facts}, $shared), runs => \@runs };
}

# A run whose tests have no numbers: those are beside them, in lists of the same order, see Fleet::Measures.
sub _lean_run {
    my ($run, $shared) = @_;
    my @tests   = @{ $run->{tests} };
    my @kinds   = map { _shared({ _lean($_, @OF_TEST) }, $shared) } @tests;
    my @indexes = map { _lean_index($_, $shared) } @{ $run->{indexes} };
    my %numbers = (
        score => [map { _number($_->{score}) } @tests],
        cv    => [map { _number($_->{cv}) } @tests],
        value => [map { _number($_->{estimate} && $_->{estimate}{value}) } @tests],
    );
    return { %$run, tests => _shared(\@kinds, $shared), numbers => \%numbers, indexes => \@indexes };
}

sub _lean_index {
    my ($index, $shared) = @_;
    my $estimate = $index->{estimate};
    return {
        _lean($index, @OF_INDEX),
        tests => _shared($index->{tests}, $shared),
        $estimate ? (estimate => { value => $estimate->{value} }) : ()
    };
}

sub _lean {
    my ($item, @keys) = @_;
    return map { defined $item->{$_} ? ($_ => $item->{$_}) : () } @keys;
}

sub _number { my ($text) = @_; return defined $text ? 0 + $text : undef }

# The first of all data that are the same: a list, or a hash of texts.
sub _shared {
    my ($data, $shared) = @_;
    my @texts = ref $data eq 'HASH' ? map { ($_, $data->{$_}) } sort keys %$data : @$data;
    return $shared->{ join "\0", ref $data, @texts } ||= $data;
}

sub _refused {
    my (@refusals) = @_;
    return (refusals => \@refusals, is_slow => 0, map { $_ => [] } qw(omissions runs named));
}

# A file that is given twice is two machines, and so are two whose names look alike.
sub _told_apart {
    my ($given) = @_;
    my (%is_taken, %shared, @machines);
    for my $machine (@$given) {
        my ($label, $number) = (clean($machine->{label}), 1);
        $label = clean($machine->{label}) . ' (' . ++$number . ')' while $is_taken{$label};
        $is_taken{$label} = 1;
        push @machines, { label => $label, summary => lean($machine->{summary}, \%shared) };
    }
    return \@machines;
}

sub _too_rare {
    my ($copies, $machines) = @_;
    return UnixBench::Compare::Runs::only($copies, @$machines) . "; it takes $FEWEST machines";
}

# Takes all machines, and pairs of a number of copies and the machines that have a run of so many.
sub _judged {
    my ($machines, @shared) = @_;
    my @runs  = map { _run($machines, @$_) } @shared;
    my @named = _named($machines, @runs);
    my @slow  = grep { $_->{is} eq 'slow' } map { @{ $_->{findings} } } @named;
    return (runs => \@runs, named => \@named, is_slow => @slow ? 1 : 0);
}

sub _run {
    my ($machines, $copies, $with) = @_;
    my %has      = map  { $_->{label} => 1 } @$with;
    my @lacking  = grep { !$has{$_} } map { $_->{label} } @$machines;
    my @sides    = map  { { label => $_->{label}, run => UnixBench::Compare::Runs::of_copies($copies, $_) } } @$with;
    my @measures = map  { _with_outliers($_) } UnixBench::Compare::Fleet::Measures::of(@sides);
    return { copies => $copies, lacking => \@lacking, measures => \@measures };
}

sub _with_outliers {
    my ($measure) = @_;
    my @readings = @{ $measure->{readings} };
    return {
        %$measure,
        count    => scalar @readings,
        median   => median(map { $_->{value} } @readings),
        limits   => [UnixBench::Compare::Fleet::Outliers::limits($measure->{kind}, @readings)],
        outliers => [UnixBench::Compare::Fleet::Outliers::among($measure->{kind}, @readings)],
    };
}

# In the order of the machines.
sub _named {
    my ($machines, @runs) = @_;
    my %findings;
    for my $run (@runs) {
        for my $measure (@{ $run->{measures} }) {
            my %what = (copies => $run->{copies}, map { $_ => $measure->{$_} } qw(kind title is_partial));
            push @{ $findings{ $_->{label} } }, { %$_, %what } for @{ $measure->{outliers} };
        }
    }
    my $usual = UnixBench::Compare::Facts::usual(map { $_->{summary} } @$machines);
    return map { _with_differences($_, $findings{ $_->{label} }, $usual) } grep { $findings{ $_->{label} } } @$machines;
}

sub _with_differences {
    my ($machine, $findings, $usual) = @_;
    return {
        label       => $machine->{label},
        name        => $machine->{summary}{name},
        findings    => $findings,
        differences => [UnixBench::Compare::Facts::unusual($machine->{summary}, $usual)],
        other_files => [UnixBench::Compare::Facts::unusual_files($machine->{summary}, $usual)],
    };
}

1;
