package UnixBench::Multiuser::Load;

# The load of the multi-user test: the number of users, their script and their pace. The pace is the range of their
# think times, multiplied by a scale.

use strict;
use warnings;

use Errno      qw(EISDIR);
use Exporter   qw(import);
use List::Util qw(max min sum);
use POSIX      ();

use UnixBench::Base::Files ();
use UnixBench::Base::Text  qw(clean counted);

use parent 'UnixBench::Plan::Wish';

our @EXPORT_OK = qw(pace);

# The defaults.
use constant { USERS => 20, THINK_S => [2, 15], SCALE => 0.02, LIMIT => 2 };
use constant SCRIPT => 'multiuser.script';

# Values for estimates: the CPU time of a line, the number of trials in a search, and the time of a line in these
# trials, see features/multiuser/src.
use constant { LINE_CPU_S => 0.008, TRIALS => 11, SEARCH_LINE_S => 0.03 };

# The time limit of a copy: ten times the estimated time, plus this, plus a second for each user. It is above the limit
# of the program for a line, which is a minute plus a second for each user.
use constant { LATE => 10, GRACE_S => 120 };

# The needs of one user, and those of all users together, in addition to a compiler for each CPU. A search may try
# SEARCHED users for each CPU at any pace, and more at a slow pace. It never tries more than SEARCHED_MOST in total.
use constant {
    USER          => { processes => 3, memory_kb => 3000, scratch_kb => 800 },
    ALL           => { processes => 8, text_kb   => 0 },
    COMPILER      => { memory_kb => 12_288 },
    SEARCHED      => 64,
    SEARCHED_MOST => 1024,
};

# For scripts: the lines of an extract that is not marked, and the size limit in MB.
use constant { EXTRACT_LINES => 40, MOST_MB => 16 };

