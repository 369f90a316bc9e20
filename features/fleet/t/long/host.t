# What host.sh does on a host, with each shell that may be /bin/sh there. t/long/accept.t starts it by Ansible.

use strict;
use warnings;

use File::Temp ();
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../lib ../../../../t/lib ../../../../lib);
use Needs                          qw(need_tools path_of skip_without);
use Place                          qw(content eventually of_environment write_file write_program);

need_tools(qw(tar gzip base64 setsid busybox));

# Words that a shell would change.
my @HOSTILE = ('a b', q{it's}, '$(id)', q{`id`}, q{*}, q{\\}, q{"}, q{});

my $SCRIPT = "$FindBin::Bin/../../ansible/roles/unixbench/files/host.sh";

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
sub ask { my ($self, @words) = @_; return $self->_said($SCRIPT, @words) }

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

# A release is installed whole, or not at all.
sub installs {
    my ($host) = @_;
    like($host->ask(qw(look release-1 fast)), qr/\Aempty \w+\z/, 'a host without a release tells its architecture');
    like($host->install('release-1', 1),      qr/\Afailed can't install: /, 'a torn archive');
    like($host->ask(qw(look release-1 fast)), qr/\Aempty/,                  'is not installed');
    is($host->install('release-1'),         'ready', 'a release is installed');
    is($host->ask(qw(look release-1 fast)), 'ready', 'it is found');
    is($host->install('release-2'),         'ready', 'another release replaces it');
    like($host->ask(qw(look release-1 fast)), qr/\Aempty/, 'it is gone then');
    is_deeply(
        [map { m{([^/]+)\z} } glob q{'} . $host->directory . q{'/*}],
        [qw(release-2 unixbench-fleet)],
        'nothing else is left'
    );
    return;
}

# A run needs no connection, and its result comes back.
sub runs {
    my ($host) = @_;
    $host->install('release-1');
    my @words = (@HOSTILE, 'gated');
    is($host->run(0, 60, @words), 'running', 'the call that starts a run returns at once');
    is($host->run(0, 60, @words), 'running', 'it is not started again');
    is($host->ask('look', 'release-1', @words), 'running', 'it is found');
    like($host->ask(qw(look release-1 fast)), qr/\Arefused another run is under way/, 'a run with other words');
    is($host->install('release-2'), 'refused another run is under way', 'another release');
    is($host->ask('forget'),        'running',                          'it is not forgotten');
    eventually(sub { -e $host->directory('run/results/result.journal') });
    my ($run) = $host->processes;
    isnt(qx(ps -o sid= -p $run), qx(ps -o sid= -p $$), 'it has a session of its own');
    write_file($host->directory('run/results/go'), q{});
    is($host->run(60, 60, @words), 'ended', 'its end is waited for');
    is($host->run(0,  60, @words), 'ended', 'it stays ended');
    my $words = content($host->directory('run/results/words'));
    is($words, join(q{}, map { "<$_>" } @words), 'Run gets the words as they are, once');
    write_file($host->place('result'), $host->ask('result'));
    is(qx(base64 -d < $host->{place}/result | gzip -dc), qq({"words": "two"}\n), 'the result has its text');
    is($host->ask('look', 'release-1', @words),          'ready', 'a result that was not fetched is kept');
    is($host->run(0, 60, @words),                        'ended', 'and found');
    is($host->ask('forget'),                             'ready', 'it is forgotten');
    is($host->run(60, 60, 'nothing'),          'failed Run: there is no space left', 'a run without a result says why');
    is($host->ask(qw(look release-1 nothing)), 'ready',                              'it is forgotten, too');
    is($host->run(60, 60, 'fast'),             'ended',                              'another run follows');
    $host->ask(qw(look release-1 other));
    ok(!-e $host->directory('run'), 'the result of other words is forgotten');
    return;
}

# A run is resumed after an interruption, and ended after its limit.
sub survives {
    my ($host) = @_;
    $host->install('release-1');
    $host->start_gated;
    kill KILL => $host->processes;
    ok(eventually(sub { !$host->processes }), 'all processes of a run are killed, as by a reboot');
    is($host->run(60, 60, 'gated'), 'ended', 'the run is resumed');
    my $base = $host->directory('run/results/result');
    is(content($host->directory('run/results/words')), "<gated><-q><--resume><$base>", 'Run has resumed it');

    $host->ask('forget');
    $host->start_gated;
    kill KILL => $host->processes;
    eventually(sub { !$host->processes });
    write_file($host->directory('run/starts'), "1\n1\n1\n1\n");
    is($host->run(60, 60, 'gated'),          'failed the run was interrupted 4 times', 'a run is not resumed for ever');
    is($host->ask(qw(look release-1 gated)), 'ready', 'but by the next call of the playbook');
    is($host->run(60, 60, 'gated'),          'ended', 'it is');

    $host->ask('forget');
    $host->start_gated;
    like($host->run(600, 1, 'gated'), qr/\Afailed .* time limit of 1 s\z/, 'a run that lasts too long');
    $host->run(2, 60, 'gated');
    is(content($host->directory('run/results/words')), '<gated>', 'is not resumed');
    $host->ask(qw(look release-1 stubborn));
    $host->run(0, 60, 'stubborn');
    eventually(sub { $host->processes > 3 });
    like($host->run(2, 1, 'stubborn'), qr/\Afailed .* time limit of 1 s\z/, 'a run that ignores SIGTERM');
    is_deeply([$host->processes], [], 'none of its processes is left');

    $host->ask(qw(look release-1 gated));
    $host->start_gated;
    is($host->ask('cleanup'), 'removed', 'the directory is removed during a run');
    is_deeply([$host->processes], [], 'no process is left');
    ok(!-e $host->directory, 'no file is left');
    is($host->ask('cleanup'), 'removed', 'without a directory, there is nothing to do');
    return;
}

# A directory of another program or another user is left alone. A host without Perl is refused.
sub keeps_off {
    my ($host) = @_;
    my $mark = sub { write_file("$_[0]/unixbench-fleet", q{}) };
    $mark->($host->place);
    my %make = (
        'a directory with other files'         => sub { mkdir $_[0], 0700; write_file("$_[0]/precious", 'x') },
        'a directory that others can write to' => sub { mkdir $_[0]; $mark->($_[0]); chmod 0777, $_[0] },
        'a link to a directory'                => sub { symlink $host->place, $_[0] },
        'a dangling link'                      => sub { symlink '/nowhere',   $_[0] },
        'a file'                               => sub { write_file($_[0], 'x') },
    );
    for my $what (sort keys %make) {
        $make{$what}->($host->directory);
        my @before  = lstat $host->directory;
        my @answers = ($host->ask(qw(look release-1 fast)), $host->install('release-1'), $host->run(0, 60, 'fast'));
        like($_, qr/\Arefused .*: set unixbench_directory to another path\z/, "$what is refused") for @answers;
        is(join(q{ }, (lstat $host->directory)[0 .. 5]), join(q{ }, @before[0 .. 5]), "$what is left alone");
        system 'rm', '-rf', $host->directory;
    }
    mkdir $host->place('bin');
    system path_of('busybox'), '--install', '-s', $host->place('bin');
    unlink $host->place('bin/perl');
    $host->{env} = { PATH => $host->place('bin') };
    is($host->ask(qw(look release-1 fast)), 'refused There is no Perl 5.14 or newer.', 'a host without Perl');
    return;
}

for my $words ([qw(dash)], [qw(bash --posix)], [qw(busybox sh)], [qw(mksh)]) {
SKIP: {
        my ($name, @options) = @$words;
        my $path = path_of($name) or skip_without(tool => $name, 1);
        subtest "@$words" =>
            sub { $_->(__PACKAGE__->new($path, @options)) for \&installs, \&runs, \&survives, \&keeps_off };
    }
}

done_testing;
