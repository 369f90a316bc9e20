package UnixBench::History::Results;

# Which results a history has: each run once, by its host and the way in which it was measured, the earliest first. A
# clock may have been wrong: a board without a battery begins in 1970, and a virtual machine on the day when its image
# was made. Results with such a date are placed by the numbers in the names of their files, or after the result that was
# there before them. A date before the release of the program may be true, if no number contradicts it.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Result      qw(has_passes);
use UnixBench::Base::JSON        ();
use UnixBench::Base::Text        qw(counted);
use UnixBench::Summary::Outline  qw(lines once);
use UnixBench::Plan              ();
use UnixBench::Store::ResultFile ();
use UnixBench::Summary           qw(has_date is_early);

use constant {
    LEAST_RUNS => 4,        # runs in one way: fewer can have no event
    BESIDE     => 0.001,    # seconds between a result and one that is placed beside it
    CLOCK      =>
        ' results (a date before the release of the program that measured, before that of an earlier result, or in the '
        . 'future); the numbers in their names, or the earlier results, tell their order.',
    NO_PLACE => 'a wrong date, and no number in the name tells their order; they may be the latest',
};

# Takes the present time, and [results], see UnixBench::History::Series::of. Returns [{ label, host, results => [result,
# ...] }, ...] for each host and way, and [notes about the others].
sub by_way {
    my ($now,  $results) = @_;
    my ($kept, @notes)   = _kept($now, @$results);
    my @ways = map { _ways($_, \@notes, @{ $kept->{$_} }) } sort keys %$kept;
    return (\@ways, \@notes);
}

# Returns { host => [its results that have a place in a history], the earliest first }, and notes about the others.
sub _kept {
    my ($now, @results) = @_;
    my ($once, $others) =
        once(map { [$_->{outline}{identity}, $_->{path}, $_] } sort { $a->{path} cmp $b->{path} } @results);
    my @notes = map  { _note("left out: $_.") } UnixBench::Store::ResultFile::left_out(lines(@$others));
    my @dated = grep { defined $_->{outline}{started} } @$once;
    push @notes, _left_out(@$once - @dated, 'no date') if @dated < @$once;
    my @named = grep { defined $_->{outline}{name} } @dated;

    if (@named && @named < @dated) {
        push @notes, _left_out(@dated - @named, 'no name of a host');
    }
    elsif (@dated && !@named) {
        @named = @dated;
        push @notes, _note('No result says of which host it is: they are taken as those of one host.');
    }
    my (%of_host, %kept);
    push @{ $of_host{ _host($_) } }, $_ for @named;
    for my $host (sort keys %of_host) {
        my ($order, $lost) = in_order($of_host{$host}, $now);
        $kept{$host} = $order if @$order;
        my $undated = grep { !$_->{is_dated} } @$order;
        push @notes, _note("the clock was wrong in $undated of " . @$order . CLOCK, $host) if $undated;
        push @notes, { %{ _left_out(scalar @$lost, NO_PLACE, $host) }, lost => scalar @$lost } if @$lost;
    }
    return (\%kept, @notes);
}

