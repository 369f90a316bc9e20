package Workbench;

# Passes of the fake programs in t/bin.

use strict;
use warnings;

use Cwd ();
use Exporter 'import';
use File::Temp     ();
use File::Basename ();
use POSIX          ();

use Place                       qw(path_of);
use UnixBench::Base::Clock      ();
use UnixBench::Measure::Pass    ();
use UnixBench::Measure::Scratch ();
use UnixBench::Process          ();

our @EXPORT_OK = qw(elsewhere limited one_pass start_shell);

# A shell makes its background commands ignore some signals; the tests need their default effect.
$SIG{$_} = 'DEFAULT' for qw(INT TERM HUP TSTP);

use constant PATIENCE_S => 600;    # a test's process that runs longer is ended

my $BIN = Cwd::abs_path(File::Basename::dirname(__FILE__) . '/../bin');

# Runs a pass. Takes a program of t/bin, a path, or the text of a Perl program, which has a blank and can use FakeGate;
# and these named arguments, all optional:
#     copies     number of copies (default: 1)
#     arguments  list of arguments
#     limit_s    time limit (default: 600)
#     stdin      path (default: /dev/null)
#     dir        directory (default: /)
#     clock      default: a UnixBench::Base::Clock
#     under      the option with the command of the user under which it runs
#     during     function that is called with the process before the pass
# Returns { copies => [result], took_s, left => [names in scratch after the pass], interrupted, stops, error }.
sub one_pass {
    my ($program, %with) = (shift, copies => 1, arguments => [], limit_s => 600, stdin => '/dev/null', dir => '/', @_);
    my $place   = File::Temp->newdir;
    my $scratch = UnixBench::Measure::Scratch->new(parent => "$place");
    my $clock   = $with{clock} || UnixBench::Base::Clock->new;
    my $process = UnixBench::Process->new(clock => $clock);
    my @words =
          $program =~ m{\A[^/]+ } ? ($^X, "-I$BIN/../lib", '-MFakeGate', '-e', $program)
        : $program =~ m{/}        ? $program
        :                           "$BIN/$program";
    $with{during}->($process) if $with{during};
    my $start_s = $clock->monotonic_s;
    my @copies  = eval {
        UnixBench::Measure::Pass->new(process => $process, clock => $clock)->run(
            command => sub { [@words, map { s/[{]scratch[}]/$_[0]/r } @{ $with{arguments} }] },
            program => $words[-1],
            scratch => $scratch->for_copies($with{copies}),
            map { $_ => $with{$_} } qw(dir stdin limit_s under)
        );
    };
    my $error  = $@;
    my $took_s = $clock->monotonic_s - $start_s;
    my %state  = map { $_ => $process->$_ } qw(interrupted stops);
    $process->release;
    my @left = map { s{.*/}{}r } glob $scratch->path . '/*';
    return { copies => \@copies, took_s => $took_s, left => \@left, %state, error => $error };
}

# Takes the process, a text for the shell and a directory for its output; starts a shell as a copy would be started.
sub start_shell {
    my ($process, $text, $place) = @_;
    my ($go, $gate) = $process->gate;
    return $process->start(
        command => ['/bin/sh', '-c', $text],
        dir     => '/',
        stdin   => '/dev/null',
        stdout  => "$place/out",
        go      => $go,
        env     => {},
    );
}

# Runs the function in a child process; returns its output and its wait status.
sub elsewhere {
    my ($function) = @_;
    my $pid = open(my $from, '-|') // die "fork: $!\n";
    if (!$pid) {
        $| = 1;
        alarm PATIENCE_S;
        my $is_done = eval { $function->(); 1 };
        print "died: $@" if !$is_done;
        POSIX::_exit(0);
    }
    local $/ = undef;
    my $text = <$from>;
    close $from;
    return ($text, $?);
}

# Runs the function under limits in prlimit's words, such as --nofile=20; returns its output and its wait status, or
# undef if there is no prlimit. Limits of processes do not apply to root, so root becomes the user "nobody".
sub limited {
    my ($limits, $function) = @_;
    return if !path_of('prlimit');
    my $place = File::Temp->newdir;
    chmod 0777, "$place";
    local $ENV{TMPDIR} = "$place";
    return elsewhere(sub {
        system('prlimit', '--pid', $$, @$limits) == 0 or die "prlimit: @$limits\n";
        my ($user, $group) = (getpwnam 'nobody')[2, 3];
        if ($> == 0) { POSIX::setgid($group); POSIX::setuid($user) }
        $function->();
    });
}

1;
