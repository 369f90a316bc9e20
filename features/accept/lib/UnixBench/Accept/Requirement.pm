package UnixBench::Accept::Requirement;

# Requirements as the user writes them, "8:index>=6000" or "fsdisk >= 0.95 * last.json", and the criteria that follow
# from them.
#
# A criterion is a requirement, see of_word(), for one number of copies, plain data. It also has
#   copies     the number of copies
#   tests      [names of the tests whose scores make up the value]
#   base       the test or index in the summary of the file (UnixBench::Summary), undef without a file. If the file
#              names several results, it is that of the newest ones together, see UnixBench::Compare::Repeated
#   reference  then: { summary, run }, that summary and the run in it
#   results    only then, if the file names several: how many they are
#   left_out   only then: [[path, line that tells why it has no value], ...]
#   trust      the level of that summary's trust, or undef
#   procedure  that of the summary, "quick", "official" or undef
#   limit      the least value that meets the requirement, as far as the reference is known
#
# Some functions take the request for a run:
#   tests      [names of its tests]
#   copies     [its numbers of copies]
#   cpu_count  the number of CPUs: that many copies are "all"
#   baseline   the parsed baseline
#   is_result  whether the criteria are for an existing result, and then runs, how many it has
#   over       the key over of its procedure, or undef
#   parts      its parts, as far as quantities depend on them, see UnixBench::Base::Result
#   states     how many states it measures in turns (default: 1)
#   label      how the user has named that result, if there are several

use strict;
use warnings;

use List::Util ();

use UnixBench::Accept::Quantity ();
use UnixBench::Accept::Ratio    ();
use UnixBench::Base::Result     qw(has_passes);
use UnixBench::Base::Text       qw(clean counted shown);
use UnixBench::Catalog          ();
use UnixBench::Score            qw(LOWEST_THIRD);

use constant { FORM => '[N:]NAME>=NUMBER or [N:]NAME>=NUMBER*RESULT', NUMBER_MOST => 1e30, ALL => 'all' };
use constant NEWEST => 10;    # results of a reference at most

# Classic scores can't be compared with an interval of all passes.
use constant IS_TEXT => ' is a text report, whose scores leave out '
    . LOWEST_THIRD
    . "; name the page or the JSON of that run, or write the number itself\n";

# The names of the indexes that can be required, and their categories.
my %CATEGORY = ('index' => 'system', '2d-index' => '2d', '3d-index' => '3d');

my $NAMES = 'names are index, 2d-index, 3d-index, trust and the tests of ./Run --list';