# Text reports have series of their own: their scores are others.
sub _host {
    my ($result) = @_;
    my $outline  = $result->{outline};
    my $name     = $outline->{name} // 'a host without a name';
    return has_passes($outline) ? $name : join ', ', $name, 'version ' . ($outline->{version} // 'unknown');
}

sub _note { my ($text, $host) = @_; return { text => defined $host ? "$host: $text" : ucfirst $text } }

sub _left_out {
    my ($count, $why, $host) = @_;
    return _note('left out: ' . counted($count, 'result', 'results') . " ($why).", $host);
}

# Returns { label, host, results => [result, ...] } for each way, the official one first. A few results in another way
# than most can show nothing: they are left out.
sub _ways {
    my ($host, $notes, @results) = @_;
    my (%of, %label, @ways);
    push @{ $of{ $_->{outline}{procedure} } }, $_ for @results;
    my $most = List::Util::max(map { scalar @$_ } values %of);
    for my $procedure (sort { $of{$a}[0]{started} <=> $of{$b}[0]{started} || $a cmp $b } keys %of) {
        my $own   = $of{$procedure};
        my $words = _words_of($procedure);
        my $label = join ', ', $host, length $words ? $words : ();
        $label .= ", procedure $label{$label}" if ++$label{$label} > 1;
        if (@$own < LEAST_RUNS && @$own < $most) {
            push @$notes, _left_out(scalar @$own, 'too few that were measured in this way', $label);
            next;
        }
        push @ways, { label => $label, host => $host, results => $own };
    }
    @ways = sort { $a->{label} cmp $b->{label} } @ways;
    return @ways;
}

sub _words_of {
    my ($procedure) = @_;
    my ($kind, $time, $work, $display, $baseline, $users, $turns) = split /\n/, $procedure, -1;
    my @words    = grep { ($_ // q{}) !~ /\A(?:official)?\z/ } $kind;
    my @is_other = (
        (grep { length && $_ != 1 } map { $_ // q{} } $time, $work),
        grep { /\A(?:virtual|edited|missing|[{].*)\z/s } map { $_ // q{} } $display,
        $baseline, $users
    );
    push @words, 'with other settings' if @is_other;
    return join ', ', @words if !length($turns // q{});
    $turns = UnixBench::Base::JSON::decode($turns);
    my @names = UnixBench::Plan::names_of_states($turns->{off}, @{ $turns->{commands} });
    my $plain = 'in turns with ' . join ', ', @{ $turns->{commands} };
    return join ', ', @words, $turns->{state} || defined $turns->{off} ? $names[$turns->{state}] : $plain;
}

# Takes [results], each { path, outline }, and the present time. Returns
#   [results in their order], each with started (where it stands on a time axis), is_dated (whether that is its date)
#   and is_early (whether it may be a wrong date)
#   [results that can't be placed]
# A result without a date that can be true stands beside those whose names have the numbers next to its own. If no
# result has such a date, the numbers decide. A result that knows a later one before it stands after that one.
sub in_order {
    my ($results, $now) = @_;
    my (@dated, @others);
    push @{ has_date($_->{outline}, $now) ? \@dated : \@others }, $_ for @$results;
    my @wrong    = _out_of_order(@dated);
    my %is_wrong = map { $_ => 1 } @wrong;
    @dated  = grep { !$is_wrong{$_} } @dated;
    @others = (@others, @wrong);
    my %count;
    my @placed =
        map { _after_known($_, $now, \%count) } sort { $a->{outline}{started} <=> $b->{outline}{started} } @dated;
    my ($more, $lost) = @dated ? _beside(\@dated, @others) : _by_number(@others);
    my @order = sort { $a->{started} <=> $b->{started} || $a->{path} cmp $b->{path} } @placed, @$more;
    return (\@order, $lost);
}

# Takes results with dates; returns those with an early date, and a larger number in their names than a later one has.
sub _out_of_order {
    my (@dated) = @_;
    my (%of, @wrong);
    push @{ $of{ _stem($_) } }, $_ for grep { _number($_) >= 0 } @dated;
    for my $alike (values %of) {
        my @sure  = grep { !is_early($_->{outline}) } @$alike;
        my $least = List::Util::min(map { _number($_) } @sure) // next;
        push @wrong, grep { is_early($_->{outline}) && _number($_) > $least } @$alike;
    }
    return @wrong;
}

sub _after_known {
    my ($result, $now, $count) = @_;
    my ($started, $follows) = @{ $result->{outline} }{qw(started follows)};
    return { %$result, started => $started, is_dated => 1, is_early => is_early($result->{outline}) }
        if ($follows // 0) <= $started || $follows > $now;
    return { %$result, started => $follows + BESIDE * ++$count->{$follows}, is_dated => 0 };
}

# Takes results with dates, and others; returns [those of the others that have a place], and [the rest].
sub _beside {
    my ($dated, @others) = @_;
    my (%of, %count, @placed, @lost);
    push @{ $of{ _stem($_) } }, $_ for @$dated;
    for my $other (sort { _number($a) <=> _number($b) } @others) {
        my $number   = _number($other);
        my @known    = sort         { _number($a) <=> _number($b) } @{ $of{ _stem($other) } || [] };
        my ($before) = reverse grep { _number($_) < $number } @known;
        my ($behind) = grep         { _number($_) > $number } @known;
        my $is_wrong = $before && $behind && $before->{outline}{started} > $behind->{outline}{started};
        if ($is_wrong || !$before && !$behind) { push @lost, $other; next }
        my $started = $before ? $before->{outline}{started} : $behind->{outline}{started} - 1;
        push @placed, { %$other, started => $started + BESIDE * ++$count{$started}, is_dated => 0 };
    }
    return (\@placed, \@lost);
}

# Returns [the results in the order of their numbers], of the most whose names are alike, and [the rest].
sub _by_number {
    my (@results) = @_;
    my (%of, $place);
    push @{ $of{ _stem($_) } }, $_ for grep { _number($_) >= 0 } @results;
    my ($most)  = sort { @{ $of{$b} } <=> @{ $of{$a} } || $a cmp $b } keys %of;
    my @order   = defined $most ? sort { _number($a) <=> _number($b) } @{ $of{$most} } : ();
    my %is_kept = map { $_ => 1 } @order;
    return ([map { +{ %$_, started => ++$place, is_dated => 0 } } @order], [grep { !$is_kept{$_} } @results]);
}

# Returns the path of a result without the last number in its name, which is the same for neighbours.
sub _stem { my ($result) = @_; return (_parts($result))[0] }

sub _number { my ($result) = @_; return (_parts($result))[1] }

sub _parts {
    my ($result) = @_;
    my $name     = $result->{path} =~ s{[.][A-Za-z]+\z}{}r;
    return $name =~ m{\A(.*?)([0-9]{1,15})([^0-9/]*)\z}s ? ("$1\0$3", $2) : ($result->{path}, -1);
}

1;
