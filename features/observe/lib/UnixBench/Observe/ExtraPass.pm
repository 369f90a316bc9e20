package UnixBench::Observe::ExtraPass;

# The short pass of a test whose system calls a tracer counts: its plan, its needs and its messages, see
# UnixBench::Plan::Wish.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Arguments qw(named);
use UnixBench::Base::Result    qw(is_measured);
use UnixBench::Base::Text      qw(clean);
use UnixBench::Base::Time      qw(duration_in_brief);
use UnixBench::Features        qw(loaded);
use UnixBench::Plan            ();
use UnixBench::Plan::Test      ();

use parent 'UnixBench::Plan::Wish';

use constant TRACER_S   => 1;                          # to start and end the tracer
use constant UNOBSERVED => 'it has no short passes';

# The further needs: strace for each copy, or one bpftrace for all.
use constant DEMAND => { processes => 0, of_copy => 1, memory_kb => 8192 };

# Takes options, and has_program.
sub extra_pass {
    my ($class, @given) = @_;
    my $given = named(\@given, qw(options has_program));
    return bless { with_rows => $given->{options}{rows}, has_program => $given->{has_program} }, $class;
}

sub key    { return 'observed' }
sub doing  { return 'observing system calls' }
sub demand { return DEMAND }

# Takes a test of the catalog and the arguments of UnixBench::Plan::make. Returns observed => the short pass, see
# UnixBench::Plan::Test, and unobserved => the reason if there is none. The pass has no fixed work, because a tracer
# slows it down, and file tests find their file filled, so that the program only runs its loop.
sub planned {
    my (undef, $test, $wish) = @_;
    return (observed => undef, unobserved => UNOBSERVED) if $test->{load};
    my $fill = _fill($test);
    my @more = $fill ? qw(-f {scratch}/filled) : ();
    my %this = (%$test, shortened => [@{ $test->{shortened} }, @more], fixed_work => undef);
    my $pass = UnixBench::Plan::Test::short_pass(\%this, $wish, priming_s => 0, placing_s => 0);
    $pass->{first} = $fill && UnixBench::Plan::Test::filled_in($fill, $wish->{words});
    return (observed => $pass, unobserved => undef);
}

sub _fill {
    my ($test) = @_;
    my ($program, $what, @values) = @{ $test->{command} };
    return if $program ne 'fstime' || $what eq '-w';
    my %value = @values;
    my ($size, $blocks) = @value{qw(-b -m)};
    my $count = $blocks * 1024 / $size;
    return [split q{ }, "fstime -w -n $count -b $size -m $blocks -d {scratch} -f {scratch}/filled"];
}

# Takes a test of the plan; returns the seconds of its observed pass, with its tracer, or 0 if it has none.
sub seconds {
    my (undef, $test) = @_;
    my $observed = $test->{observed} or return 0;
    return TRACER_S + UnixBench::Plan::short_passes_s($observed);
}

# Takes a plan and a number of copies; returns the lines about the tests that are observed after their passes, and about
# those that can't be observed.
sub in_words {
    my ($self, $plan, $copies) = @_;
    my @tests   = UnixBench::Plan::measured($plan, $copies);
    my $seconds = List::Util::sum(0, map { $self->seconds($_) } @tests);
    my $text    = $seconds ? sprintf "  + each test once more, observed: %s\n", duration_in_brief($seconds) : q{};
    my @without = grep { defined $_->{unobserved} && !$_->{state} } @tests;
    return $text . join q{}, map { "  $_->{name} is not observed: " . clean($_->{unobserved}) . "\n" } @without;
}

# The tracers, the better one first.
my @TRACERS = qw(Observe::Bpftrace Observe::Strace);

# Finds the tracer. Takes process, clock, scratch and result, see UnixBench::Plan::Wish; notes in the result which it
# is, and why it is not the better one, or why there is none.
sub prepare {
    my ($self, @given) = @_;
    my $with = named(\@given, qw(process clock scratch result));
    require UnixBench::Observe::Observer;
    my %arguments = (
        dir => $with->{scratch}->directory('tracer'),
        (map { $_ => $self->{$_} } qw(has_program with_rows)),
        map { $_ => $with->{$_} } qw(process clock)
    );
    $self->{clock} = $with->{clock};
    my @why_not;
    for my $tracer (map { loaded($_) } @TRACERS) {
        next if $with->{process}->interrupted || $self->{tracer};
        $self->{tracer} = eval { $tracer->found(%arguments) };
        push @why_not, $@ =~ s/\n\z//r if !$self->{tracer};
    }
    $with->{result}{observing} = {
        tracer  => $self->{tracer} ? $self->{tracer}->NAME : undef,
        why_not => @why_not        ? join('; ', @why_not)  : undef,
    };
    return;
}

# Takes [runs] and [those of the journal]; adds the observations from before a resume. There may be observations for
# more runs than there are now.
sub keep {
    my (undef, $runs, $so_far) = @_;
    for my $number (0 .. $#$runs) {
        my $of = ($so_far->[$number] || {})->{observed} || {};
        $_->{observed} = $of->{ $_->{name} } for grep { $of->{ $_->{name} } } @{ $runs->[$number]{tests} };
    }
    return;
}

# Takes process, one_pass, plan, runs and on, see UnixBench::Plan::Wish; observes the tests, if there is a tracer.
sub measure {
    my ($self, @given) = @_;
    my $with = named(\@given, qw(process one_pass plan runs on));
    return if !$self->{tracer} || $with->{process}->interrupted;
    return UnixBench::Observe::Observer->new(
        extra => $self,
        (map { $_ => $self->{$_} } qw(tracer clock)),
        map { $_ => $with->{$_} } qw(process one_pass on)
    )->observe($with->{plan}, $with->{runs});
}

# Takes a result. Returns a line for the user that says why system calls can't be observed, or why not by the better
# tracer, or undef.
sub announcement {
    my (undef,   $result)  = @_;
    my ($tracer, $why_not) = @{ $result->{observing} || {} }{qw(tracer why_not)};
    return if !defined $why_not;
    my $how = defined $tracer ? "are observed by $tracer, which makes them slow" : "can't be observed";
    return "system calls $how: $why_not\n";
}

# Takes a test and its run. Returns a line that says why it was not observed, or undef.
sub complaint {
    my (undef, $test, $run) = @_;
    my $why_not = ($test->{observed} || {})->{error};
    my $state   = UnixBench::Plan::in_state($run);
    return defined $why_not ? "\"$test->{title}\"$state: system calls were not observed: $why_not\n" : undef;
}

# Takes a result; returns a text if system calls were to be observed, and a measured test was not observed, or undef.
sub problem {
    my (undef, $result) = @_;
    my @tests   = grep { is_measured($_) } map { @{ $_->{tests} } } @{ $result->{runs} };
    my @missing = grep { !$_->{observed} || defined $_->{observed}{error} } @tests;
    return $result->{observing} && @missing ? 'not all system calls were observed' : undef;
}

1;
