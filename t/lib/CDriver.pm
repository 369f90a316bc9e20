package CDriver;

# Small C programs of t/interbench and t/multiuser that call modules of src, so that tests hold them to known answers.

use strict;
use warnings;

use Exporter       qw(import);
use File::Basename qw(basename);
use File::Temp     ();

our @EXPORT_OK = qw(driver driver_of has_compiler plain_program said_by);

my $FLAGS    = '-std=c17 -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -O1 -g -Wall -Wextra -Werror -pthread';
my $SANITIZE = '-fsanitize=address,undefined -fno-sanitize-recover=all';
my $PLACE    = File::Temp->newdir;
my $can_check;

# Whether there is a C compiler.
sub has_compiler { return system('cc --version >/dev/null 2>&1') == 0 }

# One of interbench, see driver_of.
sub driver { return driver_of('interbench', @_) }

# Takes a program of many files, a name in t/PROGRAM and the names of modules of src/PROGRAM or src/base; returns the
# path of the driver built from them, with gcc's checkers where they are here. Dies with what the compiler said.
sub driver_of {
    my ($of, $name, @modules) = @_;
    my $program = "$PLACE/$of-$name";
    my $sources = join ' ', "t/$of/$name.c", map { _source($of, $_) } @modules;
    my $said;
    for my $checks ($SANITIZE, '') {
        next if length $checks && !_can_check();
        $said = qx(cc $FLAGS $checks -Isrc/$of -Isrc/base -o $program $sources -lm 2>&1);
        return $program if $? == 0;
    }
    die "$name does not build: $said\n";
}

# Takes the path of a C file; returns that of a program built from it, without checkers, whose memory would count, too.
sub plain_program {
    my ($path)  = @_;
    my $program = "$PLACE/" . basename($path, '.c');
    my $said    = qx(cc -std=c17 -D_GNU_SOURCE -O1 -Wall -Wextra -Werror -o $program $path 2>&1);
    return $program if $? == 0;
    die "$path does not build: $said\n";
}

# Whether what is built with the checkers can be run here: they are of one C library, the compiler may be of another.
sub _can_check {
    return $can_check //= system("echo 'int main(void) { return 0; }' | "
            . "cc $SANITIZE -x c -o $PLACE/checked - 2>/dev/null && $PLACE/checked 2>/dev/null") == 0 ? 1 : 0;
}

sub _source {
    my ($of, $module) = @_;
    return -e "src/base/$module.c" ? "src/base/$module.c" : "src/$of/$module.c";
}

# The lines that a driver prints, given these words.
sub said_by {
    my ($program, @words) = @_;
    open my $said, '-|', $program, @words or die "$program: $!";
    chomp(my @lines = <$said>);
    close $said or die "$program @words: status $?\n";
    return @lines;
}

1;
