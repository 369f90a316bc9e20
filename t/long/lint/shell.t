use strict;
use warnings;

use File::Temp ();
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/../../../$_" } qw(t/lint/lib t/lib);
use Needs qw(need_tools);
use Passed;
use Place qw(write_file);
use Tree  qw(files text_of);

# shellcheck finds nothing in the scripts, which are for any POSIX shell, and in the completions for bash. Only the
# first part of gfx-x11 is for the shell.
need_tools('shellcheck');

my $FOLDERS = qr{\A(?:[.]ci|build|debian/tests|(?:features/\w+/)?lab|packaging|pgms)/};
my $IN_BASH = qr{/completion/bash/};
my $passed  = Passed->new(shell => scalar qx(shellcheck --version), map { text_of($_) } glob 'lab/*.sh');
my $place   = File::Temp->newdir;
for my $path (grep { /$IN_BASH/ || /$FOLDERS/ } files()) {
    my ($text) = split /^#!perl\n/m, text_of($path);
    next if $path !~ /$IN_BASH|[.]sh\z/ && $text !~ m{\A#!/bin/sh$}m;
    my $shell = $path =~ $IN_BASH ? 'bash' : 'sh';
    write_file("$place/script", $text);
    my $said = $passed->has("$path\n$text") ? q{} : qx(shellcheck -x -s $shell $place/script 2>&1);
    is($said, q{}, "shellcheck finds nothing in $path") and $passed->add("$path\n$text");
}
$passed->keep;

done_testing;
