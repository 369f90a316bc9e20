# Displays and the renderer: how Xvfb is started and ended, and where both take part.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../../lib ../../../lib);
use Displays qw(with_displays);
use FakeProcess;
use Fixture   qw(host rendered result run);
use HostTree  qw(recorded_tree);
use Place     qw(is_alive place);
use Workbench qw(elsewhere);
use UnixBench::Host::Machine;
use UnixBench::Measure::Display;
use UnixBench::Measure::PassSandbox;
use UnixBench::Store::ClassicReport::Summary;

my $BIN  = "$FindBin::Bin/../../bin/xvfb";
my $PATH = "$BIN:$ENV{PATH}";

# Takes what the fake Xvfb does and the seconds that it may take to start; returns why it does not start.
sub refusal {
    my ($plays, $start_s) = @_;
    local $ENV{XVFB} = $plays;
    my $why;
    with_displays(sub {
        my ($start) = @_;
        $why = eval { $start->('fake', $start_s); 1 } ? 'it has started' : $@;
    });
    return $why;
}

subtest 'the error says why Xvfb did not start' => sub {
    local $ENV{PATH} = $PATH;
    my %why = (
        fatal  => 'no room for screens',
        brief  => 'no such option',
        mute   => 'not ready after 0.2 s',
        closed => 'not ready after 0.2 s',
        chatty => 'Failed to activate virtual core keyboard: 2 (Error: Cannot open it)',
        killed => 'killed by SIGKILL',
    );
    my $said = 'the virtual display (Xvfb) did not start:';
    is(refusal($_, $why{$_} =~ /0[.]2/ ? 0.2 : undef), "$said $why{$_}\n", $_) for sort keys %why;
    local $ENV{PATH} = '/nowhere';
    is(refusal('ready'), "$said can't run Xvfb: No such file or directory\n", 'a missing Xvfb is reported');
};

subtest 'a server that does not end is killed' => sub {
    local @ENV{qw(PATH XVFB)} = ($PATH, 'stubborn');
    with_displays(sub {
        my ($start) = @_;
        my $display = $start->('fake');
        is($display->environment->{DISPLAY}, ':6077', 'the display has the number of the server');
        is($display->stop,                   undef,   'stop reports no error');
        ok(!is_alive($display->pid), 'the server has ended');
    });
};

subtest 'an interruption ends the start of a server' => sub {
    local @ENV{qw(PATH XVFB)} = ($PATH, 'mute');
    my $interrupted = sub {
        my ($start, $process) = @_;
        kill INT => $$;
        my $is_started = eval { $start->('fake', 50); 1 };
        print $is_started ? 'started' : 'ended', ' by ', $process->interrupted, "\n";
    };
    my ($said) = elsewhere(sub { with_displays($interrupted) });
    like($said, qr/^ended by INT$/m, 'the server is not waited for');
    unlike($said, qr/^\s*not ok/m, 'nothing is left');
};

subtest 'the display of a machine' => sub {
    my $machine = UnixBench::Host::Machine->new(root => recorded_tree('x86-vm'));
    for my $case ([q{}, $BIN, 'virtual'], [q{}, '/nowhere', undef], [':7', $BIN, 'given']) {
        local @ENV{qw(DISPLAY PATH)} = @$case[0, 1];
        is($machine->display, $case->[2], "DISPLAY=$case->[0] and PATH=$case->[1]");
    }
};

# A fake scratch directory in which no directory can be made.
package FakeScratch {
    sub new        { my ($class) = @_; return bless {}, $class }
    sub path       { return '/s' }
    sub is_there   { return 1 }
    sub is_full    { return 0 }
    sub directory  { my (undef, $name) = @_; die "can't make $name\n" }
    sub for_copies { die "can't make those of copies\n" }
    sub clear      { return }
}

# Takes the display of the plan, and whether the test is a graphics test. Makes a pass without directories; returns its
# error.
sub error_of_pass {
    my ($display, $is_graphics) = @_;
    my $process = FakeProcess->new;
    my %given   = (process => $process, clock => $process, scratch => FakeScratch->new, display => $display);
    my $sandbox = UnixBench::Measure::PassSandbox->new(%given);
    eval { $sandbox->one_pass({ command => ['/p'], is_graphics => $is_graphics }, 1); 1 } and return 'no error';
    return $@;
}

