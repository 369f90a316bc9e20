# Dhrystone has one measured loop, for a number of loops and for a time, whatever the compiler and its flags.

use strict;
use warnings;

use Config     qw(%Config);
use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Needs       qw(need_tools note_without path_of);
use TestProgram qw(count_of run);

use constant LINE => 64;    # bytes of a line of the cache

need_tools(qw(nm objdump));

my $source  = "$FindBin::Bin/../../../src";
my $place   = tempdir(CLEANUP => 1);
my $program = "$place/dhrystone";
my @FLAGS   = ('-O0', '-O1', '-O2 -ffast-math', '-O3 -ffast-math -march=native', '-Os');

for my $compiler (qw(gcc clang)) {
    note_without(tool => $compiler) if !path_of($compiler);
    compiled_by($compiler) if path_of($compiler);
}

done_testing;

sub compiled_by {
    my ($compiler) = @_;
    for my $flags (@FLAGS) {
        for my $class ('register', q{}) {
            my $what  = "$compiler $flags $class";
            my $files = "'$source/dhry.c' '$source/dhry_procedures.c'";
            my $said  = qx($compiler $flags -std=c17 -Wall -Wextra -DDHRY_REGISTER=$class -o $program $files 2>&1);
            is($said, q{}, "$what: no warning");
            is_deeply([loops_of()],         [0], "$what: one measured loop, at the start of a line of the cache");
            is_deeply([reads_of_counter()], [],  "$what: the loop only writes its counter to memory");
            is((count_of(run([$program, '-n', $_])))[0], $_, "$what: $_ loops have the right values") for 1, 2, 1000;
            cmp_ok((count_of(run([$program, '0.1'])))[0], '>', 0, "$what: loops are counted for a time");
        }
    }
    return;
}

# Returns for each function measured_loop of the program, also for versions that the compiler has made of it, how many
# bytes after the start of a line of the cache it begins.
sub loops_of {
    return map { /^([0-9a-f]+) [tT] measured_loop\b/ ? hex($1) % LINE : () } qx(nm $program);
}

# Returns the instructions of the measured loop that do something else with the counter in memory than to store it, or a
# complaint if there is no instruction with it. They are known for x86-64 only.
sub reads_of_counter {
    return if $Config{archname} !~ /\Ax86_64/;
    my ($loop)   = qx(objdump -d --no-show-raw-insn $program) =~ /^[0-9a-f]+ <measured_loop>:\n(.*?)\n\n/ms;
    my @accesses = grep { /<loops>/ } split /\n/, $loop // q{};
    return @accesses ? grep { !/:\s+movq? +[%]\w+,\S+[(]%rip[)]/ } @accesses : 'the counter is not found';
}
