# A command is one module: its declaration is all that the parser, the errors and the help need.

use strict;
use warnings;

use Test::More;

use UnixBench::CLI::Usage ();
use UnixBench::Command    ();

# A command that takes options and no argument.
sub UnixBench::Command::Hello::declaration {
    return {
        takes   => 'nothing',
        purpose => 'greet a person',
        about   => 'Without --name, it greets the world.',
        options => [
            { flag => '--name',  value => 'NAME', kind => 'text',  text => 'the person to greet' },
            { flag => '--times', value => 'N',    kind => 'whole', max  => 9, text => 'greet N times (default: 1)' },
        ],
    };
}

my @names = sort 'hello', UnixBench::Command::names();
no warnings 'redefine';
local *UnixBench::Command::names         = sub { return @names };
local *UnixBench::Command::_is_command   = sub { return $_[0] eq 'hello' };
local $INC{'UnixBench/Command/Hello.pm'} = __FILE__;

my $options = UnixBench::Command::parse(qw(hello --times=2 --name), 'Ada Lovelace');
is_deeply(
    { map { $_ => $options->{$_} } qw(command name times words) },
    { command => 'hello', name => 'Ada Lovelace', times => 2, words => [] },
    'its options are parsed'
);

# [words, the first line of the error].
my @REFUSED = (
    ['hello there'     => 'hello takes no argument: leave out there'],
    ['hello --nam Ada' => 'hello has no option --nam; did you mean --name?'],
    ['hello --times 0' => 'option --times needs a whole number from 1 to 9, not "0"'],
    ['hello --name -q' => 'option --name needs a text that does not begin with "-", not "-q"'],
    ['hello --name='   => 'option --name needs a text that is not blank'],
    ['hello -q'        => 'hello has no option -q'],
    ['--times 2 pipe'  => 'unknown option --times; did you mean ./Run hello --times?'],
    ['helo'            => 'unknown test or command "helo"; did you mean hello?'],
);
for my $case (@REFUSED) {
    my ($words, $error) = @$case;
    is(eval { UnixBench::Command::parse(split q{ }, $words) }, undef,  "refused: $words");
    is((split /\n/, $@)[0],                                    $error, "the error is: $error");
}

is(UnixBench::CLI::Usage::of(UnixBench::Command::declaration('hello')), <<'END', 'it has a help');
Usage: ./Run hello [options]

Greet a person. Without --name, it greets the world.

  --name NAME       the person to greet
  --times N         greet N times (default: 1)
END

my %short = (takes => 'nothing', purpose => 'greet a person', name => 'hello', groups => []);
is(
    UnixBench::CLI::Usage::of(\%short),
    "Usage: ./Run hello\n\nGreet a person.\n",
    'the help of a command about which no more is said'
);
like(
    UnixBench::CLI::Usage::help(UnixBench::Command::declarations()),
    qr/^  hello +greet a person$/m,
    'the help of ./Run has it'
);

done_testing;
