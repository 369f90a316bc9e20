package CDriver;

# Small C programs of t/interbench that call modules of src/interbench, so that tests hold them to known answers.

use strict;
use warnings;

use Exporter   qw(import);
use File::Temp ();

our @EXPORT_OK = qw(driver has_compiler said_by);

my $FLAGS    = '-std=c17 -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -O1 -g -Wall -Wextra -Werror -pthread';
my $SANITIZE = '-fsanitize=address,undefined -fno-sanitize-recover=all';
my $PLACE    = File::Temp->newdir;

# Whether there is a C compiler.
sub has_compiler { return system('cc --version >/dev/null 2>&1') == 0 }

# Takes a name in t/interbench and the names of modules; returns the path of the program built from them, with
# gcc's checkers where they are here. Dies with what the compiler said.
sub driver {
    my ($name, @modules) = @_;
    my $program = "$PLACE/$name";
    my $sources = join ' ', "t/interbench/$name.c", map { "src/interbench/$_.c" } @modules;
    my $said;
    for my $checks ($SANITIZE, '') {
        $said = qx(cc $FLAGS $checks -Isrc/interbench -o $program $sources -lm 2>&1);
        return $program if $? == 0;
    }
    die "$name does not build: $said\n";
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
