use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use FakeProcess;
use Place qw(place);
use UnixBench::Base::Clock;
use UnixBench::Base::Halt;
use UnixBench::Measure::PassSandbox;
use UnixBench::Measure::Scratch;
use UnixBench::Process::Process;

# A fake scratch directory in which no display can be started.
package FakeScratch {
    sub new        { my ($class, %is) = @_; return bless { path => '/s', %is }, $class }
    sub path       { my ($self) = @_; return $self->{path} }
    sub for_copies { return ['/s/copy1'] }
    sub renew      { my ($self) = @_; $self->{renewed}++; return }
    sub is_there   { return 1 }
    sub size_kb    { return 0 }
    sub directory  { die "can't make it\n" }
    sub is_full    { my ($self) = @_; return $self->{is_full} }
    sub clear      { my ($self) = @_; $self->{is_clear}++; return }
}

package GoneOriginals {
    sub check { die UnixBench::Base::Halt->new(line => "gone\n") }
}

# Takes properties of the scratch directory. Makes a pass that needs a display; returns its error and the directory.
sub thrown {
    my (%is)    = @_;
    my $scratch = FakeScratch->new(%is);
    my $process = FakeProcess->new;
    my $sandbox = UnixBench::Measure::PassSandbox->new(
        process => $process,
        clock   => $process,
        scratch => $scratch,
        display => 'virtual',
    );
    my $is_done = eval { $sandbox->one_pass({ command => ['/p'], is_graphics => 1 }, 1); 1 };
    return ($is_done ? undef : $@, $scratch);
}

my ($why_not, $scratch) = thrown(is_full => 0);
is($why_not, "can't make it\n", "a display that can't be started fails the test");
ok($scratch->{is_clear}, 'the files of the display are removed');
($why_not) = thrown(is_full => 1);
ok(UnixBench::Base::Halt::is_no_space($why_not), 'a full disk ends the run');
is("$why_not", "no space left for scratch files in /s\n", 'the error names the scratch directory');

# After the tree of the suite was moved, nothing may be made where it was before.
subtest 'a tree that is gone ends the run' => sub {
    my $originals = bless {}, 'GoneOriginals';
    my $gone      = UnixBench::Measure::PassSandbox->new(
        process   => FakeProcess->new,
        scratch   => my $unused = FakeScratch->new,
        originals => $originals,
    );
    is(eval { $gone->one_pass({ command => ['/p'] }, 1); 1 }, undef, 'no pass is made');
    ok(UnixBench::Base::Halt::is_thrown($@), 'the run ends');
    is($unused->{renewed}, undef, 'no scratch directory is made');
};

subtest 'a directory whose name is a placeholder is not replaced' => sub {
    my $home    = place();
    my $process = UnixBench::Process::Process->new(clock => UnixBench::Base::Clock->new);
    mkdir "$home/{scratch}" or die "mkdir: $!\n";
    my $program = "$home/{scratch}/tell";
    symlink "$FindBin::Bin/../../bin/tell", $program or die "symlink: $!\n";
    my $made = UnixBench::Measure::PassSandbox->new(
        process => $process,
        clock   => UnixBench::Base::Clock->new,
        scratch => my $inside = UnixBench::Measure::Scratch->new(parent => "$home/{scratch}"),
        testdir => '/',
    );
    my @words  = ($program, '{scratch}/x', "$home/{scratch}/y");
    my ($copy) = $made->one_pass({ command => \@words, limit_s => 20 }, 1);
    my $own    = $inside->path . '/copy1';
    is($copy->{error}, undef, 'the program of that directory runs');
    like(
        $copy->{output},
        qr{^arguments:\Q$own/x $home/{scratch}/y\E$}m,
        'only {scratch} at the start of a word is replaced'
    );
    $process->release;
};

done_testing;
