package UnixBench::Measure::PassSandbox;

# The environment of a pass: gives the copies of a test their commands, input and scratch directories, and removes the
# files that they leave.

use strict;
use warnings;

use File::Basename qw(basename);

use UnixBench::Base::Arguments qw(named);
use UnixBench::Base::Halt      ();
use UnixBench::Measure::Pass   ();

use constant {
    FILLING_KB => 128,                                         # a test that wrote less did not fill the disk
    SIZE_HINT  => 'see the limit on file sizes (ulimit -f)',
    NO_TIME    => 'UB_TIME is missing in its environment: the command has to pass on UB_TIME, UB_SCRATCH and UB_TMPDIR',
};

# The program whose time shows how long a command takes to start it.
use constant EMPTY => [qw(/bin/sh -c :)];

# Messages of programs and shells about a file that exceeds the limit on file sizes.
my $OF_SIZE = qr/File too large|File size limit exceeded|SIGXFSZ/;

# Takes
#   process    UnixBench::Process
#   clock      UnixBench::Base::Clock
#   scratch    UnixBench::Measure::Scratch
#   testdir    the directory in which tests start
#   display    see UnixBench::Host::Machine
#   home       the directory of the suite
#   states     [states of the plan] (default: the plain machine)
#   is_timed   whether programs report the time of their work, as they do with several states in any case: the start and
#              the end of a copy, as seen from here, matter in a short pass
#   originals  UnixBench::Store::SystemIdentity (optional)
sub new {
    my ($class, @given) = @_;
    my $given = named(\@given, qw(process clock scratch testdir display home states is_timed originals));
    require UnixBench::Measure::Display if ($given->{display} // q{}) eq 'virtual';
    return bless { states => [{ words => [] }], %$given }, $class;
}

# Takes a test of the plan, a number of copies, and perhaps a hash with some of the keys below. Makes one pass and
# returns the results of the copies. In any case ends the display, checks and clears the disk, and checks the files of
# the test. Dies if the copies can't be started or if files of the test were replaced. Throws a UnixBench::Base::Halt if
# no test can be run any more, or if the scratch directory was removed.
#   before       function to call right before the copies start
#   words        function that takes [words], the command of a copy, and returns the command to start instead
#   after        function to call after all copies have ended
#   is_followed  whether a tracer writes scratch files, too
sub one_pass {
    my ($self, $test, $copies, $given) = @_;
    my $around  = { before => sub { }, words => sub { $_[0] }, after => sub { }, %{ $given || {} } };
    my $scratch = $self->{scratch};
    $self->_check_originals($test);
    my $display;
    my $results = eval {
        $display = $self->_display($test);
        [$self->_pass($test, $copies, $around, $display ? $display->environment : ())];
    };
    my $why_not = $@;
    my @after   = (
        sub { $self->_end_display($display, $results) if $display },
        sub { $self->_clear($test, $around, $results, $why_not) },
        sub { $self->_check_originals($test) },
    );
    for my $step (@after) {
        ($results, $why_not) = (undef, $@) if !eval { $step->(); 1 };
    }
    my $gone = "the scratch directory @{[$scratch->path]} was removed; set UB_TMPDIR to another directory\n";
    die UnixBench::Base::Halt->new(line => $gone)
        if !$scratch->is_there && !$self->{process}->interrupted && !UnixBench::Base::Halt::is_thrown($why_not);
    die $why_not if !$results;
    return @$results;
}

sub _check_originals {
    my ($self, $test) = @_;
    $self->{originals}->check($test) if $self->{originals};
    return;
}

# Checks whether the disk is full, and removes the scratch files of a pass. Takes its test, the hash of one_pass(), and
# [results], or undef and the reason. A test fails if its own files fill the disk. Throws a UnixBench::Base::Halt if the
# disk is full without them.
sub _clear {
    my ($self, $test, $around, $results, $why_not) = @_;
    my $scratch    = $self->{scratch};
    my $name       = $test->{name} // basename($test->{command}[0]);
    my @failed     = grep { defined $_->{error} } @{ $results || [] };
    my $is_full    = (!$results || @failed || $around->{is_followed}) && $scratch->is_full;
    my $written_kb = $is_full ? $scratch->size_kb : 0;
    $scratch->clear;
    my $line = "no space left for scratch files in @{[$scratch->path]}\n";
    die UnixBench::Base::Halt->new(line => $line, is_no_space => 1)
        if $is_full && ($written_kb < FILLING_KB || $scratch->is_full);
    my $filled = $is_full ? sprintf('%s filled the disk: its files took %.0f KB', $name, $written_kb) : undef;
    die $results ? "$filled\n" : "$filled; $why_not" if $is_full && !@failed;
    _add_to_error($_, $filled) for $is_full ? @failed : ();
    _add_to_error($_, SIZE_HINT) for grep { $_->{error} =~ $OF_SIZE } @failed;
    return;
}

sub _add_to_error {
    my ($copy, $text) = @_;
    $copy->{error} .= "; $text";
    $copy->{data}{ERROR} = [$copy->{error}];
    return;
}

# Starts a display for a test that needs one, unless the user has one, so that passes do not influence each other.
# Returns it, or undef. It is an object of a feature. Its method environment returns { NAME => value } for the copies.
# Its method stop ends it, and returns how it had ended by itself, or undef. Dies with one line if it does not start.
sub _display {
    my ($self, $test) = @_;
    return if !$test->{is_graphics} || ($self->{display} // q{}) ne 'virtual';
    return UnixBench::Measure::Display->start(
        process => $self->{process},
        clock   => $self->{clock},
        dir     => $self->{scratch}->directory('display')
    );
}

# Takes a display and [results] or undef. Ends the display. If it has ended by itself, this is added to the errors of
# the copies.
sub _end_display {
    my ($self, $display, $results) = @_;
    my $ended = $display->stop // return;
    _add_to_error($_, "the virtual display (Xvfb) has ended: $ended")
        for grep { defined $_->{error} } @{ $results || [] };
    return;
}

sub _pass {
    my ($self, $test, $copies, $around, $environment) = @_;
    my $scratch = $self->{scratch}->for_copies($copies);
    $self->_prepare($test, $_) for @$scratch;
    my $has_states = @{ $self->{states} } > 1;
    my %time       = $has_states || $self->{is_timed} ? (UB_TIME => 1) : ();
    my %used       = $around->{is_followed}           ? (UB_USED => 0) : ();    # its calls would be observed, too
    $around->{before}->();
    my @results = $self->_new_pass->run(
        $self->_of_copies($test, $scratch),
        command => sub { $around->{words}->($self->_under($test, @_, _filled_in($test->{command}, @_))) },
        stdin   => defined $test->{input} ? "$self->{testdir}/$test->{input}" : '/dev/null',
        env     => { %{ $environment || {} }, %time, %used },
    );
    $around->{after}->();

    # A copy that was to report the time of its work, and has not, has only the time of its process. That includes the
    # start of the command under which it ran.
    return map { defined $_->{error} || $_->{data}{TIME} ? $_ : { %$_, error => NO_TIME } } @results
        if $has_states && $test->{reports_time};
    return $test->{is_under} ? $self->_with_start($test, $scratch, @results) : @results;
}

sub _new_pass {
    my ($self) = @_;
    return UnixBench::Measure::Pass->new(map { $_ => $self->{$_} } qw(process clock));
}

sub _of_copies {
    my ($self, $test, $scratch) = @_;
    my $under = $test->{is_under} ? $self->_state($test)->{option} : undef;
    return (scratch => $scratch, dir => $self->{testdir}, limit_s => $test->{limit_s}, under => $under);
}

# Takes a test whose program reports no time, [the scratch directory of each copy], and the results of the copies. Runs
# the empty program instead, in the same state. Returns the results with the seconds that its copies took, as data of
# the name "start".
sub _with_start {
    my ($self, $test, $scratch, @results) = @_;
    my $command = sub { $self->_under($test, @_, EMPTY) };
    my @empty   = $self->_new_pass->run($self->_of_copies($test, $scratch), command => $command, stdin => '/dev/null');
    $results[$_]{data}{start} = [sprintf '%.6f', $empty[$_]{elapsed_s}] for 0 .. $#empty;
    return @results;
}

sub _state {
    my ($self, $test) = @_;
    return $self->{states}[$test->{state} // 0];
}

sub _under {
    my ($self, $test, $scratch, $command) = @_;
    my %word =
        (home => $self->{home}, tmp => $self->{scratch}->parent, scratch => $scratch, test => $test->{name});
    my @words = map { s/[{](home|tmp|scratch|test)[}]/$word{$1}/gr } @{ $self->_state($test)->{words} };
    return [@words, @$command];
}

# Takes a test and the scratch directory of a copy. If the test needs a command before its copies start, runs it there.
sub _prepare {
    my ($self, $test, $scratch) = @_;
    my $command = $test->{first} or return;
    my $output  = "$scratch.first";
    require UnixBench::Process::Server;
    my $first = UnixBench::Process::Server->start(
        command => sub { _filled_in($command, $scratch) },
        output  => $output,
        map { $_ => $self->{$_} } qw(process clock)
    );
    my $status = $first->ended_within($test->{limit_s});
    $first->stop;
    return if defined $status && !$status || $self->{process}->interrupted;
    my $why_not = UnixBench::Process::Server::complaint($status, $output, qr/\AERROR[|]/);
    die "the preparation of a copy failed: $command->[0]: $why_not\n";
}

# Replaces {scratch} at the beginning of words by the scratch directory. Only words of the catalog begin with {scratch}:
# a path that contains it is absolute.
sub _filled_in {
    my ($command, $scratch)   = @_;
    my ($program, @arguments) = @$command;
    return [$program, map { s/\A[{]scratch[}]/$scratch/r } @arguments];
}

1;
