package UnixBench::Compare::Order;

# Puts the results of a comparison into order: the one with which the others are compared, then these by their speed.

use strict;
use warnings;

use UnixBench::Base::Result  qw(is_measured without_suffix);
use UnixBench::Base::Text    qw(counted shown);
use UnixBench::Compare::Runs ();
use UnixBench::Score::Stats  qw(mean);

# Takes a text, and sides, each { label (its file), summary }; returns the sides, beginning with the one whose host,
# file, or name of the file is that text, or has it as a part that no other has. Dies with one line if there is not
# exactly one.
sub beginning_with {
    my ($text, @sides) = @_;
    my @found = grep {
        _is_named($_, sub { $_[0] eq $text })
    } @sides;
    @found = grep {
        _is_named($_, sub { index($_[0], $text) >= 0 })
    } @sides if !@found;
    return (@found, grep { $_ != $found[0] } @sides) if @found == 1;
    my $found = @found ? counted(scalar @found, 'result has', 'results have') : 'no result has';
    die "option --baseline: $found the name \"" . shown($text) . "\"\n";
}

sub _is_named {
    my ($side, $is)   = @_;
    my ($host, $file) = ($side->{summary}{name}, $side->{label});
    my $name = $file =~ s{.*/}{}sr;
    return grep { $is->($_) } grep { defined } $host, $file, $name, without_suffix($name);
}

# Takes sides; returns them with the first one first, and the others by their speed compared with it, the fastest first.
# Those without a test in common with it are last.
sub by_speed {
    my ($first, @others) = @_;
    my @speeds = map  { scalar _speed($first, $_) } @others;
    my @places = sort { _compared(@speeds[$a, $b]) || $a <=> $b } 0 .. $#others;
    return ($first, @others[@places]);
}

sub _compared {
    my ($one, $other) = @_;
    return defined $other <=> defined $one if !defined $one || !defined $other;
    return $other <=> $one;
}

# Returns the mean logarithm of the ratios of the tests that two sides have in common, in the first runs that match, or
# undef.
sub _speed {
    my ($first, $side) = @_;
    my ($runs) = UnixBench::Compare::Runs::matching(map { $_->{summary}{runs} } $first, $side);
    my ($before, $after) = map { +{ _values($_) } } @{ $runs || return };
    my @ratios = map { log $after->{$_} / $before->{$_} } grep { $after->{$_} } sort keys %$before;
    return @ratios ? mean(@ratios) : undef;
}

# Returns (name of a test => value, ...) of a run.
sub _values {
    my ($run) = @_;
    my @tests = grep { is_measured($_) } @{ $run->{tests} };
    return map { $_->{value} > 0 ? ($_->{name} => $_->{value}) : () }
        map { +{ name => $_->{name}, value => ($_->{estimate} || {})->{value} // $_->{score} // 0 } } @tests;
}

1;
