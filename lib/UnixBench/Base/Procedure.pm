package UnixBench::Base::Procedure;

# The differences between the procedure of a result and the official one, as data.

use strict;
use warnings;

# Takes a procedure; returns its changes, in this order:
#   { kind => time_factor or work_factor, factor }
#   { kind => 'baseline' }                if the baseline was edited
#   { kind => 'load', load }              load is the load_change of the procedure
#   { kind => 'replacement', name, by }
sub changes {
    my ($procedure) = @_;
    my @factors = grep { defined $procedure->{$_} && $procedure->{$_} != 1 } qw(time_factor work_factor);
    return (
        (map { +{ kind => $_, factor => $procedure->{$_} } } @factors),
        (($procedure->{baseline} // q{}) eq 'edited' ? { kind => 'baseline' }                                : ()),
        ($procedure->{load_change}                   ? { kind => 'load', load => $procedure->{load_change} } : ()),
        (map { +{ kind => 'replacement', %$_ } } @{ $procedure->{replacements} || [] }),
    );
}

# Takes runs; returns the replacements, { name, by }, each once. A program that measured OTHER NAME, because NAME did
# not work, reports that by the line "replaced.NAME|OTHER NAME".
sub replacements {
    my ($runs)   = @_;
    my @copies   = map { @{ $_->{copies} } } map { @{ $_->{passes} } } map { @{ $_->{tests} } } @$runs;
    my @replaced = map { _replaced_in($_->{data}) } @copies;
    my (%seen, @once);
    for my $pair (sort { $a->{by} cmp $b->{by} || $a->{name} cmp $b->{name} } @replaced) {
        push @once, $pair if !$seen{ $pair->{by} }{ $pair->{name} }++;
    }
    return @once;
}

sub _replaced_in {
    my ($data) = @_;
    my @pairs;
    for my $line (keys %$data) {
        my ($name) = $line =~ /\Areplaced[.](.+)/s or next;
        push @pairs, { name => $name, by => $data->{$line}[0] };
    }
    return @pairs;
}

1;
