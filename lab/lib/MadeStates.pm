package MadeStates;

# States of this machine that a script makes, and a run that measures tests in turns on the plain machine and in such a
# state. What was made is removed when the script ends.

use strict;
use warnings;

use Exporter 'import';
use File::Temp ();
use JSON::PP   ();

our @EXPORT_OK = qw(at_end build burner changed compared control_group place shell works wrapper);

use constant { BEFORE => 9, AFTER => 4 };    # quick runs of a history

my $PLACE = File::Temp->newdir;
my @undo;

# What is removed must not change the exit status.
END {
    local $?;
    $_->() for reverse @undo;
}

# Returns the directory for everything that a script makes.
sub place { return "$PLACE" }

# Takes a function to call at the end, before those of earlier calls.
sub at_end { my ($do) = @_; push @undo, $do; return }

# Takes lines for a shell; returns whether all of them succeed.
sub shell {
    my ($lines) = @_;
    return system('sh', '-ec', "exec >/dev/null 2>&1; $lines") == 0;
}

# Takes the words of a command as a text; returns a function that returns whether a program can be started by it.
sub works {
    my ($command) = @_;
    return sub { system("$command /bin/true >/dev/null 2>&1") == 0 };
}

# Takes the suite's directory, a name, and words for make. Builds the programs of a copy; returns their directory, or
# undef if that fails.
sub build {
    my ($home, $name, $words) = @_;
    my $tree     = "$PLACE/$name";
    my $is_built = -d $tree
        || shell(
              "mkdir $tree; cd $home; tar --exclude=./.git --exclude=./results --exclude=./tmp -c . | tar -C $tree -x; "
            . "make -C $tree clean; make -C $tree GRAPHIC_TESTS=no $words programs");
    return $is_built ? "$tree/pgms" : undef;
}

# Takes a name and the lines of a shell script that ends by starting its arguments; returns its path.
sub wrapper {
    my ($name, $lines) = @_;
    open my $file, '>', "$PLACE/$name" or die "$PLACE/$name: $!\n";
    print {$file} "#!/bin/sh\n$lines\n";
    close $file;
    chmod 0755, "$PLACE/$name";
    return "$PLACE/$name";
}

# Takes a controller (cpu or memory) and [file, value] pairs for version 1 and for version 2. Makes a control group with
# these values. Returns the command that runs a program in it, or undef if that is not possible here.
sub control_group {
    my ($controller, $of_v1, $of_v2) = @_;
    my $name = "unixbench-xt-$$-" . @undo;
    my ($v1, $v2) = ("/sys/fs/cgroup/$controller/$name", "/sys/fs/cgroup/$name");
    at_end(sub { shell("rmdir $v1 || rmdir $v2") });
    my ($set_v1, $set_v2) = map {
        my ($group, $values) = @$_;
        join q{}, "mkdir $group; ", map { "echo '$_->[1]' > $group/$_->[0]; " } @$values
    } [$v1, $of_v1], [$v2, $of_v2];
    my $processes = shell($set_v1) ? "$v1/tasks" : shell($set_v2) ? "$v2/cgroup.procs" : return;
    return qq(sh -c 'echo 0 > $processes; exec "\$@"' sh);
}

# Takes the number of a CPU; starts a process that uses it until the script ends.
sub burner {
    my ($cpu) = @_;
    my $pid = fork // die "can't start a process: $!\n";
    if (!$pid) {
        exec 'taskset', '-c', $cpu, 'sh', '-c', 'while :; do :; done' or die "taskset: $!\n";
    }
    my $end = sub { kill KILL => $pid; waitpid $pid, 0; return };
    at_end($end);
    return $end;
}

# Takes the suite's directory, a name, options of Run with the names of tests, and a command. Measures the tests in
# turns on the plain machine and under the command. Returns the pair of the comparison, see the JSON of comparisons, or
# undef, and what was said.
sub compared {
    my ($home, $name, $options, $command) = @_;
    local $ENV{UB_RESULTDIR}        = "$PLACE/results";
    local $ENV{UB_OUTPUT_FILE_NAME} = $name;
    my $said = _said("$home/Run", '-q', '--under', $command, @$options);
    my $json = _said("$home/Run", qw(compare --json -), map { "$PLACE/results/$_.html" } $name, "$name-b");
    my $data = eval { JSON::PP::decode_json($json) };
    return $data ? ($data->{pairs}[0], $said) : (undef, $said);
}

# Takes the suite's directory, a name, a test, and a command. Measures the test several times on the plain machine, and
# then with Run under the command. Returns the latest event of the history, see the JSON of histories, or undef, and
# the trust of its runs.
sub changed {
    my ($home, $name, $test, $command) = @_;
    local $ENV{UB_RESULTDIR} = "$PLACE/$name-history";
    my @run = ("$home/Run", qw(-q --quick -c 1 --max-time 6), $test);
    _said(@$_) for ([@run]) x BEFORE, (['sh', '-c', qq($command "\$\@"), 'sh', @run]) x AFTER;
    my $data  = eval { JSON::PP::decode_json(_said("$home/Run", qw(history --json -))) };
    my @trust = map { $_->{trust} } @{ $data ? $data->{hosts}[0]{runs} : [] };
    return ($data && $data->{hosts}[0]{events}[0], "trust of the runs: @trust");
}

# Runs a command; returns its output.
sub _said {
    my (@command) = @_;
    open my $out, '-|', @command or die "can't run $command[0]: $!\n";
    local $/ = undef;
    my $said = readline $out;
    close $out;
    return $said // q{};
}

1;
