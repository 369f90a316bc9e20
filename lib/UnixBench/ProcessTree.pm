package UnixBench::ProcessTree;

# Finds what a program has started, wherever that has moved to: by its descent, by its environment, and, on Linux, by
# making this program the parent of all that lose theirs.

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
# so from its beginning where a shell became this program.
sub adopt_orphans {
    my ($is_wanted) = @_;
    my ($number)    = map { $_->[1] } grep { $Config{archname} =~ $_->[0] } @PRCTL;
    return 0 if $^O ne 'linux' || !$number || $is_wanted && children($$);
    my $is_set = pack 'i', 0;
    return 0 if syscall($number, SET_SUBREAPER, $is_wanted ? 1 : 0, 0, 0, 0) != 0;
    return 0 if syscall($number, GET_SUBREAPER, $is_set, 0, 0, 0) != 0;
    return unpack('i', $is_set) == 1 ? 1 : 0;
}

# The children of a process, those among them that have ended and were not waited for, too.
sub children {
    my ($pid) = @_;
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

# The processes whose environment has a variable that begins so: NAME=VALUE. Those of other users can't be looked into.
sub with_environment {
    my ($begin) = @_;
    return grep { (_text("/proc/$_/environ") // q{}) =~ /(?:\A|\0)\Q$begin\E/ } keys %{ _parents() };
}

# Whether a process is there that has not ended.
sub is_running {
    my ($pid) = @_;
    return defined _parent($pid) ? 1 : 0;
}

# The parents of all processes that have not ended, { pid => parent }.
sub _parents {
    opendir my $processes, '/proc' or return {};
    my %parents = map { $_ => scalar _parent($_) } grep { /\A[0-9]+\z/ } readdir $processes;
    closedir $processes;
    return { map { $_ => $parents{$_} } grep { defined $parents{$_} } keys %parents };
}

# The parent of a process, undef where it has ended. In its stat, see proc(5), its state and its parent stand after its
# name, which is in brackets and may hold anything.
sub _parent {
    my ($pid) = @_;
    my ($state, $parent) = (_text("/proc/$pid/stat") // q{}) =~ /.*[)] (\S) ([0-9]+) /s or return;
    return $state =~ /[ZX]/ ? undef : $parent;
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
