package TwoSuites;

# Passes of the programs of two built suites, which get the same arguments, input, language and file system. A suite is
# a directory with the programs in pgms and their input in testdir. Everything about the programs comes from the
# catalog: their names, arguments and seconds.

use strict;
use warnings;

use File::Copy ();
use File::Path ();
use List::Util ();

use ChildrenUsage                 qw(children_usage);
use UnixBench::Base::Arguments    qw(named);
use UnixBench::Base::Clock        ();
use UnixBench::Base::Files        ();
use UnixBench::CLI::Environment   ();
use UnixBench::Call::ThisMachine  ();
use UnixBench::Catalog            ();
use UnixBench::Features           ();
use UnixBench::Measure::Pass      ();
use UnixBench::Measure::Scratch   ();
use UnixBench::Measure::ValidPass ();
use UnixBench::Process            ();
use UnixBench::Score              ();

use constant { GRACE_S => 60, TRACED_S => 2, KB => 1024 };

# The numbers in a line of Whetstone's table; a module with fewer seconds was removed by the compiler.
use constant { NUMBERS => 3, REMOVED_S => 0.001 };

# Dies with one line if a directory is not a suite with the programs of these tests.
sub check {
    my ($directory, @tests) = @_;
    die "there is no directory $directory\n" if !-d $directory;
    for my $below (qw(pgms testdir)) {
        die "$directory is not a built UnixBench: it has no directory $below\n" if !-d "$directory/$below";
    }
    my %is_needed = map { $_ => 1 } map { _programs(UnixBench::Catalog::test($_)) } @tests;
    for my $program (sort keys %is_needed) {
        my $path = "$directory/pgms/$program";
        die "there is no program $path: build that suite first\n" if !-f $path;
        die "$path can't be executed: build that suite again, or correct its permissions\n"
            if !-x $path && $program ne 'tst.sh';
    }
    return;
}

# Returns the names of the programs of a test. The script multi.sh starts tst.sh.
sub _programs {
    my ($test) = @_;
    my ($program, @arguments) = @{ $test->{command} };
    my @scripts = map { m{\A[{]bindir[}]/(.+)\z} } @arguments;
    return ($program, @scripts, @scripts ? 'tst.sh' : ());
}

# Takes home, the directory of this suite; suites => [directories]; and seconds of a pass, undef for those of the index.
# Catches the signals of this program until end(). Dies with one line if there is no place for scratch files.
sub new {
    my ($class, @given) = @_;
    my $self     = bless named(\@given, qw(home suites seconds)), $class;
    my %ENV_HERE = map { $_ => $ENV{$_} } grep { !/\AUB_(?!TMPDIR\z)|\AMULTI_SH_WORK_FACTOR\z/ } keys %ENV;
    my $settings = UnixBench::CLI::Environment::read_from(\%ENV_HERE, $self->{home});
    UnixBench::Base::Files::make_directory($settings->{tmpdir});
    %ENV             = %{ UnixBench::CLI::Environment::for_tests(\%ENV_HERE, $settings) };
    $self->{machine} = UnixBench::Call::ThisMachine->new(home => $self->{home}, settings => $settings);
    $self->{clock}   = UnixBench::Base::Clock->new;
    $self->{process} = UnixBench::Process->new(clock => $self->{clock});
    return $self if eval { $self->_begin($settings->{tmpdir}); 1 };
    my $why_not = $@;
    $self->end;
    die $why_not;
}

sub _begin {
    my ($self, $tmpdir) = @_;
    $self->{scratch} = UnixBench::Measure::Scratch->new(parent => $tmpdir);
    $self->{process}->start_guardian($self->{scratch}->path);
    for my $side (0 .. $#{ $self->{suites} }) {
        my $texts = $self->{scratch}->directory("texts$side");
        File::Copy::copy($_, $texts) || die "can't copy $_: $!\n"
            for grep { -f } glob "\Q$self->{suites}[$side]\E/testdir/*";
    }
    $self->{passes} = UnixBench::Measure::ValidPass->new(
        process  => $self->{process},
        clock    => $self->{clock},
        settle_s => [0],                            # files are flushed, but nothing waits
        one_pass => sub { $self->_one_pass(@_) },
    );
    return;
}

