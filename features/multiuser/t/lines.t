use strict;
use warnings;

use File::Temp ();
use FindBin    qw($Bin);
use Test::More;

use lib map { "$Bin/$_" } qw(lib ../lib ../../../t/lib);
use Place                 qw(write_file);
use CDriver               qw(driver said_by);
use Needs                 qw(need_compiler);

need_compiler();

my $program = driver('script', qw(script random));
my $file    = File::Temp->new;

# Takes the text of a script and words for the driver; returns the lines that it is read as, then the classes.
sub read_of {
    my ($text, @words) = @_;
    return said_by($program, write_file("$file", $text), @words);
}

sub is_read {
    my ($text, $expected, $name, @words) = @_;
    return is_deeply([read_of($text, @words)], $expected, $name);
}

my $OTHER = 'classes: other';
is_read("a\nls", ['1|0|other|1|a', '2|0|other|1|ls', $OTHER], 'the last line may have no newline');
is_read(
    "\n \nls\n\n# x\n  # y\n \tls -l ",
    ['3|0|other|1|ls', '7|0|other|1|ls -l ', $OTHER],
    'blank lines and comments'
);
is_read("echo 'a|b' \xe4\rb\n", ["1|0|other|1|echo 'a|b' \xe4\rb", $OTHER], 'bytes of all kinds are kept');
is_read("echo \\\\\n",          ['1|0|other|1|echo \\\\',          $OTHER], 'two backslashes at the end are kept');

# Expected exit statuses.
my %STATUS = (
    "cmp a b \t #=\tstatus  255 " => [255, 'cmp a b'],
    'a # status 1'                => [0,   'a # status 1'],
    'a#= status 1'                => [0,   'a#= status 1'],
    'a #= status 007'             => [7,   'a'],
    q{echo ' #= x' #= status 3}   => [3,   q{echo ' #= x'}],
    'echo ${x#=y}'                => [0,   'echo ${x#=y}'],
);
is_read("$_\n", ["1|$STATUS{$_}[0]|other|1|$STATUS{$_}[1]", $OTHER], "status: $_") for sort keys %STATUS;

# Classes, in the order of their first lines.
is_read(
    "a\n#= class tools\nb\n#= class c-tests\n#= class unused\n#= class tools\n#=class zebra \nc\n#= class tools\nd\n",
    ['1|0|other|1|a', '3|0|tools|1|b', '8|0|zebra|1|c', '10|0|tools|1|d', 'classes: other tools zebra'],
    'lines belong to the class before them'
);

# Scripts that are refused, and the message.
my $NAME    = '"#= class" needs a name of at most 31 small letters and hyphens';
my $UNKNOWN = 'unknown comment "#= ';
my $KNOWN   = '"; use class, extract, whole or status';
#<<< a table
my @WRONG = (
    ['',                    'the script has no commands'],
    ["a\nb\0c\n",           'line 2 contains a zero byte; remove it'],
    ["a\n\nls\r\n",         'line 3 ends with a carriage return; end each line with a newline only'],
    ["a\nls \\\n-l\n",      'line 2 ends with a backslash; write the whole command in one line'],
    ["#= class\na",         "line 1: $NAME"],
    ['#= class ' . 'a' x 32, "line 1: $NAME"],
    ["#= class all\na",     'line 1: the name "all" stands for all lines; use another name for the class'],
    ["#= extract 40\na",    'line 1: "#= extract" takes no value; leave it out'],
    ["#= status 1\na",      'line 1: "#= status" must follow a command in the same line'],
    ["  #= clas tools\na",  "line 1: ${UNKNOWN}clas$KNOWN"],
    ['a #= status 256',     'line 1: "#= status" needs a whole number from 0 to 255'],
    ['a #= status 1 #= status 2', 'line 1: "#= status" needs a whole number from 0 to 255'],
    ['a #= class b',        'line 1: only "#= status" may follow a command'],
    ["x\n" x 100_001,       'line 100001: the script has more than 100000 lines'],
);
#>>>
for my $case (@WRONG) {
    my ($text, $why) = @$case;
    is_read($text, ["wrong: $why"], "wrong: $why");
}

# The extract: the lines that a search runs.
my $many = "#= class a\n" . "a\n" x 30 . "#= class b\n" . "b #= status 2\n" x 30 . "#= class c\n" . "c\n" x 30;
my @read = read_of($many);
is_deeply([map { (split /[|]/)[3] } @read[0 .. 89]], [(1) x 40, (0) x 50], 'without marks: the first forty');
my @extract = read_of($many, 'extract');
is_deeply([@extract], [@read[0 .. 39], 'classes: a b'], 'an extract has only its lines and their classes');

my $marked =
    "#= class a\na\n#= extract\n#= class b\nb\n#= whole\nc\n#= class a\n#= extract\n#= extract\nd #= status 4\n";
is_read(
    $marked,
    ['2|0|a|0|a', '5|0|b|1|b', '7|0|b|0|c', '11|4|a|1|d', 'classes: a b'],
    'marks set the lines of the extract'
);
is_read($marked, ['5|0|b|1|b', '11|4|a|1|d', 'classes: b a'], 'the marked lines are the extract', 'extract');
done_testing();
