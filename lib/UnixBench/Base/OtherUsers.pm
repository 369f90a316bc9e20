package UnixBench::Base::OtherUsers;

# Whether other users could replace files or directories that the suite uses.

use strict;
use warnings;

use Cwd ();
use Exporter 'import';
use Fcntl          qw(S_ISDIR);
use File::Basename qw(dirname);

use UnixBench::Base::Text qw(clean);

our @EXPORT_OK = qw(user_in_words);

use constant {
    LINKS_MOST => 40,      # in a path; the same limit as in the kernel
    BY_ALL     => 0002,
    BY_GROUP   => 0020,
    STICKY     => 01000,
    MODE       => 2,       # place in the list that stat returns, as are the next two
    OWNER      => 4,
    GROUP      => 5,
};

# The folders and files of the suite that are programs, or tell Run what to start. Run itself checks its modules. The
# folder build has scripts; what is in folders there is of the tests.
my @CODE = qw(Run Makefile pgms share src testdir);

# Takes an absolute path and that of the suite. Returns in words why other users could replace files in the first path,
# or nothing if they can't. Trusted users are root, the caller, and the owners of the suite and of the directories above
# it. Trusted groups are those of the caller, and those that may write to these directories: they could replace the
# suite as well. All users are trusted below the suite if they could replace it. Directories that do not exist yet are
# ignored.
sub danger {
    my ($path, $home) = @_;
    return if is_given_away($path, $home);
    my $is_trusted = _trusted($home);
    my ($danger) = map { _danger($_, $is_trusted) // () } _way_to($path);
    return $danger;
}

sub _trusted {
    my ($home) = @_;
    my @home = grep { @$_ } map { [lstat] } _way_to($home);
    return {
        users  => { map { $_ => 1 } 0, $<, $>, map { $_->[OWNER] } @home },
        groups => {
            map { $_ => 1 } 0,
            split(q{ }, "$( $)"),
            map { $_->[GROUP] } grep { S_ISDIR($_->[MODE]) && $_->[MODE] & BY_GROUP } @home
        },
    };
}

# Takes the path of the suite. Returns the first directory above its programs, or directory or file of these, that all
# users can write to, so that they could replace these; or nothing. In a directory with the sticky bit they can add
# files, which a shell may find first.
sub open_tree {
    my ($home) = @_;
    my $open = _open_folder($home);
    return $open if defined $open;
    my @code = map { -e "$home/$_" ? ("$home/$_", _all_below("$home/$_")) : () } @CODE;
    push @code, "$home/build", _names_in("$home/build");
    ($open) = grep { !-l && ((stat)[MODE] // 0) & BY_ALL } @code;
    return $open;
}

sub _open_folder {
    my ($home) = @_;
    my ($open) = grep { _is_for_all($_) } _way_to($home), "$home/pgms";
    return $open;
}

# Takes an absolute path and that of the suite. Returns whether the path is in the suite, and all users could replace
# that: then they gain nothing if they replace the file or directory.
sub is_given_away {
    my ($path, $home) = @_;
    return defined _open_folder($home) && _is_within($path, $home);
}

# Takes a path; returns all paths below it, if it is a directory or a link to one. Links below it are not followed.
sub _all_below {
    my ($path) = @_;
    return map { -l || !-d ? $_ : ($_, _all_below($_)) } _names_in($path);
}

sub _names_in {
    my ($path) = @_;
    opendir my $names, $path or return;
    my @names = map { "$path/$_" } grep { $_ ne q{.} && $_ ne q{..} } sort readdir $names;
    closedir $names;
    return @names;
}

sub _is_for_all {
    my ($path) = @_;
    my $mode = (lstat $path)[MODE];
    return defined $mode && S_ISDIR($mode) && $mode & BY_ALL && !($mode & STICKY);
}

# Takes an absolute path and that of a directory. Returns whether links lead the path to that directory or below it.
sub _is_within {
    my ($path, $directory) = @_;
    $path = dirname($path) while !-d $path && $path ne dirname($path);
    my ($real, $top) = map { Cwd::abs_path($_) } $path, $directory;
    return defined $real && defined $top && index("$real/", "$top/") == 0;
}

# Takes the scratch directory and the path of the suite. Dies with one line if other users could replace files there.
sub check_scratch {
    my ($path, $home) = @_;
    my $danger = danger($path, $home) // return;
    die "scratch files are not safe in $path: $danger; choose another directory by UB_TMPDIR\n";
}

sub _way_to {
    my ($path) = @_;
    my @ahead = _names_of($path);
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
            unshift @ahead, _names_of($target);
        }
    }
    return @way;
}

# Takes a path, and the trusted users and groups. Returns why an existing directory, file or link is not trusted, or
# undef.
sub _danger {
    my ($path, $is_trusted) = @_;
    my ($mode, $owner, $group) = (lstat $path)[MODE, OWNER, GROUP];
    return if !defined $owner;
    return clean($path) . ' belongs to ' . user_in_words($owner) if !$is_trusted->{users}{$owner};
    return clean($path) . ' can be written to by all users' if _is_for_all($path);
    return if !S_ISDIR($mode) || $mode & STICKY || !($mode & BY_GROUP) || $is_trusted->{groups}{$group};
    my $name = getgrgid $group;
    return clean($path) . ' can be written to by the group ' . (defined $name ? $name : "with the number $group");
}

# Takes the number of a user; returns the user in words.
sub user_in_words {
    my ($number) = @_;
    my $name = getpwuid $number;
    return defined $name ? "the user $name" : "the user with the number $number";
}

sub _names_of {
    my ($path) = @_;
    return grep { length && $_ ne q{.} } split m{/}, $path;
}

1;
