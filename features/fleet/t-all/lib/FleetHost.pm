package FleetHost;

# A host of a fleet on this machine: its host.sh, started by any shell, and releases whose Run is a small script.

use strict;
use warnings;

use Cwd qw(abs_path);
use Exporter 'import';
use File::Basename qw(dirname);
use File::Temp     ();
use POSIX          ();
use Test::More;

use Alive       qw(eventually of_environment);
use InPath      qw(path_of);
use Needs       qw(skip_without);
use TestProgram qw(content write_file);

our @EXPORT_OK = qw(in_each_shell is_refused lines release sha256);

my $FILES = abs_path(dirname(__FILE__) . '/../../ansible/roles/unixbench/files');

use constant LIMIT_S => 300;    # an answer that takes longer never comes

# The last word of Run decides what it does. "gated" waits for a file "go" next to the results.
my $RUN = <<'END';
#!/bin/sh
base=$UB_RESULTDIR/$UB_OUTPUT_FILE_NAME
finish() { echo '{"words": "two"}' > "$base.json"; rm -f "$base.journal"; exit "$1"; }
say() { echo "Run: $1" >&2; }
case $* in *doctor*) echo "1 problem: it is a test."; printf '<%s>' "$@"; exit 4 ;; esac
mkdir -p "$UB_RESULTDIR"
printf '<%s>' "$@" >> "$UB_RESULTDIR/words"
[ ! -e "$base.journal" ] || { say 'its passes are kept'; finish 0; }
while [ $# != 1 ]; do shift; done
case $1 in
    failing) say 'pipe: killed by SIGSEGV; aborting this test'; finish 1 ;;
    nothing) say 'there is no space left'; exit 1 ;;
    gated) : > "$base.journal"; while [ ! -e "$UB_RESULTDIR/go" ]; do sleep 0.02; done ;;
    stubborn) trap '' TERM; setsid sh -c 'trap "" TERM; while :; do sleep 0.1; done' & while :; do sleep 0.1; done ;;
esac
finish 0
END

