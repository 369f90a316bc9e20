package LastScreen;

# What a terminal of 80 columns and 24 lines shows at the end of a report.

use strict;
use warnings;

use Exporter 'import';
use Test::More;

use Screen      ();
use TerminalRun qw(ended started_on);
use TestRun     ();

our @EXPORT_OK = qw(is_screen plain shown);

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
    my @rows   = split /\n/, Screen->new(COLUMNS)->feed($text =~ s/(?<!\r)\n/\r\n/gr)->shown;
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
