package LoadedRun;

# Starts Run as a fork of the test's own process, which compiles the modules of Run once for all its runs, and asks
# programs about the machine once; t/suite has a directory with the answers for all tests. A fork notes the modules that
# it has loaded, and later ones find them loaded. Run is started as a program if it needs another Perl: with other
# environment variables for Perl or the language, from another directory, or with another standard output. A fork has
# the test's own environment in /proc, so it has a directory of the place open, by which Place finds it.

use strict;
use warnings;

use Cwd            ();
use Digest::SHA    ();
use File::Basename ();
use File::Temp     ();
use POSIX          ();

use lib File::Basename::dirname(__FILE__) . '/../../lib';

use SetClock ();    # first: it changes how the others are compiled

use Place                              qw(path_of);
use TestRun                            ();
use UnixBench::App                     ();
use UnixBench::Call::Judge             ();
use UnixBench::Call::Output            ();
use UnixBench::Call::Request           ();
use UnixBench::Command::Compare        ();
use UnixBench::Command::Measure        ();
use UnixBench::Command::Measure::Steps ();
use UnixBench::Host::Facts             ();
use UnixBench::Measure::RoundRobin     ();
use UnixBench::Report::Text            ();
use UnixBench::Report::Notes           ();
use UnixBench::Process::Command        ();
use UnixBench::Process                 ();
use UnixBench::Setup::Preparation      ();
use UnixBench::Store::SystemIdentity   ();

# The programs whose answers stay the same during a test.
my %IS_KNOWN = map { $_ => 1 } qw(dpkg-query gcc git grep ldd locale runlevel sh sort uname uptime who);

# The variables that only Run and the modules loaded into it read.
my $OF_RUN = qr/\A(?:UB_|SET_CLOCK_S\z|OTHER_|PLAYED_)/;

my $PLACE      = File::Temp->newdir;
my $ANSWERS    = $ENV{UB_KNOWN_ANSWERS} // $PLACE;
my $ask        = \&UnixBench::Process::Command::output_of;
my $call       = \&UnixBench::Process::call;
my $SYNC       = path_of('sync');
my $OTHER_PERL = qr/\A(?:PERL(?!5OPT\z|_BADLANG\z)|LC_|LANG|LOCPATH)/;

# The modules that PERL5OPT may load into Run, and how a fork loads them.
my %LOAD = (
    KeptOptions    => sub { require KeptOptions; KeptOptions::keep() },
    OtherHost      => sub { require OtherHost },
    Planted        => sub { require Planted; Planted->import(@_) },
    PlayedLoad     => sub { require PlayedLoad },
    PlayedSettings => sub { require PlayedSettings },
    SetClock       => sub { SetClock->import },
    ToldTimes      => sub { require ToldTimes },
);
my $KNOWN = qr/\A-I\S+(?: -I\S+| -M(?:@{[join q{|}, sort keys %LOAD]})(?:=[\w-]+)?)*\z/;

# A directory that a fork keeps open.
my $MARK;

UnixBench::Call::Output::load();
_use_known();
$TestRun::COPY = { can_be => \&_can_be, become => \&_become };

# Exports what TestRun exports.
sub import { shift; unshift @_, 'TestRun'; goto &TestRun::import }

# Takes the environment settings for a run; returns whether a fork behaves like a program.
sub _can_be {
    my ($env) = @_;
    my $modules = $env->{PERL5OPT} // $ENV{PERL5OPT} // q{};
    require $_ for split /\n/, Place::content("$PLACE/loaded");
    return !(grep { $_ =~ $OTHER_PERL } keys %$env) && ($modules eq q{} || $modules =~ $KNOWN);
}

# Takes a directory and the words of Run; becomes Run, with that directory open. Does not return.
sub _become {
    my ($directory, @words) = @_;
    local @ARGV = @words;
    local $0    = "$TestRun::HOME/Run";
    srand;
    opendir $MARK, $directory or die "$directory: $!\n";
    $LOAD{ $_->[0] }->($_->[1] // ()) for map { [split /=/] } ($ENV{PERL5OPT} // q{}) =~ / -M(\S+)/g;
    do $0;
    print {*STDERR} "Run has not ended: $@";
    POSIX::_exit(255);
}

END {
    my $modules = join q{}, map { m{\AUnixBench/} ? "$_\n" : () } sort keys %INC;
    _write_known("$PLACE/loaded", $modules) if $MARK;
}

# Makes this process and its forks use known answers of programs about the machine, such as uname and ldd: a program is
# asked again with other words, in another environment, or if its file or a file that is named to it was replaced. The
# checksums of the files that Perl has loaded are known, too. The sync before each pass, which waits for the files of
# all tests, is left out, unless the test has one of its own.
sub _use_known {
    no warnings 'redefine';
    *UnixBench::Process::Command::output_of = \&_answer;
    *UnixBench::Host::Facts::ask_ahead      = sub { };
    *UnixBench::Process::call               = sub {
        my ($self, @command) = @_;
        return "@command" eq 'sync' && (path_of('sync') // q{}) eq ($SYNC // 'none') ? 0 : $self->$call(@command);
    };
    my %mapped = map { $_ => 1 } grep { -f } Place::content('/proc/self/maps') =~ m{ (/\S+)$}mg;
    UnixBench::Store::SystemIdentity::digest($_) for sort keys %mapped;
    return;
}

# Takes the words of a command; returns its output, or undef if it fails.
sub _answer {
    my ($command) = @_;
    my ($program) = grep { !/=|\A(?:env)\z/ } @$command;
    return $ask->($command) if !$IS_KNOWN{$program};
    my $path = "$ANSWERS/" . Digest::SHA::sha256_hex(_question($program, @$command));
    if (-e $path) {
        my ($is_known, $text) = Place::content($path) =~ /\A([01])(.*)\z/s;
        return $is_known ? $text : undef;
    }
    my $answer = $ask->($command);
    _write_known($path, defined $answer ? "1$answer" : 0);
    return $answer;
}

# Takes a path and a text; writes the file, of which other forks see all or nothing.
sub _write_known {
    my ($path, $text) = @_;
    Place::write_file("$path.$$", $text);
    return rename("$path.$$", $path) || die "rename: $!\n";
}

# Takes a program and the words of its command; returns a text with all that the answer depends on.
sub _question {
    my ($program, @words) = @_;
    my ($found)         = grep { -x } map { "$_/$program" } split /:/, $ENV{PATH} // '/usr/bin:/bin';
    my @words_and_files = map  { m{\A/} && -e ? _identity($_) : $_ } defined $found ? $found : (), @words;
    return join "\0", @words_and_files, map { "$_=" . ($ENV{$_} // q{}) } grep { !/$OF_RUN/ } sort keys %ENV;
}

# Takes the path of a file; returns what changes if it is replaced. Links to the same file are the same.
sub _identity {
    my ($path) = @_;
    return join q{ }, Cwd::realpath($path), (stat $path)[0, 1, 7, 9, 10];
}

1;
