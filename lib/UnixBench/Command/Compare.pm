package UnixBench::Command::Compare;

# Compares the results in files: each with the first one, or many as a fleet.

use strict;
use warnings;

use UnixBench::CLI::Declaration qw(shared);

use constant { MIN_EFFECT => 0.02 };

# Returns the declaration, see UnixBench::CLI::Declaration.
sub declaration {
    return {
        takes     => 'result',
        arguments => 'OLD NEW ...',
        needs     => 'results',
        has_sides => 1,
        purpose   => 'compare results with the first one',
        about     => 'A result is a page, a JSON file or a text report, or the bare name of a run in the directory of '
            . 'results. A directory stands for all results in it. With -- between results, each side has several: '
            . './Run compare A1 A2 -- B1 B2. Eight results or more are shown as a fleet.',
        options => [
            {
                flag  => '--min-effect',
                value => 'P',
                kind  => 'percent',
                text  => 'ignore differences up to P percent (default 2)',
            },
            shared(qw(--force --html --markdown)),
        ],
    };
}

# Takes a UnixBench::Call::Call; finds the files of the results. Dies with one line if a word names none.
sub check {
    my ($call)  = @_;
    my $options = $call->options;
    my @words   = @{ $options->{words} };
    my @sides   = map { [$call->files(splice @words, 0, $_)] } @{ $options->{sets} || [scalar @words] };
    $options->{words} = [map { @$_ } @sides];
    $options->{sets}  = [map { scalar @$_ } @sides] if $options->{sets};
    require UnixBench::Call::Output;
    return UnixBench::Call::Output::check($options);
}

# Takes the same; prints the comparison and writes it to the files that the options name. Returns the outcome: "done",
# "not met" if something is worse, "inconclusive" if other load leaves it open, "failed", or "wrong usage".
sub run {
    my ($call)   = @_;
    my $options  = $call->options;
    my %asked    = map { $_ => $options->{$_} } qw(sets min_effect force);
    my $compared = eval { of(%asked, files => $options->{words}, of_directories => $call->of_directories) };
    if (!$compared) {
        $call->console->refuse($@);
        return 'wrong usage';
    }
    my @unusable = @{ $compared->{unusable} };
    my $text_of =
        sub { my ($kind, @screen) = @_; UnixBench::Report::Formats::of_blocks($kind, $compared->{report}, @screen) };
    return 'failed' if !UnixBench::Call::Output::print_and_write($call, $text_of, @unusable) || @unusable;
    return 'not met' if $compared->{is_worse};
    return $compared->{is_open} ? 'inconclusive' : 'done';
}

# Loads the modules that compare. The help needs none of them.
sub _load_modules {
    require UnixBench::Call::Output;
    require UnixBench::Compare::Comparison;
    require UnixBench::Compare::Fleet::Measures;
    require UnixBench::Compare::Fleet;
    require UnixBench::Report::Block;
    require UnixBench::Report::Comparison;
    require UnixBench::Report::Fleet;
    require UnixBench::Report::Formats;
    require UnixBench::Score::MultiUser;
    require UnixBench::Store::ResultFile;
    return;
}

