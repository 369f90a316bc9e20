package UnixBench::Graphics::Renderer;

# The renderer of the display on which graphics tests run: how it is found out, and its words.

use strict;
use warnings;

use UnixBench::Measure::ValidPass ();

use constant {
    FRAME_S => 20,                        # limit for drawing a frame
    MARK    => ', a software renderer',
};

# Renderers that do not use a graphics processor: Mesa's, Google's, Microsoft's, Apple's.
my $SOFTWARE = do {
    my @names = qw(llvmpipe softpipe swrast swr swiftshader lavapipe);
    my $names = join q{|}, @names, 'software rasterizer', 'software renderer', 'basic render', 'gdi generic';
    qr/\b(?:$names)/i;
};

# Takes process, clock, sandbox => UnixBench::Measure::PassSandbox, and settings. Lets ubgears draw one frame. Returns
# the name of OpenGL's renderer, or undef if there is none; then the tests will report the reason.
sub found {
    my (%with) = @_;
    my $gears = "$with{settings}{bindir}/ubgears";
    return if !-x $gears;
    my $question = { command => [$gears, qw(-n 1 -v)], is_graphics => 1, limit_s => FRAME_S };
    my $maker    = UnixBench::Measure::ValidPass->new(
        one_pass => sub { $with{sandbox}->one_pass(@_) },
        map { $_ => $with{$_} } qw(process clock)
    );
    my $pass   = eval { $maker->make($question, undef, 1) };
    my ($copy) = $pass ? @{ $pass->{copies} } : ();
    my ($name) = ($copy ? $copy->{output} : q{}) =~ /^GL_RENDERER *= *(\S.{0,199})/m;
    return $name;
}

# Takes the name of a renderer; returns it, marked if it is a software renderer.
sub in_words {
    my ($name) = @_;
    return $name =~ $SOFTWARE ? $name . MARK : $name;
}

# Takes the words of a report; returns the name of the renderer.
sub of_words {
    my ($words) = @_;
    my $mark = MARK;
    return $words =~ s/\Q$mark\E\z//r;
}

1;
