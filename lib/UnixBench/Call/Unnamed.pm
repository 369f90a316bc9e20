package UnixBench::Call::Unnamed;

# What a command line means that names no result: the newest one, the two newest that can be compared, or the only
# interrupted run. The user is told which it is. If that can't be decided, one line has the names.

use strict;
use warnings;

use File::Basename qw(basename);

use UnixBench::Base::Text         qw(clean);
use UnixBench::CLI::Console       ();
use UnixBench::Call::NextStep     ();
use UnixBench::Store::OutputFiles ();
use UnixBench::Store::ResultFile  ();

use constant MOST => 20;    # results that are looked at, and names in a line

# Takes a UnixBench::Call::Call; returns the path of the newest result. Dies with one line if there is none.
sub newest {
    my ($call) = @_;
    my ($path) = $call->names->newest_first(1)
        or die 'report needs a result: ./Run report RESULT; there is none in ' . _directory($call) . "\n";
    $call->console->complain('the newest result: ' . _names($call, $path) . "\n");
    return $path;
}

# Takes the same; returns the paths of the newest result that can be compared with an earlier one, and of that: both are
# complete, have good or fair trust, and were measured the same. The earlier one is first. Dies with one line if there
# are no two such results.
sub two_newest {
    my ($call) = @_;
    my @paths = $call->names->newest_first(MOST);
    my (%summary_of, @refused);
    my $summary = sub {
        my ($path) = @_;
        return $summary_of{$path} if exists $summary_of{$path};
        $summary_of{$path} = eval { UnixBench::Store::ResultFile::summary($path) };
        push @refused, [$path, $@] if !$summary_of{$path};
        return $summary_of{$path};
    };
    for my $new (grep { $summary->($_) } @paths) {
        next if UnixBench::Call::NextStep::kind_of($summary->($new)) ne 'complete';
        for my $old (grep { $_ ne $new && $summary->($_) } @paths) {
            next if !UnixBench::Call::NextStep::is_earlier($summary->($old), $summary->($new));
            $call->complain_of(@refused);
            $call->console->complain('comparing ' . _names($call, $old, $new) . "\n");
            return ($old, $new);
        }
    }
    my $why =
        @paths
        ? 'no two of these are complete, have good or fair trust, and were measured the same: ' . _names($call, @paths)
        : 'there is none in ' . _directory($call);
    die "compare needs two results: ./Run compare OLD NEW; $why\n";
}

# Takes the same; returns the path that the files of the only interrupted run have in common. Dies with one line if
# there is none, or more than one.
sub interrupted {
    my ($call) = @_;
    my $directory = $call->settings->{resultdir};
    my ($only, @others) = map { "$directory/$_" } UnixBench::Store::OutputFiles::interrupted($directory);
    die 'there is no interrupted run in ' . _directory($call) . "\n" if !defined $only;
    return $only if !@others;
    die 'several runs were interrupted; name one of them: ./Run --resume NAME; they are '
        . _names($call, $only, @others) . "\n";
}

sub _directory {
    my ($call) = @_;
    return clean(basename($call->settings->{resultdir}));
}

# Takes the call and paths; returns the words that name them.
sub _names {
    my ($call, @paths) = @_;
    return join q{ }, map { UnixBench::CLI::Console::quoted($call->names->word($_)) } @paths;
}

1;
