package TestRun;

# Runs ./Run as users do, in its own directories, with fake programs instead of the measured ones.

use strict;
use warnings;

use Cwd ();
use Exporter 'import';
use File::Basename ();
use File::Copy     ();
use File::Path     ();
use File::Temp     ();
use Test::More;

use lib File::Basename::dirname(__FILE__), File::Basename::dirname(__FILE__) . '/../../lib';

use Place                      qw(eventually group is_alive of_environment states);
use Programs                   ();
use UnixBench::Store::Document ();

our @EXPORT_OK = qw(
    eventually give_rates group is_alive measure_into of_environment own_tree rated started states waited
);

our $HOME = Cwd::abs_path(File::Basename::dirname(__FILE__) . '/../..');
our $BIN  = "$HOME/t/bin";

# Functions { can_be, become } that turn a fork of this process into Run. LoadedRun sets them.
our $COPY;

# Returns a place for runs, with a program of t/bin for each measured one. Takes programs => { name => fake, or undef
# for none } for those that are not "count"; env, further environment; own_group, whether Run gets its own process
# group; has_true_times, whether a time that a program reports is compared with the clock of Run.
sub new {
    my ($class, %with) = @_;
    my $place = File::Temp->newdir;
    my $self  = bless { place => $place, env => $with{env} || {}, owner => $$ }, $class;
    $self->{$_} = $with{$_} for qw(own_group has_true_times);
    File::Path::make_path(map { "$place/$_" } qw(bin tmp results test));
    my %fake = ((map { $_ => 'count' } 'multi.sh', Programs::of_classic_tests()), %{ $with{programs} || {} });
    $self->put($_, $fake{$_}) for grep { defined $fake{$_} } keys %fake;
    File::Copy::copy("$HOME/pgms/index.base", "$place/bin/index.base") or die "index.base: $!\n";
    return $self;
}

# Unmounts file systems below the place, and removes it. The guardian of a killed Run may still be removing scratch
# files there.
sub DESTROY {
    my ($self) = @_;
    return if $self->{owner} != $$;
    local $? = 0;
    system 'umount', $_ for @{ $self->{mounts} || [] };
    my $place = $self->{place} or return;    # undefined when Perl destroys all objects at its end
    eventually(sub { return _is_removed("$place") }, 30);
    return;
}

sub _is_removed {
    my ($place) = @_;
    File::Path::remove_tree($place, { error => \my $failed });
    return !-e $place;
}

sub place { my ($self, @below) = @_; return join q{/}, "$self->{place}", @below }

# Makes a program the measured one of that name: a program of t/bin, or a path that begins with a slash, or, if it has a
# blank, the text of a shell script.
sub put {
    my ($self, $name, $fake) = @_;
    my $path = $self->place('bin', $name);
    unlink $path;
    return Place::write_program($path, "#!/bin/sh\n$fake\n") if $fake =~ m{\A[^/].* }s;
    return symlink($fake =~ m{\A/} ? $fake : "$BIN/$fake", $path) || die "symlink: $!\n";
}

# Takes a directory below the place, a name and a text; writes the file and returns its path.
sub write {
    my ($self, $directory, $name, $text) = @_;
    my $path = $self->place($directory, $name);
    return Place::write_file($path, $text);
}

# Takes a test, the number of a copy, and texts, one for each pass; that copy prints the words of the text as lines.
sub replay {
    my ($self, $test, $copy, $passes) = @_;
    my %program = (fstime => 'fstime', fsbuffer => 'fstime', fsdisk => 'fstime');
    $self->put($test =~ /\Ashell/ ? 'looper' : $program{$test} || $test, 'replay');
    File::Path::make_path($self->place('replay', $test));
    Place::write_file($self->place('replay', $test, $copy), join q{}, map { "$_\n" } @$passes);
    return;
}

