package UnixBench::Host::KernelFiles;

# Reads files of /proc and /sys, or of a recorded machine: texts, lines, numbers, lists of CPUs, mounted file systems.

use strict;
use warnings;

use POSIX ();

use UnixBench::Base::Arguments qw(named);
use UnixBench::Base::Files     ();
use UnixBench::Base::Text      qw(unique);

use constant IDS_MAX  => 65_536;    # more CPUs than Linux can have
use constant STAT_MAX => 1024;      # bytes of /proc/PID/stat

# Takes root => the directory that holds /proc and /sys, by default the root directory; or recorded => { path => text },
# the only files that there are.
sub new {
    my ($class, @given) = @_;
    my $given = named(\@given, qw(root recorded));
    my $root  = $given->{root} // q{};
    return bless { root => $root =~ s{/+\z}{}r, recorded => $given->{recorded} }, $class;
}

# Takes an absolute path. Returns the text of that file, or undef if it can't be read, is not a plain file, or is larger
# than any file of the kernel.
sub text {
    my ($self, $path) = @_;
    return $self->{recorded}{$path} if $self->{recorded};
    return scalar UnixBench::Base::Files::content("$self->{root}$path");
}

# Takes an absolute path. Returns the text of that file, which is empty if it can't be read.
sub content {
    my ($self, $path) = @_;
    return $self->text($path) // q{};
}

# Takes an absolute path. Returns the target of that link, or undef if the path is not a link.
sub target {
    my ($self, $path) = @_;
    return $self->{recorded} ? undef : readlink "$self->{root}$path";
}

# Takes the absolute path of a directory. Returns the names in it, none if it can't be read.
sub names {
    my ($self, $path) = @_;
    return UnixBench::Base::Files::names_in("$self->{root}$path") if !$self->{recorded};
    my %names = map { m{\A\Q$path\E/([^/]+)} ? ($1 => 1) : () } keys %{ $self->{recorded} };
    return keys %names;
}

# Returns { PID => text of /proc/PID/stat } of all processes. Files are opened without Perl's buffers, which would take
# as long as reading them.
sub process_stats {
    my ($self) = @_;
    my %text;
    for my $pid (grep { /\A[0-9]{1,9}\z/ } $self->names('/proc')) {
        my $file = POSIX::open("$self->{root}/proc/$pid/stat") // next;
        my $size = POSIX::read($file, my $text, STAT_MAX);
        $text{$pid} = $text if $size;
        POSIX::close($file);
    }
    return \%text;
}

# Takes a path. Returns the first line of the file without the blanks and NULs around it, or undef if it is empty.
sub line {
    my ($self, $path) = @_;
    my ($line) = $self->content($path) =~ /\A[\s\0]*([^\n]*?)[\s\0]*(?:\n|\z)/;
    return defined $line && length $line ? $line : undef;
}

