use strict;
use warnings;

use File::Temp ();
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../../lib ../../../lib);
use FakeProcess;
use Fixture  qw(host result run);
use Rendered qw(rendered);
use UnixBench::Measure::Display;
use UnixBench::Store::ClassicReport::Head;

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
    my %copy    = (count => 1, time_s => 1, elapsed_s => 1);
    my $sandbox = FakeSandbox->new(sub { push @asked, $_[0]; return { %copy, output => (shift @passes)->() } });
    my %with    = (process => $process, clock => $process, sandbox => $sandbox);
    my $name    = UnixBench::Measure::Display::renderer(@SETTINGS, %with);
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

subtest 'a software renderer is marked in reports' => sub {
    my @software = (
        'llvmpipe (LLVM 15.0.6, 256 bits)',
        'softpipe',
        'Software Rasterizer',
        'Apple Software Renderer',
        'Google SwiftShader',
        'GDI Generic',
        'Microsoft Basic Render Driver'
    );
    my @hardware =
        ('Mesa Intel(R) UHD Graphics 630 (CFL GT2)', 'NVIDIA GeForce RTX 3080/PCIe/SSE2', 'virgl (llvm pipe)');
    for my $name (@software, @hardware) {
        my %host      = (%{ host() }, graphics => $name);
        my $text      = rendered(text => result([run(1)], host => \%host));
        my ($said)    = $text =~ /^   Graphics: (.*)$/m;
        my $is_marked = grep { $_ eq $name } @software;
        is($said, $is_marked ? "$name, a software renderer" : $name, "$name: its words");
        my $facts = UnixBench::Store::ClassicReport::Head::facts('8.0.0', { Graphics => $said });
        is($facts->{facts}{Renderer}, $name, "$name: its words are read back");
    }
    unlike(rendered(text => result([run(1)])), qr/Graphics:/, 'an unknown renderer is not named');
};

done_testing;
