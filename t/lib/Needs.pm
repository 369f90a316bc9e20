package Needs;

# Skips tests that need something that is missing here. "make test" lists them at its end. If CI is set, a missing tool
# is a failure.

use strict;
use warnings;

use Cwd ();
use Exporter 'import';
use File::Basename ();
use Test::More;

use Place       qw(path_of);
use TestProgram qw(is_built);

our @EXPORT_OK = qw(in_words is_user_possible need_built need_compiler need_mount_namespaces need_tools need_user
    note_without path_of skip_without tracing);

# The remedy for each kind of need. A property of the machine can't be installed.
my %REMEDY = (tool => 'make setup-all', program => 'make', machine => undef);

my $ROOT = Cwd::abs_path(File::Basename::dirname(__FILE__) . '/../..');
my $USER = 'a tree that an ordinary user can read';
my $TEST = $$;
my @missing;

# Skips this file or subtest if one of these programs is not in PATH.
sub need_tools {
    for my $tool (@_) { skip_without(tool => $tool) if !path_of($tool) }
    return;
}

# Skips this file or subtest if one of these measured programs is not built.
sub need_built {
    for my $program (@_) { skip_without(program => $program) if !is_built($program) }
    return;
}

# Skips this file or subtest, or that number of tests of a SKIP block, if there is no C compiler.
sub need_compiler {
    my ($count) = @_;
    skip_without(tool => 'a C compiler', $count) if !path_of('cc');
    return;
}

# Skips this file or subtest if this process can't have a mount namespace of its own, as in a root made by chroot.
sub need_mount_namespaces {
    skip_without(machine => 'mount namespaces') if system 'unshare -m true 2>/dev/null';
    return;
}

# Returns whether this test can run as an ordinary user, who must be able to read the tree: that of root may be below a
# directory that only root can enter.
sub is_user_possible {
    return system("'$^X' '$ROOT/t/bin/as-nobody' '$^X' -e 'exit !-r shift' '$ROOT/Run' 2>/dev/null") == 0;
}

# Skips this file or subtest if it can't.
sub need_user {
    skip_without(machine => $USER) if !is_user_possible();
    return;
}

# Takes a kind of need (tool, program or machine), what is needed, and perhaps a number. Skips this file or subtest, or
# that number of tests of a SKIP block.
sub skip_without {
    my ($kind, $what, $count) = @_;
    note_without($kind, $what);
    my $reason = join q{: }, "needs $what", grep { defined } $REMEDY{$kind};
    return defined $count ? skip($reason, $count) : plan skip_all => $reason;
}

# Returns the kind of need and what is needed if strace can't trace.
sub tracing { return path_of('strace') ? (machine => 'the right to trace programs') : (tool => 'strace') }

# Takes a kind of need and what is needed. Records it without skipping, for a test that continues and checks less.
sub note_without {
    my ($kind, $what) = @_;
    die "$kind: no such kind of need\n" if !exists $REMEDY{$kind};
    push @missing, $what if $REMEDY{$kind};
    _keep($kind, $what) if defined $ENV{UB_SKIPPED};
    return;
}

# Adds a line to the file that t/suite reads at its end: kind, what is needed, and the test.
sub _keep {
    my ($kind, $what) = @_;
    open my $file, '>>', $ENV{UB_SKIPPED} or die "$ENV{UB_SKIPPED}: $!\n";
    syswrite $file, join("\t", $kind, $what, $0) . "\n" or die "$ENV{UB_SKIPPED}: $!\n";
    close $file;
    return;
}

# Takes the path of that file; returns the lines of the list: what is needed, how to get it, and the skipped tests.
sub in_words {
    my ($path) = @_;
    open my $file, '<', $path or die "$path: $!\n";
    my %tests;
    for my $line (readline $file) {
        my ($kind, $what, $test) = $line =~ /\A(\w+)\t(.*)\t(.*)$/ or next;
        $tests{ "needs $what (" . ($REMEDY{$kind} // 'not on this machine') . ')' }{$test} = 1;
    }
    return if !%tests;
    return ('Not tested:', map { "  $_: " . join q{ }, sort keys %{ $tests{$_} } } sort keys %tests);
}

END {
    if ($ENV{CI} && $$ == $TEST && @missing) {
        diag "CI is set, and this test needs: @missing";
        $? ||= 1;
    }
}

1;
