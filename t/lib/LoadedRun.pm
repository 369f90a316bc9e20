package LoadedRun;

# Starts Run as a copy of the test's own process, which has compiled the modules of Run once for all of its runs. A Run
# that needs another Perl is started as a program: with another environment for Perl or for its language, from another
# place, or with another standard output. A copy has the test's own environment in /proc, so a test that looks for
# processes by that can't use this.

use strict;
use warnings;

use File::Basename ();
use POSIX          ();

use lib File::Basename::dirname(__FILE__) . '/../../lib';

use TestRun                       ();
use UnixBench::App                ();
use UnixBench::Command::Compare   ();
use UnixBench::Command::Measure   ();
use UnixBench::Command::Output    ();
use UnixBench::Setup::Preparation ();

my $OTHER_PERL = qr/\A(?:PERL(?!5OPT\z|_BADLANG\z)|LC_|LANG|LOCPATH)/;

# What PERL5OPT may load into Run, and how a copy loads it.
my %LOAD  = (OtherHost => sub { require OtherHost }, PlayedLoad => sub { require PlayedLoad });
my $KNOWN = qr/\A-I\S+ -M(OtherHost|PlayedLoad)\z/;

UnixBench::Command::Output::load();
$TestRun::COPY = { can_be => \&_can_be, become => \&_become };

# Takes the settings of the environment in which Run is to be started; returns whether a copy does the same.
sub _can_be {
    my ($env) = @_;
    my $modules = $env->{PERL5OPT} // $ENV{PERL5OPT} // q{};
    return !(grep { $_ =~ $OTHER_PERL } keys %$env) && ($modules eq q{} || $modules =~ $KNOWN);
}

# Becomes Run with these words, and does not return.
sub _become {
    my (@words) = @_;
    local @ARGV = @words;
    local $0    = "$TestRun::HOME/Run";
    srand;
    $LOAD{$1}->() if ($ENV{PERL5OPT} // q{}) =~ $KNOWN;
    do $0;
    print {*STDERR} "Run has not ended: $@";
    POSIX::_exit(255);
}

1;
