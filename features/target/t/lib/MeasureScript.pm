package MeasureScript;

# Runs pgms/measure.sh by one shell, in a tree of its own. The programs that it measures are t/bin/behave.

use strict;
use warnings;

use Cwd qw(abs_path);
use Exporter 'import';
use File::Basename qw(basename dirname);
use Test::More;

use Alive       qw(eventually of_environment);
use InPath      qw(path_of);
use Place       qw(content names_in place write_file write_program);
use TestProgram qw(finish start);

use UnixBench::Target::Log ();

our @EXPORT_OK = qw(is_clean table);

my $ROOT  = abs_path(dirname(__FILE__) . '/../../../..');
my $TABLE = table(0.01);

# The tools that the script needs, and those that it uses if they are there. Most tests do without the latter, because
# each line takes two processes with cksum.
my @NEEDED = qw(mkdir printf rm sh sleep);
my @USED   = qw(cksum date grep mkfifo nproc sha256sum sort sync uname);

# Takes a factor; returns the table of tests with times multiplied by it.
sub table {
    my ($factor) = @_;
    return TestProgram::run([$^X, 'features/target/build/measure-table', $factor], in => $ROOT)->{out};
}

# Takes the words that start a shell.
sub new {
    my ($class, @shell) = @_;
    my $home = place();
    mkdir "$home/$_" or die "mkdir: $!\n" for qw(pgms scratch testdir);
    my @programs = grep { !/measure[.]table/ } glob "$ROOT/pgms/*";
    symlink $_, "$home/pgms/" . basename($_) or die "symlink: $!\n" for "$ROOT/t/bin/behave", @programs;
    symlink $_, "$home/testdir/" . basename($_) or die "symlink: $!\n" for glob "$ROOT/testdir/*";
    return bless { shell => [path_of($shell[0]), @shell[1 .. $#shell]], home => $home }, $class;
}

# Returns whether this shell has a tool of its own, whatever is in PATH.
sub has_own {
    my ($self, $tool) = @_;
    my $ended = TestProgram::run([@{ $self->{shell} }, '-c', "command -v $tool"], env => { PATH => '/nowhere' });
    return $ended->{status} == 0;
}

# Returns the exit status, or -signal, of this shell when it gets a signal.
sub status_after {
    my ($self, $signal) = @_;
    return TestProgram::run([@{ $self->{shell} }, '-c', "kill -s $signal \$\$; exit 0"])->{status};
}

# Starts the script. %how:
#   words   its arguments
#   tools   [of the tools that it can do without, those that are there] (default: mkfifo), or undef: all tools
#   tool    { name => the text of a shell script that is there instead }
#   passes  { "kind test" => the words of t/bin/behave }
#   limits  { "kind test" => the limit of the pass in seconds } (default: one that is not reached)
#   values  { name => value in the table }
#   env     { name => value }
#   before  [words before the command]
#   options [options of the shell]
sub start_script {
    my ($self, %how) = @_;
    write_file("$self->{home}/pgms/measure.table", _table(%how));
    my $has_all = exists $how{tools} && !$how{tools};
    my @tools   = (path_of('env'), 'PATH=' . ($has_all ? $ENV{PATH} : _path(%how)));
    my @script  = (@{ $self->{shell} }, @{ $how{options} || [] }, "$self->{home}/pgms/measure.sh", @{ $how{words} });
    my $running = start([(map { path_of($_) // $_ } @{ $how{before} || [] }), @tools, @script],
        env => { UB_TMPDIR => "$self->{home}/scratch", UB_CASE => "$self->{home}", %{ $how{env} || {} } });
    return { %$running, home => $self->{home} };
}

# Waits for the end of the script; returns { status => exit status, or -signal; out, err; log => see
# UnixBench::Target::Log }.
sub ended {
    my ($running) = @_;
    my $ended = finish($running);
    no warnings 'redefine';
    local *UnixBench::Target::Log::_planned = sub { return {} };    # the commands are those of this test
    my $log = eval { UnixBench::Target::Log::read_file('log', $ended->{out}) };
    return { %$ended, home => $running->{home}, log => $log // { why_not => $@ } };
}

sub run_script { my ($self, %how) = @_; return ended($self->start_script(%how)) }

# Waits until that number of processes sleep for 1000 seconds. If they never do, ends the script.
sub await_sleepers {
    my ($running, $number) = @_;
    my $sleepers = sub {
        return $number == grep { content("/proc/$_/cmdline") eq "sleep\0001000\0" } of_environment(_mark($running));
    };
    return if ok(eventually(sub { $sleepers->() || TestProgram::has_ended($running) }), "$number processes sleep");
    return kill KILL => -$running->{pid};
}

# Tests that the script has left no process and no file, and a log with all its lines.
sub is_clean {
    my ($ended, $what) = @_;
    my $why_not = $ended->{log}{why_not} // q{};
    is($why_not =~ s/.*has no whole pass; .*\n//r, q{}, "$what: the log can be used, or has no pass");
    like($ended->{out}, qr/[|]end[|][^\n]+[|][.]\n\z/, "$what: the log has its last line") or diag $ended->{err};
    ok(eventually(sub { !of_environment(_mark($ended)) }), "$what: no process is left");
    is_deeply(names_in("$ended->{home}/scratch"), [], "$what: no file is left");
    return;
}

sub _mark { my ($of) = @_; return "UB_CASE=$of->{home}" }

# Returns the text of the table.
sub _table {
    my (%how) = @_;
    my $table = $TABLE =~ s/[{]bindir[}]\/(\S+)/{bindir}\/behave $1/gr;
    $table =~ s/^(test[|].*[|]).*$/$1/mg;    # any of the other programs may be missing here
    for my $kind_and_test (keys %{ $how{passes} || {} }) {
        my $begin   = quotemeta join q{|}, 'pass', split(q{ }, $kind_and_test), q{};
        my $limit   = $how{limits}{$kind_and_test} // 9999;
        my $command = "{bindir}/behave $how{passes}{$kind_and_test}";
        $table =~ s/^($begin)\d+([|]\d+[|]).*$/$1$limit$2$command/m or die "the table has no $kind_and_test\n";
    }
    for my $name (keys %{ $how{values} || {} }) { $table =~ s/^(value[|]$name[|]).*$/$1$how{values}{$name}/m }
    return $table;
}

# Makes a directory with only those tools; returns its path.
sub _path {
    my (%how) = @_;
    my $place = TestProgram::scratch();
    for my $tool (@NEEDED, @{ $how{tools} || ['mkfifo'] }) {
        my $text = ($how{tool} || {})->{$tool};
        if (defined $text) { write_program("$place/$tool", "#!/bin/sh\n$text\n"); next }
        my $path = path_of($tool) or next;
        symlink $path, "$place/$tool" or die "$tool: $!\n";
    }
    return $place;
}

1;
