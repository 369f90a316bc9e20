package UnixBench::Plan::UserScript;

# The script that users play, as a file.

use strict;
use warnings;

use Errno      qw(EISDIR);
use List::Util ();

use UnixBench::Base::Format   qw(clean);
use UnixBench::Base::SafeRead ();

use constant { EXTRACT_LINES => 40, MOST_MB => 16 };

# Takes a path; returns { path, lines => how many a user plays, extract_lines => how many of them in a trial of a
# search, sha256 }, or { path, why_not } where there is nothing to be played.
sub of {
    my ($path) = @_;
    my $text = eval { _text_of($path) };
    return { path => $path, why_not => $@ =~ s/\n\z//r } if !defined $text;
    require Digest::SHA;
    my ($lines, $extract_lines) = _lines($text);
    return {
        path          => $path,
        lines         => $lines,
        extract_lines => $extract_lines,
        sha256        => Digest::SHA::sha256_hex($text)
    };
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
    die "can't read $shown: it is not a plain file\n" if -e $path && !-f _;
    my $text = UnixBench::Base::SafeRead::text($path, sub { MOST_MB });
    die "there is no line to be played in $shown\n" if !(_lines($text))[0];
    return $text;
}

# Lines are neither blank nor comments. Where none is marked, the first ones are the extract, see src/multiuser.
sub _lines {
    my ($text) = @_;
    my ($lines, $marked, $is_extract) = (0, 0, 0);
    for my $line (split /\n/, $text) {
        $is_extract = $1 eq 'extract' if $line =~ /\A\s*#=\s*(extract|whole)\s*\z/;
        next if $line !~ /\A\s*[^#\s]/;
        $lines++;
        $marked += $is_extract;
    }
    return ($lines, $marked || List::Util::min(EXTRACT_LINES, $lines));
}

1;