# Starts Run with these words; returns a hash with pid, out and err (paths).
sub started {
    my ($self, @words) = @_;
    my $is_usual    = !$self->{program} && !$self->{stdout};
    my ($directory) = grep { -d } $self->place('test'), $self->place;
    return $self->_begun(sub { $COPY->{become}->($directory, @words) })
        if $COPY && $is_usual && $COPY->{can_be}->($self->_env);
    return $self->started_by($^X, $self->{program} || "$HOME/Run", @words);
}

# Takes a command; starts it in the same way as Run.
sub started_by {
    my ($self, @command) = @_;
    return $self->_begun(sub { exec @command or die "$command[0]: $!\n" });
}

# Calls a function in a child process with the environment of Run; returns a hash as started does.
sub _begun {
    my ($self, $become) = @_;
    my $run = { map { $_ => $self->place($_ . ($self->{name} || q{})) } qw(out err) };
    $run->{pid} = fork // die "fork: $!\n";
    if (!$run->{pid}) {
        %ENV = (%ENV, %{ $self->_env });    ## no critic (RequireLocalizedPunctuationVars)
        delete $ENV{HARNESS_ACTIVE};
        delete $ENV{SSH_CONNECTION} if !$self->{env}{SSH_CONNECTION};
        $SIG{$_} = 'DEFAULT' for qw(INT QUIT TERM HUP TSTP);    ## no critic (RequireLocalizedPunctuationVars)
        setpgrp if $self->{own_group};
        chdir($self->{cwd} || q{/}) or die "chdir: $!\n";
        open STDIN,  '<',  '/dev/null'                          or die "stdin: $!\n";
        open STDOUT, '>&', $self->{stdout} || _new($run->{out}) or die "stdout: $!\n";
        open STDERR, '>',  $run->{err}                          or die "stderr: $!\n";
        $become->();
    }
    return $run;
}

# Messages of Run about the machine: a missing locale, limited CPU time, another priority, the Runs of other tests.
our $OF_THE_MACHINE = join q{|}, 'the locale en_US', 'a control group limits CPU time', 'the nice value of',
    'the scheduling class of', 'on this machine, (?:another Run|other Runs)';

# Waits for the end of a run; returns the hash with status, signal, out, said (standard error), and err: standard error
# without the messages about the machine.
sub waited {
    my ($run) = @_;
    waitpid $run->{pid}, 0;
    my %ended = (
        status => $? >> 8,
        signal => $? & 127,
        out    => Place::content($run->{out}),
        said   => Place::content($run->{err})
    );
    my $err = $ended{said} =~ s/^Run: (?:$OF_THE_MACHINE) .*\n//mgr;
    return { %ended, err => $err };
}

# Runs Run with these words to its end; returns the hash of waited.
sub run { my ($self, @words) = @_; return waited($self->started(@words)) }

# Return the names of the reports, and the paths of the files in the scratch directory.
sub reports {
    my ($self) = @_;
    return map { s{.*/}{}r } glob $self->place('results', q{*});
}
sub left { my ($self) = @_; return glob $self->place('tmp', q{*}) }

# Tests that no process and no scratch file of its runs is left.
sub is_clean {
    my ($self) = @_;
    ok(eventually(sub { !of_environment($self->place) }), 'no process of the run is left');
    return ok(eventually(sub { !$self->left }), 'no scratch file is left') || diag $self->left;
}

# Takes the number of a copy; returns the lines that it has written into its file in the directory "hold".
sub notes { my ($self, $copy) = @_; return split /\n/, Place::content($self->place('hold', $copy)) }

# Waits until the first copy is held; returns whether it is.
sub is_held {
    my ($self) = @_;
    return eventually(sub {
        scalar grep { $_ eq 'held' } $self->notes(1);
    });
}

# Takes a run that was started; returns the PIDs of its processes, without that of Run.
sub copies {
    my ($self, $run) = @_;
    return grep { $_ != $run->{pid} } of_environment($self->place);
}

