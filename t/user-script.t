use strict;
use warnings;

use Digest::SHA qw(sha256_hex);
use File::Temp  ();
use POSIX       ();
use Test::More;

use UnixBench::UserScript;

my $PLACE = File::Temp->newdir;

sub script {
    my ($text) = @_;
    my $path = "$PLACE/script";
    open my $file, '>:raw', $path or die "$path: $!\n";
    print {$file} $text;
    close $file or die "$path: $!\n";
    return $path;
}

# A text => how many lines of it are played.
my %LINES = (
    "true\n"                                          => 1,
    'true'                                            => 1,
    "# none\n\n  \t\n#= class a\ntrue\n"              => 1,
    "true\n  # none\n  false #= status 1\necho '#'\n" => 3,
    "echo \xff\xe2\x80\xae\r\n\0\n"                   => 2,
);
for my $text (sort keys %LINES) {
    my $script = UnixBench::UserScript::of(script($text));
    is_deeply(
        $script,
        { path => "$PLACE/script", lines => $LINES{$text}, sha256 => sha256_hex($text) },
        "$LINES{$text} to be played"
    );
    ok(eval { UnixBench::UserScript::check("$PLACE/script"); 1 }, 'nothing against it');
}

mkdir "$PLACE/directory"           or die "directory: $!\n";
POSIX::mkfifo("$PLACE/fifo", 0600) or die "fifo: $!\n";
my %REFUSED = (
    "$PLACE/none"       => "can't read $PLACE/none: No such file or directory",
    "$PLACE/directory"  => "can't read $PLACE/directory: Is a directory",
    "$PLACE/fifo"       => "can't read $PLACE/fifo: it is no file",
    "$PLACE/\e[31m"     => "can't read $PLACE/\\x1b[31m: No such file or directory",
    script("# all\n\n") => "there is no line to be played in $PLACE/script",
);
for my $path (sort keys %REFUSED) {
    is_deeply(UnixBench::UserScript::of($path), { path => $path, why_not => $REFUSED{$path} }, $REFUSED{$path});
    is(eval { UnixBench::UserScript::check($path); 1 } // $@, "$REFUSED{$path}\n", 'in a line');
}

script(q{});
is(UnixBench::UserScript::of("$PLACE/script")->{why_not}, "there is no line to be played in $PLACE/script", 'empty');
SKIP: {
    skip 'root may read everything', 1 if $> == 0;
    chmod 0, "$PLACE/script";
    is(
        UnixBench::UserScript::of("$PLACE/script")->{why_not},
        "can't read $PLACE/script: Permission denied",
        'not to be read'
    );
}

done_testing;
