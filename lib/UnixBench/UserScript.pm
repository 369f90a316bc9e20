package UnixBench::UserScript;

# The script that users play, as a file.

use strict;
use warnings;

use Errno qw(EISDIR);

use UnixBench::Files  ();
use UnixBench::Format qw(clean);

# Takes a path; returns { path, lines => how many a user plays, sha256 }, or { path, why_not } where there is nothing to
# be played.
sub of {
    my ($path) = @_;
    my $text = eval { _text_of($path) };
    return { path => $path, why_not => $@ =~ s/\n\z//r } if !defined $text;
    require Digest::SHA;
    return { path => $path, lines => _lines($text), sha256 => Digest::SHA::sha256_hex($text) };
}

# Dies with one line when there is nothing to be played at that path.
sub check {
    my ($path) = @_;
    _text_of($path);
    return;
}

# It is read more than once, and so has to be a file.
sub _text_of {
    my ($path) = @_;
    my $shown = clean($path);
    local $! = EISDIR;
    die "can't read $shown: $!\n" if -d $path;
    die "can't read $shown: it is no file\n" if -e $path && !-f _;
    my $text = UnixBench::Files::content($path) // die "can't read $shown: $!\n";
    die "there is no line to be played in $shown\n" if !_lines($text);
    return $text;
}

# Neither blank nor a comment.
sub _lines {
    my ($text) = @_;
    return scalar grep { /\A\s*[^#\s]/ } split /\n/, $text;
}

1;