# Returns the text of the report with that suffix; an empty suffix is that of the text report. The JSON is from the page
# if there is no file.
sub report {
    my ($self, $suffix) = @_;
    return $self->data if $suffix eq '.json' && !grep { /[.]json\z/ } $self->reports;
    my ($name) = grep { $suffix eq q{} ? !/[.](?:log|html|csv|json|journal)\z/ : /\Q$suffix\E\z/ } $self->reports;
    return defined $name ? $self->text($name) : q{};
}

# Returns the JSON in the page, empty without a page.
sub data {
    my ($self) = @_;
    my $page = $self->report('.html');
    return UnixBench::Store::Document::result_in(\$page) // q{};
}

# Returns the text of the report of that name.
sub text { my ($self, $name) = @_; return Place::content($self->place('results', $name)) }

# Returns the scores in the report's first table, { title => score }.
sub scores {
    my ($self) = @_;
    return { $self->report(q{}) =~ /^(\S.*?) {2,}([0-9]+[.][0-9]) \S+ +[(][0-9.]+ s, [0-9]+ samples[)]$/mg };
}

# Returns the variable that loads modules into Run.
sub _modules {
    my ($self) = @_;
    my $given = $self->{env}{PERL5OPT} // $ENV{PERL5OPT} // "-I$HOME/t/lib";
    return $given if $self->{has_true_times} || $given !~ /\A-I\S+(?: |\z)/;
    return "$given -MKeptOptions -MToldTimes";
}

sub _env {
    my ($self) = @_;
    return {
        UB_BINDIR      => $self->place('bin'),
        UB_TMPDIR      => $self->place('tmp'),
        UB_RESULTDIR   => $self->place('results'),
        UB_TESTDIR     => $self->place('test'),
        UB_TIME_FACTOR => '0.001',
        UB_CALLED_AS   => './Run',
        PERL_BADLANG   => 0,
        UB_REPLAY      => $self->place('replay'),
        %{ $self->{env} },
        PERL5OPT => $self->_modules,
    };
}

sub _new {
    my ($path) = @_;
    open my $file, '>', $path or die "$path: $!\n";
    return $file;
}

# Takes { test => [rate of each pass] } and the arguments of new; returns a place for runs of one copy.
sub rated {
    my ($rates, %with) = @_;
    my $test = __PACKAGE__->new(%with);
    give_rates($test, %$rates);
    return $test;
}

# Takes a place and test => [rate of each pass]; sets the rates of the next run there.
sub give_rates {
    my ($test, %rates) = @_;
    $test->replay($_ => 1 => [map { "COUNT|$_|1|lps TIME|1" } @{ $rates{$_} }]) for keys %rates;
    return;
}

# Takes a place, a name and the rates of the passes; measures syscall and returns the path of the page, which has that
# name.
sub measure_into {
    my ($test, $name, $rates) = @_;
    give_rates($test, syscall => $rates);
    local $test->{env} = { %{ $test->{env} }, UB_OUTPUT_FILE_NAME => $name };
    my $run = $test->run(qw(-q -c 1 -i 3 syscall));
    die $run->{err} if $run->{status};
    return $test->place('results', "$name.html");
}

# Takes the arguments of new; returns a place and the path of its tree, which has its own library and Run, and fake
# programs: Run finds everything by itself.
sub own_tree {
    my $test = __PACKAGE__->new(@_);
    my $tree = $test->place('tree');
    mkdir $tree                                                                                 or die "mkdir: $!\n";
    system('cp', '-R', (grep { -e } map { "$HOME/$_" } qw(Run features lib share)), $tree) == 0 or die "cp: $?\n";
    rename $test->place('bin'), "$tree/pgms" or die "rename: $!\n";
    mkdir "$tree/testdir" or die "mkdir: $!\n";
    my %own = map { ("UB_$_" => q{}) } qw(BINDIR TESTDIR TMPDIR RESULTDIR);
    $test->{env}     = { %own, %{ $test->{env} } };
    $test->{program} = "$tree/Run";
    return ($test, $tree);
}

1;
