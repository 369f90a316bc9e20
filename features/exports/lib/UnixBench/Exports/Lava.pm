package UnixBench::Exports::Lava;

# Lines for a test definition of LAVA, which reads a case from each: https://docs.lavasoftware.org/lava/

use strict;
use warnings;

use UnixBench::Exports::Measures qw(copies_word figure measures);

# Takes results, see UnixBench::Exports::measures; returns a line for each index, test and requirement: its name,
# "pass", "fail" or "skip" and, if it has a value, the value and the unit. All names differ.
sub render {
    my (@results) = @_;
    my (%seen, @lines);
    for my $measure (measures(@results)) {
        my $name = _name($measure);
        $name .= "-again-$seen{$name}" if $seen{$name}++;
        push @lines, join(q{ }, $name, $measure->{verdict}, _amount($measure)) . "\n";
    }
    return join q{}, @lines;
}

# Returns a name such as "pipe-8". LAVA allows letters, digits, dots, hyphens and underscores in it.
sub _name {
    my ($measure) = @_;
    my ($kind, $host, $name, $title) = @$measure{qw(kind host name title)};
    my %words = (test => [$name], index => [$name, 'index'], requirement => ['require', $title]);
    return _word(join q{-}, grep({ defined } $host), @{ $words{$kind} }, copies_word($measure));
}

sub _amount {
    my ($measure) = @_;
    my $value = $measure->{value} // return;
    return (figure($value), grep { length } _word($measure->{unit} // q{}));
}

sub _word {
    my ($text) = @_;
    return $text =~ s/[^A-Za-z0-9._]+/-/gr =~ s/\A-|-\z//gr;
}

1;
