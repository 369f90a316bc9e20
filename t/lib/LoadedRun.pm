package LoadedRun;

# Starts Run as a fork of the test's own process, which compiles the modules of Run once for all its runs, and asks
# programs about the machine once. Run is started as a program if it needs another Perl: with other environment
# variables for Perl or the language, from another directory, or with another standard output. A fork has the test's own
# environment in /proc, so tests that find processes by their environment can't use this module.

use strict;
use warnings;

use File::Basename ();
use POSIX          ();

use lib File::Basename::dirname(__FILE__) . '/../../lib';

use SetClock ();    # first: it changes how the others are compiled

use KnownAnswers                             ();
use TestRun                                  ();
use UnixBench::App                           ();
use UnixBench::Call::Judge                   ();
use UnixBench::Call::Output                  ();
use UnixBench::Call::Request                 ();
use UnixBench::Command::Compare              ();
use UnixBench::Command::Measure              ();
use UnixBench::Command::Measure::Measurement ();
use UnixBench::Measure::Resume               ();
use UnixBench::Measure::RoundRobin           ();
use UnixBench::Report::Log                   ();
use UnixBench::Report::Notes                 ();
use UnixBench::Setup::Preparation            ();
use UnixBench::Store::SystemFiles            ();

my $OTHER_PERL = qr/\A(?:PERL(?!5OPT\z|_BADLANG\z)|LC_|LANG|LOCPATH)/;

# The modules that PERL5OPT may load into Run, and how a fork loads them.
my %LOAD = (
    OtherHost  => sub { require OtherHost },
    PlayedLoad => sub { require PlayedLoad },
    SetClock   => sub { SetClock->import },
    ToldTimes  => sub { require ToldTimes },
);
my $KNOWN = qr/\A-I\S+(?: -M(?:@{[join q{|}, sort keys %LOAD]}))*\z/;

UnixBench::Call::Output::load();
KnownAnswers::use_known();
$TestRun::COPY = { can_be => \&_can_be, become => \&_become };

# Takes the environment settings for a run; returns whether a fork behaves like a program.
sub _can_be {
    my ($env) = @_;
    my $modules = $env->{PERL5OPT} // $ENV{PERL5OPT} // q{};
    return !(grep { $_ =~ $OTHER_PERL } keys %$env) && ($modules eq q{} || $modules =~ $KNOWN);
}

# Becomes Run with these words; does not return.
sub _become {
    my (@words) = @_;
    local @ARGV = @words;
    local $0    = "$TestRun::HOME/Run";
    srand;
    $LOAD{$_}->() for ($ENV{PERL5OPT} // q{}) =~ / -M(\w+)/g;
    do $0;
    print {*STDERR} "Run has not ended: $@";
    POSIX::_exit(255);
}

1;
