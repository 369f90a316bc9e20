package UnixBench::Compare::Published;

# Published results: the place of an index among them, also among machines of its kind. They are in share/published.csv,
# with a source in each row. A row has the kind of its machine: rented VM, rented server, own VM, own server, PC, board,
# emulated. A row without a kind has scores only, and no place.

use strict;
use warnings;

use List::Util qw(max min);

use UnixBench::Base::Files     ();
use UnixBench::Base::Result    qw(floor_bounds has_passes is_measured);
use UnixBench::Host::FactList  ();
use UnixBench::Score::Estimate ();
use UnixBench::Score::Repeat   ();
use UnixBench::Score::Stats    qw(median quantile);
use UnixBench::Warnings::Trust ();

use constant { FILE   => 'share/published.csv', INDEX => 'system', COPIES => 1, EMULATED => 'emulated' };
use constant { RECENT => 5,   ENOUGH => 20 };    # peers are of the last years of the data, if there are that many
use constant { LOW    => 0.1, HIGH   => 0.9, KNOWN => 10 };    # the published machines that are usual; the least number
use constant { MANY   => 16,  ALIKE  => 10 };    # CPUs above which one copy says little; machines with as many CPUs

# The procedures whose indexes estimate the same value. A text report may not tell its procedure.
my %IS_RANKED = map { $_ => 1 } qw(official quick);

# The peers of a machine: in words, and the kinds that they have. A board has an ARM or RISC-V CPU with few cores.
my %PEERS = (
    virtual => ['rented VMs',      'rented VM'],
    board   => ['boards',          'board'],
    own     => ['PCs and servers', 'PC', 'own server', 'rented server'],
);
my $OF_BOARDS = qr/\b(?:arm|aarch64|riscv)\w*\z/;
use constant BOARD_MOST => 16;                   # its CPUs

my @COLUMNS = qw(machine kind cpu cpus copies index results version year source known_as);
my @TESTS   = qw(dhry2reg whetstone-double execl fstime fsbuffer fsdisk pipe context1 spawn shell1 shell8 syscall);
my $NUMBER  = qr/\A[0-9]+(?:[.][0-9]+)?\z/;

# Takes the suite's directory; returns the published results, the lowest index first:
#   machine, kind, cpu, cpus, copies, index, version, year, source
#   results   how many the index is the mean of
#   known_as  a short name, if most readers know the machine. Several results may have the same
#   scores    { name of a test => score }, empty if only the index was published
# Unknown values are empty. Returns nothing if the suite was installed without that file. Dies with one line if the file
# is damaged.
sub results {
    my ($home) = @_;
    my $text = text($home) // return;
    return parse($text);
}

# Takes the suite's directory; returns the text of the file of published results, or undef.
sub text { my ($home) = @_; return scalar UnixBench::Base::Files::content("$home/" . FILE) }

