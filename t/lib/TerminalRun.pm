package TerminalRun;

# Run on a pseudo-terminal, and the progress that it shows there.

use strict;
use warnings;

use Exporter 'import';
use POSIX ();

use Alive qw(eventually);
use PseudoTerminal;
use TestRun;
use UnixBench::Base::Files;

our @EXPORT_OK = qw(ended progress started_on until_seen);

# Takes a place (see TestRun), the number of columns, the file descriptors that are the terminal, and a command or only
# the words for Run. Returns the run, a hash with pid, out and err (as in TestRun), terminal, and test, the place.
sub started_on {
    my ($test, $columns, $handles, @command) = @_;
    my $terminal = PseudoTerminal->new($columns) || die "no terminal can be had here\n";
    @command = ($^X, "$TestRun::HOME/Run", @command) if $command[0] =~ /\A-/;
    my $run = $test->started_by($terminal->command($handles, @command));
    return { %$run, terminal => $terminal, test => $test };
}

# Takes a run and a pattern; waits until the terminal has shown a match, and returns whether it has.
sub until_seen {
    my ($run, $pattern) = @_;
    return eventually(sub { $run->{terminal}->seen =~ $pattern });
}

# Waits for the end of a run; returns { status, signal, out, err }. out and err have the output that did not go to the
# terminal.
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

# The end of the name of a result. A narrow terminal breaks it anywhere.
my $DATE = qr/(?:[0-9]\n?){2}-\n?(?:[0-9]\n?){2}-\n?[0-9]\n?[0-9]/;

# Takes the output of Run; returns the part between its head and its report. Times that vary are N, and messages about
# the machine are left out.
sub progress {
    my ($text) = @_;
    $text        =~ s/\r\n/\n/g;
    $text        =~ s/\A.*reports in\s+[\S\n]*?$DATE\n//s;
    $text        =~ s/={72}.*\z//s;
    $text        =~ s/^Run: (?:$TestRun::OF_THE_MACHINE)\b.*\n(?:  .*\n)*//mg;
    return $text =~ s/[0-9]+(?= s left)/N/gr;
}

1;
