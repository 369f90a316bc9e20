use strict;
use warnings;

use File::Temp ();
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../lib ../../../t/lib);
use FakeProcess;
use UnixBench::Graphics::Renderer;

# A fake sandbox whose passes are made by a function.
package FakeSandbox {
    sub new      { my ($class, $make) = @_; return bless { make => $make }, $class }
    sub one_pass { my ($self,  @what) = @_; return $self->{make}->(@what) }
}

my $PLACE = File::Temp->newdir;
my $GEARS = "$PLACE/ubgears";
symlink $^X, $GEARS or die "symlink: $!\n";    # a program that exists
my @SETTINGS = (settings => { bindir => "$PLACE" });

# Takes a process and a function for each pass, which returns the output of the program. Returns the name of the
# renderer and the tests that were run.
sub ask {
    my ($process, @passes) = @_;
    my @asked;
    my $sandbox = FakeSandbox->new(sub { push @asked, $_[0]; return { output => (shift @passes)->() } });
    my $name    = UnixBench::Graphics::Renderer::found(@SETTINGS, process => $process, sandbox => $sandbox);
    return ($name, @asked);
}

my $LINES = "made by Mesa\nGL_RENDERER = llvmpipe (LLVM 15.0.6, 256 bits)\nGL_VENDOR = Mesa\n";

my ($name, @asked) = ask(FakeProcess->new, sub { $LINES });
is($name, 'llvmpipe (LLVM 15.0.6, 256 bits)', 'the renderer has its name');
is_deeply([map { $_->{command} } @asked], [[$GEARS, '-n', 1, '-v']], 'one frame is drawn');
ok($asked[0]{is_graphics}, 'the frame is drawn on the display of the graphics tests');
is((ask(FakeProcess->new, sub { "GL_RENDERER = \n" }))[0],   undef, 'an empty name is undef');
is((ask(FakeProcess->new, sub { "GL_VENDOR = Mesa\n" }))[0], undef, 'a missing name is undef');
is((ask(FakeProcess->new, sub { die "no display\n" }))[0],   undef, 'a failed pass has no name');

my $process = FakeProcess->new;
($name, @asked) = ask($process, sub { $process->stop; q{} }, sub { $LINES });
is(scalar @asked, 2, 'a pass that was stopped is repeated');
like($name, qr/llvmpipe/, 'the repeated pass has the name');
($name, @asked) = ask($process, sub { $process->stop; $process->interrupt; q{} });
is_deeply([$name, scalar @asked], [undef, 1], 'an interrupted pass is not repeated');

done_testing;
