use strict;
use warnings;

use FindBin    qw($Bin);
use List::Util qw(shuffle);
use Test::More;

use lib map { "$Bin/$_" } qw(lib ../../../../t/lib);
use Needs                 qw(need_compiler);
use OptionCases           qw(read_lines);

need_compiler();

use constant { SEED => 1995, LINES => 500, WORDS => 6 };

# Random command lines: each is accepted, or refused with one short line.
my @OPTIONS = (
    qw(-t -l -L -B -N -b -c -r -C -I -m -w -x -W -X -u -n -h --pin),
    qw(--policy --seed --repeat --warmup --tmpdir --max-disk --max-mem --swap --fixed --load-cmd),
    qw(--legacy --list --mix --capacity --protocol --help --version)
);
my @VALUES = (
    qw(0 1 2 5 19 20 -1 -20 100 1000 1G 64K 0.5 work cputime skip catchup Video video X Burn None Custom Command Hack),
    'a text', q{}, '9' x 30, 'x' x 300, "a\nb", "\xff\xfe", '%s%n', '-', '--', '---', '='
);

sub one_of { return $_[int rand @_] }

sub mangled {
    my ($word) = @_;
    substr $word, rand(1 + length $word), int rand 2, one_of(map { chr } 1 .. 255);
    return $word;
}

sub word {
    my $chance = rand;
    return one_of(@VALUES) if $chance < 0.4;
    return one_of(@OPTIONS) if $chance < 0.75;
    return one_of(@OPTIONS) . one_of(q{}, q{=}) . one_of(@VALUES) if $chance < 0.9;
    return mangled(one_of(@OPTIONS, @VALUES));
}

# Returns an option with a value that fits, so that some lines are accepted.
sub pair {
    my %fits   = (-t => 1, -L => 2, -n => 2, -W => 'Video', -w => 'Burn', -m => 'text', '--seed' => 7, '--pin' => 0);
    my $option = one_of(sort keys %fits);
    return ($option, $fits{$option});
}

sub line {
    return [map { rand() < 0.3 ? pair() : word() } 1 .. rand WORDS];
}

sub is_right {
    my ($seen) = @_;
    return !@{ $seen->{err} } if $seen->{status} == 0;
    my @err = @{ $seen->{err} };
    return
           $seen->{status} == 1
        && !@{ $seen->{out} }
        && @err == 1
        && $err[0] =~ /\A(?:interbench: |ERROR[|])[\x20-\x7e]{10,220}\z/;
}

srand SEED;
my @lines = map { line() } 1 .. LINES;
my @seen  = read_lines(@lines);
is(scalar @seen, LINES, 'the driver answers each random command line');
my @wrong = grep { !is_right($seen[$_]) } 0 .. $#seen;
is(scalar @wrong, 0, 'each command line is accepted, or refused by one line: seed ' . SEED)
    or diag(explain([@lines[@wrong], @seen[@wrong]]));
my $accepted = grep { $_->{status} == 0 } @seen;
cmp_ok($accepted, '>', LINES / 20,         'at least 5 % of the command lines are accepted');
cmp_ok($accepted, '<', LINES - LINES / 20, 'at least 5 % of the command lines are refused');

done_testing();