my $PROGRAM = qq(#!/bin/sh\nprintf 'COUNT|%s000|1|lps\\n' "\$1" >&2\n);

# Takes a directory, a version, and perhaps further files, { path => text }. Writes a release there that is packed by
# xz; returns its path.
sub release {
    my ($directory, $version, $more) = @_;
    my $name  = "unixbench-$version-" . (POSIX::uname())[4];
    my %files = (Run => $RUN, 'pgms/pipe' => $PROGRAM, 'lib/Version.pm' => "$version\n", %{ $more || {} });
    my $place = File::Temp->newdir;
    for my $path (sort keys %files) {
        system('mkdir', '-p', dirname("$place/$name/$path")) == 0 or die "mkdir: $?\n";
        write_file("$place/$name/$path", $files{$path});
        chmod 0755, "$place/$name/$path";
    }
    my $archive = "$directory/$name.tar.xz";
    system('tar', '-c', '-J', '-C', "$place", '-f', $archive, $name) == 0 or die "tar: $?\n";
    return $archive;
}

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

# Returns the answer without what differs between machines and moments.
sub lines {
    my ($answer) = @_;
    return join "\n", grep { !/\A(?:clock|began|ended)=/ } @{ $answer->{lines} };
}

# Tests that an answer ends with a problem that the pattern matches.
sub is_refused {
    my ($answer, $pattern, $name) = @_;
    like($answer->{problem},   $pattern,       $name);
    like($answer->{lines}[-1], qr/\Aproblem=/, "$name ends the answer");
    is($answer->{exit}, 1, "$name is an error");
    return;
}

# Takes the path of a file; returns its SHA-256.
sub sha256 {
    my ($path) = @_;
    require Digest::SHA;
    return Digest::SHA->new(256)->addfile($path, 'b')->hexdigest;
}

# Takes the words of a shell, such as qw(busybox sh); returns a host without a directory.
sub new {
    my ($class, @shell) = @_;
    return bless { shell => [@shell], place => File::Temp->newdir, owner => $$ }, $class;
}

# Ends the runs that a failed test has left, and unmounts the small file system.
sub DESTROY {
    my ($self) = @_;
    return if $self->{owner} != $$ || !$self->{place};
    local $? = 0;
    kill KILL => $self->processes;
    system 'umount', $self->place('small') if $self->{above};
    return;
}

# Returns a path in the place of the host, which has the directory of the host, too.
sub place { my ($self, @below) = @_; return join q{/}, "$self->{place}", @below }

# Returns the path of the directory of the host, or a path in it.
sub directory { my ($self, @below) = @_; return $self->place(@{ $self->{above} || [] }, 'd d', @below) }

# Puts the directory of the host into a file system of 256 KB. The test must have mounts of its own.
sub make_small {
    my ($self) = @_;
    $self->{above} = ['small'];
    mkdir $self->place('small')                                               or die "mkdir: $!\n";
    system(qw(mount -t tmpfs -o size=256k tmpfs), $self->place('small')) == 0 or die "mount: $?\n";
    return;
}

# Takes an operation and its words; returns the answer: is_whole, exit (the exit status), lines (without the frame),
# error (standard error), and the last value of each name.
sub ask {
    my ($self, $operation, @words) = @_;
    return $self->ask_with('/dev/null', $operation, @words);
}

# Does the same. First takes the path of the standard input.
sub ask_with {
    my ($self, $input, @words) = @_;
    my $error = $self->place('error');
    my $pid   = open(my $out, '-|') // die "fork: $!\n";
    if (!$pid) {
        open STDIN,  '<', $input or die "$input: $!\n";
        open STDERR, '>', $error or die "$error: $!\n";
        %ENV = (%ENV, %{ $self->{env} || {} });    ## no critic (RequireLocalizedPunctuationVars)
        exec @{ $self->{shell} }, '-c', content("$FILES/host.sh"), 'host.sh', $self->directory, @words
            or POSIX::_exit(99);
    }
    local $SIG{ALRM} = sub { kill KILL => $pid; die "no answer: @words\n" };
    alarm LIMIT_S;
    my $text = do { local $/ = undef; readline $out };
    close $out;
    alarm 0;
    my @lines    = grep { length } split /\n/, $text;
    my $is_whole = @lines > 1 && shift(@lines) eq "begin=$words[0]" && pop(@lines) eq "end=$words[0]";
    return {
        is_whole => $is_whole,
        exit     => $? >> 8,
        lines    => \@lines,
        error    => content($error),
        (map { /\A([^=]+)=(.*)\z/ ? ($1 => $2) : () } @lines),
    };
}

# Takes the path of a release, installs it; returns the answer.
sub install {
    my ($self, $archive) = @_;
    return $self->ask_with($archive, 'install', sha256($archive), 'xz', sha256($archive));
}

# Takes a name, a time, a limit and the words of a run; starts it. Constants of the runner may be changed before, with
# patience(). Returns the answer.
sub start {
    my ($self, $name, $at, $limit, @words) = @_;
    my $source = content("$FILES/runner.pl");
    for my $constant (sort keys %{ $self->{constants} || {} }) {
        $source =~ s/^ +$constant +\K=> [0-9.]+/=> $self->{constants}{$constant}/m or die "$constant is gone\n";
    }
    write_file($self->place('runner.pl'), $source);
    return $self->ask_with($self->place('runner.pl'), 'start', $name, $at, $limit, @words);
}

# Takes a name; starts a run that waits, and waits for its journal. Returns the numbers of its processes, that of the
# runner first.
sub started_gated {
    my ($self, $name) = @_;
    $self->start($name, 0, 60, 'gated');
    eventually(sub { -e $self->directory('runs', $name, 'results/result.journal') });
    my $runner = content($self->directory('runs', $name, 'pid')) + 0;
    return ($runner, grep { $_ != $runner } $self->processes);
}

# Takes NAME => value; changes constants of runners that are started afterwards.
sub patience { my ($self, %constants) = @_; $self->{constants} = \%constants; return }

# Lets a gated run end.
sub open_gate { my ($self, $name) = @_; return write_file($self->directory('runs', $name, 'results/go'), q{}) }

# Takes a name; waits for the end of that run, and returns the answer about its state.
sub ended {
    my ($self, $name) = @_;
    my $state;
    eventually(sub { ($state = $self->ask(state => $name))->{state} ne 'running' });
    return $state;
}

# Returns the numbers of the processes of runs.
sub processes { my ($self) = @_; return of_environment('UNIXBENCH_FLEET=' . $self->directory) }

1;
