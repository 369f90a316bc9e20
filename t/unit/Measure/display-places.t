# Tests of the places where the displays and the renderer take part: the plan, a pass, the files of the system, notes,
# and the journal.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../../lib ../../../lib);
use FakeProcess;
use Fixture  qw(host result run);
use HostTree qw(recorded_tree);
use Place    qw(place write_file);
use Planned  qw(planned);
use UnixBench::Base::ResultSchema;
use UnixBench::Host::Machine;
use UnixBench::Measure::PassSandbox;
use UnixBench::Plan::Plan;
use UnixBench::Store::Journal;
use UnixBench::Store::SystemFiles;

my $BIN = "$FindBin::Bin/../../bin/xvfb";

# A fake scratch directory in which no directory can be made.
package FakeScratch {
    sub new        { my ($class) = @_; return bless {}, $class }
    sub path       { return '/s' }
    sub is_there   { return 1 }
    sub is_full    { return 0 }
    sub directory  { my (undef, $name) = @_; die "can't make $name\n" }
    sub for_copies { die "can't make those of copies\n" }
    sub clear      { my ($self) = @_; $self->{is_clear}++; return }
}

subtest 'the display of a machine' => sub {
    my $machine = UnixBench::Host::Machine->new(root => recorded_tree('x86-vm'));
    local @ENV{qw(DISPLAY PATH)} = (q{}, $BIN);
    is($machine->display, 'virtual', 'a virtual display is used if Xvfb is installed');
    local $ENV{PATH} = '/nowhere';
    is($machine->display, undef, 'without Xvfb there is no display');
    local @ENV{qw(DISPLAY PATH)} = (':7', $BIN);
    is($machine->display, 'given', 'a given display is preferred');
};

is(
    UnixBench::Plan::Plan::skipped(planned('2d-text', display => undef), 1),
    'skipped: no X display; set DISPLAY or install xvfb',
    'the reason without a display names the package'
);

subtest 'the display of a pass' => sub {
    is(failing_pass(display => 'virtual'), "can't make display\n", "a display that can't be started fails the test");
    my $without = "can't make those of copies\n";
    is(failing_pass(display => 'given'),                     $without, 'no display is started if one is given');
    is(failing_pass(display => 'virtual', is_graphics => 0), $without, 'no display is started for another test');
};

subtest 'the X server is one of the files of the system' => sub {
    my %is_named = map { $_ => is_xvfb_named($_, 1) } qw(virtual given);
    is_deeply(\%is_named, { virtual => 1, given => 0 }, 'for a graphics test on a virtual display');
    is(is_xvfb_named('virtual', 0), 0, 'not for another test');
};

subtest 'the renderer in a journal' => sub {
    my %result = (
        schema       => UnixBench::Base::ResultSchema::SCHEMA,
        version      => '8.0.0',
        procedure    => { kind => 'official', time_factor => 1, work_factor => 1 },
        asked        => ['ubgears'],
        is_brief     => 0,
        utc_offset_s => 0,
        host         => host(graphics => undef),
        language     => { lang => 'C', charmap => undef, collate => undef },
        notes        => [],
    );
    my $journal = UnixBench::Store::Journal->new;
    my $head    = $journal->line(
        head        => pid => 1,
        words       => ['ubgears'],
        environment => {},
        fingerprint => {},
        result      => \%result
    );
    my $text = $head . $journal->line(renderer => name => 'llvmpipe');
    is(UnixBench::Store::Journal::read_text($text)->{renderer}, 'llvmpipe', 'it is read back');
};

done_testing;

# Takes the display of the plan, and perhaps whether the test is a graphics test. Makes a pass without directories;
# returns its error.
sub failing_pass {
    my (%is)    = (is_graphics => 1, @_);
    my $process = FakeProcess->new;
    my $scratch = FakeScratch->new;
    my $sandbox = UnixBench::Measure::PassSandbox->new(
        process => $process,
        clock   => $process,
        scratch => $scratch,
        display => $is{display},
    );
    my $is_done = eval { $sandbox->one_pass({ command => ['/p'], is_graphics => $is{is_graphics} }, 1); 1 };
    is($scratch->{is_clear}, 1, 'the files of the pass are removed');
    return $is_done ? 'no error' : $@;
}

# Takes the display of the plan, and whether the test is a graphics test; returns whether Xvfb is one of its files.
sub is_xvfb_named {
    my ($display, $is_graphics) = @_;
    my $place = place();
    my $test  = { name => 'blit', command => ["$place/blit", 1], runs => [], is_graphics => $is_graphics };
    write_file("$place/blit", "\x7fELF");
    my $files = UnixBench::Store::SystemFiles->new(
        plan     => { tests  => [$test], display => $display },
        settings => { bindir => $place,  testdir => $place, home => $place },
        run      => sub { return },
        path     => $BIN,
    );
    return scalar grep { $_ eq 'Xvfb' } values %{ $files->of_test($test) };
}
