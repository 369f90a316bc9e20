# What compilers make of Whetstone's modules is what they make of the published algorithm: t-all/data/whetstone.c.

use strict;
use warnings;

use Config     qw(%Config);
use File::Temp ();
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/../../$_" } qw(t-all/lib t/lib);
use InPath                               qw(path_of);
use Needs                                qw(need_tools note_without skip_without);

use constant { PASSES => 2, MORE_PASSES => 4, MARGIN => 0.005 };

need_tools(qw(objdump valgrind));
skip_without(machine => 'an x86-64 CPU') if $Config{archname} !~ /\Ax86_64/;

my $ROOT  = "$FindBin::Bin/../..";
my $PLACE = File::Temp->newdir;

# Each program: its source, and what comes before the number of passes.
my %PROGRAM =
    (own => ["$ROOT/src/whetstone-double.c", '-n'], published => ["$ROOT/t-all/data/whetstone.c", q{}]);

for my $compiler (qw(gcc clang)) {
    note_without(tool => $compiler) if !path_of($compiler);
    next if !path_of($compiler);
    compare("$compiler $_") for '-O2 -ffast-math', '-O3 -ffast-math', '-O3 -ffast-math -march=native';
}

done_testing;

# Takes a compiler with its flags; compares the program with the published algorithm.
sub compare {
    my ($build) = @_;
    for my $name (sort keys %PROGRAM) {
        my $said = qx($build -std=gnu17 -o '$PLACE/$name' '$PROGRAM{$name}[0]' -lm 2>&1);
        is($said, q{}, "$build: $name is built");
    }
    my %is_own = map { $_ => 1 } loops_of('own');
    is_deeply([grep { !$is_own{$_} } loops_of('published')], [], "$build: each loop has the same arithmetic");
    return if $build =~ /native/;    # valgrind does not know each instruction of each CPU
    my ($own, $published) = map { instructions_of($_) } qw(own published);
    cmp_ok(abs($own / $published - 1), '<', MARGIN, "$build: instructions of a pass")
        || diag "own $own, published $published";
    return;
}

# Takes the name of a program; returns for each innermost loop of its modules the operations, such as
# "mulsd*4 subsd*3", without those that move, clear, count and jump. What reads the clock is not a loop of a module.
sub loops_of {
    my ($name) = @_;
    my (@code, %at, $function);
    for my $line (qx(objdump -d --no-show-raw-insn '$PLACE/$name')) {
        if ($line =~ /\A[0-9a-f]+ <(.*?)(?:[.].*)?>:/) { $function = $1 }
        next if ($function // q{}) !~ /\A(?:whetstones|main|passes_for|p[ao3])\z/;
        my ($address, $operation, $where) = $line =~ /\A *([0-9a-f]+):\t(\S+) *(.*)/ or next;
        $at{$address} = @code;
        push @code, [$operation, $where];
    }
    my @loops = grep { defined $_->[0] && $_->[0] <= $_->[1] }
        map { $code[$_][0] =~ /\Aj/ ? [$at{ $code[$_][1] =~ s/ .*//r }, $_] : () } 0 .. $#code;
    my %operations;
    for my $loop (@loops) {
        my ($first, $last) = @$loop;
        next if grep { $_ != $loop && $_->[0] >= $first && $_->[1] <= $last } @loops;
        next if grep { /gettime/ } map { $_->[1] } @code[$first .. $last];
        my %count;
        $count{$_}++
            for grep { /\Av?(?:f?n?m?add|f?n?m?sub|mul|div|sqrt)\w*[sp]d\z|\Axor/ }
            map { $_->[0] } grep { $_->[1] !~ /\A(%\w+),\1\z/ } @code[$first .. $last];
        $operations{ join q{ }, map { "$_*$count{$_}" } sort keys %count } = 1;
    }
    my @operations = sort keys %operations;
    return @operations;
}

# Takes the name of a program; returns the instructions of a pass through all modules.
sub instructions_of {
    my ($name) = @_;
    my @counts = map {
        my $said =
            qx(valgrind --tool=callgrind --callgrind-out-file=/dev/null '$PLACE/$name' $PROGRAM{$name}[1] $_ 2>&1);
        $said =~ /Collected : (\d+)/ ? $1 : die "valgrind counted nothing: $said\n";
    } PASSES, MORE_PASSES;
    return ($counts[1] - $counts[0]) / (MORE_PASSES - PASSES);
}
