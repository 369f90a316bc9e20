use strict;
use warnings;

use Fcntl qw(F_SETFD FD_CLOEXEC);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use FakeX11perf qw($PROGRAM environment gfx_x11 recordings said);
use Place       qw(content);
use TestProgram qw(finish has_ended is_error path_of run scratch start write_file);

# How gfx-x11 is started, and how it starts x11perf.
my $GOOD  = said(' 10000.0');
my @RECTS = qw(rects 2 1);

subtest 'wrong arguments' => sub {
    my @wrong = ([], ['rects'], [qw(rects 3)], [qw(rects 3 2 1)]);
    push @wrong, map { [$_, 3, 2] } 'squares', 'RECTS', q{}, "rects\n", 'x' x 5000;
    push @wrong, map { ['rects', $_, 2] } 0, -2, '2.0', '1001', '3x', "3\n", '9' x 30, q{};
    push @wrong, map { ['rects', 3, $_] } 0, '0.0', -1, '3600.1', '1e1', '1.2.3', 'nan', 'inf', '.', "2\n", q{};
    for my $words (@wrong) {
        my $shown = join q{ }, map { substr s/\n/\\n/r, 0, 20 } @$words;
        is_error(gfx_x11($words), 2, 'usage: gfx-x11 GROUP REPEATS SECONDS \[-s\]$', "gfx-x11 $shown");
    }
    my $groups = 'aashapes blit circle ellipse lines polys rects shapes text window';
    like gfx_x11([qw(squares 3 2)])->{err}, qr/\AERROR[|]group must be one of $groups, not "squares"/,
        'the message names all groups';
};

subtest 'repeats and seconds' => sub {
    my %asked = ('0.02' => 1, '.5' => 1, 1 => 1, '2.' => 2, '2.01' => 3, '0010' => 10, 3600 => 3600);
    for my $seconds (sort keys %asked) {
        my $words = scratch() . '/words';
        gfx_x11(['rects', 1000, $seconds], UB_X11PERF_WORDS => $words);
        like content($words), qr/\A-repeat 1000 -subs 25 -time $asked{$seconds} /, "$seconds s: the words for x11perf";
    }
};

subtest 'standard error is for the protocol' => sub {
    my %missing = (LANG => 'xx_YY.utf8', LC_ALL => undef, LOCPATH => '/nowhere', PERL_BADLANG => undef);
    my $noisy   = recordings(rect10 => { out => $GOOD, err => "Xlib: locale not supported\nCOUNT|1|0|score\n" });
    my %library = (PERL5OPT => '-MNoise', PERL5LIB => scratch());
    write_file("$library{PERL5LIB}/Noise.pm", 'END { print {*STDERR} "noise\n" } 1;');
    my $ended = gfx_x11(\@RECTS, %missing, %library, UB_X11PERF => $noisy);
    is $ended->{status}, 0, 'messages of Perl, x11perf and a library are not an error';
    like $ended->{out}, qr/^Xlib: locale.*^noise$/ms, 'messages of x11perf and a library are in the log';
    like $ended->{err}, qr/\A(?:rate[.]\w+[|][0-9]+\n){4}COUNT[|]22668[.]37[|]0[|]score\n\z/,
        'standard error has only the protocol';
};

subtest 'standard handles' => sub {
    my %cases = (
        '<&-'         => [0, qr/^COUNT[|]/m],
        '>&-'         => [1, qr/^ERROR[|]standard output: Bad file descriptor$/],
        '>/dev/full'  => [1, qr/^ERROR[|]standard output: No space left on device$/],
        '2>/dev/full' => [1, qr/\A\z/],
        '2>&-'        => [1, qr/\A\z/],
    );
    for my $redirection (sort keys %cases) {
        next if $redirection =~ /full/ && !-e '/dev/full';
        my ($status, $says) = @{ $cases{$redirection} };
        my $ended = run(['/bin/sh', '-c', "exec \"\$0\" \"\$@\" $redirection", $PROGRAM, @RECTS], env => environment());
        is $ended->{status}, $status, "$redirection: exit status";
        like $ended->{err}, $says, "$redirection: message";
    }
};

# The shell part of gfx-x11 must pass the gate on, and x11perf must not inherit any of its file descriptors.
subtest 'gate' => sub {
    local $^F = 1000;
    my $spy = q{perl -e 'for (0 .. 999) { open my $file, "<&=", $_ or next; print "inode ", (stat $file)[1], "\n" }'};
    my $curious = recordings(rect10 => { out => $GOOD, end => qq{echo "gate: \${UB_GATE-none}"; $spy} });
    for my $shell ('sh', 'bash', 'busybox sh') {
        my $program = begun_by(split / /, $shell) or next;
        pipe my $ready,  my $ready_end or die "pipe: $!";
        pipe my $go_end, my $go        or die "pipe: $!";
        fcntl $_, F_SETFD, FD_CLOEXEC or die "fcntl: $!" for $ready, $go;
        my $gate    = join ',', map { fileno $_ } $ready_end, $go_end;
        my $running = start([$program, @RECTS], env => environment(UB_GATE => $gate, UB_X11PERF => $curious));
        close $_ or die "close: $!" for $ready_end, $go_end;
        is sysread($ready, my $byte, 10), 1, "$shell: reports that it is ready";
        is sysread($ready, $byte,    10), 0, "$shell: reports that only once";
        ok !has_ended($running), "$shell: waits at the gate";
        is -s "$running->{scratch}/out", 0, "$shell: has not begun";
        my @ours = map { (stat)[1] } $ready, $go, "$running->{scratch}/err";
        close $go or die "close: $!";
        my $ended = finish($running);
        is $ended->{status}, 0, "$shell: runs after the gate opens" or diag $ended->{err};
        like $ended->{out},   qr/^gate: none\ninode /m, "$shell: x11perf has no UB_GATE";
        unlike $ended->{out}, qr/^inode $_$/m,          "$shell: x11perf has not inherited the gate" for @ours;
    }
};

done_testing;

# Returns the path of a copy of the program that begins with that shell, or nothing if the shell is not installed.
sub begun_by {
    my ($name, @options) = @_;
    my $shell = path_of($name) // return;
    my $path  = write_file(scratch() . '/gfx-x11', content($PROGRAM) =~ s/.*/join q{ }, "#!$shell", @options/er);
    chmod 0755, $path;
    return $path;
}