# Removes the scratch files, ends the guardian, and gives the signals back.
sub end {
    my ($self) = @_;
    $self->{scratch}->remove if $self->{scratch};
    return $self->{process}->release;
}

# Returns the name of the signal that asked this program to end, or undef.
sub interrupted { my ($self) = @_; return $self->{process}->interrupted }

# Returns the seconds of a pass of a test. Whetstone chooses its own.
sub seconds {
    my ($self, $test) = @_;
    return $test->{timed} eq 'none' ? $test->{seconds} : $self->{seconds} // $test->{seconds};
}

# Takes the number of a suite and the name of a test; makes a pass. Returns { rate, modules, loops, used }, see
# modules(), _loops() and children_usage(), or { error => reason }, or nothing after an interruption.
sub pass {
    my ($self, $side, $name) = @_;
    my $pass = $self->{passes}->make($self->_planned($side, $name), 1, 1) or return;
    return if $self->interrupted;
    return { error => $pass->{error} } if defined $pass->{error};
    return {
        rate    => UnixBench::Score::rate($pass),
        modules => modules($pass->{copies}[0]{output}),
        loops   => scalar _loops($pass, UnixBench::Catalog::test($name)),
        used    => $pass->{copies}[0]{by_children},
    };
}

# Takes what a program has printed; returns { name => speed } of the modules of Whetstone, N1 to N8, none for any other
# program. The numbers of a line are the result of a module, its speed and its seconds, whatever columns and units the
# table has. A module that takes less than a millisecond was removed by the compiler, and has no speed.
sub modules {
    my ($text) = @_;
    my %speed;
    for my $line (split /\n/, $text) {
        my ($module, $rest) = $line =~ /\A\s*(N[1-8])\b(.*)/ or next;
        my @numbers = grep { /\A-?[0-9]+(?:[.][0-9]*)?(?:[Ee][-+]?[0-9]+)?\z/ } split q{ }, $rest;
        next if @numbers != NUMBERS;
        my ($speed, $seconds) = @numbers[-2, -1];
        $speed{$module} = $speed + 0 if $speed > 0 && $seconds >= REMOVED_S;
    }
    return \%speed;
}

# Takes the same; makes a short pass that is traced. Returns { calls }, the number of system calls in a loop, or { error
# => reason }, or nothing after an interruption.
sub traced {
    my ($self, $side, $name) = @_;
    my $tracer = $self->tracer->{tracer};
    return { error => $self->tracer->{why_not} } if !$tracer;
    my $test     = UnixBench::Catalog::test($name);
    my $planned  = $self->_planned($side, $name, List::Util::min(TRACED_S, $self->seconds($test)));
    my $observer = UnixBench::Observe::Observer->new(
        process  => $self->{process},
        clock    => $self->{clock},
        one_pass => sub { $self->_one_pass(@_) },
        tracer   => $tracer,
    );
    my $pass = $observer->traced($planned, 1) or return;
    return if $self->interrupted;
    return $pass if defined $pass->{error};
    my $loops = _loops({ copies => $pass->{copies}, %{ UnixBench::Score::pass($pass->{copies}) } }, $test)
        // return { error => 'the number of loops is unknown' };
    return { calls => List::Util::sum(map { $_->{count} } @{ $pass->{traced}{calls} }) / $loops };
}

# Returns { tracer, why_not }: the tracer, see UnixBench::Observe::Strace, or why there is none.
sub tracer { my ($self) = @_; return $self->{tracer} ||= $self->_tracer }

