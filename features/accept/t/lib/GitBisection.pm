package GitBisection;

# A git repository in which one commit makes a fake program slower, and bisections of it.

use strict;
use warnings;

use File::Basename ();

use lib map { File::Basename::dirname(__FILE__) . "/../../../../$_" } qw(t/lib lab/lib);
use Normal                                                            qw(normal);
use Place                                                             qw(write_file);
use TestRun                                                           ();

use constant { RATE => 1_000_000, SKIPPED => 0.1, PASSES_MOST => 5_000 };

my $MODULES = File::Basename::dirname(__FILE__) . '/../../../../t/lib';

# Takes
#   commits  the number of commits
#   slow     the commit that makes the program slower, from 3
#   by       the part by which it does so
#   noise    the standard deviation of the logarithm of the rate of a pass
# Uses rand. A tenth of the commits do not build, and in another tenth the test fails. The slow commit and the one
# before it are not among them: git could not tell the slow one from those.
sub new {
    my ($class, %is) = @_;
    my $test = TestRun->new(programs => { pipe => 'noisy' });
    my $self = bless { %is, test => $test, kind => { map { $_ => q{} } 1 .. $is{commits} } }, $class;
    $self->{kind}{$_} = _kind() for grep { $_ != $is{slow} && $_ != $is{slow} - 1 } 2 .. $is{commits} - 1;
    my %env = (UB_TREE => $test->place('tree'), UB_NOISE => $test->place('noise'), HOME => $test->place);
    $test->{env} = { %env, PERL5OPT => "-I$MODULES -MPlayedLoad", GIT_CONFIG_NOSYSTEM => 1 };
    write_file($test->place('noise'),   join q{}, map { sprintf "%+11.8f\n", $is{noise} * normal() } 1 .. PASSES_MOST);
    write_file($test->place('history'), join q{}, map { $self->_commit($_) } 1 .. $is{commits});
    $self->shell('git init -q tree && cd tree && git fast-import --quiet < ../history && git checkout -q main');
    return $self;
}

# Returns what is wrong with a commit, or an empty text.
sub _kind {
    my $random = rand;
    return $random < SKIPPED ? 'unbuilt' : $random < 2 * SKIPPED ? 'fails' : q{};
}

sub _rate {
    my ($self, $number) = @_;
    return RATE * ($number < $self->{slow} ? 1 : 1 - $self->{by});
}

# Returns a commit in the form of git fast-import.
sub _commit {
    my ($self, $number) = @_;
    my $kind  = $self->{kind}{$number};
    my @files = (number => "$number\n", rate => $self->_rate($number) . "\n", $kind ? ($kind => "yes\n") : ());
    my $text  = "commit refs/heads/main\nmark :$number\ncommitter A U Thor <thor\@example.org> $number +0000\n"
        . _data("commit $number\n");
    $text .= 'from :' . ($number - 1) . "\n" if $number > 1;
    $text .= "deleteall\n";
    while (my ($name, $content) = splice @files, 0, 2) { $text .= "M 100644 inline $name\n" . _data($content) }
    return $text;
}

sub _data {
    my ($content) = @_;
    return 'data ' . length($content) . "\n$content";
}

# Bisects by "git bisect run", with the fake programs. Takes words for Run after those that ask for a quick run with a
# requirement; returns the number of the commit that git found, or undef, and what git printed.
sub bisected {
    my ($self, @words) = @_;
    my $run = join q{ }, $^X, "$TestRun::HOME/Run", '-c 1', map { "'$_'" } $self->_words(@words);
    write_file($self->{test}->place('step'), "[ ! -e unbuilt ] || exit 125\n$run > ../report 2> ../verdict\n");
    my $start = 'cd tree && git bisect start main main~' . ($self->{commits} - 1);
    my $out   = $self->shell("$start && git bisect run sh ../step; git bisect reset");
    return ($out =~ /is the first bad commit\n.*?^ +commit ([0-9]+)$/ms ? $1 : undef, $out);
}

# Returns the words for Run.
sub _words {
    my ($self, @words) = @_;
    my $least = RATE * (1 - $self->{by} / 2);
    return (qw(--quick -q --require), "pipe>=$least", @words, 'pipe');
}

# Returns a path in the place of the runs. The repository is "tree" there.
sub place { my ($self, @below) = @_; return $self->{test}->place(@below) }

# Runs a command of the shell in that place, with further environment; returns its output. Dies if it fails, unless it
# bisects.
sub shell {
    my ($self, $command, %env) = @_;
    my $test = $self->{test};
    local $test->{cwd} = $test->place;
    local $test->{env} = { %{ $test->{env} }, %env };
    my $ended = TestRun::waited($test->started_by('sh', '-c', $command));
    return $ended->{out} if !$ended->{status} || $command =~ /\bbisect\b/;
    die "$command: $ended->{out}$ended->{said}\n";
}

1;
