package UnixBench::Trace::StraceOutput::Lines;

# What strace writes of one process: a line for each call.

use strict;
use warnings;

# "1795242820.025192 name(...", "1795242820.025192 <... name resumed>...", and how a call ends that came back.
my $BEGUN   = qr/\A([0-9]{1,12}[.][0-9]{1,9}) ([A-Za-z_]\w{0,63})\(/a;
my $RESUMED = qr/\A([0-9]{1,12}[.][0-9]{1,9}) <[.]{3} ([A-Za-z_]\w{0,63}) resumed>/a;
my $ENDED   = qr/\A[^"]*[)] += [^" ][^"]*<([0-9]{1,6})[.]([0-9]{1,9})>\z/;

# Takes the lines; returns the calls in their order, each { at, name, delay_ns }: seconds since 1970, the name, how long
# it took, or undef where it did not return. Lines of signals and of the process's end are no calls, and a line that was
# cut off is of a call that did not return.
sub calls {
    my ($text) = @_;
    my (@calls, $open);
    for my $line (split /\n/, $text) {
        if (my ($at, $begun) = $line =~ $BEGUN) {
            my $call = { at => $at + 0, name => named($begun), delay_ns => _delay_ns($line) };
            $open = $line =~ /<unfinished [.]{3}>\z/ ? $call : undef;
            push @calls, $call;
        }
        elsif (my ($resumed_at, $resumed) = $line =~ $RESUMED) {
            my $name = named($resumed);
            my $call = $open && $open->{name} eq $name ? $open : { at => $resumed_at + 0, name => $name };
            push @calls, $call if !$open || $call != $open;
            ($call->{delay_ns}, $open) = (_delay_ns($line), undef);
        }
    }
    return @calls;
}

# Takes strace's name of a call; returns it, "#467" for one that strace does not know.
sub named {
    my ($name) = @_;
    return $name =~ /\Asyscall_0x([0-9a-f]{1,8})\z/ ? q{#} . hex $1 : $name;
}

# Texts among the arguments may look like an end.
sub _delay_ns {
    my ($line) = @_;
    my ($seconds, $fraction) = $line =~ s/\\.//gr =~ s/"[^"]*"//gr =~ $ENDED;
    return defined $seconds ? $seconds * 1e9 + substr($fraction . '0' x 9, 0, 9) : undef;
}

1;