# Takes the text of that file; returns the same as results().
sub parse {
    my ($text) = @_;
    my ($heading, @lines) = split /\r?\n/, $text;
    my $columns = join q{,}, @COLUMNS, @TESTS;
    die FILE . " has other columns than $columns\n" if ($heading // q{}) ne $columns;
    my @all    = map  { _result($lines[$_], $_ + 2) } 0 .. $#lines;
    my @sorted = sort { $a->{index} <=> $b->{index} } @all;
    return @sorted;
}

# Takes published results; returns those of one copy that have a place.
sub of_one_copy {
    my (@published) = @_;
    return grep { length $_->{kind} && $_->{copies} == COPIES } @published;
}

# Takes a run of a summary, one of its tests, and published results. Returns [the lowest, the highest] index of the test
# on 8 of 10 published machines with as many copies: one, or one for each CPU. Returns undef if few are published.
sub usual {
    my ($run, $test, @published) = @_;
    my ($copies, $cpus) = map { $_ // 0 } @$run{qw(copies cpu_count)};
    my @among  = $copies == COPIES ? of_one_copy(@published) : $copies == $cpus ? of_all_cpus(@published) : ();
    my @scores = grep { defined } map { $_->{scores}{ $test->{name} } } grep { $_->{copies} == $copies } @among;
    return if @scores < KNOWN || !$test->{baseline};
    return [map { 10 / $test->{baseline} * quantile($_, @scores) } LOW, HIGH];
}

# Takes published results; returns those of one copy for each of several CPUs that have a place.
sub of_all_cpus {
    my (@published) = @_;
    return grep { length $_->{kind} && _is_of_all(@$_{qw(copies cpus)}) } @published;
}

sub _is_of_all {
    my ($copies, $cpus) = @_;
    return $copies > COPIES && $copies == ($cpus || 0);
}

sub _result {
    my ($line, $number) = @_;
    my @values = split /,/, $line, -1;
    my (%result, %score);
    @result{@COLUMNS} = splice @values, 0, @COLUMNS;
    @score{@TESTS}    = @values;
    delete @score{ grep { !length($score{$_} // q{}) } @TESTS };
    my @numbers = (@result{qw(copies index results)}, values %score);
    return { %result, scores => \%score } if @values == @TESTS && !grep { ($_ // q{}) !~ $NUMBER || $_ <= 0 } @numbers;
    die FILE . " is damaged in line $number\n";
}

# Takes a published result; returns what its machine is called: its name and its CPU, as far as they are known, and
# whether it is emulated.
sub name_of {
    my ($published) = @_;
    return join ', ', grep { length } @$published{qw(machine cpu)}, _is_emulated($published) ? EMULATED : ();
}

sub _is_emulated { my ($published) = @_; return $published->{kind} eq EMULATED }

# Takes published results, the lowest first; returns those that readers know, the median one of each short name. An
# emulated machine is not known.
sub anchors {
    my (@published) = @_;
    my %of;
    push @{ $of{ $_->{known_as} } }, $_ for grep { length $_->{known_as} && !_is_emulated($_) } @published;
    my @medians = map  { $_->[$#$_ / 2] } values %of;
    my @sorted  = sort { $a->{index} <=> $b->{index} } @medians;
    return @sorted;
}

# Takes published results; returns them in groups, each a list of those of one machine from one source: the group with
# the lowest median of indexes first.
sub groups {
    my (@published) = @_;
    my (%of, @groups);
    for my $result (@published) {
        my $machine = join q{,}, @$result{qw(source machine)}, length $result->{machine} ? () : $result->{cpu};
        push @groups, $of{$machine} = [] if !$of{$machine};
        push @{ $of{$machine} }, $result;
    }
    my %median = map  { $_ => median(map { $_->{index} } @$_) } @groups;
    my @sorted = sort { $median{$a} <=> $median{$b} } @groups;
    return @sorted;
}

# Takes a summary and published results, the lowest first. Returns the place of its index of one copy among those of one
# copy, or undef if it has no such complete index, or was not measured as the published ones were:
#   index     the estimate of its index; a text report has no interval
#   repeat    how much runs differ, see UnixBench::Score::Repeat; undef if it has no place
#   machine   the estimate for the machine: its interval also has how much runs differ
#   reach     [low, high] of that interval. Published indexes leave out a third of the passes, so it reaches up to the
#             classic index
#   places    [best, worst] of that interval, 1 is the highest; undef if the numbers of the result are rough, or
#             the index is only a floor
#   bounds    if it is a floor: see UnixBench::Score::Bounds
#   on_axis   { value, low, high }: where it stands among published indexes, by this run alone; for a floor, this and
#             what the index may be at most
#   of        how many published results there are
#   peers     the same among machines of its kind, { words (such as "boards"), since (a year, or undef), places, of };
#             undef if its kind is unknown
#   copies    the number of copies of the index
#   among     [these published results], and words for them
sub rank {
    my ($summary, @published) = @_;
    return _rank($summary, [_index($summary, 0)], 'published results', of_one_copy(@published));
}

# Takes a summary and published results; returns the place, as rank() does, of its index of one copy for each of several
# CPUs among those of machines with as many CPUs.
sub rank_of_all_cpus {
    my ($summary, @published) = @_;
    my @found = _index($summary, 1);
    return @found ? _rank($summary, \@found, _with_as_many($found[1], of_all_cpus(@published))) : undef;
}

# Takes a summary and published results; returns the place that says most about a machine: that of one copy for each CPU
# if there are many, or if it was not measured with one copy, else that of one copy.
sub main_rank {
    my ($summary, @published) = @_;
    my $all = rank_of_all_cpus($summary, @published);
    return is_of_many($all) ? $all : rank($summary, @published) // $all;
}

# Takes a rank or undef; returns whether it is that of one copy for each of many CPUs.
sub is_of_many { my ($rank) = @_; return $rank && $rank->{copies} > MANY ? 1 : 0 }

# Takes a number of CPUs and published results. Returns those with as many CPUs, after words for them. If these are few,
# returns those with half to twice as many; if there are none, all.
sub _with_as_many {
    my ($cpus, @published) = @_;
    for my $limit ([1, ALIKE], [2, 1]) {
        my ($factor, $least) = @$limit;
        my @alike = grep { $_->{cpus} <= $cpus * $factor && $_->{cpus} * $factor >= $cpus } @published;
        my ($few, $most) = (min(map { $_->{cpus} } @alike), max(map { $_->{cpus} } @alike));
        return ('machines with ' . ($few < $most ? "$few to " : q{}) . "$most CPUs", @alike) if @alike >= $least;
    }
    return ('published results of one copy for each CPU', @published);
}

sub _rank {
    my ($summary, $found, $words, @published) = @_;
    my ($own, $copies) = @$found;
    return if !$own || !@published || !_is_comparable($summary);
    my $index     = $own->{estimate} || UnixBench::Score::Estimate::known($own->{index});
    my $bounds    = floor_bounds($own);
    my $has_place = !UnixBench::Warnings::Trust::is_rough($summary->{trust}) && !$bounds;
    my $repeat    = $has_place ? $own->{repeat} : undef;
    my $machine   = UnixBench::Score::Repeat::of_machine($index, $repeat);
    my $value     = $index->{value};
    my @reach     = _reach($machine, $own->{index});
    my @within    = _reach($index,   $own->{index});
    my $places_of = sub {
        my (@among) = @_;
        return $has_place ? [reverse map { _place($_, @among) } @reach] : undef;
    };
    return {
        index   => $index,
        repeat  => $repeat,
        machine => $machine,
        reach   => \@reach,
        places  => $places_of->(@published),
        $bounds ? (bounds => $bounds) : (),
        on_axis => $bounds ? _above($bounds, @published) : { value => $value, low => $within[0], high => $within[1] },
        of      => scalar @published,
        peers   => $has_place && $copies == COPIES ? scalar _peers($summary, $places_of, @published) : undef,
        copies  => $copies,
        among   => \@published,
        words   => $words,
    };
}

sub _above {
    my ($bounds, @published) = @_;
    my ($floor,  $most)      = @$bounds{qw(at_least at_most)};
    my $end = max($floor, map { $_->{index} } @published);
    return { value => $floor, low => $floor, high => defined $most && $most < $end ? $most : $end };
}

sub _peers {
    my ($summary, $places_of, @published) = @_;
    my ($words, @kinds) = _peers_of($summary) or return;
    my %is_kind = map  { $_ => 1 } @kinds;
    my @peers   = grep { $is_kind{ $_->{kind} } } @published;
    my $since   = max(map { $_->{year} || 0 } @published) - RECENT + 1;
    my @recent  = grep { ($_->{year} || 0) >= $since } @peers;
    my $is_old  = @recent < ENOUGH;
    @peers = @recent if !$is_old;
    return @peers
        ? { words => $words, since => $is_old ? undef : $since, places => $places_of->(@peers), of => scalar @peers }
        : undef;
}

# Returns the peers of a machine, see above, or nothing if its kind is unknown.
sub _peers_of {
    my ($summary)    = @_;
    my $hypervisor   = UnixBench::Host::FactList::text_of($summary, 'virtualization.hypervisor') // return;
    my $architecture = UnixBench::Host::FactList::text_of($summary, 'host.os')                   // return;
    my $is_small     = !grep { ($_->{cpu_count} || 0) > BOARD_MOST } @{ $summary->{runs} };
    return @{ $PEERS{virtual} } if $hypervisor ne 'none';
    return @{ $PEERS{ $is_small && $architecture =~ $OF_BOARDS ? 'board' : 'own' } };
}

sub _reach {
    my ($estimate, $classic) = @_;
    my ($value, $low, $high) = @$estimate{qw(value low high)};
    return ($low // $value, max($high // $value, $classic));
}

sub _place {
    my ($index, @published) = @_;
    return 1 + grep { $_->{index} > $index } @published;
}

sub _is_comparable {
    my ($summary) = @_;
    my $procedure = $summary->{procedure}      || {};
    my $is_told   = defined $procedure->{kind} || has_passes($summary);
    return 0 if $is_told && !_is_usual($procedure) || ($procedure->{baseline} // q{}) eq 'edited';
    return !grep { !is_measured($_) && $_->{status} ne 'skipped' } map { @{ $_->{tests} } } @{ $summary->{runs} };
}

sub _is_usual {
    my ($procedure) = @_;
    return 0 if !$IS_RANKED{ $procedure->{kind} // q{} } || $procedure->{interruption};
    my @changes = UnixBench::Base::Result::changes($procedure);
    return !@changes;
}

# Takes a summary, and whether the index of one copy for each CPU is wanted, not that of one copy. Returns the index if
# it is complete, and its number of copies, or nothing. If the user has given the number of copies alone, there are as
# many CPUs.
sub _index {
    my ($summary, $is_of_all) = @_;
    my @known = grep { defined $_->{copies} } @{ $summary->{runs} };
    my ($run) =
        $is_of_all
        ? grep { _is_of_all($_->{copies}, $_->{cpu_count} // ($_->{is_given} ? $_->{copies} : undef)) } @known
        : grep { $_->{copies} == COPIES } @known;
    my $index = $run && _index_in($run) or return;
    return ($index, $run->{copies});
}

# Takes a run; returns its index if that is complete: it also names each of the twelve tests.
sub _index_in {
    my ($run)   = @_;
    my ($index) = grep { $_->{category} eq INDEX } @{ $run->{indexes} || [] };
    return if !$index || !$index->{complete} || $index->{lacking};
    my %has = map { $_ => 1 } @{ $index->{tests} };
    return if grep { !$has{$_} } @TESTS;
    return $index;
}

1;