# Takes
#   files       two or more paths
#   of_directories  { path => 1 } for those of them that were found in a directory: they may be unusable
#   sets        [number, number]: how many of the paths each side has, or undef if each path is a side
#   min_effect  the part of a value below which a difference does not matter (default: 0.02); not for a fleet
#   force       whether results are compared even if their procedures differ
# Returns { report, is_worse, is_open, unusable }. The report consists of blocks, see UnixBench::Report::Block. The key
# is_worse tells whether an index is worse than that of the first file, or a machine of a fleet is slow; is_open tells
# whether other load leaves this open. The key unusable has a line for each file of a directory that was left out. Dies
# with a line for each reason if a file can't be read or the results can't be compared.
sub of {
    my (%asked) = @_;
    _load_modules();
    die "compare needs two results or more: ./Run compare OLD NEW\n" if @{ $asked{files} } < 2;
    my $are_many = !$asked{sets} && @{ $asked{files} } >= UnixBench::Compare::Fleet::FEWEST();
    my %shared;
    my @read     = map  { _side_of_file($_, $are_many ? \%shared : undef, $asked{of_directories}) } @{ $asked{files} };
    my @sides    = grep { !defined $_->{why_not} } @read;
    my @unusable = map  { $_->{why_not} // () } @read;
    my @sets     = $asked{sets} ? (sets => _sets_of_usable($asked{sets}, @read)) : ();
    die @unusable, "there are fewer than two other results\n"
        if @unusable && (@sides < 2 || grep { !$_ } @{ $sets[1] || [] });
    die 'option --min-effect is for fewer than '
        . UnixBench::Compare::Fleet::FEWEST()
        . " results: leave it out to compare a fleet\n"
        if $are_many && @sides >= UnixBench::Compare::Fleet::FEWEST() && defined $asked{min_effect};
    @sides = map { _side_of_file($_->{label}) } @sides
        if $are_many && @sides < UnixBench::Compare::Fleet::FEWEST();    # too few for a fleet
    my $compared = of_sides(\@sides, %asked, @sets);
    push @{ $compared->{report}{blocks} }, UnixBench::Report::Block::list('Left out:', map { s/\n//r } @unusable);
    return { %$compared, unusable => \@unusable };
}

# Takes a path, perhaps a hash that all machines of a fleet share, and the paths that were found in directories.
# Returns the side, or { why_not } for an unusable file of a directory. Dies for any other.
sub _side_of_file {
    my ($file, $shared, $of_directories) = @_;
    my $summary = eval { UnixBench::Store::ResultFile::summary($file) };
    if (!$summary) {
        die $@ if !$of_directories->{$file};
        return { why_not => $@ };
    }
    return { label => $file, summary => UnixBench::Compare::Fleet::Measures::lean($summary, $shared) } if $shared;
    return { label => $file, summary => $summary, loads => [_loads($file, $summary)] };
}

# Takes the path of a result and its summary; returns its multi-user load, if it has one, see
# UnixBench::Compare::UserLoads. Only the passes have the meters.
sub _loads {
    my ($file, $summary) = @_;
    require UnixBench::Base::Result;
    my @measured = grep { UnixBench::Base::Result::is_measured($_) } map { @{ $_->{tests} } } @{ $summary->{runs} };
    return
        if $summary->{source} ne 'UnixBench' || !grep { $_->{name} eq UnixBench::Score::MultiUser::TEST() } @measured;
    my ($load) =
        grep { @{ $_->{passes} } } map { _load($_) } @{ UnixBench::Store::ResultFile::result($file)->{runs} };
    return $load // ();
}

sub _load {
    my ($run)       = @_;
    my ($shortfall) = grep { defined } map { scalar UnixBench::Score::MultiUser::shortfall($_) } @{ $run->{tests} };
    return { passes => [UnixBench::Score::MultiUser::passes($run)], shortfall => $shortfall };
}

# Takes [how many files each side has], and these files as they were read; returns [how many of them are usable].
sub _sets_of_usable {
    my ($sets, @read) = @_;
    return [
        map {
            scalar grep { !defined $_->{why_not} } splice @read, 0, $_
        } @$sets
    ];
}

# Takes two or more sides, each { label (its file), summary }, and the arguments of of() except files. Returns and dies
# like of().
sub of_sides {
    my ($sides, %asked) = @_;
    _load_modules();
    return @$sides >= UnixBench::Compare::Fleet::FEWEST()
        && !$asked{sets} ? _fleet($sides, %asked) : _comparison($sides, %asked);
}

sub _comparison {
    my ($sides, %asked) = @_;
    my %with       = (min_effect => $asked{min_effect} // MIN_EFFECT, is_forced => $asked{force}, sets => $asked{sets});
    my $comparison = UnixBench::Compare::Comparison::of($sides, %with);
    _check($comparison, $asked{force}, map { "$_->{letter} is $_->{label}" } @{ $comparison->{sides} });
    return {
        report   => UnixBench::Report::Comparison::report_of($comparison),
        is_worse => $comparison->{is_worse},
        is_open  => $comparison->{is_open},
    };
}

sub _fleet {
    my ($sides, %asked) = @_;
    my $fleet = UnixBench::Compare::Fleet::of($sides, is_forced => $asked{force});
    _check($fleet, $asked{force});
    return {
        report   => UnixBench::Report::Fleet::report_of({ fleet => $fleet }),
        is_worse => $fleet->{is_slow},
        is_open  => $fleet->{is_open},
    };
}

# Dies if the comparison was refused. The message explains the letters of the sides.
sub _check {
    my ($comparison, $is_forced, @letters) = @_;
    my @refusals = @{ $comparison->{refusals} } or return;
    push @refusals, 'use --force to compare them anyway' if @{ $comparison->{obstacles} } && !$is_forced;
    die join "\n", map({ s/\n/ /gr } "these results can't be compared", @letters, @refusals), q{};
}

1;
