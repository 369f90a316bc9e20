package UnixBench::Doctor::Command;

# Examines the machine: finds what would prevent or disturb a run, and collects facts about the machine. Changes
# nothing. Also works with Debian's perl-base alone, but then has fewer findings.

use strict;
use warnings;

use Errno          qw(ENOTDIR);
use File::Basename qw(basename dirname);
use List::Util     ();
use POSIX          ();

use UnixBench::Base::Arguments  qw(named);
use UnixBench::Base::Text       qw(listed unique);
use UnixBench::Command          ();
use UnixBench::Command::Measure ();

# The weights of warnings, if they are more than worth knowing.
my %WEIGHT = (load => 'little', map { $_ => 'limits' } qw(class locale nice preload tracer));

my $IS_FILE = qr/\A[\w-]+[.][a-z]+\z/;    # a word of a command that names an input file

# The directories in the order in which a run uses them.
my @PLACES = ([UB_RESULTDIR => 'resultdir'], [UB_TMPDIR => 'tmpdir'], [UB_TESTDIR => 'testdir']);

# The kinds of findings whose texts have no names of the machine.
my $IS_NAMELESS = qr/\A(?:missing_\w+|no_sync|procedure)\z/;

# Takes a UnixBench::Call; prints the findings. Returns the outcome: "done", "failed" or, with --strict and a
# problem, "inconclusive".
sub run {
    my ($call) = @_;
    my ($context, $screen) = ($call->has_all_of_perl ? $call->request : undef, $call->console->screen);
    my $seen = __PACKAGE__->new(context => $context, preparation => $call->preparation)->seen;
    require UnixBench::Doctor::Text;
    my $text = UnixBench::Doctor::Text::render($seen, $screen ? $screen->{columns} : ());
    return 'failed' if !$call->console->inform($text);
    return $call->options->{strict} && UnixBench::Doctor::Text::has_problem($seen) ? 'inconclusive' : 'done';
}

# Takes a UnixBench::Call; makes the checks of the run. Dies with one or more lines if it would be refused.
sub prepare {
    my ($call) = @_;
    return UnixBench::Command::Measure::prepare($call);
}

# Takes context (UnixBench::Call::Request; undef if only a part of Perl is installed), preparation
# (UnixBench::Setup::Preparation) and perhaps look (UnixBench::Doctor::Look; default: that of this machine).
sub new {
    my ($class, @given) = @_;
    return bless named(\@given, qw(context preparation look)), $class;
}

# Watches the machine for 2.5 seconds. Returns the data for the text, see UnixBench::Doctor::Text.
sub seen {
    my ($self)    = @_;
    my $context   = $self->{context};
    my $found     = $self->{preparation}->findings;
    my @obstacles = obstacles_of_preparation($found);
    return { findings => [$self->_nameless(@obstacles)] } if !$context;
    my ($plan, $result, $redaction) = ($context->plan, $context->result, $context->redaction);
    $result = $redaction->result($result) if $redaction;
    push @obstacles, obstacles_of_context($context, $result, $found);
    my @warnings = _warnings($plan, $result, $found);
    my $look     = $self->_look(List::Util::max(@{ $plan->{copies} }))->look;
    return {
        findings => [$self->_nameless(@obstacles), _tags($look), @warnings],
        look     => { %$look, busiest => [$self->_nameless(@{ $look->{busiest} })] },
        facts_of => $context->options->{facts} ? $result : undef,
    };
}

sub _look {
    my ($self, $copies) = @_;
    return $self->{look} if $self->{look};
    require UnixBench::Base::Clock;
    require UnixBench::Doctor::Look;
    return UnixBench::Doctor::Look->new(
        clock       => UnixBench::Base::Clock->new,
        usable_cpus => $self->{context}->machine->cpu_count,
        copies      => $copies,
    );
}

