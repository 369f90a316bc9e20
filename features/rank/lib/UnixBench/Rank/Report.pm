package UnixBench::Rank::Report;

# The report of results that are ranked: a line for each, the fastest first, with a few published machines between them:
# the nearest ones of a single result, else those that readers know. Results without an index of one copy have a table
# of their own. A page begins with all of them on one axis.

use strict;
use warnings;

use List::Util qw(min);

use UnixBench::Base::Text         qw(copies_text counted cut unique);
use UnixBench::Call::NextStep     ();
use UnixBench::Compare::Published ();
use UnixBench::Rank::Own          qw(is_poor keys_of numbers_of shown_value value_of);
use UnixBench::Report::Block      qw(
    at_most cell column document headline in_detail in_full joined list paragraphs quiet row section table
);
use UnixBench::Report::Chart               qw(among strip);
use UnixBench::Report::Comparison::Wording qw(short_names);
use UnixBench::Report::EndBlock            qw(peers_of place_of place_sentence trust_words);
use UnixBench::Report::Title               qw(next_run titles);
use UnixBench::Score::Stats                qw(median);

use constant { NEAREST => 10, NAME_MOST => 27, LABEL_MOST => 16, TRUSTS_MOST => 3 };
use constant {
    ADD_PAGE => 'add --html rank.html for a page',
    PLACE => 'The place is that among published results; 1st is the fastest. They were measured with other compilers, '
        . 'versions, systems and file systems, so it is only a rough guide.',
    NO_PLACE =>
        'A result with an interval of more than 10 % is a range, and one beside much other load is a floor: it may be '
        . 'faster. Neither has a place.',
};

# The kinds of lists, by the key of a rank: the title, the published results, and a short name for the page.
my %LISTS = (
    one => {
        title => 'One copy',
        of    => \&UnixBench::Compare::Published::of_one_copy,
        id    => 'one-copy',
    },
    all => {
        title => 'One copy for each CPU',
        of    => \&UnixBench::Compare::Published::of_all_cpus,
        id    => 'all-cpus',
    },
);

