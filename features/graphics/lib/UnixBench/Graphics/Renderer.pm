package UnixBench::Graphics::Renderer;

# Finds out the renderer of the display on which graphics tests run.

use strict;
use warnings;

use constant FRAME_S => 20;    # limit for drawing a frame

# Takes process, sandbox => UnixBench::Measure::PassSandbox, and settings. Lets ubgears draw one frame. Returns the name
# of OpenGL's renderer, or undef if there is none; then the tests will report the reason.
sub found {
    my (%with) = @_;
    my ($process, $sandbox, $settings) = @with{qw(process sandbox settings)};
    my $gears = "$settings->{bindir}/ubgears";
    return if !-x $gears;
    my $question = { command => [$gears, qw(-n 1 -v)], is_graphics => 1, limit_s => FRAME_S };
    my ($copy) = eval {
        $process->unstopped(sub { $sandbox->one_pass($question, 1) });
    };
    my ($name) = ($copy ? $copy->{output} : q{}) =~ /^GL_RENDERER *= *(\S.{0,199})/m;
    return $name;
}

1;
