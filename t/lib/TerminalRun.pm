package TerminalRun;

# Run on a terminal of its own: what it shows there of its progress.

use strict;
use warnings;

use Exporter 'import';
use POSIX ();

use Alive qw(eventually);
use PseudoTerminal;
use Screen;
use TestRun;
use UnixBench::Base::Files;

our @EXPORT_OK = qw(ended progress started_on until_seen);

# Takes a place, see TestRun, the width of a terminal, the numbers of the standard handles that are on it, and a
# command, by default Run, with words; returns the run: a hash with pid, out, err, as of TestRun, terminal, and
# test, the place, which is there as long as the run is.
sub started_on {
    my ($test, $columns, $handles, @command) = @_;
    my $terminal = PseudoTerminal->new($columns) || die "no terminal can be had here\n";
    @command = ($^X, "$TestRun::HOME/Run", @command) if $command[0] =~ /\A-/;
    my $run = $test->started_by($terminal->command($handles, @command));
    return { %$run, terminal => $terminal, test => $test };
}

# Waits until what the terminal shows matches a pattern; returns whether it does.
sub until_seen {
    my ($run, $pattern) = @_;
    return eventually(sub { $run->{terminal}->seen =~ $pattern });
}

# Waits for the end; returns status and signal, and what was said on standard handles that are not on the terminal, out
# and err.
sub ended {
    my ($run) = @_;
    my $status;
    my $is_over = sub {
        $run->{terminal}->seen;
        $status = $? if waitpid($run->{pid}, POSIX::WNOHANG()) > 0;
        return defined $status;
    };
    die "Run does not end:\n" . $run->{terminal}->seen if !eventually($is_over);
    my %said = map { $_ => UnixBench::Base::Files::content($run->{$_}) } qw(out err);
    return { status => $status >> 8, signal => $status & 127, %said };
}

# Takes what Run has said, on a terminal or elsewhere; returns the part between its head and its report, with N for
# times, which are not always the same, and without what these tests bring with them or the machine lacks.
sub progress {
    my ($text) = @_;
    $text        =~ s/\r\n/\n/g;
    $text        =~ s/\A.*reports in [^\n]+\n//s;
    $text        =~ s/={72}.*\z//s;
    $text        =~ s/^Run: (?:$TestRun::OF_THE_MACHINE) .*\n//mg;
    return $text =~ s/[0-9]+(?= s left)/N/gr;
}

1;
