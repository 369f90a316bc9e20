package UnixBench::Plan::UserLoad;

# What load the multi-user test plays: how many users, at which pace, which script. A pace is the range of the pauses,
# times a scale.

use strict;
use warnings;

use List::Util ();
use POSIX      ();

use UnixBench::Base::Format qw(counted);

# What is played when nothing else is asked for.
use constant { USERS => 20, THINK_S => [2, 15], SCALE => 0.02, LIMIT => 2 };
use constant SCRIPT => 'multiuser.script';

# What a line takes of a CPU; trials of a search, and a line in them: see src/multiuser.
use constant { LINE_CPU_S => 0.008, TRIALS => 11, SEARCH_LINE_S => 0.03 };

# A copy may take three times as long as is thought, and this.
use constant { LATE => 3, GRACE_S => 600 };

# What a user needs, and what all need together beside a compiler for each CPU. A search may try so many for each CPU
# at any pace, and never more than so many in all.
use constant {
    USER          => { processes => 3, memory_kb => 3000, scratch_kb => 800 },
    ALL           => { processes => 8, output_kb => 200,  text_kb    => 0 },
    COMPILER      => { memory_kb => 12_288 },
    SEARCHED      => 64,
    SEARCHED_MOST => 1024,
};

use constant DIGEST_SHOWN => 12;    # characters

# Takes options (see UnixBench::CLI::Options); script, see UnixBench::Plan::UserScript; cpu_count and
# factor, the part of the usual pauses that is to be kept. Returns { users => [numbers], empty where the most are
# searched; limit, the times of a single user's response that are too much, of a search only; think_min_s, think_max_s,
# scale, script, cpu_count }.
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

# What is played when nothing else is asked for, with a script of which nothing else is known.
sub usual { return of({}, script => { path => 'testdir/' . SCRIPT }) }

# Whether the most users are searched that a system has time for.
sub is_search { my ($load) = @_; return defined $load->{limit} }

# The words for the command line of the test, { name => word }.
sub words {
    my ($load) = @_;
    return {
        users  => join(q{,}, @{ $load->{users} }),
        think  => join(q{-}, map { _decimal($_) } @$load{qw(think_min_s think_max_s)}),
        script => $load->{script}{path},
        (map { $_ => _decimal($load->{$_}) } grep { defined $load->{$_} } qw(scale limit)),
    };
}

# How a result tells of it, see DESIGN; undef where there is nothing to be played.
sub procedure {
    my ($load) = @_;
    my $sha256 = $load->{script}{sha256} // return;
    my %told   = map { $_ => $load->{$_} } qw(users think_min_s think_max_s scale);
    my %limit  = is_search($load) ? (limit => $load->{limit}) : ();
    return { %told, %limit, script => $sha256 };
}

# Seconds that a pass takes, about; undef where nothing is known of the script.
sub pass_s {
    my ($load)  = @_;
    my $lines   = $load->{script}{lines} // return;
    my $pause_s = _pause_s($load);
    my $line_s  = sub { $pause_s + LINE_CPU_S * List::Util::max(1, $_[0] / $load->{cpu_count}) };
    my $all_s =
        is_search($load)
        ? TRIALS * _lines($load) * ($pause_s + SEARCH_LINE_S)
        : List::Util::sum(map { $lines * $line_s->($_) } @{ $load->{users} });
    return sprintf('%.1f', $all_s) + 0;
}

# The mean pause.
sub _pause_s {
    my ($load) = @_;
    return $load->{scale} * ($load->{think_min_s} + $load->{think_max_s}) / 2;
}

# The lines that a user has: of the script, or of a trial of a search.
sub _lines {
    my ($load) = @_;
    return $load->{script}{ is_search($load) ? 'extract_lines' : 'lines' };
}

# After how many seconds a pass is ended.
sub limit_s {
    my ($load) = @_;
    return GRACE_S + LATE * (pass_s($load) // 0);
}

# The most users at one moment. A search doubles them until they are too many: at most twice as many as keep the CPUs
# busy beside their pauses, when responses are at the limit.
sub users_most {
    my ($load) = @_;
    return List::Util::max(@{ $load->{users} }) if !is_search($load);
    my $within = $load->{limit} + _pause_s($load) / LINE_CPU_S;
    return List::Util::min(SEARCHED_MOST, $load->{cpu_count} * List::Util::max(SEARCHED, POSIX::ceil(2 * $within)));
}

# What it needs at one moment at most, and what a pass of it prints, see UnixBench::Catalog.
sub needs {
    my ($load)    = @_;
    my $users     = users_most($load);
    my $compiling = List::Util::min($users, $load->{cpu_count});
    my %needs     = (%{ +ALL }, map { $_ => $users * USER->{$_} } keys %{ +USER });
    $needs{processes} += ALL->{processes};
    $needs{memory_kb} += $compiling * COMPILER->{memory_kb};
    return \%needs;
}

# Takes options, and a load or undef; returns what of the load differs from the usual one, as changed_in_words() takes
# it, or undef where nothing does.
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

# Takes the SHA-256 of a script; returns what is shown of it.
sub short_digest { my ($sha256) = @_; return substr $sha256, 0, DIGEST_SHOWN }

# Returns the load in words: "20 users, 221 lines, pauses of 0.04 to 0.3 s".
sub in_words {
    my ($load) = @_;
    return changed_in_words(_as_change($load));
}

# Takes a change of the load, { users => [numbers], limit, lines, pause_min_s, pause_max_s, has_other_script }; returns
# the load in words. Without limit it is no search; lines may be undef.
sub changed_in_words {
    my ($change) = @_;
    my $who =
        defined $change->{limit}
        ? "p95 at most " . _decimal($change->{limit}) . " x a single user's"
        : counted_users(@{ $change->{users} });
    my $lines  = defined $change->{lines}    ? counted($change->{lines}, 'line', 'lines') . ', ' : q{};
    my $script = $change->{has_other_script} ? ', another script'                                : q{};
    return "$who, ${lines}pauses of " . pace(@$change{qw(pause_min_s pause_max_s)}, 1) . $script;
}

# "1 user, then 20 users".
sub counted_users {
    my (@numbers) = @_;
    return join ', then ', map { counted($_, 'user', 'users') } @numbers;
}

# Takes the range of the pauses, in seconds, and their scale; returns the pace in words: "0.04 to 0.3 s".
sub pace {
    my ($min_s, $max_s, $scale) = @_;
    return sprintf '%s to %s s', map { _decimal($_ * $scale) } $min_s, $max_s;
}

# A number without an exponent, for programs.
sub _decimal {
    my ($number) = @_;
    return sprintf('%.12f', $number) =~ s/[.]?0+\z//r;
}

1;
