use strict;
use warnings;

use Digest::SHA qw(sha256_hex);
use File::Temp  ();
use FindBin;
use POSIX ();
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Needs qw(skip_without);
use UnixBench::Multiuser::Load;

my $PLACE = File::Temp->newdir;

sub script {
    my ($text) = @_;
    my $path = "$PLACE/script";
    open my $file, '>:raw', $path or die "$path: $!\n";
    print {$file} $text;
    close $file or die "$path: $!\n";
    return $path;
}

# Text of a script => [number of its lines, number of the lines that a search runs].
my %LINES = (
    "true\n"                                                                  => [1,  1],
    'true'                                                                    => [1,  1],
    "# none\n\n  \t\n#= class a\ntrue\n"                                      => [1,  1],
    "true\n  # none\n  false #= status 1\necho '#'\n"                         => [3,  3],
    "echo \xff\xe2\x80\xae\r\n\0\n"                                           => [2,  2],
    "true\n" x 41                                                             => [41, 40],
    "true\n#= extract\ntrue\n"                                                => [2,  1],
    "#=extract\n" . "true\n" x 50 . "\t#=  whole \nfalse\n#= extract\ntrue\n" => [52, 51],
    "true\n#= extract\n"                                                      => [1,  1],
    "# #= extract\ntrue #= extract\n#= extracts\ntrue\n"                      => [2,  2],
);
for my $text (sort keys %LINES) {
    my $script = UnixBench::Multiuser::Load::script(script($text));
    my ($lines, $extract_lines) = @{ $LINES{$text} };
    delete $script->{commands};
    is_deeply(
        $script,
        { path => "$PLACE/script", lines => $lines, extract_lines => $extract_lines, sha256 => sha256_hex($text) },
        "$lines lines, $extract_lines in a search"
    );
    ok(eval { UnixBench::Multiuser::Load->check("$PLACE/script"); 1 }, 'check accepts the script');
}

mkdir "$PLACE/directory"           or die "directory: $!\n";
POSIX::mkfifo("$PLACE/fifo", 0600) or die "fifo: $!\n";
my %REFUSED = (
    "$PLACE/none"       => "can't read $PLACE/none: No such file or directory",
    "$PLACE/directory"  => "can't read $PLACE/directory: Is a directory",
    "$PLACE/fifo"       => "can't read $PLACE/fifo: it is not a plain file",
    "$PLACE/\e[31m"     => "can't read $PLACE/\\x1b[31m: No such file or directory",
    script("# all\n\n") => "$PLACE/script has no line for the users (blank lines and comments do not count)",
);
for my $path (sort keys %REFUSED) {
    is_deeply(
        UnixBench::Multiuser::Load::script($path),
        { path => $path, why_not => $REFUSED{$path} },
        "refused: $REFUSED{$path}"
    );
    is(eval { UnixBench::Multiuser::Load->check($path); 1 } // $@, "$REFUSED{$path}\n", "check dies: $REFUSED{$path}");
}

script(q{});
is(
    UnixBench::Multiuser::Load::script("$PLACE/script")->{why_not},
    "$PLACE/script has no line for the users (blank lines and comments do not count)",
    'an empty script is refused'
);
SKIP: {
    skip_without(machine => 'another user than root', 1) if $> == 0;
    chmod 0, "$PLACE/script";
    is(
        UnixBench::Multiuser::Load::script("$PLACE/script")->{why_not},
        "can't read $PLACE/script: Permission denied",
        'a script that may not be read is refused'
    );
}

my $sparse = "$PLACE/sparse";
open my $large, '>:raw', $sparse or die "$sparse: $!\n";
truncate $large, 2**30 or die "$sparse: $!\n";
close $large or die "$sparse: $!\n";
is(
    eval { UnixBench::Multiuser::Load->check($sparse); 1 } // $@,
    "can't read $sparse: it is larger than 16 MB, the limit for such a file\n",
    'a large script of users is refused'
);

done_testing;
