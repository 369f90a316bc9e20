package UnixBench::Compare::Groups;

# Groups of results, each compared with the first group: the data of their table, the type "groups" of
# UnixBench::Base::ResultSchema.

use strict;
use warnings;

use UnixBench::Base::Result   qw(tests_by_title);
use UnixBench::Base::Text     qw(listed);
use UnixBench::Compare::Facts ();
use UnixBench::Score::Turns   ();
use UnixBench::Score::Work    qw(is_by_work);

# Takes a comparison whose sides are groups, see UnixBench::Compare::Comparison; by, the name of the label or the fact
# by which they were made, and perhaps same, a pattern for the keys of facts that say the same. Returns the data.
sub of {
    my ($comparison, $by, $same) = @_;
    my @sides = @{ $comparison->{sides} };
    my %pairs;
    push @{ $pairs{ $_->{runs}[0]{copies} } }, $_ for grep { defined $_->{runs}[0]{copies} } @{ $comparison->{pairs} };
    my @letters = map { $_->{letter} } @sides[1 .. $#sides];
    my @tables =
        map { { copies => $_, rows => [_rows(\@letters, @{ $pairs{$_} })] } }
        sort { $a <=> $b } keys %pairs;
    return {
        by           => $by,
        min_effect   => $comparison->{min_effect},
        groups       => [map { _group($_) } @sides],
        also_differs => [_also_differs($same, $comparison)],
        tables       => \@tables,
    };
}

sub _group {
    my ($side)  = @_;
    my @members = @{ $side->{members} || [$side] };
    my $about   = listed(map { $_->{label} } @members);
    return { letter => $side->{letter}, name => $side->{group}, runs => scalar @members, about => $about };
}

sub _also_differs {
    my ($same, $comparison) = @_;
    my @sides     = @{ $comparison->{sides} };
    my @members   = map { @{ $_->{members} || [$_] } } @sides;
    my @summaries = map { $_->{summary} } @members;
    my @facts     = (
        { key => 'host.name', label => 'host', texts => [map { $_->{name} } @summaries] },
        UnixBench::Compare::Facts::differences(@summaries)
    );
    @facts = map { _by_side($_, @sides) } grep { !$same || $_->{key} !~ $same } @facts;
    return grep {
        my %seen = map { $_->{text} // q{} => 1 } @{ $_->{values} };
        keys %seen > 1
    } @facts;
}

sub _by_side {
    my ($fact, @sides) = @_;
    my @texts = @{ $fact->{texts} };
    my @values;
    for my $side (@sides) {
        my %seen = map { $_ => 1 } grep { defined } splice @texts, 0, scalar @{ $side->{members} || [$side] };
        push @values, { side => $side->{letter}, text => %seen ? join ' and ', sort keys %seen : undef };
    }
    return { label => $fact->{label}, values => \@values };
}

sub _rows {
    my ($letters, @pairs) = @_;
    my (%row, %items, @sums);
    for my $pair (@pairs) {
        my @mean = grep { $_ } (grep { $_->{ratio} } @{ $pair->{indexes} }) ? () : $pair->{mean};
        for my $item (@{ $pair->{tests} }, @{ $pair->{lacking} }, @{ $pair->{indexes} }, @mean) {
            my $kind = defined $item->{name} ? 'test' : defined $item->{category} ? 'index' : 'mean';
            my $name = $item->{name} // $item->{category};
            my $key  = join q{ }, $kind, $name // ();
            push @sums, $key if !$row{$key} && $kind ne 'test';
            $row{$key} ||= { kind => $kind, name => $name, map { $_ => $item->{$_} } qw(title complete) };
            $row{$key}{unit} //= $item->{unit};
            $items{$key}{ $pair->{sides}[1]{letter} } = [$item, $pair];
        }
    }
    for my $key (keys %row) {
        my %of = %{ $items{$key} };
        my ($first) = grep { $_->{values} } map { $_->[0] } grep { defined } @of{@$letters};
        $row{$key}{first}  = $first->{values}[0] if $first;
        $row{$key}{others} = [map { _compared($_, @{ $of{$_} || [] }) } @$letters];
    }
    return (tests_by_title([grep { $_->{kind} eq 'test' } values %row]), @row{@sums});
}

sub _compared {
    my ($letter, $item, $pair) = @_;
    my %cell = (letter => $letter, remarks => []);
    return \%cell if !$item;
    my @copies = map { $_->{copies} // '?' } @{ $pair->{runs} };
    push @{ $cell{remarks} }, "$copies[1] copies against $copies[0]" if !$pair->{is_same_count};
    push @{ $cell{remarks} }, grep { defined } $item->{ratio} ? _remark($item) : _why_not($item);
    my $is_disturbed = grep({ $item->{$_} } qw(load bound shares)) || is_by_work($item) ? 1 : 0;
    return {
        %cell,
        is_disturbed => $is_disturbed,
        map { $_ => $item->{$_} } qw(ratio verdict bound work)
    };
}

# Returns why the verdict of a row is open, or nothing: the start of a command, whose time could not be left out, may
# decide the ratio.
sub _remark {
    my ($item) = @_;
    return if !UnixBench::Score::Turns::is_start_long($item->{turns} || {});
    return 'the start of its command takes more than 1 % of a pass';
}

# Returns the reasons why something was not compared. That of the first group begins with its letter.
sub _why_not {
    my ($item) = @_;
    return $item->{why_not} if defined $item->{why_not};
    my ($of_first, $of_other) = @{ $item->{reasons} };
    return (defined $of_first ? "A: $of_first" : (), $of_other);
}

1;
