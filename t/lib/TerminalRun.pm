package TerminalRun;

# Run on a pseudo-terminal, the progress that it shows there, and the end of its report.

use strict;
use warnings;

use Exporter 'import';
use POSIX ();
use Test::More;

use PseudoTerminal;
use Screen  ();
use TestRun qw(eventually);
use UnixBench::Base::Files;

our @EXPORT_OK = qw(ended is_screen plain progress shown started_on until_seen);

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

# The terminal of a report.
use constant { COLUMNS => 80, ROWS => 24 };

# Takes a TestRun, environment settings and words for Run; runs it on a terminal. Returns the text that it shows there,
# without the lines before the report, and the exit status.
sub shown {
    my ($machine, $env, @words) = @_;
    local $machine->{env} = { %{ $machine->{env} }, %$env };
    my $run   = started_on($machine, COLUMNS, [0 .. 2], $^X, "$TestRun::HOME/Run", @words);
    my $ended = ended($run);
    return ($run->{terminal}->seen =~ s/\r\n/\n/gr =~ s/\A.*^={72}\n//smr, $ended->{status});
}

# Takes a text; returns the last lines that a terminal shows, with words for colours, such as "{red}".
sub _last_screen {
    my ($text) = @_;
    my @rows   = split /\n/, Screen->new(COLUMNS)->feed(plain($text) =~ s/(?<!\r)\n/\r\n/gr)->shown;
    return join q{}, map { "$_\n" } @rows[($#rows < ROWS - 1 ? 0 : 2 - ROWS + $#rows) .. $#rows];
}

# Takes a text; returns it without colours.
sub plain { my ($text) = @_; return $text =~ s/\e\[[0-9]*m//gr }

# Takes the name of a report, its text, a label and a pattern. Tests that the last screen has a verdict, with this
# label, and the next step, and that no line is too long.
sub is_screen {
    my ($name, $text, $label, $next) = @_;
    my $screen = _last_screen($text);
    like($screen, qr/^$label +\S/m,  "$name: the last screen has the verdict");
    like($screen, qr/^Next +$next/m, "$name: and the next step") or diag $screen;
    my ($lines) = $label eq 'Index' ? plain($text) =~ /^((?:Warning: |Index ).*)/ms : plain($text);
    is_deeply([grep { length > COLUMNS } split /\n/, $lines], [], "$name: no line is broken by the terminal");
    return $screen;
}

1;
