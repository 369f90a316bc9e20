package UnixBench::Trace::StraceOutput;

# System calls as strace tells them. Its delays include what it takes itself.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Format               qw(counted shown);
use UnixBench::Trace::Rows                ();
use UnixBench::Trace::StraceOutput::Lines ();
use UnixBench::Trace::Tally               ();

# Name, calls, seconds and longest of a summary; all that may stand between.
my $ROW   = qr/\A([A-Za-z_]\w{0,63}) +([0-9]{1,15}) +([0-9]{1,6}[.][0-9]{6}) +([0-9]{1,6}[.][0-9]{6})\z/a;
my $FRAME = qr/\A(?:|syscall +calls +seconds +longest|[- ]+|System call usage summary .*)\z/;

# Takes a summary of each copy, of strace -c -U name,calls,total-time,max-time; returns { calls, processes, lost } as in
# a result, the last two undef: nobody knows. Calls that do not return are not in it. Dies with one line where a copy
# has none, or a broken one.
sub sums {
    my (@texts) = @_;
    my $tally = UnixBench::Trace::Tally->new;
    _add_summary($tally, $_) for @texts;
    return _sums($tally, undef);
}

# Takes { process => what strace -ff -ttt --syscall-times=ns wrote of it }; returns { calls, processes, lost, rows,
# unlisted }, as in a result. Dies with one line where there is no call.
sub of_traces {
    my ($text_of) = @_;
    my $all       = UnixBench::Trace::Tally->new;
    my @processes = map { _process($_, $text_of->{$_}, $all) } keys %$text_of;
    my $sums      = _sums($all, scalar keys %$text_of);
    my $rows      = UnixBench::Trace::Rows::listed(\@processes, { %{ $all->sum }, processes => scalar @processes });
    return { %$sums, %$rows };
}

# Takes the same of one process; returns { calls => [name, ...] in their order behind its exec, total, lost }. Dies with
# one line where there are more processes, or there is no call.
sub sequence {
    my ($text_of) = @_;
    my ($text, @more) = values %$text_of;
    die 'strace followed ' . counted(1 + @more, 'process', 'processes') . ", not one\n" if @more;
    my @calls = map { $_->{name} } UnixBench::Trace::StraceOutput::Lines::calls($text // q{});
    die "strace said nothing\n" if !@calls;
    shift @calls if $calls[0] eq 'execve';
    return { calls => \@calls, total => scalar @calls, lost => 0 };
}

sub _sums {
    my ($tally, $processes) = @_;
    my @calls = $tally->calls;
    die "strace said nothing\n" if !@calls;
    return { calls => \@calls, processes => $processes, lost => undef };
}

# It ends in a total, one for each kind of processes, those of 32 and of 64 bits.
sub _add_summary {
    my ($tally, $text) = @_;
    die "strace said nothing\n" if $text !~ /\S/;
    my ($count, $is_open) = (0, 1);
    for my $line (grep { $_ !~ $FRAME } split /\n/, $text) {
        my ($name, $calls, @seconds) = $line =~ $ROW or _broken(shown($line));
        if ($name eq 'total') {
            _broken("$calls calls, but $count are there") if $calls != $count;
            ($count, $is_open) = (0, 0);
            next;
        }
        my ($total_ns, $max_ns) = map { sprintf '%.0f', $_ * 1e9 } @seconds;
        my %times = (total_ns => $total_ns, max_ns => $max_ns);
        $tally->add(UnixBench::Trace::StraceOutput::Lines::named($name), count => $calls, returned => $calls, %times);
        ($count, $is_open) = ($count + $calls, 1);
    }
    _broken('it breaks off') if $is_open || $text !~ /\n\z/;
    return;
}

sub _broken {
    my ($what) = @_;
    die "what strace said is broken: $what\n";
}

# Adds its calls to those of all, too. One without calls has no row.
sub _process {
    my ($pid, $text, $all) = @_;
    my @calls = UnixBench::Trace::StraceOutput::Lines::calls($text) or return;
    my $own   = UnixBench::Trace::Tally->new;
    for my $call (@calls) {
        my $ns = $call->{delay_ns};
        my %back =
            defined $ns ? (returned => 1, total_ns => $ns, max_ns => $ns, delays => { _power_of_two($ns) => 1 }) : ();
        $_->add($call->{name}, count => 1, %back) for $own, $all;
    }
    return { at => $calls[0]{at}, pid => $pid + 0, tally => $own, max_ns => $own->sum->{max_ns} };
}

# The largest that is not above a natural number; 0 for 0.
sub _power_of_two {
    my ($number) = @_;
    return 0 if !$number;
    my $power = 2**int log($number) / log 2;
    return $power * 2 if $power * 2 <= $number;
    return $power > $number ? $power / 2 : $power;
}

1;
