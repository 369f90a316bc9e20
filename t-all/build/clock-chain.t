# The chain of the program clock in machine code, for all architectures: each step is one operation that needs the
# result of the step before, in registers. A compiler must not change that, whatever its flags are.

use strict;
use warnings;

use FindBin;
use File::Temp qw(tempdir);
use Test::More;

use lib map { "$FindBin::Bin/../../$_" } qw(t-all/lib t/lib);
use Emulated                             qw(architectures);
use Needs                                qw(skip_without);

use constant STEPS => 1000;

# The operation, and its registers, as the disassembler writes them: the first one is the destination, except on x86,
# where it is the second one.
my %STEP = (
    x86_64  => qr/\bxor\s+%(\w+),%(\w+)/,
    i386    => qr/\bxor\s+%(\w+),%(\w+)/,
    aarch64 => qr/\beor\s+(\w+), (\w+), (\w+)/,
    armhf   => qr/\beor[.s]*w?\s+(\w+), (\w+)(?:, (\w+))?/,
    riscv64 => qr/\bxor\s+(\w+),(\w+),(\w+)/,
    ppc64le => qr/\bxor\s+(\w+),(\w+),(\w+)/,
    s390x   => qr/\bxgr\s+(%\w+),(%\w+)/,
);

my $place  = tempdir(CLEANUP => 1);
my $source = "$FindBin::Bin/../../src";

sub has_compiler { my ($compiler) = @_; return system("command -v $compiler >/dev/null") == 0 }

# Takes a compiler and a level of optimisation. Returns the lines of the machine code.
sub machine_code {
    my ($compiler, $level) = @_;
    my $objdump = $compiler =~ s/gcc\z/objdump/r;
    is(system("$compiler $level -std=c17 -I$source -o $place/clock $source/clock.c -lm"),
        0, "it is compiled with $level");
    return split /^/, `$objdump -d --no-show-raw-insn $place/clock`;
}

# Takes the name of an architecture and a line; returns the register that a step writes, and those that it reads, or
# nothing.
sub step {
    my ($name, $line) = @_;
    my @registers = $line =~ $STEP{$name} or return;
    @registers = reverse @registers if $name =~ /86/;
    my ($to, @from) = grep { defined } @registers;
    return { to => $to, from => { map { $_ => 1 } @from, @from < 2 ? $to : () } };
}

# Takes the name of an architecture and lines of machine code; returns the lengths of its chains: of steps in a row,
# each of which reads what the one before has written.
sub chains {
    my ($name, @lines) = @_;
    my ($before, @lengths);
    for my $line (@lines) {
        my $step = step($name, $line);
        if    ($step && $before && $step->{from}{ $before->{to} } && $step->{to} ne $before->{to}) { $lengths[-1]++ }
        elsif ($step)                                                                              { push @lengths, 1 }
        $before = $step;
    }
    return @lengths;
}

for my $arch (architectures(), { name => 'x86_64', compiler => 'x86_64-linux-gnu-gcc' }) {
    subtest $arch->{name} => sub {
        skip_without(tool => $arch->{compiler}) if !has_compiler($arch->{compiler});
        for my $level ('-O0', '-O3 -ffast-math') {
            my @code = machine_code($arch->{compiler}, $level);
            my ($longest) = sort { $b <=> $a } chains($arch->{name}, @code);
            is($longest, STEPS, "$level: a chain of a thousand steps, without anything between them");
        }
    };
}

done_testing;
