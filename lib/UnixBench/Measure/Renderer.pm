package UnixBench::Measure::Renderer;

# What draws on the display of the graphics tests.

use strict;
use warnings;

use constant PATIENCE_S => 20;

# Takes process, workplace and gears => the path of ubgears; lets that draw one frame and returns the name of OpenGL's
# renderer, or undef when there is none to be had: why, the tests will say.
sub name {
    my (%with) = @_;
    my ($process, $workplace, $gears) = @with{qw(process workplace gears)};
    return if !-x $gears;
    my $question = { command => [$gears, qw(-n 1 -v)], is_graphics => 1, limit_s => PATIENCE_S };
    my ($copy) = eval {
        $process->unstopped(sub { $workplace->one_pass($question, 1) });
    };
    my ($name) = ($copy ? $copy->{output} : q{}) =~ /^GL_RENDERER *= *(\S.{0,199})/m;
    return $name;
}

1;
