package UnixBench::Base::Trust;

# Finds out whether other users could replace a directory, or something in it, while files are written there.

use strict;
use warnings;

use Fcntl qw(S_ISDIR);

use UnixBench::Base::Text qw(clean);

use constant {
    LINKS_MOST => 40,      # in a path; the same limit as in the kernel
    FOR_ALL    => 0002,
    FOR_GROUP  => 0020,
    STICKY     => 01000,
    MODE       => 2,       # index in the list that stat returns, as are the next two
    OWNER      => 4,
    GROUP      => 5,
};

# Takes an absolute path and that of the suite. Returns in words why other users could replace files in the first path,
# or nothing if they can't. Trusted users are root, the caller, and the owners of the suite and of the directories above
# it. Trusted groups are those of the caller, and those that may write to these directories: they could replace the
# suite as well. Directories that do not exist yet are ignored.
sub problem {
    my ($path, $home) = @_;
    my @home       = grep { @$_ } map { [lstat] } _way_to($home);
    my %is_trusted = (
        users  => { map { $_ => 1 } 0, $<, $>, map { $_->[OWNER] } @home },
        groups =>
            { map { $_ => 1 } 0, split(q{ }, "$( $)"), map { $_->[GROUP] } grep { _is_for_group($_->[MODE]) } @home },
    );
    my ($problem) = map { _problem($_, \%is_trusted) // () } _way_to($path);
    return $problem;
}

# Takes the scratch directory and the path of the suite. Dies with one line if other users could replace files there.
sub check_scratch {
    my ($path, $home) = @_;
    my $problem = problem($path, $home) // return;
    die "scratch files are not safe in $path: $problem; choose another directory by UB_TMPDIR\n";
}

# Returns the existing directories and links on the way to a path, from the top.
sub _way_to {
    my ($path) = @_;
    my @ahead = _names($path);
    my ($here, $links, @way) = (q{}, 0, q{/});
    while (@ahead) {
        my $name = shift @ahead;
        my $next = $name eq q{..} ? $here =~ s{/[^/]*\z}{}r : "$here/$name";
        push @way, $next;
        my $target = $name eq q{..} ? undef : readlink $next;
        if (!defined $target) { $here = $next }
        else {
            last if ++$links > LINKS_MOST;
            $here = q{} if $target =~ m{\A/};
            unshift @ahead, _names($target);
        }
    }
    return @way;
}

# Returns why an existing directory or link is not trusted, or undef.
sub _problem {
    my ($path, $is_trusted) = @_;
    my ($mode, $owner, $group) = (lstat $path)[MODE, OWNER, GROUP];
    return if !defined $owner;
    return clean($path) . ' belongs to ' . _user($owner) if !$is_trusted->{users}{$owner};
    return if !-d _ || $mode & STICKY;
    return clean($path) . ' can be written to by all users' if $mode & FOR_ALL;
    return if !_is_for_group($mode) || $is_trusted->{groups}{$group};
    return clean($path) . ' can be written to by ' . _group($group);
}

# Takes a mode. Returns whether it is the mode of a directory that a group may write to. Links are ignored, because all
# their bits are set.
sub _is_for_group {
    my ($mode) = @_;
    return S_ISDIR($mode) && $mode & FOR_GROUP;
}

sub _user {
    my ($number) = @_;
    my $name = getpwuid $number;
    return defined $name ? "the user $name" : "the user with the number $number";
}

sub _group {
    my ($number) = @_;
    my $name = getgrgid $number;
    return defined $name ? "the group $name" : "the group with the number $number";
}

sub _names {
    my ($path) = @_;
    return grep { length && $_ ne q{.} } split m{/}, $path;
}

1;
