package Words;

# Checks the words of the command line of a script. A wrong one is refused in one line, with exit status 2.

use strict;
use warnings;

use Exporter 'import';

our @EXPORT_OK = qw(need_known need_numbers);

# Takes the noun of the words, such as "program", [all that are known], and words.
sub need_known {
    my ($noun, $known, @words) = @_;
    my %is_known = map { $_ => 1 } @$known;
    my ($wrong) = grep { !$is_known{$_} } @words;
    return _refuse("unknown $noun \"$wrong\"; there are: @{[join ', ', sort keys %is_known]}") if defined $wrong;
    return;
}

# Takes the names of the words, such as "TIMES SEED", and words: at most as many whole numbers.
sub need_numbers {
    my ($names, @words) = @_;
    my ($wrong) = grep { !/\A[0-9]{1,9}\z/ } @words;
    $wrong //= $words[split q{ }, $names];
    return _refuse("\"$wrong\" is not expected; give whole numbers: $names") if defined $wrong;
    return;
}

sub _refuse {
    my ($why)    = @_;
    my ($script) = $0 =~ m{([^/]+)\z};
    print {*STDERR} "$script: $why\n";
    exit 2;
}

1;
