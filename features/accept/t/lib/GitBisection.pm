package GitBisection;

# A git repository in which one commit makes a fake program slower, and bisections of it: by "git bisect run ./Run", or
# by the modules of Run without any process but git's.

use strict;
use warnings;

use File::Basename ();

use lib map { File::Basename::dirname(__FILE__) . "/$_" } q{.}, '../../lib', '../../../../lib', '../../../../t/lib',
    '../../../../lab/lib';
use Fixture                       qw(result);
use Normal                        qw(normal);
use Place                         qw(content write_file);
use PlayedRun                     qw(plan play);
use Requested                     qw(request);
use TestRun                       ();
use UnixBench::Accept::Acceptance ();

use constant { RATE => 1_000_000, SKIPPED => 0.1, PASSES_MOST => 5_000, RECORD => 12 };

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

# Bisects by "git bisect run", with the fake programs. Takes
#   words  [words for Run after those that ask for a quick run with a requirement]
#   as     { exit status of Run => that of the script that git runs } (default: the same)
# Returns
#   found     the number of the commit that git found, or undef
#   statuses  { exit status of the script => how often }
#   passes    the number of passes
#   out       what git printed
sub bisected {
    my ($self, %how) = @_;
    my $test = $self->{test};
    my $as   = join q{ }, map { "$_) status=$how{as}{$_} ;;" } sort keys %{ $how{as} || {} };
    my $run  = join q{ }, $^X, "$TestRun::HOME/Run", '-c 1', map { "'$_'" } $self->_words(%how);
    unlink map { $test->place($_) } qw(steps noise.taken);
    write_file($test->place('step'), <<"END_OF_SCRIPT");
if [ -e unbuilt ]; then status=125; else
    $run > ../report 2> ../verdict
    status=\$?
    case \$status in $as esac
fi
echo \$status >> ../steps
exit \$status
END_OF_SCRIPT
    my $out = $self->shell($self->_start . ' && git bisect run sh ../step; git bisect reset');
    return _summed($out, length(content($test->place('noise.taken'))) / RECORD, split q{ },
        content($test->place('steps')));
}

# Takes and returns the same. Bisects by git, but plays the runs.
sub played {
    my ($self,   %how)      = @_;
    my ($passes, @statuses) = (0);
    my $out = $self->shell($self->_start);
    while ($out !~ /first bad commit/) {
        my ($number) = $self->shell('cd tree && git log -1 --format=%s') =~ /([0-9]+)/;
        my ($status, $made) = $self->{kind}{$number} eq 'unbuilt' ? (125, 0) : $self->_played_step($number, %how);
        $passes += $made;
        push @statuses, $status;
        $out = $self->shell('cd tree && git bisect ' . ({ 0 => 'good', 125 => 'skip' }->{$status} // 'bad'));
    }
    $self->shell('cd tree && git bisect reset');
    return _summed($out, $passes, @statuses);
}

sub _start {
    my ($self) = @_;
    return 'cd tree && git bisect start main main~' . ($self->{commits} - 1);
}

# Returns the words for Run.
sub _words {
    my ($self, %how) = @_;
    my $least = RATE * (1 - $self->{by} / 2);
    return (qw(--quick -q --require), "pipe>=$least", @{ $how{words} || [] }, 'pipe');
}

sub _summed {
    my ($out, $passes, @statuses) = @_;
    my %statuses;
    $statuses{$_}++ for @statuses;
    my ($found) = $out =~ /is the first bad commit\n.*?^ +commit ([0-9]+)$/ms;
    return { found => $found, statuses => \%statuses, passes => $passes, out => $out };
}

# Plays a run of a commit; returns its exit status and the number of its passes.
sub _played_step {
    my ($self, $number, %how) = @_;
    my $request = request($self->_words(%how));
    my $outcome = sub {
        my ($planned) = @_;
        return (0.1, 'exit status 3') if $self->{kind}{$number} eq 'fails';
        my $count = $self->_rate($number) * $planned->{seconds} * exp $self->{noise} * normal();
        return ($planned->{pass_s}, sprintf '%.0f', $count);
    };
    my $result = result([], asked => ['pipe'], procedure => $request->procedure);
    my ($runs) = play(
        plan(['pipe'], quick => $request->quick), sub { },
        outcome    => $outcome,
        is_decided => sub { $request->judge->is_decided($result, @_) },
    );
    $_->{tags} ||= [] for map { @{ $_->{passes} } } map { @{ $_->{tests} } } @$runs;    # it was watched
    my $status = _status($request->options->{bisect}, $request->judge->cases({ %$result, runs => $runs }));
    return ($how{as}{$status} // $status, scalar @{ $runs->[0]{tests}[0]{passes} });
}

# Returns the exit status that UnixBench::App has for these cases.
sub _status {
    my ($is_bisection, @cases) = @_;
    return $is_bisection ? 125 : 1 if UnixBench::Score::Cases::has_failed(@cases);
    return $is_bisection ? 1   : 3 if UnixBench::Accept::Acceptance::has_unmet_requirement(@cases);
    return $is_bisection ? 125 : 4 if UnixBench::Accept::Acceptance::has_open_requirement(@cases);
    return 0;
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
