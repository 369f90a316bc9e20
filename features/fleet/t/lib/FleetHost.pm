package FleetHost;

# A host of a fleet on this machine: its host.sh, started by any shell, and releases whose Run is a small script.

use strict;
use warnings;

use Cwd qw(abs_path);
use Exporter 'import';
use File::Basename qw(dirname);
use File::Temp     ();
use Test::More;

use Alive  qw(eventually of_environment);
use InPath qw(path_of);
use Needs  qw(skip_without);
use Place  qw(write_program);

our @EXPORT_OK = qw(in_each_shell);

my $SCRIPT = abs_path(dirname(__FILE__) . '/../../ansible/roles/unixbench/files/host.sh');

use constant LIMIT_S => 120;    # an answer that takes longer never comes

# The last word of Run decides what it does. "gated" waits for a file "go" next to the results.
my $RUN = <<'END';
#!/bin/sh
base=$UB_RESULTDIR/$UB_OUTPUT_FILE_NAME
finish() { echo '{"words": "two"}' > "$base.json"; rm -f "$base.journal"; exit "$1"; }
mkdir -p "$UB_RESULTDIR"
printf '<%s>' "$@" >> "$UB_RESULTDIR/words"
case $* in *--resume*) finish 0 ;; esac
while [ $# != 1 ]; do shift; done
case $1 in
    nothing) echo 'Run: there is no space left' >&2; exit 1 ;;
    gated) : > "$base.journal"; while [ ! -e "$UB_RESULTDIR/go" ]; do sleep 0.02; done ;;
    stubborn) trap '' TERM; setsid sh -c 'trap "" TERM; while :; do sleep 0.1; done' & while :; do sleep 0.1; done ;;
esac
finish 0
END

# Takes functions; calls them with each shell that may be /bin/sh, with a new host for each call.
sub in_each_shell {
    my (@tests) = @_;
    for my $words ([qw(dash)], [qw(bash --posix)], [qw(busybox sh)], [qw(mksh)]) {
    SKIP: {
            my ($name, @options) = @$words;
            my $path = path_of($name) or skip_without(tool => $name, 1);
            subtest "@$words" => sub { $_->(FleetHost->new($path, @options)) for @tests };
        }
    }
    return;
}

# Takes the words of a shell, such as qw(busybox sh); returns a host without a directory.
sub new {
    my ($class, @shell) = @_;
    return bless { shell => [@shell], place => File::Temp->newdir, owner => $$ }, $class;
}

# Ends the runs that a failed test has left.
sub DESTROY {
    my ($self) = @_;
    return if $self->{owner} != $$ || !$self->{place};
    local $? = 0;
    kill KILL => $self->processes;
    return;
}

# Returns a path in the place of the host, which has the directory of the host, too.
sub place { my ($self, @below) = @_; return join q{/}, "$self->{place}", @below }

# Returns the path of the directory of the host, or a path in it.
sub directory { my ($self, @below) = @_; return $self->place('d d', @below) }

# Takes an operation and its words; returns the answer, "STATE REASON". Takes further variables of the environment from
# the key env.
sub ask {
    my ($self, @words) = @_;
    return $self->_said($SCRIPT, @words);
}

# Takes a name; installs a release of that name, and perhaps leaves out the end of its archive. Returns the answer.
sub install {
    my ($self, $release, $is_torn) = @_;
    my $tree = File::Temp->newdir;
    mkdir "$tree/unixbench" or die "mkdir: $!\n";
    write_program("$tree/unixbench/Run", $RUN);
    my $script = $self->place('install');
    my $pack   = 'cat "$0"; tar -c -C "$1" -f - unixbench | gzip';
    $pack .= ' | head -c 300' if $is_torn;
    system('sh', '-c', "{ $pack; } > \"\$2\"", $SCRIPT, "$tree", $script) == 0 or die "tar: $?\n";
    return $self->_said($script, install => $release);
}

sub _said {
    my ($self, $script, @words) = @_;
    my $pid = open(my $out, '-|') // die "fork: $!\n";
    if (!$pid) {
        %ENV = (%ENV, %{ $self->{env} || {} });    ## no critic (RequireLocalizedPunctuationVars)
        open STDERR, '>&', \*STDOUT or die "stderr: $!\n";
        exec @{ $self->{shell} }, $script, $self->directory, @words or die "$script: $!\n";
    }
    local $SIG{ALRM} = sub { kill KILL => $pid; die "no answer: @words\n" };
    alarm LIMIT_S;
    my $text = do { local $/ = undef; readline $out };
    close $out;
    alarm 0;
    return $words[0] eq 'result' ? $text : $text =~ /\Aunixbench: (.*?) *\n\z/ ? $1 : "no answer, but $text";
}

# Takes words of a run; starts it, and waits for its end for that time at most. Returns the answer.
sub run {
    my ($self, $wait_s, $limit_s, @words) = @_;
    return $self->ask('run', 'release-1', $wait_s, $limit_s, @words);
}

# Starts a run that waits, and waits for its journal.
sub start_gated {
    my ($self) = @_;
    $self->run(0, 60, 'gated');
    eventually(sub { -e $self->directory('run/results/result.journal') });
    return;
}

# Returns the numbers of the processes of runs.
sub processes { my ($self) = @_; return of_environment('UNIXBENCH_FLEET=' . $self->directory) }

1;