# Takes a look; returns a finding for each disturbance. A cause that applies to the whole run, but leaves the planned
# copies undisturbed, is only worth knowing.
sub _tags {
    my ($look) = @_;
    require UnixBench::Noise::Causes;
    my @found;
    for my $tag (@{ $look->{tags} }) {
        my $weight = UnixBench::Noise::Causes::has($tag->{cause}, 'is_whole') ? 'known' : 'little';
        $weight = 'disturbs' if $tag->{level} eq 'disturbed';
        push @found, { kind => $tag->{cause}, worst => $tag->{value}, weight => $weight };
    }
    return @found;
}

# Returns the warnings about the machine, with their weights. A missing locale is an obstacle already.
sub _warnings {
    my ($plan, $result, $found) = @_;
    require UnixBench::Warnings::All;
    return map { +{ %$_, weight => scalar _weight($_, $plan) } }
        grep { $_->{kind} ne 'locale' || !$found->{missing}{locale} } UnixBench::Warnings::All::of($result);
}

sub _weight {
    my ($warning, $plan) = @_;
    my $kind = $warning->{kind};
    return List::Util::max(@{ $plan->{copies} }) > $warning->{cpus} ? 'disturbs' : 'known' if $kind eq 'quota';
    return grep({ $_->{writes} } @{ $plan->{tests} })               ? 'limits'   : 'known' if $kind eq 'scratch';
    return $WEIGHT{$kind} // 'known';
}

