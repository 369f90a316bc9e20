package Place;

# Temporary directories for tests, and their files. Programs of the system, and processes found by their number, group
# or environment. Zombies do not count: they may stay uncollected for long.

use strict;
use warnings;

use Exporter 'import';
use File::Temp  ();
use List::Util  ();
use Time::HiRes ();

our @EXPORT_OK = qw(
    content eventually file_with group is_alive names_in of_environment path_of place python_with states text_of touch
    write_file write_program
);

use constant PATIENCE_S => 300;    # enough for every wait of a test, even on a very busy machine

# Returns a new directory; it is removed with the last reference.
sub place { return File::Temp->newdir }

# Creates empty files.
sub touch {
    my (@paths) = @_;
    for my $path (@paths) { open my $file, '>', $path or die "$path: $!\n" }
    return;
}

# Returns the names in a directory, in order.
sub names_in {
    my ($directory) = @_;
    return [sort map { s{.*/}{}r } glob "$directory/* $directory/.[!.]*"];
}

# Returns the content of a file as bytes, or an empty text if it can't be read.
sub content {
    my ($path) = @_;
    open my $file, '<:raw', $path or return q{};
    local $/ = undef;
    return scalar(<$file>) // q{};
}

# Returns the content of a file as bytes. Dies if it can't be read.
sub text_of {
    my ($path) = @_;
    open my $file, '<:raw', $path or die "$path: $!\n";
    local $/ = undef;
    return scalar <$file>;
}

# Writes a file and returns its path.
sub write_file {
    my ($path, $text) = @_;
    open my $file, '>:raw', $path or die "$path: $!\n";
    print {$file} $text;
    close $file or die "$path: $!\n";
    return $path;
}

# Writes an executable file and returns its path.
sub write_program {
    my ($path, $text) = @_;
    write_file($path, $text);
    chmod 0755, $path or die "$path: $!\n";
    return $path;
}

# Takes a text of bytes; returns a File::Temp with it. The file is removed with the object.
sub file_with {
    my ($text) = @_;
    my $file = File::Temp->new;
    binmode $file;
    print {$file} $text;
    close $file or die "$file: $!\n";
    return $file;
}

# Takes a name; returns the path of that program in PATH, or undef.
sub path_of {
    my ($name)  = @_;
    my ($found) = grep { -x } map { "$_/$name" } split /:/, $ENV{PATH};
    return $found;
}

# The Pythons that were found, by the modules that they have.
my %python;

# Takes names of modules; returns the path of a Python that has them all, or undef.
sub python_with {
    my $modules = join ', ', @_;
    my @paths   = grep { defined && -x } path_of('python3'), '/usr/bin/python3';
    return $python{$modules} //=
        List::Util::first { system(qq('$_' -c 'import $modules' 2>/dev/null)) == 0 } @paths;
}

# Returns whether a process with that number is alive.
sub is_alive {
    my ($pid)   = @_;
    my ($found) = grep { $_->{pid} == $pid } _processes();
    return !!$found;
}

# Takes the number of a process group; returns the numbers of its processes.
sub group {
    my ($group) = @_;
    return map { $_->{pid} } grep { $_->{group} == $group } _processes();
}

# Takes the numbers of processes; returns the letters of their states, sorted, each once: T is stopped.
sub states {
    my (@pids) = @_;
    my %wanted = map { $_ => 1 } @pids;
    my %states = map { substr($_->{state}, 0, 1) => 1 } grep { $wanted{ $_->{pid} } } _processes();
    return join q{}, sort keys %states;
}

# Takes a text; returns the numbers of the processes that were started with it in their environment, and of the forks of
# LoadedRun with an open file or directory whose path has it. A zombie has neither any more.
sub of_environment {
    my ($text) = @_;
    return grep { _mentions($_, $text) } map { m{([0-9]+)\z} } glob '/proc/[0-9]*';
}

sub _mentions {
    my ($pid, $text) = @_;
    return 1 if index(content("/proc/$pid/environ"), $text) >= 0;
    return 0 if content("/proc/$pid/cmdline") !~ m{\A/[^\0]*/Run\0*\z};
    return grep { index(readlink($_) // q{}, $text) >= 0 } glob "/proc/$pid/fd/*";
}

# Calls the function until it returns true, for at most the given seconds (default: PATIENCE_S); returns its last value.
sub eventually {
    my ($function, $patience_s) = @_;
    my $until_s = Time::HiRes::time() + ($patience_s // PATIENCE_S);
    my $value;
    Time::HiRes::sleep(0.01) while !($value = $function->()) && Time::HiRes::time() < $until_s;
    return $value;
}

sub _processes {
    open my $ps, '-|', qw(ps -A -o pid= -o pgid= -o stat=) or die "ps: $!\n";
    my @processes = map { my ($pid, $group, $state) = split; { pid => $pid, group => $group, state => $state } } <$ps>;
    close $ps;
    return grep { $_->{state} !~ /Z/ } @processes;
}

1;