sub _tracer {
    my ($self) = @_;
    return { why_not => 'the feature observe is not here' }
        if !eval { require UnixBench::Observe::Observer; require UnixBench::Observe::Strace; 1 };
    my $tracer = eval {
        UnixBench::Observe::Strace->found(
            dir         => $self->{scratch}->directory('tracer'),
            has_program => sub { $self->{machine}->host->has_program(@_) },
            map { $_ => $self->{$_} } qw(process clock)
        );
    };
    return { tracer => $tracer, why_not => $tracer ? undef : $@ =~ s/\n\z//r };
}

# Returns what is known of the machine, in a line.
sub machine {
    my ($self) = @_;
    my $facts  = $self->{machine}->host->head;
    my ($cpu)  = @{ $facts->{cpus} };
    return sprintf '%s, %d CPUs, %s %s', $cpu ? $cpu->{model} : 'unknown CPU', $self->{machine}->cpu_count,
        @$facts{qw(os release)};
}

# Returns the scores of the baseline, { name => { score } }.
sub baseline { my ($self) = @_; return $self->{machine}->baseline }

# Returns the number of loops of a pass, or undef if it is unknown. A loop of a file test is a block, and that of
# Whetstone a million of its instructions. Their counts are rates, so the program must report its time.
sub _loops {
    my ($pass, $test) = @_;
    return $pass->{count} if $pass->{timebase};
    return if !$pass->{copies}[0]{data}{TIME};
    my ($bytes) = "@{ $test->{command} }" =~ / -b ([0-9]+)/;
    return $pass->{count} * $pass->{time_s} * ($bytes ? KB / $bytes : 1);
}

sub _planned {
    my ($self, $side, $name, $traced_s) = @_;
    my $test    = UnixBench::Catalog::test($name);
    my $seconds = $traced_s // $self->seconds($test);
    return {
        side    => $side,
        name    => $name,
        drain_s => 0,
        limit_s => $seconds * 1.5 + $test->{overhead_s} + GRACE_S,
        words   => sub { $self->_command($side, $test, $seconds, @_) },
    };
}

# Returns [words], the same for both suites except for the directory of the programs.
sub _command {
    my ($self, $side, $test, $seconds, $scratch) = @_;
    my $bindir = "$self->{suites}[$side]/pgms";
    my %word   = (seconds => $seconds, bindir => $bindir, map { $_ => $scratch } qw(tmpdir scratch));
    my ($program, @arguments) = grep { $_ ne '{whole}' } @{ $test->{command} };
    return ["$bindir/$program", map { s/[{](\w+)[}]/$word{$1}/gr } @arguments];
}

# Makes a pass of one copy, as UnixBench::Measure::ValidPass wants it. Whatever the copy prints on standard error, it
# only fails if it also counts nothing: that is what the classic suite does. The classic programs ignore the start gate.
sub _one_pass {
    my ($self, $planned, undef, $around) = @_;
    my ($scratch) = @{ $self->{scratch}->for_copies(1) };
    my $texts     = $self->{scratch}->directory("texts$planned->{side}");
    my $bindir    = "$self->{suites}[$planned->{side}]/pgms";
    $around->{before}->() if $around;
    my $before = children_usage();
    my @copies = UnixBench::Measure::Pass->new(process => $self->{process}, clock => $self->{clock})->run(
        command => sub { $around ? $around->{words}->($planned->{words}->(@_)) : $planned->{words}->(@_) },
        scratch => [$scratch],
        dir     => $texts,
        stdin   => '/dev/null',
        limit_s => $planned->{limit_s},
        env     => { UB_BINDIR => $bindir, UB_TESTDIR => $texts, UB_TMPDIR => $scratch },
        under   => 'a suite',
    );
    my $after = children_usage();
    $around->{after}->() if $around;
    $copies[0]{by_children} = $before && { map { $_ => $after->{$_} - $before->{$_} } keys %$after };
    File::Path::remove_tree($scratch, { keep_root => 1, error => \my $unused });
    return @copies;
}

1;