# Takes { owns => [results, see UnixBench::Rank::Own], not_ranked => [reasons why others have no place], left_out =>
# [sentences about files that are left out], published => [published results], is_all (whether all of these are listed)
# }. Returns the report.
sub report_of {
    my ($list) = @_;
    my @owns   = @{ $list->{owns} };
    my @names  = short_names(@owns);
    @owns = map {
        +{
            %{ $owns[$_] },
            name    => cut($names[$_], NAME_MOST),
            is_host => ($owns[$_]{summary}{name} // q{}) eq $names[$_]
        }
    } 0 .. $#owns;
    my @lists = _lists($list->{published}, $list->{is_all}, @owns);
    my $title = _title(@lists);
    my @notes;
    for my $own (@owns) {
        push @notes, map { "$own->{name}: $_" } @{ $own->{notes} };
    }
    return document(
        { titles(ranking => $title), is_folded => 1, block => [_entries($title, @lists)] },
        in_detail(paragraphs($title)),
        in_full(_headline(@lists)),
        (map { _section($_, @lists > 1) } @lists),
        list('Not ranked:', @{ $list->{not_ranked} || [] }),
        list('Left out:',   @{ $list->{left_out}   || [] }),
        list('Notes:',      @notes),
        quiet(
            (grep { @{ $_->{among} } } @lists)                            ? PLACE    : (),
            (grep { is_poor($_->{rank}) } map { @{ $_->{owns} } } @lists) ? NO_PLACE : ()
        ),
    );
}

sub _lists {
    my ($published, $is_all, @owns) = @_;
    my ($first, $second) = keys_of(@owns);
    my %of = ($first => [grep { $_->{$first} } @owns], $second => [grep { !$_->{$first} } @owns]);
    my @lists;
    for my $key ($first, $second) {
        my @ranked =
            map { +{ %$_, rank => $_->{$key}, other => $key eq $first ? $_->{$second} : undef } } @{ $of{$key} };
        push @lists, _list_of($LISTS{$key}, $published, $is_all, @ranked) if @ranked;
    }
    return @lists;
}

# Takes a kind of list, the same, and its own results, each with rank. Returns the list, { its kind, owns => [these, the
# fastest first], among => [published results], shown => [those that are listed] }.
sub _list_of {
    my ($kind, $published, $is_all, @ranked) = @_;
    my @sorted = sort {
               shown_value($b->{rank}) <=> shown_value($a->{rank})
            || value_of($b->{rank}) <=> value_of($a->{rank})
            || $a->{name} cmp $b->{name}
    } @ranked;
    my @among = @ranked == 1 ? @{ $ranked[0]{rank}{among} } : $kind->{of}->(@$published);
    my @shown =
          $is_all      ? (map { [$_] } @among)
        : @ranked == 1 ? _nearest(value_of($sorted[0]{rank}), UnixBench::Compare::Published::groups(@among))
        :   (map { [+{ %$_, machine => $_->{known_as}, cpu => q{} }] } UnixBench::Compare::Published::anchors(@among));
    return { %$kind, owns => \@sorted, among => \@among, shown => \@shown };
}

sub _nearest {
    my ($index, @groups) = @_;
    my @distances = map  { min(map { abs log $_->{index} / $index } @$_) } @groups;
    my @nearest   = sort { $distances[$a] <=> $distances[$b] || $a <=> $b } 0 .. $#groups;
    my %is_shown  = map  { $_ => 1 } @groups ? (0, $#groups) : (), splice @nearest, 0, NEAREST;
    return @groups[sort { $a <=> $b } keys %is_shown];
}

# Returns a title that is true for all results: the first and the last of those that have a place.
sub _title {
    my (@lists) = @_;
    my @owns    = map  { @{ $_->{owns} } } @lists;
    my @hosts   = grep { $_->{is_host} } @owns;
    my $begin   = counted(scalar @owns, @hosts == @owns ? ('machine', 'machines') : ('result', 'results'));
    my ($only, $place) = @owns == 1 ? ($owns[0], _place($owns[0]{rank})) : ();
    return joined(', ', ["$only->{name}: ", _number($only->{rank})], $place // ()) if $only;
    return "$begin: " . join ', ', map { @{ $_->{owns} } . ' with ' . lcfirst $_->{title} } @lists if @lists > 1;
    my @placed  = grep { !is_poor($_->{rank}) } @owns;
    my $without = @owns - @placed;
    return "$begin without a place" if !@placed;
    return join ', ',
        @placed > 1 ? "$begin: $placed[0]{name} first, $placed[-1]{name} last" : $begin,
        $without    ? "$without without a place"                               : ();
}

sub _place {
    my ($rank) = @_;
    my $place = place_of($rank) // return;
    return $rank->{copies} > 1 ? "$place $rank->{words}" : $place;
}

sub _number {
    my ($rank) = @_;
    my ($number, $sure) = numbers_of($rank);
    return joined(q{ }, $number, $sure // ());
}

sub _headline {
    my (@lists) = @_;
    my @cards;
    for my $list (@lists) {
        push @cards, map { _card($_, $list->{id}) } @{ $list->{owns} };
    }
    return headline(numbers => [@cards == 1 ? @cards : ()], blocks => [map { _strip($_) } @lists]);
}

sub _card {
    my ($own, $link)    = @_;
    my ($number, $sure) = numbers_of($own->{rank});
    my @vague  = is_poor($own->{rank}) ? (class => 'vague') : ();
    my $copies = copies_text($own->{rank}{copies});
    return { title => $own->{name}, copies => $copies, number => $number, sure => $sure, link => $link, @vague };
}

# Returns the axis with all published results, and the own ones. The first and the last have their names.
sub _strip {
    my ($list) = @_;
    my @owns   = @{ $list->{owns} };
    my @among  = @{ $list->{among} };
    my @ends   = @owns > 1 ? @owns[0, -1] : @owns;
    return if !@among;
    return strip(
        axis => 'published indexes of ' . lcfirst($list->{title}) . ', and these results',
        among(\@among, map { [value_of($_->{rank}), cut($_->{name}, LABEL_MOST)] } @ends),
        owns  => [map { _mark($_) } @owns],
        words => [counted(scalar @owns, 'result', 'results'), ' among ', scalar @among, ' published ones'],
    );
}

sub _mark {
    my ($own) = @_;
    my $rank = $own->{rank};
    return {
        %{ $rank->{on_axis} },
        class => is_poor($rank) ? 'doubtful' : 'sure',
        words => ["$own->{name}: ", _number($rank)],
    };
}

sub _section {
    my ($list, $has_others) = @_;
    my @of   = unique(map { $_->{of} } grep { !is_poor($_) } map { $_->{rank} } @{ $list->{owns} });
    my @rows = sort { $b->[0] <=> $a->[0] || $a->[1] <=> $b->[1] } (
        (map { [shown_value($_->{rank}), 0, _own_row($_, @of == 1)] } @{ $list->{owns} }),
        map { [median(map { $_->{index} } @$_), 1, _published_row(@$_)] } @{ $list->{shown} }
    );
    return section(
        { title => $list->{title}, id => $list->{id} },
        table(
            ($has_others ? 'title' : 'caption') => $list->{title},
            columns                             => [_columns(@of)],
            rows                                => [map { $_->[2] } @rows],
        )
    );
}

sub _columns {
    my (@of) = @_;
    my $place = @of == 1 ? "Place of $of[0]" : 'Place';
    return (
        column('Result',         title  => 'text'),
        column('Index',          index  => 'cells'),
        column(cell('sign'),     sure   => 'cells', is_optional => 1),
        column('Trust',          trust  => 'word',  is_optional => 1),
        column('Copies',         copies => 'count'),
        column($place,           place  => 'word',  is_optional => 1, spare => 1),
        column('Among its kind', peers  => 'word',  is_optional => 1, spare => 3),
        column('Other index',    others => 'cells', is_optional => 1, spare => 2),
    );
}

sub _own_row {
    my ($own, $is_brief) = @_;
    my ($rank, $other)   = @$own{qw(rank other)};
    my ($number) = numbers_of($rank);
    my $place = place_of($rank);
    $place =~ s/ (?:of )?[0-9]+\z// if $place && $is_brief;
    return row(
        $own->{name},
        {
            index  => [$number],
            sure   => $rank->{repeat} ? [next_run($rank->{repeat})] : undef,
            trust  => $own->{trust}   ? $own->{trust}{level}        : 'unknown',
            copies => $rank->{copies},
            place  => $place,
            peers  => scalar peers_of($rank),
            others => $other ? [copies_text($other->{copies}), q{ }, (numbers_of($other))[0]] : undef,
        }
    );
}

sub _published_row {
    my ($first, @others) = @_;
    my $last  = @others ? $others[-1] : $first;
    my $name  = UnixBench::Compare::Published::name_of($first);
    my @index = map { cell(tenths => $_->{index}) } $first, @others ? $last : ();
    my $count = @others ? 1 + @others . ' x ' : q{};
    return row("$count$name (published)", { index => [joined(' to ', @index)], copies => $first->{copies} });
}

sub _entries {
    my ($title, @lists) = @_;
    my @owns    = map  { @{ $_->{owns} } } @lists;
    my @limited = grep { ($_->{trust} || {})->{level} =~ /\A(?:poor|fair)\z/ } grep { $_->{trust} } @owns;
    my $others = sub { { text => "$_[0] more with limited trust" } };
    my @trust  = at_most(TRUSTS_MOST, $others, map { +{ text => ["$_->{name} ", trust_words($_->{trust})] } } @limited);
    my ($best) = grep { defined place_of($_->{rank}) } @owns;
    return (
        [Ranking => $title],
        ($best  ? [Against => "$best->{name}: " . place_sentence($best->{rank})] : ()),
        (@trust ? [Trust   => @trust]                                            : ()),
        [Next => _next(@owns)],
    );
}

# Returns the next step: that of a single result; the first and the last one, test by test; or a better measurement if
# none has a place.
sub _next {
    my (@owns) = @_;
    my @placed = grep { !is_poor($_->{rank}) } @owns;
    return UnixBench::Call::NextStep::after_poor(map { $_->{summary} } @owns) if !@placed;
    my ($next) = @owns == 1 ? grep { defined && !m{\A[.]/Run rank } } $owns[0]{next}->() : ();
    return $next // ADD_PAGE if @owns == 1;
    my @same = grep { !$_->{one} == !$placed[0]{one} } @placed;
    return @same > 1 ? "./Run compare $same[0]{word} $same[-1]{word}" : ADD_PAGE;
}

1;