# Takes a path. Returns the natural number in the file, or undef if there is none or it has more than 15 digits.
sub number {
    my ($self, $path) = @_;
    return ($self->line($path) // q{}) =~ /\A(\d{1,15})\z/ ? 0 + $1 : undef;
}

# Takes a path. Returns the word in brackets, such as "madvise" of "always [madvise] never", or undef.
sub chosen {
    my ($self, $path) = @_;
    return ($self->line($path) // q{}) =~ /[\[(]([\w-]+)[\])]/ ? $1 : undef;
}

# Takes a path. Returns the numbers of the list in the file, such as "0-2,5", in order.
sub ids {
    my ($self, $path) = @_;
    return ids_of($self->line($path) // q{});
}

# Takes such a list as a text. Returns its numbers in order.
sub ids_of {
    my ($list) = @_;
    my %ids;
    for my $range (split /[,\s]+/, $list) {
        my ($first, $last) = $range =~ /\A(\d{1,5})(?:-(\d{1,5}))?\z/ or next;
        @ids{ $first .. $last // $first } = ();
        last if keys %ids > IDS_MAX;
    }
    my @ids = sort { $a <=> $b } map { 0 + $_ } keys %ids;
    return @ids;
}

# Returns the list of the CPUs that this process may use, such as "0-3", or undef.
sub allowed_cpus {
    my ($self) = @_;
    my ($list) = $self->content('/proc/self/status') =~ /^Cpus_allowed_list:\s*(\S+)$/m;
    return $list;
}

# Takes a list of CPUs such as "0-3". Returns it, or undef if it contains all CPUs that are online.
sub restricting {
    my ($self, $list) = @_;
    my %is_in    = map  { $_ => 1 } ids_of($list);
    my @left_out = grep { !$is_in{$_} } $self->ids('/sys/devices/system/cpu/online');
    return @left_out ? $list : undef;
}

# Takes a directory and a word. Returns the paths there that consist of the word and a number, in the order of the
# numbers.
sub numbered {
    my ($self, $directory, $word) = @_;
    my @numbers = sort { $a <=> $b } map { /\A\Q$word\E(\d{1,9})\z/ ? $1 : () } $self->names($directory);
    return map { "$directory/$word$_" } @numbers;
}

# Takes paths. Returns the first lines of these files, each different one once, in order of appearance.
sub distinct_lines {
    my ($self, @paths) = @_;
    return unique(grep { defined } map { scalar $self->line($_) } @paths);
}

# Takes paths; returns the different first lines of these files, joined with commas, or undef if there are none.
sub distinct {
    my ($self, @paths) = @_;
    my @lines = $self->distinct_lines(@paths);
    return @lines ? join ', ', @lines : undef;
}

# The mounted file systems, from mountinfo in proc(5).

# Takes the number of a device, as stat returns it. Returns whether its files are in memory. The number is split as by
# makedev in glibc's sys/sysmacros.h.
sub is_in_memory {
    my ($self,  $device) = @_;
    my ($major, $minor)  = ($device >> 8 & 0xfff, $device & 0xff | $device >> 12 & 0xfff_ff00);
    return $self->content('/proc/self/mountinfo') =~ /^\d+ \d+ $major:$minor .* - (?:tmpfs|ramfs) /m ? 1 : 0;
}

# Takes an absolute path without links. Returns { file_system, device, mount_point, mount_options }, each undef if
# unknown. The list mount_options holds options of the mount and of the file system.
sub mount_facts {
    my ($self, $path) = @_;
    my $mount = $self->_mount_of($path) || {};
    return { map { $_ => $mount->{$_} } qw(file_system device mount_point mount_options) };
}

# Takes an absolute path. Returns its mount, or undef: the one with the longest path, the last one if several have it.
sub _mount_of {
    my ($self, $path) = @_;
    my $found;
    for my $mount ($self->mounts) {
        my $point = $mount->{mount_point};
        next if $point ne q{/} && $path ne $point && index($path, "$point/") != 0;
        $found = $mount if !$found || length $point >= length $found->{mount_point};
    }
    return $found;
}

# Returns all mounts, { root, mount_point, file_system, device, mount_options } each. The root is the part of the file
# system that is mounted.
sub mounts {
    my ($self) = @_;
    return map { _mount($_) } split /\n/, $self->content('/proc/self/mountinfo');
}

sub _mount {
    my ($line) = @_;
    my ($before, $after) = split / - /, $line, 2;
    return if !defined $after;
    my ($id, $parent, undef, $root, $point, $own) = map { _unescaped($_) } split q{ }, $before;
    my ($type, $device, $common) = map { _unescaped($_) } split / /, $after;
    return if !defined $own || !defined $type || "$id $parent" !~ /\A\d{1,15} \d{1,15}\z/;
    return {
        root          => $root,
        mount_point   => $point,
        file_system   => $type,
        device        => $device,
        mount_options => _together($own, $common // q{}),
    };
}

# Takes lists of options. Returns each option once, without "rw" if there is also "ro".
sub _together {
    my (@lists) = @_;
    my %seen;
    my @options = grep { length && !$seen{$_}++ } map { split /,/ } @lists;
    return join q{,}, grep { !($seen{ro} && $_ eq 'rw') } @options;
}

sub _unescaped {
    my ($text) = @_;
    return $text =~ s/\\([0-3][0-7]{2})/chr oct $1/egr;
}

1;
