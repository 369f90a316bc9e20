package UnixBench::Fleet::Measures;

# The values of many machines, for each test and each index, in little memory.

use strict;
use warnings;

use Exporter 'import';
use List::Util ();

use UnixBench::Base::Result     qw(is_measured tests_by_title);
use UnixBench::Report::EndBlock qw(trust_reasons);
use UnixBench::Report::Plain    qw(in_plain);
use UnixBench::Score::OtherLoad ();
use UnixBench::Score::Repeat    ();
use UnixBench::Score::Stats     qw(mean);

our @EXPORT_OK = qw(deciding ranked times_of);

# Values that are equal to that part of the greatest have the same rank.
use constant ROUNDING => 1e9;

my @OF_TEST  = qw(name title category status unit baseline);
my @OF_INDEX = qw(category title complete index);

# What a reading has of its machine, see of().
my @OF_MACHINE = qw(label trust why limit);

# What a value is at least and at most beside other load.
use constant LIMITS => qw(at_least at_most);

# What other load did to a value: nothing, it disturbed passes but others decide, or it left too few others.
use constant { CALM => 0, DECIDED => 1, OPEN => 2 };

use constant { NOT_KNOWN => -1, SIZE => length pack 'd', 0 };    # for a number of a test, none of which is below 0

# Takes a summary, and a hash that is the same for all machines of a fleet. Returns the part of the summary that a fleet
# needs. It takes less memory: machines share equal data through the hash.
sub lean {
    my ($summary, $shared) = @_;
    return $summary if $summary->{is_lean};
    my @runs       = map { _lean_run($_, $shared) } @{ $summary->{runs} };
    my $trust      = $summary->{trust} ? _shared(_trust($summary->{trust}), $shared) : undef;
    my %of_machine = map { $_ => _shared($summary->{$_} || {},  $shared) } qw(facts program_facts fact_keys);
    my %files      = map { $_ => _shared($summary->{files}{$_}, $shared) } keys %{ $summary->{files} || {} };
    return { %$summary, is_lean => 1, %of_machine, files => \%files, trust => $trust, runs => \@runs };
}

