package UnixBench::Process::Tree;

# Finds what a program has started, wherever that has moved to: by its descent, by its environment, and, on Linux, by
# making this program the parent of all that lose theirs. Nothing is found where /proc shows another PID namespace.

use strict;
use warnings;

use Config qw(%Config);

# prctl(2): its number is another one on each architecture.
use constant { SET_SUBREAPER => 36, GET_SUBREAPER => 37 };
my @PRCTL = (
    [qr/\Ax86_64(?!.*x32)/                      => 157],
    [qr/\A(?:aarch64|riscv(?:32|64)|loongarch)/ => 167],
    [qr/\A(?:i[3-6]86|arm|s390x?\b|m68k)/       => 172],
    [qr/\A(?:powerpc|ppc)/                      => 171],
);

# From now on processes below this one that lose their parent become its children, if asked for, or no longer. Returns
# whether that is so: it is not on other systems, nor where this program has children that it did not start, which was
# so from its beginning where a shell became this program. Those of other programs come to process 1, too.
sub adopt_orphans {
    my ($is_wanted) = @_;
    my ($number)    = map { $_->[1] } grep { $Config{archname} =~ $_->[0] } @PRCTL;
    return 0 if $^O ne 'linux' || !$number || $is_wanted && $$ != 1 && children($$);
    my $is_set = pack 'i', 0;
    return 0 if syscall($number, SET_SUBREAPER, $is_wanted ? 1 : 0, 0, 0, 0) != 0;
    return 0 if syscall($number, GET_SUBREAPER, $is_set, 0, 0, 0) != 0;
    return unpack('i', $is_set) == 1 ? 1 : 0;
}

# The children of a process, those among them that have ended and were not waited for, too.
sub children {
    my ($pid) = @_;
    return if !_is_own_proc();
    my $text = _text("/proc/$pid/task/$pid/children");
    return split q{ }, $text if defined $text;
    my $parents = _parents();
    return grep { $parents->{$_} == $pid } keys %$parents;
}

# All that descends from these processes and lives, without these.
sub descendants {
    my (@pids) = @_;
    my $parents = _parents();
    my %children;
    push @{ $children{ $parents->{$_} } }, $_ for keys %$parents;
    my (@found, %seen);
    while (@pids) {
        my @next = grep { !$seen{$_}++ } map { @{ $children{$_} || [] } } @pids;
        push @found, @next;
        @pids = @next;
    }
    return @found;
}

# All processes that have not ended.
sub all { return keys %{ _parents() } }

# Those of these processes that were given a directory in that one, see UnixBench::Measure::Pass. Those of other users
# can't be looked into. A Run in a container may have a directory of the same name.
sub given_directory_in {
    my ($scratch, @pids) = @_;
    my $namespace = _pid_namespace('self');
    return grep { _has_directory($_, $scratch) && _pid_namespace($_) eq $namespace } @pids;
}

sub _has_directory {
    my ($pid, $scratch) = @_;
    return (_text("/proc/$pid/environ") // q{}) =~ m{(?:\A|\0)UB_SCRATCH=\Q$scratch\E/};
}

sub _pid_namespace { my ($pid) = @_; return readlink("/proc/$pid/ns/pid") // q{} }

# When these processes began, { pid => time }, but for those that have ended.
sub births {
    my (@pids) = @_;
    return { map { @$_[0, 2] } grep { @$_ > 1 } map { [$_, _state($_)] } @pids };
}

# Takes what births() returned; returns those of the processes that have not ended since, though another one may have
# the number now.
sub living_since {
    my ($births) = @_;
    my $now = births(keys %$births);
    return grep { defined $now->{$_} && $now->{$_} == $births->{$_} } keys %$births;
}

# The parents of all processes that have not ended, { pid => parent }.
sub _parents {
    return {} if !_is_own_proc();
    opendir my $processes, '/proc' or return {};
    my @states = map { [$_, _state($_)] } grep { /\A[0-9]+\z/ } readdir $processes;
    closedir $processes;
    return { map { @$_[0, 1] } grep { @$_ > 1 } @states };
}

# Whether the numbers in /proc are those that kill() takes: a program may be in a PID namespace below that of /proc.
sub _is_own_proc { return (readlink('/proc/self') // q{}) eq $$ }

# The parent of a process and when it began, nothing where it has ended. In its stat, see proc(5), they stand behind its
# name, which is in brackets and may hold anything.
sub _state {
    my ($pid)  = @_;
    my @fields = split q{ }, (_text("/proc/$pid/stat") // q{}) =~ s/.*[)] //sr;
    return @fields < 20 || $fields[0] =~ /[ZX]/ ? () : @fields[1, 19];
}

sub _text {
    my ($path) = @_;
    open my $file, '<:raw', $path or return;
    local $/ = undef;
    my $text = readline $file;
    close $file;
    return $text // q{};
}

1;
