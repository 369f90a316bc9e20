package AtOnce;

# Parts of a test that mostly wait run at the same time, each in a process of its own.

use strict;
use warnings;

use Exporter 'import';
use Test::More;

use Place qw(content place);

our @EXPORT_OK = qw(at_once);

# Takes the names of parts, each with a function that tests something. A part passes if all its tests do.
sub at_once {
    my (%parts) = @_;
    my $place = place();
    my (%name_of, $number);
    for my $name (sort keys %parts) {
        my $path = "$place/" . ++$number;
        my $pid  = fork // die "fork: $!\n";
        if (!$pid) { _run($path, $parts{$name}) }
        $name_of{$pid} = [$name, $path];
    }
    while (%name_of) {
        my ($name, $path) = @{ delete $name_of{ waitpid -1, 0 } || next };
        is($?, 0, $name) or diag content($path);
    }
    return;
}

# Runs a part, which prints to the file, and ends this process.
sub _run {
    my ($path, $part) = @_;
    open my $said, '>', $path or die "$path: $!\n";
    my $builder = Test::More->builder;
    $builder->reset;
    $builder->$_($said) for qw(output failure_output todo_output);
    if (!eval { $part->(); 1 }) {
        fail $@;
    }
    done_testing;
    close $said or die "$path: $!\n";
    exit($builder->is_passing ? 0 : 1);
}

1;
