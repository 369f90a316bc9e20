package Fuzz::Cpuinfo;

# Fuzzing of the parser of /proc/cpuinfo, with the files of many machines.

use strict;
use warnings;

use HostTree qw(recorded_files recorded_hosts);

use UnixBench::Host::Linux ();

sub samples {
    my @texts = map { +{ recorded_files($_) }->{'/proc/cpuinfo'} // () } recorded_hosts();
    return map { substr $_, 0, 1500 } @texts;
}

sub words {
    return (
        "processor\t: ",
        "processor 0: ",
        "model name\t: ",
        "flags\t: ",
        "Features : ",
        "bogomips\t: ",
        'CPU implementer : ',
        'CPU part : ',
        'isa : ',
        'uarch : ',
        'machine = ',
        "\n",
        "\n\n",
        q{:},
        q{ },
        '0x41',
        '0xd0c',
        '0',
        '1',
        'fpu',
    );
}

sub refusal { return qr/\A\z/ }

sub check {
    my (undef, $input) = @_;
    my $cpus = UnixBench::Host::Linux::cpus_in($input);
    for my $cpu (@$cpus) {
        die "a CPU without $_\n" for grep { !defined $cpu->{$_} } qw(id model flags features);
        die "bogomips $cpu->{bogomips}\n" if defined $cpu->{bogomips} && $cpu->{bogomips} !~ /\A[0-9]+[.][0-9]\z/;
        die "an empty model\n" if !length $cpu->{model};
    }
    my $blanks = qr/[ \t\r\f\x0b]*/;
    my $begun  = () = $input =~ /^processor(?: [0-9]{1,9}$blanks:|$blanks:$blanks[0-9]{1,9}$blanks$)/mg;
    die scalar(@$cpus) . " CPUs, not $begun\n" if @$cpus != $begun;
    die "kind\n" if UnixBench::Host::Linux::kind_in($input) =~ /\n/;
    return;
}

1;