# Takes the summary of a result and the usual baseline. Returns the result in the form of a request. A failed test has
# no baseline in the summary, so it gets the usual one.
sub request_of {
    my ($summary, $usual) = @_;
    my @tests = map { @{ $_->{tests} } } @{ $summary->{runs} };
    my %own   = map { $_->{name} => { score => $_->{baseline} } } grep { defined $_->{baseline} } @tests;
    return {
        is_result => 1,
        runs      => scalar @{ $summary->{runs} },
        tests     => [map { $_->{name} } @tests],
        copies    => [map { $_->{copies}                   // () } @{ $summary->{runs} }],
        cpu_count => List::Util::max(map { $_->{cpu_count} // () } @{ $summary->{runs} }),
        over      => $summary->{procedure}{over},
        parts     => { $summary->{procedure}{over} ? (over => 1) : () },
        states    => UnixBench::Accept::Ratio::states_of($summary),
        baseline  => { %$usual, %own },
    };
}

# Takes [requirements] and the request, or those of several results. Dies with one line if the run will have no value
# for a requirement, or a result has none.
sub check {
    my ($requirements, @asked) = @_;
    for my $requirement (grep { !$_->{level} } @$requirements) {
        my ($why_not) = grep { defined } (
            UnixBench::Accept::Ratio::why_not($requirement, @asked),
            map {
                _why_no_quantity($requirement, $_) // _why_not_measured($requirement, $_)
                    // _why_no_copies($requirement, $_)
            } @asked
            ),
            _why_other_copies($requirement, @asked);
        die complaint($requirement->{text}, "$why_not\n") if defined $why_not;
    }
    return;
}

# Returns the reason why a requirement for each number of copies does not fit several results, or nothing.
sub _why_other_copies {
    my ($requirement, @asked) = @_;
    my %results;
    $results{$_}++ for map { _copies($requirement, $_) } @asked;
    my ($lacking) = grep { $results{$_} < @asked } sort { $a <=> $b } keys %results;
    return if !defined $lacking;
    return 'not all results have a run with ' . counted($lacking, 'copy', 'copies') . '; name a number that all have';
}

# Takes [requirements] after check(), the request, and what UnixBench::Store::ResultNames::read_all() returns of their
# files; returns the criteria in the order of the requirements. Dies with one line if a file does not have the value.
sub of {
    my ($requirements, $asked, $references) = @_;
    my @criteria;
    for my $requirement (@$requirements) {
        push @criteria, { %$requirement, tests => [] } if $requirement->{level};
        next if $requirement->{level};
        my @tests = _tests($requirement, $asked->{baseline});
        push @criteria, map { _criterion($requirement, $_, $references, @tests) } _copies($requirement, $asked);
    }
    return @criteria;
}

sub _criterion {
    my ($requirement, $copies, $references, @tests) = @_;
    my $given     = defined $requirement->{file} ? $references->{ $requirement->{file} }              : undef;
    my $reference = $given                       ? eval { _reference($requirement, $copies, $given) } : {};
    die complaint($requirement->{text}, $@) if !$reference;
    return {
        %$requirement,
        copies => $copies,
        tests  => \@tests,
        (map { $_ => undef } qw(base reference trust procedure)),
        limit => $requirement->{number} * ($given ? $reference->{base}{estimate}{value} : 1),
        %$reference,
    };
}

# Dies with one line if it has no value.
sub _reference {
    my ($requirement, $copies, $given) = @_;
    return _base($requirement, $copies, $requirement->{file}, $given) if ref $given ne 'ARRAY';
    my (@with, @left_out);
    for my $side (@$given) {
        last if @with == NEWEST;
        my $base = eval { _base($requirement, $copies, @$side{qw(label summary)}) };
        my $why  = $base ? clean($side->{label}) . " has one pass, which does not show the spread\n" : $@;
        push @with,     $side if $base && defined $base->{base}{estimate}{low};
        push @left_out, [$side->{label}, $why] if !@with || $with[-1] != $side;
    }
    require UnixBench::Compare::Repeated;
    UnixBench::Compare::Repeated::refuse_all($given, @left_out) if !@with;
    my $together = UnixBench::Compare::Repeated::together(@with);
    my $base     = _base($requirement, $copies, $requirement->{file}, $together->{summary});
    return { %$base, results => scalar @with, left_out => \@left_out };
}

# Returns the names of the tests whose scores make up the value. For an index these are all its tests in the baseline.
sub _tests {
    my ($requirement, $baseline) = @_;
    my $category = $requirement->{category} // return $requirement->{name};
    return map { $_->{name} }
        grep { $_->{category} eq $category && $baseline->{ $_->{name} } } UnixBench::Catalog::tests();
}

sub _copies {
    my ($requirement, $asked) = @_;
    my ($wanted, $most, %seen) = (copies_wanted($requirement, $asked), _copies_max($requirement));
    my $above = $requirement->{is_times} ? List::Util::min(@{ $asked->{copies} }) // 0 : 0;
    return
        grep { $_ > $above && !$seen{$_}++ && (!$most || $_ <= $most) && (!defined $wanted || $_ == $wanted) }
        @{ $asked->{copies} };
}

# Takes a requirement and the request; returns the number of copies that it names, or undef.
sub copies_wanted {
    my ($requirement, $asked) = @_;
    my $copies = $requirement->{copies};
    return ($copies // q{}) eq ALL ? $asked->{cpu_count} // 0 : $copies;
}

sub _copies_max {
    my ($requirement) = @_;
    my $category = $requirement->{category} // UnixBench::Catalog::test($requirement->{name})->{category};
    return UnixBench::Catalog::category($category)->{copies_max};
}

# Returns why a quantity will not be known, or nothing. Loads the module that knows it.
sub _why_no_quantity {
    my ($requirement, $asked) = @_;
    my $quantity = $requirement->{quantity} // return;
    return UnixBench::Accept::Ratio::why_no_scaling(copies_wanted($requirement, $asked), $asked)
        if $requirement->{is_times};
    my $class = UnixBench::Accept::Quantity::class($quantity, $asked->{parts});
    return $class->why_no_quantity($quantity, $asked->{over}, $requirement) if $class;
    return "$quantity is not " . ($asked->{is_result} ? 'known of the result' : 'measured') . ': it needs --over';
}

sub _why_not_measured {
    my ($requirement, $asked) = @_;
    my %is_asked = map { $_ => 1 } @{ $asked->{tests} };
    my @tests    = _tests($requirement, $asked->{baseline}) or return 'index.base has no test of this index';
    my $missing  = List::Util::first { !$is_asked{$_} } @tests;
    return if !defined $missing;
    my $where = _where($asked);
    return defined $requirement->{category}
        ? "this index needs all of its tests, and \"$missing\" is not $where"
        : "the test \"$missing\" is not $where";
}

sub _where {
    my ($asked) = @_;
    return 'in ' . clean($asked->{label}) if defined $asked->{label};
    return $asked->{is_result} ? 'in the result' : 'asked for';
}

sub _why_no_copies {
    my ($requirement, $asked) = @_;
    my $numbers = $asked->{copies};
    return if _copies($requirement, $asked);
    my ($wanted, $most) = (copies_wanted($requirement, $asked), _copies_max($requirement));
    return 'it is measured with ' . counted($most, 'copy', 'copies') . ' at most'
        if $most && List::Util::first { $_ > $most } $wanted // @$numbers;
    return $asked->{runs} ? 'the number of copies is unknown; give it with --copies N' : 'the result has no run'
        if !@$numbers;
    return 'no run with ' . counted($wanted, 'copy', 'copies') . " is @{[_where($asked)]}, only with " . join q{, },
        @$numbers;
}

sub _base {
    my ($requirement, $copies, $label, $summary) = @_;
    die clean($label) . IS_TEXT if !has_passes($summary);
    my $run   = List::Util::first { ($_->{copies} // 0) == $copies } @{ $summary->{runs} };
    my $found = $run && named($requirement, $run);
    $found = times_of($requirement, $found, $run, @{ $summary->{runs} }) if $found && $requirement->{is_times};
    return {
        base      => $found,
        reference => { summary => $summary, run => $run },
        trust     => ($summary->{trust} || {})->{level},
        procedure => $summary->{procedure}{kind},
        }
        if $found && $found->{estimate};
    my $name = join q{:}, $requirement->{name}, $requirement->{quantity} // ();
    my $what = !$run ? 'run' : defined $requirement->{category} ? "complete $name" : "score of $name";
    die clean($label) . " has no $what with " . counted($copies, 'copy', 'copies') . "\n";
}

# Takes such a requirement; returns its expression.
sub as_word {
    my ($requirement) = @_;
    my ($text, $file) = @$requirement{qw(text file)};
    return defined $file ? $text =~ s/[*].*/*$file/sr : $text;
}

# Takes an expression; returns the requirement. Dies with one line if the expression is malformed.
#   text      the expression that the user gave, without the directory of the file in it
#   copies    the number of copies, "all" for one for each CPU, or undef
#   name      the name of the test or of the index
#   category  the category of the index, or undef for a test
#   number    the number, a factor if there is a file
#   file      a path, perhaps of a directory or a pattern, which stand for several results; or undef
#   quantity  only if it is about another quantity than the value, see UnixBench::Accept::Quantity
#   is_times  only then: whether that is about scaling, see UnixBench::Accept::Ratio
#   is_own    only then: whether the number is a factor of the value in the same run
#   is_most   only then: whether less is better, so that the number is the most, after "<="
#   state     only if it is about the ratio of a state to the plain machine: the number of the state, from 1
#   level     only if it is about the trust of the whole result: the least one, "good" or "fair". Then its name is
#             "trust", and it has no number and no copies
sub of_word {
    my ($word) = @_;
    my $requirement = eval { _parsed($word) } || die complaint($word, $@);
    $requirement->{text} =~ s{([*]\s*).*/(?=[^/]*\w)}{$1}s if defined $requirement->{file};
    return $requirement;
}

# Takes an expression and the error, a line; returns the message for the user, one line.
sub complaint {
    my ($text, $what) = @_;
    return 'requirement "' . shown($text) . "\": $what";
}

# Takes a requirement and a run of a summary; returns the test or the index that the requirement names, or undef. An
# index that has only a part of its tests is not accepted.
sub named {
    my ($requirement, $run)      = @_;
    my ($name,        $category) = @$requirement{qw(name category)};
    return List::Util::first { $_->{name} eq $name } @{ $run->{tests} } if !defined $category;
    return List::Util::first { $_->{category} eq $category && $_->{complete} } @{ $run->{indexes} };
}

# Takes a requirement on times or efficiency, its test or index, the run of this in a summary, and all runs of the
# summary. Returns the ratio as UnixBench::Score::Scaling does, or undef if there is none.
sub times_of {
    my ($requirement, $found, $run, @runs) = @_;
    my $fewest = UnixBench::Accept::Ratio::fewest(@runs);
    my $first  = $fewest && $fewest->{copies} < $run->{copies} ? named($requirement, $fewest) : undef;
    return if !$first || !$first->{estimate} || !$found->{estimate} || $first->{is_mixed};
    my $part = $requirement->{quantity} eq 'efficiency' ? $fewest->{copies} / $run->{copies} : 1;
    require UnixBench::Score::Scaling;
    return UnixBench::Score::Scaling::ratio($first, $found, $part, $requirement->{covered});
}

sub _parsed {
    my ($text) = @_;
    my ($left, $sign, $right) = $text =~ /\A(.*?)([<>]=)(.*)\z/s
        or die 'there is no ">="; a requirement is ' . FORM . "\n";
    return { text => $text, name => 'trust', level => _level($left, _trimmed($right)) }
        if $left =~ /\btrust\s*(?::|\z)/;
    my ($quantity, $rest)   = _quantity($left);
    my ($state,    $what)   = UnixBench::Accept::Ratio::state_in($rest);
    my ($name,     $copies) = reverse split /:/, $what, 2;
    my ($number,   $file)   = split /[*]/, $right, 2;
    $name = _name(_trimmed($name // q{}));
    my %of = _about_quantity($quantity, $file, $name, $sign);
    die "a ratio is compared with a number, and nothing else\n"
        if defined $state && (defined $quantity && !$of{is_most} || defined $file);
    $file = $of{is_own} || !defined $file ? undef : $file =~ s{\A\s+|(?<=.)/+\z}{}gr;
    die "there is no result after \"*\"\n" if defined $file && !length $file;
    return {
        %of,
        defined $state ? (state => $state) : (),
        text     => $text,
        copies   => defined $copies ? _number_of_copies(_trimmed($copies)) : undef,
        name     => $name,
        category => $CATEGORY{$name},
        number   => _number(_trimmed($number // q{})),
        file     => $file,
    };
}

sub _level {
    my ($left, $level) = @_;
    return $level if _trimmed($left) eq 'trust' && $level =~ /\A(?:good|fair)\z/;
    die "trust is that of the whole result, and good or fair: trust>=good or trust>=fair\n";
}

sub _quantity {
    my ($left) = @_;
    my ($rest, $word) = $left =~ /\A(.*):\s*([a-z0-9-]+)\s*\z/s or return (undef, $left);
    my $is_known = UnixBench::Accept::Ratio::is_of_scaling($word) || UnixBench::Accept::Quantity::class($word);
    return $is_known ? ($word, $rest) : (undef, $left);
}

# Scaling, and what is better if it is less, is compared with another result; other quantities with the value of the
# same run.
sub _about_quantity {
    my ($quantity, $file, $name, $sign) = @_;
    my $is_most = defined $quantity && UnixBench::Accept::Quantity::is_less_better($quantity);
    die "more is better: use \">=\"\n" if $sign eq '<='             && !$is_most;
    die "less is better: $quantity needs \"<=\"\n" if $sign eq '>=' && $is_most;
    return if !defined $quantity;
    my $is_own     = defined $file && _trimmed($file) eq $name ? 1 : 0;
    my $is_times   = UnixBench::Accept::Ratio::is_of_scaling($quantity);
    my $is_outside = $is_times || $is_most ? 1 : 0;
    die "$quantity is compared with a number, or with "
        . ($is_outside ? 'that of another result' : "the value in the same run, such as 0.9*$name") . "\n"
        if defined $file && $is_own == $is_outside;
    return (quantity => $quantity, is_own => $is_own, is_times => $is_times, $is_most ? (is_most => 1) : ());
}

sub _trimmed {
    my ($text) = @_;
    return $text =~ s/\A\s+|\s+\z//gr;
}

sub _name {
    my ($name) = @_;
    return $name if $CATEGORY{$name} || UnixBench::Catalog::test($name);
    die "there is no name before \">=\"; $NAMES\n" if !length $name;
    my ($test) = UnixBench::Catalog::expand($name);
    die "\"$name\" is an alias; name a test, such as \"$test\"\n" if defined $test;
    my $nearest = UnixBench::Catalog::nearest($name) // q{};
    my $is_name = $CATEGORY{$nearest} || UnixBench::Catalog::test($nearest);
    die 'unknown name "' . shown($name) . '"; ' . ($is_name ? "did you mean \"$nearest\"?" : $NAMES) . "\n";
}

sub _number_of_copies {
    my ($copies) = @_;
    return $copies if $copies eq ALL || $copies =~ /\A[1-9][0-9]{0,8}\z/;
    die 'the number of copies before ":" must be a whole number from 1 or all, not "' . shown($copies) . "\"\n";
}

sub _number {
    my ($number) = @_;
    return $number + 0
        if $number =~ /\A(?:[0-9]+(?:[.][0-9]*)?|[.][0-9]+)(?:[eE][-+]?[0-9]+)?\z/
        && $number > 0
        && $number <= NUMBER_MOST;
    die '">=" needs a number above 0 and at most ' . NUMBER_MOST . ', not "' . shown($number) . "\"\n";
}

1;