subtest 'the display of a pass' => sub {
    is(error_of_pass('virtual', 1), "can't make display\n",         "a display that can't be started fails the test");
    is(error_of_pass('given',   1), "can't make those of copies\n", 'no display is started if one is given');
    is(error_of_pass('virtual', 0), "can't make those of copies\n", 'nor for another test');
};

# A fake sandbox whose passes are made by a function.
package FakeSandbox {
    sub new      { my ($class, $make) = @_; return bless { make => $make }, $class }
    sub one_pass { my ($self,  @what) = @_; return $self->{make}->(@what) }
}

# Takes a process and a function for each pass, which returns the output of the program. Returns the name of the
# renderer and the tests that were run.
sub ask {
    my ($process, @passes) = @_;
    my $place = place();
    symlink $^X, "$place/ubgears" or die "symlink: $!\n";    # a program that exists
    my @asked;
    my %copy    = (count => 1, time_s => 1, elapsed_s => 1);
    my $sandbox = FakeSandbox->new(sub { push @asked, $_[0]; return { %copy, output => (shift @passes)->() } });
    my %with    = (process => $process, clock => $process, sandbox => $sandbox);
    return (scalar UnixBench::Measure::Display::renderer(settings => { bindir => $place }, %with), @asked);
}

subtest 'the renderer is asked for' => sub {
    my $lines = "made by Mesa\nGL_RENDERER = llvmpipe (LLVM 15.0.6, 256 bits)\nGL_VENDOR = Mesa\n";
    my $more  = "GL_VERSION = 4.5 Mesa 22.3.6\nX_SERVER = X.Org, release 12101007\nX_SCREEN = 8 x 6 pixels, 24 bits\n";
    my ($seen, $asked) = ask(FakeProcess->new, sub { $lines . $more });
    local $ENV{XDG_SESSION_TYPE};
    my ($name, %facts) = UnixBench::Measure::Display::facts($seen, 'given');
    is($name, 'llvmpipe (LLVM 15.0.6, 256 bits)', 'it has its name');
    my %known = (opengl => '4.5 Mesa 22.3.6', server => 'X.Org, release 12101007', screen => '8 x 6 pixels, 24 bits');
    is_deeply(\%facts, { %known, session => 'none' }, 'Mesa, X server, screen and no session');
    like("@{ $asked->{command} } $asked->{is_graphics}", qr{/ubgears -n 1 -v 1\z}, 'one frame is drawn on its display');
    is((ask(FakeProcess->new, $_))[0], undef, 'without a name it is unknown')
        for sub { "GL_RENDERER = \n" }, sub { "GL_VENDOR = Mesa\n" }, sub { die "no display\n" };
    my $process = FakeProcess->new;
    my @made    = ask($process, sub { $process->stop; q{} }, sub { $lines });
    is(scalar @made, 3, 'a pass that was stopped is repeated');
    @made = ask($process, sub { $process->stop; $process->interrupt; q{} });
    is(scalar @made, 2, 'an interrupted pass is not');
};

subtest 'a software renderer is marked in reports' => sub {
    my %is_software = ('llvmpipe (LLVM 15.0.6, 256 bits)' => 1, 'GDI Generic' => 1, 'virgl (llvm pipe)' => 0);
    for my $name (sort keys %is_software) {
        my $text = rendered(text => result([run(1)], host => { %{ host() }, graphics => $name }));
        my ($said) = $text =~ /^   Graphics: (.*)$/m;
        is($said, $is_software{$name} ? "$name, a software renderer" : $name, "$name: its words");
        my $facts = UnixBench::Store::ClassicReport::Summary::facts(
            UnixBench::Store::ClassicReport::Summary::head('8.0.0', { Graphics => $said }));
        is($facts->{facts}{'host.graphics'}, $name, "$name: its words are read back");
    }
};

done_testing;
