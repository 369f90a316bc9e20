package UnixBench::Renderer;

# What draws on the display of the graphics tests.

use strict;
use warnings;

use constant PATIENCE_S => 20;

# Takes process, one_pass => function as UnixBench::Runner takes it, and gears => the path of ubgears; draws one frame
# and returns the name of the renderer, or undef when there is none to be had: why, the tests will say.
sub name {
    my (%with)   = @_;
    my $process  = $with{process};
    my $question = { command => [$with{gears}, qw(-n 1 -v)], is_graphics => 1, limit_s => PATIENCE_S };
    my ($stops, $copy);
    do {
        $stops = $process->stops;
        ($copy) = eval { $with{one_pass}->($question, 1) };
    } while ($process->stops > $stops && !$process->interrupted);
    my ($name) = ($copy ? $copy->{output} : q{}) =~ /^GL_RENDERER *= *(\S.{0,199})/m;
    return $name;
}

1;
