package UnixBench::Rank::Nearest;

# One result among the nearest published ones, as text: a line for each machine, the fastest first.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Number       qw(fixed);
use UnixBench::Base::Text         qw(clean copies_text);
use UnixBench::Compare::Published ();
use UnixBench::Progress::Terminal ();
use UnixBench::Rank::Own          qw(machine_of name_unknown numbers_of value_of why_no_place);
use UnixBench::Report::EndBlock   qw(place_of place_sentence trust_words);
use UnixBench::Report::Lines      qw(columns_of folded);
use UnixBench::Report::Plain      qw(entry_lines in_plain);
use UnixBench::Report::Title      qw(identity);
use UnixBench::Report::Wording    qw(from_run_to_run);
use UnixBench::Score::Stats       qw(median);

use constant { INDEX_COLUMNS => 12, GAP => '...' };
use constant ABOUT => 'Published indexes of %s, the fastest first. They were measured with other compilers, versions, '
    . 'systems and file systems, so the place is only a rough guide.';

# What the interval of the own result has, if that is known.
use constant OF_MACHINE => 'The interval is about the machine: one run, %s.';

# Takes the result, see UnixBench::Rank::Own; [published results]; how many of the nearest machines are listed, undef
# for all; and perhaps the terminal, see UnixBench::CLI::Console::screen. Returns the text.
sub text {
    my ($own, $published, $most, $screen) = @_;
    my $rank      = $own->{one} || $own->{all} || $own->{unknown};
    my $is_of_all = $rank == ($own->{all} // 0);
    my @published =
          $own->{unknown} ? ()
        : $is_of_all      ? UnixBench::Compare::Published::of_all_cpus(@$published)
        :                   UnixBench::Compare::Published::of_one_copy(@$published);
    my @groups = defined $most ? UnixBench::Compare::Published::groups(@published) : map { [$_] } @published;
    my @lines  = _lines($own, $rank, $screen, $most, reverse @groups);
    my @about  = @published ? sprintf ABOUT, $is_of_all ? 'one copy for each CPU' : 'one copy' : ();
    push @lines, q{}, map { folded($_, 0, $screen && $screen->{columns}) } @about, _about_own($own, $rank, $screen);
    push @lines, q{}, entry_lines($screen, identity($own->{summary}), _entries($own, $rank)) if $screen;
    return join q{}, map { "$_\n" } @lines;
}

# Returns sentences about the own result. The block of a terminal has its places, too.
sub _about_own {
    my ($own, $rank, $screen) = @_;
    my $place = $screen ? undef : place_sentence($rank);
    return (_of_machine($rank), (defined $place ? "Against: $place." : ()), map { "Note: $_" } @{ $own->{notes} });
}

# Takes the own result and its rank, the terminal, or undef, how many of the nearest groups are listed, undef for all,
# and groups of published results, the fastest first. Returns the lines of the list.
sub _lines {
    my ($own, $rank, $screen, $most, @groups) = @_;
    my $value  = value_of($rank);
    my @chosen = defined $most ? _chosen($value, $most, @groups) : 0 .. $#groups;
    my ($last, $is_own_due, @rows) = (-1, 1);
    for my $at (@chosen) {
        my $is_below = $is_own_due && median(map { $_->{index} } @{ $groups[$at] }) < $value;
        push @rows, [q{ }, q{}, GAP] if $at > $last + 1;
        push @rows, _own_row($own, $rank) if $is_below;
        push @rows, [q{ }, _row(@{ $groups[$at] })];
        ($last, $is_own_due) = ($at, $is_own_due && !$is_below);
    }
    push @rows, _own_row($own, $rank) if $is_own_due;
    return map { _line($screen, @$_) } @rows;
}

# Takes the own index, how many of the nearest groups are listed, and groups; returns the places of those that are
# listed: the fastest, the slowest, and the nearest ones.
sub _chosen {
    my ($index, $most, @groups) = @_;
    my @distances = map  { _distance($index, @$_) } @groups;
    my @nearest   = sort { $distances[$a] <=> $distances[$b] || $a <=> $b } 0 .. $#groups;
    my %is_chosen = map  { $_ => 1 } @groups ? (0, $#groups) : (), splice @nearest, 0, $most;
    my @chosen    = sort { $a <=> $b } keys %is_chosen;
    return @chosen;
}

# Returns how far the nearest of some published results is from an index.
sub _distance {
    my ($index, @results) = @_;
    my ($least) = sort { $a <=> $b } map { abs log $_->{index} / $index } @results;
    return $least;
}

# Takes the own result and its rank; returns its mark, its index, and texts about it, the fullest first.
sub _own_row {
    my ($own, $rank)    = @_;
    my ($number, $sure) = map { defined ? in_plain($_) : undef } numbers_of($rank);
    my $machine = machine_of($own);
    my $this    = 'this result' . ($rank->{bounds} ? " $sure" : q{});
    my @sure    = !$own->{trust} ? 'the classic score' : $rank->{bounds} ? () : $sure // ();
    my @copies  = ($rank->{copies} // 1) == 1 ? () : copies_text($rank->{copies});
    my $about   = join ', ', $this, @sure, @copies, place_of($rank) // why_no_place($rank);
    return [q{>}, $number, length $machine ? "$about: $machine" : (), $about];
}

# Returns a sentence about the interval of the own result, or nothing if it has none of the machine.
sub _of_machine {
    my ($rank) = @_;
    my $repeat = $rank->{repeat} or return;
    my @varies = from_run_to_run(@$repeat{qw(deviation known)});
    return sprintf OF_MACHINE, in_plain(\@varies);
}

# Takes published results of one machine from one source; returns their index, and texts about them, the fullest first.
sub _row {
    my (@results) = @_;
    my ($cpu, $version, $year, $source) = map { _common($_, @results) } qw(cpu version year source);
    my @indexes = map { $_->{index} } @results;
    my $index   = @results == 1 ? fixed($indexes[0]) : sprintf '%.0f to %.0f', List::Util::min(@indexes),
        List::Util::max(@indexes);
    my $times = @results == 1 && $results[0]{results} > 1 ? "mean of $results[0]{results}" : q{};
    my $name  = UnixBench::Compare::Published::name_of(
        { %{ $results[0] }, cpu => $cpu, length $results[0]{machine} ? (machine => _name(@results)) : () });
    $name = @results . " x $name" if @results > 1 && !length $results[0]{machine};
    my @when  = grep { length } (length $version ? "version $version" : ()), $year;
    my @forms = map {
        join ', ',
            grep { length }
            @$_
    } [@when, $source, $times], \@when;
    my @short = @results == 1 && length $results[0]{machine} ? $results[0]{machine} : ();
    return ($index, (map { "$name ($_)" } grep { length } @forms), $name, @short);
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
    my $name   = $first->{machine};
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
    my ($text) = $screen ? grep { columns_of($_) <= $room } @clean : @clean;
    return $line . ($text // UnixBench::Progress::Terminal::cut($clean[-1], $room));
}

# Returns the entries of the block at the end of a terminal, see UnixBench::Report::Plain::entry_lines.
sub _entries {
    my ($own, $rank) = @_;
    my $trust   = $own->{trust};
    my $next    = $own->{unknown} ? name_unknown($own) : $own->{next}->();
    my @numbers = map { _index_entry($_) } grep { $_ } @$own{qw(one all unknown)};
    return (
        [Index   => @numbers],
        [Against => place_sentence($rank) // why_no_place($rank)],
        ($trust        ? [Trust => { level => $trust->{level}, text => trust_words($trust) }] : ()),
        (defined $next ? [Next  => $next]                                                     : ()),
    );
}

sub _index_entry {
    my ($rank) = @_;
    return join q{ }, copies_text($rank->{copies}), map { in_plain($_) } grep { defined } numbers_of($rank);
}

1;
