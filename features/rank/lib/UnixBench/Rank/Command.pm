package UnixBench::Rank::Command;

# Lists the published indexes of other machines, with that of a result among them.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Number     qw(fixed);
use UnixBench::Base::Text       qw(clean copies_text);
use UnixBench::CLI::Declaration qw(shared);

use constant { NEAREST => 10, INDEX_COLUMNS => 12, GAP => '...' };

use constant ABOUT => 'Indexes of %s, as people have published them. They were measured with other compilers, '
    . 'versions, systems and file systems, so the place is only a rough guide. They leave out a third of the passes, '
    . 'so the place covers both the interval and the classic index.';

# What the interval of the own result has, if that is known.
use constant OF_MACHINE => 'The interval is about the machine: one run, %s.';

use constant NONE =>
    'No result in the directory of results can be ranked: none has a complete index of one copy by the '
    . 'unchanged procedure.';
use constant {
    MEASURE  => './Run -c 1',
    NO_PLACE => 'no place, because the trust in it is poor',
    FLOOR    => 'no place, because other load disturbed it',
};

my $NOT_RANKED =
    q{can't be ranked: it has no complete index of one copy by the unchanged procedure; measure one: } . MEASURE;

# Returns the declaration, see UnixBench::CLI::Declaration.
sub declaration {
    return {
        takes     => 'result',
        arguments => '[RESULT]',
        most      => 1,
        purpose   => 'list published indexes of other machines, with a result among them',
        about     => 'RESULT may be a text report. Without RESULT, the newest result that can be ranked is used. '
            . 'The list has the '
            . NEAREST
            . ' nearest machines, the best and the lowest one.',
        options => [{ flag => '--all', text => 'list each published result' }, shared('--copies')],
    };
}

# Takes a UnixBench::Call::Call; finds the file of the result. Dies with one line if there is none.
sub check {
    my ($call) = @_;
    my $options = $call->options;
    $options->{words} = [map { $call->file($_) } @{ $options->{words} }];
    return;
}

# Takes the same; prints the list. Returns the outcome, "done", "failed" or "wrong usage".
sub run {
    my ($call) = @_;
    my ($path) = @{ $call->options->{words} };
    my %how    = (names => $call->names, console => $call->console, home => $call->home);
    @how{qw(is_all copies)} = @{ $call->options }{qw(all copies)};
    return ranked(path => $path, %how);
}

# Takes
#   home     the suite's directory
#   path     the file of the result, or undef for the newest one that can be ranked
#   names    UnixBench::Store::ResultNames
#   console  UnixBench::CLI::Console
#   is_all   whether all published results are listed
#   copies   [numbers of copies] for a text report without them, or undef
# Prints the list. Returns the outcome.
sub ranked {
    my (%with) = @_;
    _load();
    my ($console, $path) = @with{qw(console path)};
    my @published = UnixBench::Compare::Published::results($with{home});
    die UnixBench::Compare::Published::FILE() . " is missing: unpack or install the suite again\n" if !@published;
    my $own = defined $path ? eval { _ranked(\%with, $path, @published) } : _newest(\%with, @published);
    if (!$own && defined $path && !$@) {
        @published = UnixBench::Compare::Published::results($with{home}, 1);
        $own       = eval { _ranked(\%with, $path, @published) };
    }
    if (!$own && defined $path) {
        $console->refuse($@ || clean($path) . " $NOT_RANKED");
        return 'wrong usage';
    }
    my $screen = $console->screen;
    my @groups = $with{is_all} ? map { [$_] } @published : UnixBench::Compare::Published::groups(@published);
    my @lines  = _lines($own, $screen, $with{is_all} || !$own, @groups);
    my $about  = sprintf ABOUT, $own && ($own->{rank}{copies} // 1) > 1 ? 'one copy for each CPU' : 'one copy';
    push @lines, q{}, map { UnixBench::Report::Lines::folded($_, 0, $screen && $screen->{columns}) } $about,
          $own    ? (_of_machine($own), map { "Note: $_" } @{ $own->{notes} })
        : $screen ? ()
        :           (NONE, 'Measure one: ' . MEASURE);
    push @lines, q{}, _block($own, $screen) if $screen;
    return $console->show(join q{}, map { "$_\n" } @lines) ? 'done' : 'failed';
}

sub _load {
    require UnixBench::CLI::Console;
    require UnixBench::Call::NextStep;
    require UnixBench::Compare::Published;
    require UnixBench::Progress::Terminal;
    require UnixBench::Report::EndBlock;
    require UnixBench::Report::Lines;
    require UnixBench::Report::Plain;
    require UnixBench::Report::Wording;
    require UnixBench::Score::Stats;
    require UnixBench::Store::ResultFile;
    return;
}

# Takes the arguments of ranked() and published results; returns the newest result that can be ranked, or undef.
sub _newest {
    my ($with, @published) = @_;
    for my $path ($with->{names}->newest_first) {
        my $own = eval { _ranked($with, $path, @published) };
        return $own if $own;
    }
    return;
}

# Takes the arguments of ranked(), the path of a result, and published results; returns the result as { next (a function
# that returns the next step, or undef), machine, rank, trust, notes }, or undef if it can't be ranked. The trust in a
# text report is unknown: undef.
sub _ranked {
    my ($with, $path, @published) = @_;
    my $summary = UnixBench::Store::ResultFile::summary($path, copies => $with->{copies});
    my $rank    = UnixBench::Compare::Published::rank($summary, @published) or return;
    my $word    = UnixBench::CLI::Console::quoted($with->{names}->word($path));
    my $is_text = $summary->{source} ne 'UnixBench';
    my %of      = (
        summary => $summary,
        own     => $word,
        base    => $path =~ s/[.](?:html|json)\z//r,
        names   => $with->{names},
        env     => \%ENV
    );
    return {
        next    => sub { UnixBench::Call::NextStep::of_result(%of) },
        machine => _machine($path, $summary),
        rank    => $rank,
        trust   => $summary->{trust},
        notes   => $is_text ? [map { UnixBench::Report::Plain::in_plain($_) } @{ $summary->{notes} }] : [],
    };
}

# Returns what is known of the machine, in brief.
sub _machine {
    my ($path, $summary) = @_;
    my @known = (@$summary{qw(name system)});
    if ($summary->{source} eq 'UnixBench') {
        my $result = UnixBench::Store::ResultFile::result($path);
        @known = ($summary->{name}, UnixBench::Report::Wording::machine_in_brief($result));
    }
    push @known, "version $summary->{version}" if defined $summary->{version};
    return join ', ', grep { length } map { UnixBench::Report::Plain::in_plain($_ // q{}) } @known;
}

# Takes the own result, or undef, the terminal, or undef, whether all groups are listed, and groups of published
# results, the lowest first. Returns the lines of the list.
sub _lines {
    my ($own, $screen, $is_all, @groups) = @_;
    my @chosen = $is_all ? 0 .. $#groups : _chosen($own->{rank}{index}{value}, @groups);
    my ($last, $is_own_due, @rows) = (-1, $own ? 1 : 0);
    for my $at (@chosen) {
        my $is_above = $is_own_due && _is_above($groups[$at], $own);
        push @rows, [q{ }, q{}, GAP] if $at > $last + 1;
        push @rows, _own_row($own) if $is_above;
        push @rows, [q{ }, _row(@{ $groups[$at] })];
        ($last, $is_own_due) = ($at, $is_own_due && !$is_above);
    }
    push @rows, _own_row($own) if $is_own_due;
    return map { _line($screen, @$_) } @rows;
}

# Takes the own index and groups; returns the places of those that are listed: the lowest, the best, and the nearest
# ones.
sub _chosen {
    my ($index, @groups) = @_;
    my @distances = map  { _distance($index, @$_) } @groups;
    my @nearest   = sort { $distances[$a] <=> $distances[$b] || $a <=> $b } 0 .. $#groups;
    my %is_chosen = map  { $_ => 1 } 0, $#groups, splice @nearest, 0, NEAREST;
    my @chosen    = sort { $a <=> $b } keys %is_chosen;
    return @chosen;
}

# Returns how far the nearest of some published results is from an index.
sub _distance {
    my ($index, @results) = @_;
    my ($least) = sort { $a <=> $b } map { abs log $_->{index} / $index } @results;
    return $least;
}

# Returns whether the median of a group is above the own index.
sub _is_above {
    my ($group, $own) = @_;
    return UnixBench::Score::Stats::median(map { $_->{index} } @$group) > $own->{rank}{index}{value};
}

# Takes the own result; returns its mark, its index, and texts about it, the fullest first.
sub _own_row {
    my ($own) = @_;
    my ($rank, $trust, $machine) = @$own{qw(rank trust machine)};
    my ($number, $sure) = _number_texts($own);
    my $place  = UnixBench::Report::EndBlock::place_of($rank);
    my $copies = copies_text($rank->{copies});
    my $about  = join ', ', 'this result', ($trust ? $sure // () : 'the classic score'),
        ($rank->{copies} // 0) == 1 ? () : $copies, $place // _no_place($own);
    return [q{>}, $number, length $machine ? "$about: $machine" : (), $about];
}

# Returns a sentence about the interval of the own result, or nothing if it has none of the machine.
sub _of_machine {
    my ($own)  = @_;
    my $repeat = $own->{rank}{repeat} or return;
    my @varies = UnixBench::Report::Wording::from_run_to_run(@$repeat{qw(deviation known)});
    return sprintf OF_MACHINE, UnixBench::Report::Plain::in_plain(\@varies);
}

# Returns the index of the own result, and its precision as that of the machine, or undef.
sub _number_texts {
    my ($own)    = @_;
    my $rank     = $own->{rank};
    my @about    = (_is_poor($own), $rank->{bounds});
    my ($number) = UnixBench::Report::EndBlock::texts_of_number($rank->{index}, @about);
    my (undef, $sure) = UnixBench::Report::EndBlock::texts_of_number($rank->{machine}, @about);
    return map { defined ? UnixBench::Report::Plain::in_plain($_) : undef } $number, $sure;
}

# Returns whether the own result has no place.
sub _is_poor { my ($own) = @_; return !$own->{rank}{places} }

sub _no_place { my ($own) = @_; return $own->{rank}{bounds} ? FLOOR : NO_PLACE }

# Takes published results of one machine from one source; returns their index, and texts about them, the fullest first.
sub _row {
    my (@results) = @_;
    my ($cpu, $version, $year, $source) = map { _common($_, @results) } qw(cpu version year source);
    my @indexes = map { $_->{index} } @results;
    my $index   = @results == 1 ? fixed($indexes[0]) : sprintf '%.0f to %.0f', List::Util::min(@indexes),
        List::Util::max(@indexes);
    my $times = @results == 1 && $results[0]{results} > 1 ? "mean of $results[0]{results}" : q{};
    my $name  = join ', ', grep { length } _name(@results), $results[0]{machine} eq q{} ? () : $cpu;
    my @when  = grep { length } (length $version ? "version $version" : ()), $year;
    my @forms = map {
        join ', ',
            grep { length }
            @$_
    } [@when, $source, $times], \@when;
    return ($index, (map { "$name ($_)" } grep { length } @forms), $name);
}

# Returns the value of a key that all results have, or an empty text.
sub _common {
    my ($key,   @results) = @_;
    my ($value, @others)  = map { $_->{$key} } @results;
    return (grep { $_ ne $value } @others) ? q{} : $value;
}

# Returns the name of one machine, or of several. A name of words is that of a kind of machines: "24 rented VMs".
sub _name {
    my ($first, @others) = @_;
    my $name   = length $first->{machine} ? $first->{machine} : $first->{cpu};
    my $number = 1 + @others;
    return
          $number == 1                                  ? $name
        : $name =~ /\A[[:alpha:]]+(?: [[:alpha:]]+)+\z/ ? "$number ${name}s"
        :                                                 "$number x $name";
}

# Takes the terminal, or undef, a mark, an index, and texts, the fullest first; returns the line. On a terminal it has
# the fullest text that fits.
sub _line {
    my ($screen, $mark, $index, @texts) = @_;
    my $line   = sprintf '%s %*s  ', $mark, INDEX_COLUMNS, $index;
    my $room   = $screen ? List::Util::max(1, $screen->{columns} - length $line) : undef;
    my @clean  = map { clean($_) } @texts;
    my ($text) = $screen ? grep { UnixBench::Report::Lines::columns_of($_) <= $room } @clean : @clean;
    return $line . ($text // UnixBench::Progress::Terminal::cut($clean[-1], $room));
}

# Returns the lines of the block at the end, see UnixBench::Report::Plain::entry_lines.
sub _block {
    my ($own, $screen) = @_;
    my @entries = $own ? _entries($own) : ([Verdict => NONE], [Next => MEASURE]);
    return UnixBench::Report::Plain::entry_lines($screen, @entries);
}

sub _entries {
    my ($own) = @_;
    my ($rank, $trust) = @$own{qw(rank trust)};
    my $next  = $own->{next}->();
    my @place = UnixBench::Report::EndBlock::place_parts($rank);
    my @trust = $trust ? { level => $trust->{level}, text => UnixBench::Report::EndBlock::trust_words($trust) } : ();
    return (
        [Index => join q{ }, copies_text($rank->{copies}), grep { defined } _number_texts($own)],
        [Against => @place ? @place : _no_place($own)],
        (@trust        ? [Trust => @trust] : ()),
        (defined $next ? [Next  => $next]  : ()),
    );
}

1;
