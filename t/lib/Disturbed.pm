package Disturbed;

# A run with two copies and known scores that a test disturbs, and checks of how it ends; journals of interrupted runs.

use strict;
use warnings;

use Digest::SHA ();
use Exporter 'import';
use Test::More;

use TestRun qw(eventually of_environment waited);

our @EXPORT_OK = qw(interrupted own_mounts reports_of resealed undisturbed whole_in_the_end);

# Seconds that a killed run has to end its processes and remove its files; undef: as long as Place allows.
our $PATIENCE_S;

my @TESTS = qw(hanoi syscall pipe);
my @WORDS = (qw(-q -i 3 -c 2 -c 1), @TESTS);

# Returns a place for such a run. Takes the arguments of TestRun.
sub place {
    return TestRun->new(programs => { map { $_ => 'numbered' } @TESTS }, @_);
}

# Returns the reports of an undisturbed run, { report, log }, without the parts that differ from run to run.
sub undisturbed {
    my $test = place();
    my $run  = $test->run(@WORDS);
    die "the undisturbed run has failed: $run->{err}" if $run->{status};
    return reports_of($test);
}

# Takes the name of the subtest, the expected reports, a place and a function. Starts the run in the place, calls the
# function with the place and the run, then resumes the run until it is complete. Tests that no process and no scratch
# file is left, and that the reports are the expected ones.
sub whole_in_the_end {
    my ($name, $expected, $test, $disturb) = @_;
    return subtest $name => sub {
        my $run = $test->started(@WORDS);
        $disturb->($test, $run);
        my $ended = $run->{ended} || waited($run);
        unlike($ended->{err}, qr/ line [0-9]+[.]$/m, 'Perl prints no warning');
        ok(eventually(sub { !of_environment($test->place('test')) }, $PATIENCE_S), 'no process of the run is left');
        ok(eventually(sub { !$test->left },                          $PATIENCE_S), 'the scratch directory is empty');
        my $base = _begun($test);
        my $again =
            defined $base ? $test->run('-q', '--resume', $base) : _is_written($test) ? $ended : $test->run(@WORDS);
        is_deeply([@$again{qw(status err)}], [0, q{}],          'the resumed run is complete') or diag $ended->{err};
        is_deeply(reports_of($test),         $expected,         'scores and log are those of an undisturbed run');
        is_deeply([grep { /[.]journal\z/ } $test->reports], [], 'no journal is left') if defined $base;
    };
}

# Restarts the test in its own mount namespace, so that its mounts end with it. Returns a need if that is not possible,
# or undef.
sub own_mounts {
    return if $ENV{UB_OWN_MOUNTS};
    return [machine => 'root'] if $> != 0;
    return [machine => 'mount namespaces'] if system 'unshare -m mount -t tmpfs tmpfs /mnt >/dev/null 2>&1';
    local $ENV{UB_OWN_MOUNTS} = 1;
    exec qw(unshare -m --), $^X, $0, @ARGV;
    die "unshare: $!\n";
}

# Takes a place and a directory; mounts a file system there that is so small that it is soon full.
sub make_small {
    my ($test, $directory) = @_;
    my $path = $test->place($directory);
    system("mount", split(q{ }, "-t tmpfs -o size=256k,nr_inodes=40 tmpfs"), $path) == 0 or die "mount $path: $?\n";
    push @{ $test->{mounts} }, $path;
    return;
}

# Takes a place, a run and a directory; fills the directory until the run has ended, then empties it.
sub full_for_a_while {
    my ($test, $run, $directory) = @_;
    fill($test->place($directory));
    $run->{ended} = waited($run);
    empty($test->place($directory));
    return;
}

# Fills a file system until no byte and no file is left.
sub fill {
    my ($path) = @_;
    open my $filler, '>', "$path/filler" or die "$path/filler: $!\n";
    for my $size (1024, 1) { 1 while syswrite $filler, 'x' x $size }
    close $filler;
    my $number = 0;
    1 while open my $file, '>', "$path/filler" . $number++;
    return;
}

# Removes the files that fill() has written.
sub empty { my ($path) = @_; return unlink glob "$path/filler*" }

# Returns the base name of the run that has begun (its journal has a complete line) and is not finished, or undef.
sub _begun {
    my ($test) = @_;
    my ($name) = grep { /[.]journal\z/ } $test->reports;
    return defined $name && $test->text($name) =~ /\n/ ? $name =~ s/[.]journal\z//r : undef;
}

sub _is_written {
    my ($test) = @_;
    return scalar grep { /[.]html\z/ } $test->reports;
}

# Takes a place; returns its last report and the log, { report, log }, without times, process numbers and copies that
# came late to the gate on a busy machine.
sub reports_of {
    my ($test) = @_;
    my ($base) = map { s/[.]html\z//r } reverse grep { /[.]html\z/ } $test->reports or return {};
    my $report = $test->text($base) =~ s/\A.*?^-{72}$//smr =~ s/^Benchmark Run:.*$//mgr;
    my $log    = $test->text("$base.log") =~ s/^# (?:pid|elapsed): .*$|^# gate: .*\n|^# Disturbed by .*\n\n//mgr =~
        s/^==> .*$//mgr;
    return { report => $report, log => $log };
}

# The end of a line of a journal.
my $END = qr/(?:,"sha256":"[0-9a-f]{64}")?\}\n\z/;

my @ONE_COPY = qw(-q -c 1 -i 4 syscall hanoi);

# The lines of the journal that interrupted() returns: the head, the start of the run, and its passes.
use constant LINES => 6;

# Takes the text of a journal whose lines were changed; returns it with checksums that fit. A line that does not end as
# a line of a journal does keeps its text.
sub resealed {
    my ($text) = @_;
    my $seal = q{};
    my @lines;
    for my $line (split /^/m, $text) {
        $seal = Digest::SHA::sha256_hex($seal . $line) if $line =~ s/$END//;
        push @lines, $line =~ /\n\z/ ? $line : qq($line,"sha256":"$seal"}\n);
    }
    return join q{}, @lines;
}

# Takes the arguments of TestRun. Interrupts a run of one copy, and cuts its journal after the fourth pass of its first
# test. Returns the place, the name of the run, the text of the journal, and the reports of an undisturbed run.
sub interrupted {
    my (%with) = @_;
    my ($whole, $test) = map { place(%with) } 1, 2;
    waited($whole->started(@ONE_COPY));
    my $run = $test->started(@ONE_COPY);
    eventually(sub { ($test->report('.journal') =~ tr/\n//) >= LINES });
    kill KILL => $run->{pid};
    waited($run);
    my ($name)    = map { /(.+)[.]journal\z/ ? $1 : () } $test->reports;
    my ($journal) = $test->text("$name.journal") =~ /\A((?:[^\n]*\n){@{[LINES]}})/;
    return ($test, $name, $journal, reports_of($whole));
}

1;