# Returns a trust in lean form: its level and, if that is poor, the reasons.
sub _trust {
    my ($trust) = @_;
    my $level = $trust->{level};
    return { level => $level, ($level // q{}) eq 'poor' ? (why => in_plain(trust_reasons($trust))) : () };
}

# Returns a run in lean form. Its tests have no numbers, so machines can share them. The numbers are packed in the
# order of the tests.
sub _lean_run {
    my ($run, $shared) = @_;
    my @tests   = @{ $run->{tests} };
    my @kinds   = map { _shared({ _lean($_, @OF_TEST) }, $shared) } @tests;
    my @indexes = map { _lean_index($_, $shared) } @{ $run->{indexes} };
    my @decided = map { [_decided($_)] } @tests;
    my @limits  = map { _limits($_) } @tests;
    my %numbers = (
        score => _packed(map { $_->{score} } @tests),
        cv    => _packed(map { $_->{cv} } @tests),
        value => _packed(map { $_->[0] && $_->[0]{value} } @decided),
        error => _packed(map { (_of_machine($decided[$_][0], $tests[$_]) || {})->{log_se} } 0 .. $#tests),
        load  => _packed(map { $_->[1] } @decided),
    );
    for my $key (LIMITS) {
        $numbers{$key} = _packed(map { $_->{$key} } @limits);
    }
    return { %$run, tests => _shared(\@kinds, $shared), numbers => \%numbers, indexes => \@indexes };
}

sub _lean_index {
    my ($index,    $shared) = @_;
    my ($estimate, $load)   = _decided($index);
    my $machine = _of_machine($estimate, $index);
    return {
        _lean($index, @OF_INDEX),
        %{ _limits($index) },
        load  => $load,
        tests => _shared($index->{tests}, $shared),
        $machine ? (estimate => { value => $machine->{value}, high => $machine->{high} }) : (),
        error    => $machine         && $machine->{log_se},
        is_known => $index->{repeat} && $index->{repeat}{known},
    };
}

# Takes the estimate that decides, or undef, and its test or index; returns that of the machine, or undef: within the
# run, and from run to run. A host has only one run.
sub _of_machine {
    my ($estimate, $item) = @_;
    return $estimate && UnixBench::Score::Repeat::of_machine($estimate, $item->{repeat});
}

# Takes a test or an index; returns the estimate that decides, or undef: the one by which machines are ranked.
sub deciding { my ($item) = @_; return (_decided($item))[0] }

# Takes the same; returns that estimate, and what other load did to it.
sub _decided {
    my ($item) = @_;
    my $decision = UnixBench::Score::OtherLoad::decision([$item]) or return ($item->{estimate}, CALM);
    return ($item->{estimate},            OPEN) if !$decision->{estimates};
    return ($decision->{estimates}[0][0], DECIDED);
}

# Takes a test or an index; returns { at_least, at_most }, as far as they are known, see bounds in
# UnixBench::Score::OtherLoad.
sub _limits {
    my ($item) = @_;
    return { _lean($item->{bounds} || {}, LIMITS) };
}

sub _lean {
    my ($item, @keys) = @_;
    return map { defined $item->{$_} ? ($_ => $item->{$_}) : () } @keys;
}

# Takes numbers or undef; returns them in one text, which takes a fifth of the memory of a list.
sub _packed {
    my (@numbers) = @_;
    return pack 'd*', map { $_ // NOT_KNOWN } @numbers;
}

sub _unpacked {
    my ($packed) = @_;
    return map { $_ == NOT_KNOWN ? undef : $_ } unpack 'd*', $packed;
}

# Takes a list or a hash of texts, or undef; returns the first one with equal data.
sub _shared {
    my ($data, $shared) = @_;
    my @texts = ref $data eq 'HASH' ? map { ($_, $data->{$_}) } sort keys %$data : @$data;
    return $shared->{ join "\0", ref $data, map { $_ // "\0" } @texts } ||= $data;
}

# Takes a function, and machines, each { label, run of a lean summary, trust (its level, or undef), why (the reasons why
# it is poor), limit (of the CPU time, a text, if others of its kind have none) }. Calls the function with each measure,
# as soon as it is made: first the indexes, then the tests that were measured. A measure is
#   kind        "index" or "test"
#   title       its title
#   unit        its unit, undef for an index
#   is_partial  whether it is an index that is not complete for each machine
#   is_trimmed  whether values are classic scores, because a machine has no others
#   readings    [{ label, trust, why and limit as given, value, estimate, is_known, spread, error, is_disturbed,
#               at_least, at_most }, ...];
#               estimate of an index, that of the machine, if it has an interval; is_known, whether runs show how much
#               they differ; error, the standard error of the logarithm of the value as one of the machine, or undef;
#               is_disturbed, whether other load left too few passes without it; then the value is at least and at most
#               between these two, of which at_most may be undef (see UnixBench::Score::OtherLoad)
#   lacking     [labels of the machines that do not have it]
# The spread of a test is the coefficient of variation of its passes. The spread of an index is the quadratic mean of
# its tests' spreads. A spread may be undef.
sub of {
    my ($done, @machines) = @_;
    _indexes($done, @machines);
    _tests($done, @machines);
    return;
}

# Takes a reading of a measure and the measure, or a finding about it twice; returns the value as a multiple of the
# median.
sub times_of {
    my ($reading, $measure) = @_;
    return $reading->{value} / $measure->{median};
}

# Takes readings of a measure; returns them, the fastest first.
sub ranked {
    my (@given)  = @_;
    my $greatest = List::Util::max(map { $_->{value} } @given);
    my $rounded  = sub { int 0.5 + ROUNDING * $_[0]{value} / $greatest };
    my @readings = sort { $rounded->($b) <=> $rounded->($a) || $a->{label} cmp $b->{label} } @given;
    return @readings;
}

# Returns the measures of indexes. If machines have an index of different tests, only the largest group with the same
# tests is compared.
sub _indexes {
    my ($done, @machines) = @_;
    my (%items, @categories);
    for my $machine (@machines) {
        for my $index (grep { defined $_->{index} } @{ $machine->{run}{indexes} }) {
            my $tests = join "\n", sort @{ $index->{tests} };
            push @categories, $index->{category} if !$items{ $index->{category} };
            push @{ $items{ $index->{category} }{$tests} },
                {
                (map { $_ => $machine->{$_} } @OF_MACHINE),
                of     => $index,
                spread => scalar _spread($index, $machine->{run}),
                };
        }
    }
    $done->(_measure('index', \@machines, @{ _largest($items{$_}) })) for @categories;
    return;
}

# Returns the spread of an index, or nothing. Its precision is not used here: it depends mainly on the number of passes.
sub _spread {
    my ($index, $run) = @_;
    my %cv;
    @cv{ map { $_->{name} } @{ $run->{tests} } } = _unpacked($run->{numbers}{cv});
    my @cvs = map { $cv{$_} } @{ $index->{tests} };
    return if !@cvs || grep { !defined } @cvs;
    return sqrt mean(map { $_**2 } @cvs);
}

# Takes { tests of an index => [its items] }; returns the largest list.
sub _largest {
    my ($lists)  = @_;
    my $first_of = sub { $lists->{ $_[0] }[0]{label} };
    my ($tests)  = sort { @{ $lists->{$b} } <=> @{ $lists->{$a} } || $first_of->($a) cmp $first_of->($b) || $a cmp $b }
        keys %$lists;
    return $lists->{$tests};
}

# Returns the measures of tests. They are made one by one, which takes less memory.
sub _tests {
    my ($done, @machines) = @_;
    my %test;
    for my $machine (@machines) {
        $test{ $_->{name} } ||= $_ for grep { is_measured($_) } @{ $machine->{run}{tests} };
    }
    $done->(_measure('test', \@machines, _items($_->{name}, @machines))) for tests_by_title([values %test]);
    return;
}

sub _items {
    my ($name, @machines) = @_;
    my @items;
    for my $machine (@machines) {
        my ($tests, $numbers) = @{ $machine->{run} }{qw(tests numbers)};
        my $at = List::Util::first { $tests->[$_]{name} eq $name && is_measured($tests->[$_]) } 0 .. $#$tests;
        next if !defined $at;
        my %of = map { $_ => (_unpacked(substr $numbers->{$_}, SIZE * $at, SIZE))[0] } keys %$numbers;
        my ($value, $spread) = delete @of{qw(value cv)};
        my $estimate = defined $value ? { value => $value } : undef;
        my $of       = { %{ $tests->[$at] }, %of, estimate => $estimate };
        push @items, { (map { $_ => $machine->{$_} } @OF_MACHINE), of => $of, spread => $spread };
    }
    return @items;
}

# Takes the kind, [all machines], and an item for each machine that has it, { label, trust, why, limit, of => a test or
# an index, spread }; returns the measure.
sub _measure {
    my ($kind, $machines, @items) = @_;
    my $is_trimmed = grep { !$_->{of}{estimate} } @items;
    my $is_partial = grep { $kind eq 'index' && !$_->{of}{complete} } @items;
    my %has        = map  { $_->{label} => 1 } @items;
    return {
        kind       => $kind,
        title      => $items[0]{of}{title},
        unit       => $items[0]{of}{unit},
        is_partial => $is_partial ? 1 : 0,
        is_trimmed => $is_trimmed ? 1 : 0,
        readings   => [map { _reading($kind, $_, $is_trimmed) } @items],
        lacking    => [grep { !$has{$_} } map { $_->{label} } @$machines],
    };
}

sub _reading {
    my ($kind, $item, $is_trimmed) = @_;
    my ($of, $estimate) = ($item->{of}, $item->{of}{estimate});
    my $classic = $kind eq 'index' ? $of->{index} : $of->{score};
    return {
        (map { $_ => $item->{$_} } @OF_MACHINE),
        (map { $_ => $is_trimmed ? undef : $of->{$_} } LIMITS),
        value        => $is_trimmed ? $classic : $estimate->{value},
        spread       => $item->{spread},
        error        => $is_trimmed                                   ? undef : $of->{error},
        is_disturbed => $of->{load} >= ($is_trimmed ? DECIDED : OPEN) ? 1     : 0,
        $kind eq 'index' && !$is_trimmed && defined $estimate->{high}
        ? (estimate => $estimate, is_known => $of->{is_known})
        : (),
    };
}

1;
