package UnixBench::Report::Analysis::Lacks;

# Why something is left out of an analysis, in words.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Format              qw(listed);
use UnixBench::Compare::Analysis::Meters ();

our @EXPORT_OK = qw(left_out);

my %WORDS = (
    cpu_total_s  => 'total CPU time',
    cpu_good_s   => 'good CPU time',
    useful_pct   => 'useful time',
    not_idle_pct => 'idle time',
    elapsed_s    => 'elapsed time',
    cost         => 'cost',
    price        => 'price',
);
my %IS_ZERO = (not_idle_pct => 'time that was not idle');

# Takes what is left out, "The total effect"; what it lacks, see UnixBench::Compare::Analysis; and whether the meters
# were typed in. Returns the line that says why.
sub left_out {
    my ($what, $lacks, $is_typed_in) = @_;
    my (@meters, %lacking);
    for my $lack (@$lacks) {
        my $key = "$lack->{meter} $lack->{is_zero}";
        push @meters,             $lack if !$lacking{$key};
        push @{ $lacking{$key} }, $lack->{letter};
    }
    return
        "$what is left out: "
        . join('; ', map { _lack($_, $lacking{"$_->{meter} $_->{is_zero}"}, $is_typed_in) } @meters) . q{.};
}

sub _lack {
    my ($lack, $letters, $is_typed_in) = @_;
    my ($meter, $who) = ($lack->{meter}, listed(@$letters));
    return 'the ' . ($IS_ZERO{$meter} // $WORDS{$meter}) . " of $who is 0" if $lack->{is_zero};
    my $key =
        $is_typed_in && $meter !~ /\A(?:cost|price)\z/ ? UnixBench::Compare::Analysis::Meters::key_of($meter) : undef;
    return "$who " . (@$letters > 1 ? 'have' : 'has') . " no $WORDS{$meter}" . (defined $key ? " ($key)" : q{});
}

1;
