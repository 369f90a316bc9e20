package Sealed;

# Makes the reports of a result from its JSON file only: a report that asks for the time, the time zone or the
# environment dies. It must be loaded before all other modules.

use strict;
use warnings;

my @KINDS = qw(text html csv json);

sub refuse { die 'a report asks for ' . shift . "\n" }

# Replaces Perl's own functions in all code that is compiled later.
sub import {
    no warnings 'once';
    *CORE::GLOBAL::time      = sub { refuse('the time') };
    *CORE::GLOBAL::localtime = sub { refuse('the time zone') };
    return;
}

sub TIEHASH  { my ($class) = @_; return bless {}, $class }
sub FETCH    { my (undef, $name) = @_; return refuse($name) }
sub EXISTS   { my (undef, $name) = @_; return refuse($name) }
sub FIRSTKEY { return refuse('the environment') }

# Takes the path of a result's JSON; returns its reports in one text.
sub reports {
    my ($path) = @_;
    require UnixBench::Store::ResultFile;
    require UnixBench::Report::Formats;
    require UnixBench::Report::View;
    UnixBench::Report::Formats::load();
    my $result = UnixBench::Store::ResultFile::result($path);
    chdir q{/};
    tie my %nothing, 'Sealed';
    local *ENV = \%nothing;
    return together($result);
}

# Takes a result; returns its reports in one text.
sub together {
    my ($result) = @_;
    my $view = UnixBench::Report::View->new(result => $result);
    return join "== \n", map { UnixBench::Report::Formats::of_result($_, $view) } @KINDS;
}

1;
