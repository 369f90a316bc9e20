package UnixBench::Report::Text::Syscalls;

# Observed system calls as lines of the classic report, in which old scripts and UnixBench::Store::ClassicReport find
# nothing.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Format              qw(defused);
use UnixBench::Report::Lines             qw(folded plain);
use UnixBench::Report::Plain             qw(table_lines);
use UnixBench::Report::Syscalls::Tables  qw(main_table process_table);
use UnixBench::Report::Syscalls::Wording qw(legend not_observed observed_by observed_tests rows_left_out summary_of);

our @EXPORT_OK = qw(not_observed_lines syscall_lines);

use constant INDENT => 3;

# Short of the rule that begins a run: from column 4 to 80.
use constant RULE => 'SYSCALL' . '-' x 70;

# What else makes a line of a report one of scores.
my @WORDS = qw(BASELINE UNIX measured parallel sample);

# Takes a view and one of its runs; returns the lines about its observed tests, the last one blank, or nothing without
# such.
sub syscall_lines {
    my ($view, $run) = @_;
    my $result = $view->result;
    my @tests  = observed_tests($view, $run) or return;
    my ($by, @more) = observed_by($result, @tests);
    return (
        _folded("System calls, $by", 0),
        (map { _folded($_) } @more, legend(@tests)),
        q{}, map { (_test_lines($_, $result->{utc_offset_s}), q{}) } @tests
    );
}

# Takes a result; returns the lines that say why nothing was observed in it, or nothing where nobody asked for that.
sub not_observed_lines {
    my ($result) = @_;
    my $why = not_observed($result) // return;
    return (_folded($why, 0), q{});
}

sub _test_lines {
    my ($test,  $utc_offset_s) = @_;
    my ($title, $known)        = @$test{qw(title known)};
    return _folded("$title: $test->{error}") if defined $test->{error};
    return (
        _folded("$title: " . (@{ $known->{main} } ? $test->{about} : summary_of($test))),
        (@{ $known->{main} } ? _table_lines(main_table($known)) : ()),
        (map { _folded($_) } grep { defined } $test->{lost}),
        @{ $known->{rows} || [] } ? _process_lines($known, $utc_offset_s) : (),
    );
}

sub _process_lines {
    my ($known, $utc_offset_s) = @_;
    return (
        _indented(RULE),
        _table_lines(process_table($known, $utc_offset_s)),
        map { _folded($_) } rows_left_out($known)
    );
}

sub _table_lines {
    my ($table) = @_;
    return map { _indented($_) } table_lines($table, \&_harmless);
}

sub _folded {
    my ($text, $indent) = @_;
    return folded(_harmless($text), $indent // INDENT);
}

sub _harmless { my ($text) = @_; return defused(plain($text), @WORDS) }

sub _indented { my ($line) = @_; return q{ } x INDENT . $line }

1;