# Takes findings or processes; returns them. With --no-identity, their texts have only words that are known.
sub _nameless {
    my ($self, @things) = @_;
    my $redaction = $self->{context} && $self->{context}->redaction or return @things;
    my @nameless  = map { +{%$_} } @things;
    for my $thing (grep { ($_->{kind} // q{}) !~ $IS_NAMELESS } @nameless) {
        $_ = $redaction->words($_) for grep { defined } @$thing{qw(text name)};
    }
    return @nameless;
}

# Takes the findings of UnixBench::Setup::Preparation; returns findings, each { kind, text }, see
# UnixBench::Doctor::Text.
sub obstacles_of_preparation {
    my ($found) = @_;
    my $missing = $found->{missing};
    my @findings =
        map { +{ kind => "missing_$_", text => $missing->{$_}{text} } } grep { $missing->{$_} } sort keys %$missing;
    push @findings, { kind => 'other_cpu', text => $found->{refusal} } if defined $found->{refusal};
    push @findings, { kind => 'build',     text => "the programs will be built first: $found->{why_build}" }
        if defined $found->{why_build};
    return @findings;
}

# Takes a UnixBench::Call::Request, its result, and the findings of UnixBench::Setup::Preparation; returns
# findings. Some also have variable (the environment variable for a directory).
sub obstacles_of_context {
    my ($context, $result, $found) = @_;
    my ($plan, $settings) = ($context->plan, $context->settings);
    return (
        (map { +{ kind => 'limit', text => $_ } } $context->machine->problems_of_limits($plan)),
        (
            map  { _directory($_->[0], $settings->{ $_->[1] }) }
            grep { $_->[1] ne 'testdir' || _is_made($settings) } @PLACES
        ),
        _absent($settings),
        _unsafe($settings),
        _open($settings),
        _lacking($plan, $settings, $found),
        _skipped($plan, $found),
        $context->machine->shortcomings(defined $context->quick),
        _change($result),
    );
}

sub _change {
    my ($result) = @_;
    require UnixBench::Base::Result;
    my @changes = UnixBench::Base::Result::changes($result->{procedure}) or return;
    require UnixBench::Report::Notes;
    my $note = UnixBench::Report::Notes::of_changes(@changes);
    return { kind => 'procedure', text => qq{the report will have the note "$note"} };
}

# Takes the environment variable and the path of a directory; returns a finding if it can't be written to, or created. A
# run creates the directories of reports and scratch files, with those above them. It does not write to an existing
# directory of input files.
sub _directory {
    my ($variable, $path) = @_;
    my $there = $path;
    $there = dirname($there) while !-e $there && !-l $there && $there ne dirname($there);
    my $is_there = -d $there;
    return if $is_there && $there eq $path && $variable eq 'UB_TESTDIR' && POSIX::access($there, POSIX::X_OK());
    return if $is_there && POSIX::access($there, POSIX::W_OK() | POSIX::X_OK());
    local $! = ENOTDIR if !$is_there;
    my $what = $is_there && $there eq $path ? 'write to' : 'make';
    return { kind => 'directory', text => "can't $what directory $path: $!", variable => $variable };
}

# Returns whether the directory of input files exists or would be created. Only the suite's own one is created.
sub _is_made {
    my ($settings) = @_;
    require UnixBench::CLI::Environment;
    return -e $settings->{testdir} || UnixBench::CLI::Environment::is_own($settings, 'testdir');
}

sub _absent {
    my ($settings) = @_;
    return if _is_made($settings);
    return { kind => 'directory', text => "there is no directory $settings->{testdir}", variable => 'UB_TESTDIR' };
}

sub _unsafe {
    my ($settings) = @_;
    my $path = $settings->{tmpdir};
    require UnixBench::Base::OtherUsers;
    my $problem = UnixBench::Base::OtherUsers::danger($path, $settings->{home}) // return;
    return { kind => 'unsafe', text => "scratch files are not safe in $path: $problem", variable => 'UB_TMPDIR' };
}

sub _open {
    my ($settings) = @_;
    my $open = UnixBench::Base::OtherUsers::open_tree($settings->{home}) // return;
    return { kind => 'open', text => "all users can write to $open" };
}

# Returns findings about missing programs and input files of tests. What a build will make is not missing.
sub _lacking {
    my ($plan,     $settings, $found) = @_;
    my ($bindir,   $testdir) = @$settings{qw(bindir testdir)};
    my (@programs, @inputs);
    for my $test (grep { !defined $_->{skipped} } @{ $plan->{tests} }) {
        my ($program, @arguments) = @{ $test->{command} };
        my @scripts = grep { index($_, "$bindir/") == 0 } @arguments;
        my @files   = map  { "$testdir/$_" } grep { defined && /$IS_FILE/ } @arguments, $test->{input};
        push @programs, map { [$_, $test] } grep { !-x } @scripts, defined $found->{why_build} ? () : $program;
        push @inputs, map { [$_, $test] } grep { !-r && $_ ne ($found->{makes} // q{}) } @files;
    }
    return (_lack(program => $bindir, @programs), _lack(input => $testdir, @inputs));
}

sub _lack {
    my ($kind, $directory, @pairs) = @_;
    return if !@pairs;
    my @names = unique(map { basename($_->[0]) } @pairs);
    my @tests = unique(map { $_->[1]{name} } @pairs);
    return { kind => $kind, text => "missing in $directory: " . listed(@names) . ', for ' . listed(@tests) };
}

# Returns findings about tests that will be skipped. Leaves out tests whose missing software is already reported, and
# tests whose programs will be built.
sub _skipped {
    my ($plan, $found) = @_;
    my %is_named = map { $_ => 1 }
        map { split q{ }, $_->{needed_for} } map { $_ ? @{ $_->{things} } : () } $found->{missing}{tests};
    my (%tests, @reasons);
    for my $test (grep { defined $_->{skipped} && !$is_named{ $_->{name} } } @{ $plan->{tests} }) {
        next if defined $found->{why_build} && !-e $test->{command}[0];
        my $reason = $test->{skipped} =~ s/\Askipped: //r;
        push @reasons,             $reason if !$tests{$reason};
        push @{ $tests{$reason} }, $test->{name};
    }
    my $kind = sub { $_[0] =~ /can't be opened/ ? 'no_display' : 'skipped' };
    my $text = sub { "$_[0]. Tests that will be skipped: " . listed(@{ $tests{ $_[0] } }) };
    return map { +{ kind => $kind->($_), text => $text->($_) } } @reasons;
}

1;