# Takes options (see UnixBench::CLI::Options), script => the result of script(), and optionally cpu_count and factor,
# which shortens the think times. Returns the load: users ([numbers], empty for a search), limit (the multiple of a
# single user's response time that a search allows, else undef), think_min_s, think_max_s, scale, script and cpu_count.
sub of {
    my ($options, %with) = @_;
    my $is_search = $options->{find_capacity};
    my ($think_min_s, $think_max_s) = map { $_ + 0 } @{ $options->{think_s} || THINK_S };
    return {
        users => $is_search ? []                               : [map { $_ + 0 } @{ $options->{users} || [USERS] }],
        limit => $is_search ? ($options->{limit} // LIMIT) + 0 : undef,
        think_min_s => $think_min_s,
        think_max_s => $think_max_s,
        scale       => _decimal(($options->{scale} // SCALE) * ($with{factor} // 1)) + 0,
        script      => $with{script},
        cpu_count   => $with{cpu_count} // 1,
    };
}

# Returns the default load, with a script of which only the path is known.
sub usual { return of({}, script => { path => 'testdir/' . SCRIPT }) }

# Takes options, and testdir, cpu_count and factor; returns the load that they ask for.
sub asked {
    my ($options, %with) = @_;
    return of($options, %with, script => script($options->{script} // "$with{testdir}/" . SCRIPT));
}

# Takes a load, or undef for the default one, and the multi-user test of the catalog. Returns what the plan needs:
#   test, words      the test with its command, and the words in this
#   load             the load, with what is printed about it: in_words; who (needs resources), fewer (the remedy)
#   why_not          why the script can't be run, or undef
#   pass_s, limit_s, needs
sub planned {
    my ($given, $test) = @_;
    my $load = $given || usual();
    return {
        test    => is_search($load) ? { %$test, %{ $test->{search} } } : $test,
        words   => words($load),
        load    => { %$load, in_words => changed_in_words(_as_change($load)), _demand_in_words($load) },
        why_not => $load->{script}{why_not},
        pass_s  => pass_s($load) // $test->{seconds},
        limit_s => limit_s($load),
        needs   => needs($load),
    };
}

sub _demand_in_words {
    my ($load) = @_;
    my $users = users_most($load);
    my ($who, $fewer) = (counted($users, 'user needs', 'users need'), 'use fewer users');
    ($who, $fewer) = ("a search with up to $users users needs", 'measure fewer users instead of searching')
        if is_search($load);
    return (who => $who, fewer => "$fewer (--users)");
}

# Takes options and a load; returns the keys of the procedure of a result that describe it.
sub in_procedure {
    my ($options, $load) = @_;
    my $procedure = procedure($load);
    return { $procedure ? (multiuser => $procedure) : (), load_change => scalar change($options, $load) };
}

# Returns whether the load is a search for the largest number of users that is served in time.
sub is_search { my ($load) = @_; return defined $load->{limit} }

# Returns the words for the command line of the test, { name => word }.
sub words {
    my ($load) = @_;
    return {
        users  => join(q{,}, @{ $load->{users} }),
        think  => join(q{-}, map { _decimal($_) } @$load{qw(think_min_s think_max_s)}),
        script => $load->{script}{path},
        (map { $_ => _decimal($load->{$_}) } grep { defined $load->{$_} } qw(scale limit)),
    };
}

# Returns the load as it is in the procedure of a result, see Base/README.md, or undef if the script can't be run.
sub procedure {
    my ($load) = @_;
    my $sha256 = $load->{script}{sha256} // return;
    my %pace   = map { $_ => $load->{$_} } qw(users think_min_s think_max_s scale);
    my %limit  = is_search($load) ? (limit => $load->{limit}) : ();
    return { %pace, %limit, script => $sha256 };
}

# Returns the estimated seconds of a pass, or undef if the script is unknown.
sub pass_s {
    my ($load)  = @_;
    my $lines   = $load->{script}{lines} // return;
    my $pause_s = _pause_s($load);
    my $line_s  = sub { $pause_s + LINE_CPU_S * max(1, $_[0] / $load->{cpu_count}) };
    my $all_s   = sum(map { $lines * $line_s->($_) } @{ $load->{users} });
    $all_s = TRIALS * _lines($load) * ($pause_s + SEARCH_LINE_S) if is_search($load);
    return sprintf('%.1f', $all_s) + 0;
}

sub _pause_s { my ($load) = @_; return $load->{scale} * ($load->{think_min_s} + $load->{think_max_s}) / 2 }

sub _lines {
    my ($load) = @_;
    return $load->{script}{ is_search($load) ? 'extract_lines' : 'lines' };
}

# Returns the time limit of a pass in seconds.
sub limit_s {
    my ($load) = @_;
    return GRACE_S + users_most($load) + LATE * (pass_s($load) // 0);
}

# Returns the largest number of users at one moment. A search doubles the users until there are too many. So it may try
# twice as many as the CPUs can serve. A CPU can serve one user for each line that it runs during one response at the
# limit and one think time.
sub users_most {
    my ($load) = @_;
    return max(@{ $load->{users} }) if !is_search($load);
    my $within = $load->{limit} + _pause_s($load) / LINE_CPU_S;
    return min(SEARCHED_MOST, $load->{cpu_count} * max(SEARCHED, POSIX::ceil(2 * $within)));
}

# Returns the needs of the load at its peak, and the size of its output, see UnixBench::Catalog.
sub needs {
    my ($load)    = @_;
    my $users     = users_most($load);
    my $compiling = min($users, $load->{cpu_count});
    my %needs     = (%{ +ALL }, map { $_ => $users * USER->{$_} } keys %{ +USER });
    $needs{processes} += ALL->{processes};
    $needs{memory_kb} += $compiling * COMPILER->{memory_kb};
    return \%needs;
}

# Takes options, and a load or undef. Returns the change of the load, for changed_in_words(), if it differs from the
# default load, else undef.
sub change {
    my ($options, $load) = @_;
    return if !$load;
    my %usual = (find_capacity => $options->{find_capacity});
    my ($asked, $usual) = map { _as_change(of($_, script => $load->{script})) } $options, \%usual;
    my $has_other_script = defined $options->{script} ? 1 : 0;
    return if !$has_other_script && !grep { _as_key($asked->{$_}) ne _as_key($usual->{$_}) } keys %$asked;
    return { %{ _as_change($load) }, has_other_script => $has_other_script };
}

sub _as_change {
    my ($load) = @_;
    my ($pause_min_s, $pause_max_s) = map { _decimal($load->{$_} * $load->{scale}) + 0 } qw(think_min_s think_max_s);
    return {
        users       => $load->{users},
        limit       => $load->{limit},
        lines       => scalar _lines($load),
        pause_min_s => $pause_min_s,
        pause_max_s => $pause_max_s,
    };
}

sub _as_key {
    my ($value) = @_;
    return join q{,}, ref $value ? @$value : $value // 'unknown';
}

# Takes a change of the load, { users => [numbers], limit, lines, pause_min_s, pause_max_s, has_other_script }. Returns
# the load in words: "20 users, 221 lines, pauses of 0.04 to 0.3 s". If limit is undef, it is not a search. lines may be
# undef.
sub changed_in_words {
    my ($change) = @_;
    my $who =
        defined $change->{limit}
        ? "p95 at most " . _decimal($change->{limit}) . " x a single user's"
        : join ', then ', map { counted($_, 'user', 'users') } @{ $change->{users} };
    my $lines  = defined $change->{lines}    ? counted($change->{lines}, 'line', 'lines') . ', ' : q{};
    my $script = $change->{has_other_script} ? ', another script'                                : q{};
    return "$who, ${lines}pauses of " . pace(@$change{qw(pause_min_s pause_max_s)}, 1) . $script;
}

# Takes the minimum and the maximum of the think times in seconds, and their scale. Returns the pace in words: "0.04 to
# 0.3 s".
sub pace {
    my ($min_s, $max_s, $scale) = @_;
    return sprintf '%s to %s s', map { _decimal($_ * $scale) } $min_s, $max_s;
}

sub _decimal {
    my ($number) = @_;
    return sprintf('%.12f', $number) =~ s/[.]?0+\z//r;
}

# Takes the path of a script. Returns { path, why_not } if it can't be run, else:
#   path
#   lines          the number of lines that a user runs
#   extract_lines  the number of lines in a trial of a search
#   sha256
sub script {
    my ($path) = @_;
    my $text = eval { _text_of_script($path) };
    return { path => $path, why_not => $@ =~ s/\n\z//r } if !defined $text;
    require Digest::SHA;
    my ($lines, $extract_lines) = _count_lines($text);
    my %count = (lines => $lines, extract_lines => $extract_lines);
    return { path => $path, %count, sha256 => Digest::SHA::sha256_hex($text) };
}

# Takes the path of a script; returns it.
sub files { my (undef, $path) = @_; return $path }

# Takes the path of a script. Dies with one line if it can't be run.
sub check { my (undef, $path) = @_; _text_of_script($path); return }

# Returns the text of a script. Dies with one line if it can't be run. It has to be a plain file, because it is read
# more than once.
sub _text_of_script {
    my ($path) = @_;
    my $shown = clean($path);
    local $! = EISDIR;
    die "can't read $shown: $!\n" if -d $path;
    die "can't read $shown: it is not a plain file\n" if -e $path && !-f _;
    my $text = UnixBench::Base::Files::text_within($path, sub { MOST_MB });
    die "$shown has no line for the users (blank lines and comments do not count)\n" if !(_count_lines($text))[0];
    return $text;
}

# Returns the number of lines of a script and of its extract, without blank lines and comments. If no line is marked,
# the extract is the first lines, see features/multiuser/src.
sub _count_lines {
    my ($text) = @_;
    my ($lines, $marked, $is_extract) = (0, 0, 0);
    for my $line (split /\n/, $text) {
        $is_extract = $1 eq 'extract' if $line =~ /\A\s*#=\s*(extract|whole)\s*\z/;
        next if $line !~ /\A\s*[^#\s]/;
        $lines++;
        $marked += $is_extract;
    }
    return ($lines, $marked || min(EXTRACT_LINES, $lines));
}

1;
