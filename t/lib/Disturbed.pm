package Disturbed;

# A run with three copies and known scores that something happens to, and what comes of it.

use strict;
use warnings;

use Exporter 'import';
use Test::More;

use Alive   qw(eventually of_environment);
use TestRun qw(waited);

our @EXPORT_OK = qw(own_mounts undisturbed whole_in_the_end);

# How long what a killed run has left may take to be gone, where that is limited.
our $PATIENCE_S;

my @TESTS = qw(hanoi syscall pipe);
my @WORDS = (qw(-q -i 3 -c 3 -c 2), @TESTS);

# A place for such a run; takes what TestRun takes. Run is a program of its own, so that it is found by its environment.
sub place {
    my $test = TestRun->new(programs => { map { $_ => 'numbered' } @TESTS }, @_);
    $test->{program} = "$TestRun::HOME/Run";
    return $test;
}

# Returns the reports of a run that nothing happens to: { report, log }, without what differs from run to run.
sub undisturbed {
    my $test = place();
    my $run  = $test->run(@WORDS);
    die "the undisturbed run has failed: $run->{err}" if $run->{status};
    return _reports($test);
}

# Starts such a run in a place, calls a function with the place and the run when it may be disturbed, then goes on
# with it until it is whole. One subtest: nothing is left running or in scratch, and the reports are the expected ones.
sub whole_in_the_end {
    my ($name, $expected, $test, $disturb) = @_;
    return subtest $name => sub {
        my $run = $test->started(@WORDS);
        $disturb->($test, $run);
        my $ended = $run->{ended} || waited($run);
        unlike($ended->{err}, qr/ line [0-9]+[.]$/m, 'no complaint of Perl');
        ok(eventually(sub { !of_environment($test->place('test')) }, $PATIENCE_S), 'nothing is left running');
        ok(eventually(sub { !$test->left },                          $PATIENCE_S), 'nothing is left in scratch');
        my $base = _begun($test);
        my $again =
            defined $base ? $test->run('-q', '--resume', $base) : _is_written($test) ? $ended : $test->run(@WORDS);
        is_deeply([@$again{qw(status err)}],                [0, q{}],  'whole in the end') or diag $ended->{err};
        is_deeply(_reports($test),                          $expected, 'the same scores and log');
        is_deeply([grep { /[.]journal\z/ } $test->reports], [],        'no journal is left') if defined $base;
    };
}

# Restarts the test in a mount namespace of its own, so that its mounts are gone with it; returns why that is not
# possible, or undef.
sub own_mounts {
    return if $ENV{UB_OWN_MOUNTS};
    return [machine => 'root'] if $> != 0;
    return [machine => 'mount namespaces'] if system 'unshare -m mount -t tmpfs tmpfs /mnt >/dev/null 2>&1';
    local $ENV{UB_OWN_MOUNTS} = 1;
    exec qw(unshare -m --), $^X, $0, @ARGV;
    die "unshare: $!\n";
}

# Puts a file system of its own, so small that it is soon full, at a directory of a place.
sub make_small {
    my ($test, $directory) = @_;
    my $path = $test->place($directory);
    system("mount", split(q{ }, "-t tmpfs -o size=256k,nr_inodes=40 tmpfs"), $path) == 0 or die "mount $path: $?\n";
    push @{ $test->{mounts} }, $path;
    return;
}

# Fills that directory until a run has ended, then empties it.
sub full_for_a_while {
    my ($test, $run, $directory) = @_;
    fill($test->place($directory));
    $run->{ended} = waited($run);
    empty($test->place($directory));
    return;
}

# Fills a file system to the last byte and the last file.
sub fill {
    my ($path) = @_;
    open my $filler, '>', "$path/filler" or die "$path/filler: $!\n";
    for my $size (1024, 1) { 1 while syswrite $filler, 'x' x $size }
    close $filler;
    my $number = 0;
    1 while open my $file, '>', "$path/filler" . $number++;
    return;
}

# Removes what fill() has written.
sub empty { my ($path) = @_; return unlink glob "$path/filler*" }

# The base of the run that has begun, as its journal has a whole line, and is not finished.
sub _begun {
    my ($test) = @_;
    my ($name) = grep { /[.]journal\z/ } $test->reports;
    return defined $name && $test->text($name) =~ /\n/ ? $name =~ s/[.]journal\z//r : undef;
}

sub _is_written {
    my ($test) = @_;
    return scalar grep { /[.]html\z/ } $test->reports;
}

# Results alone: no times, no numbers of processes, not which copies a busy machine brought to the gate too late, and
# of several reports the last one.
sub _reports {
    my ($test) = @_;
    my ($base) = map { s/[.]html\z//r } reverse grep { /[.]html\z/ } $test->reports or return {};
    my $report = $test->text($base)       =~ s/\A.*?^-{72}$//smr                          =~ s/^Benchmark Run:.*$//mgr;
    my $log    = $test->text("$base.log") =~ s/^# (?:pid|elapsed): .*$|^# gate: .*\n//mgr =~ s/^==> .*$//mgr;
    return { report => $report, log => $log };
}

1;
