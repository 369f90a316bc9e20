package UnixBench::Under::Keeper;

# Keeps several states of the machine apart while a run measures them: switches between two of them by the commands of
# --toggle, and looks whether the first state stays what it was.

use strict;
use warnings;

use List::Util ();
use POSIX      ();

use UnixBench::Base::Arguments qw(named);
use UnixBench::Base::Halt      ();
use UnixBench::Base::Text      qw(clean);
use UnixBench::Host::FactList  ();
use UnixBench::Plan            ();
use UnixBench::Process::Server ();
use UnixBench::Under::Settings ();

use constant {
    PART_OF_PASS => 0.1,    # if a switch takes more, it is not made for each test
    PART_OF_TIME => 0.1,    # of a round, for its switch
    REST         => 20,     # a look rests for this many times of what the last one took
    PATIENCE_S   => 300,
    NAMED_MOST   => 3,
};

my %REMEDY = (
    under  => 'a command of --under may not change the machine: use --toggle',
    toggle => 'OFF has to undo what ON does, and nothing else may change the machine',
);

# Takes the arguments of keeper in UnixBench::Plan::Wish, and perhaps settings, a function that returns the settings of
# the kernel (default: UnixBench::Under::Settings).
sub new {
    my ($class, @given) = @_;
    my $given = named(\@given, qw(process clock states output look settings));
    my $self  = bless { settings => \&UnixBench::Under::Settings::all, seen => [], took_s => [], %$given }, $class;
    $self->{switched} = $self->{states}[1]{on} ? $self->{states}[1] : undef;
    return $self;
}

# Tries each switch once, and looks at each state. Returns why the run can't begin, a line, or nothing.
sub begin {
    my ($self)  = @_;
    my @order   = $self->{switched} ? (0, 1, 0) : 0;
    my $is_done = eval {
        for my $state (@order) {
            $self->enter($state);
            last if $self->{process}->interrupted;
            if   ($self->{seen}[$state]) { $self->check }
            else                         { $self->{seen}[$state] = $self->_look }
        }
        1;
    };
    return $is_done ? undef : "$@";
}

# Takes a plan. Returns how many passes of a test each round has in a row, or undef if the states take turns test by
# test: a switch may take a tenth of a pass, or else a tenth of a round, if eight rounds are made in time.
sub in_a_row {
    my ($self,   $plan)   = @_;
    my ($copies, $took_s) = ($plan->{copies}[0], List::Util::max(0, @{ $self->{took_s} }));
    my ($lanes,  $round_s) =
        (scalar UnixBench::Plan::measured($plan, $copies), UnixBench::Plan::round_s($plan, $copies));
    return if !$lanes || $took_s <= PART_OF_PASS * $round_s / $lanes;
    my $limit_s = UnixBench::Plan::limit_s($plan->{quick}, $copies);
    my $most    = ($limit_s / UnixBench::Plan::rounds_allowed($plan) - $took_s) / $round_s;
    return List::Util::max(1, int List::Util::min($most, POSIX::ceil($took_s / (PART_OF_TIME * $round_s))));
}

# Returns the facts about the machine in each state, or nothing if they are the same. They have those settings of the
# kernel that differ.
sub facts {
    my ($self) = @_;
    my @facts = map { $_->{facts} } @{ $self->{seen} };
    return if @facts < 2;
    my @settings = map  { $_->{kernel}{settings} } @facts;
    my %is_any   = map  { %$_ } @settings;
    my @differ   = grep { ($settings[0]{$_} // q{}) ne ($settings[1]{$_} // q{}) } keys %is_any;
    my @reduced;
    for my $facts (@facts) {
        my %own = map { $_ => $facts->{kernel}{settings}{$_} // 'none' } @differ;
        push @reduced, { %$facts, kernel => { %{ $facts->{kernel} }, settings => %own ? \%own : undef } };
    }
    return @reduced;
}

# Takes the number of a state; switches to it. Throws a UnixBench::Base::Halt if the command fails.
sub enter {
    my ($self, $state) = @_;
    return if !$self->{switched} || ($self->{state} // -1) == $state || $self->{process}->interrupted;
    return $self->_switch($state, sub { $self->{process}->interrupted });
}

# Has to be called after each round. Checks the first state from time to time.
sub round_ends {
    my ($self) = @_;
    my $rest_s = REST * ($self->{look_s} // 0);
    return if $self->{process}->interrupted || $self->{switched} && ($self->{state} // 1);
    return if $self->{clock}->monotonic_s < ($self->{looked_at_s} // 0) + $rest_s;
    return $self->check;
}

# Has to be called after all passes, also after an interruption or an error: returns to the first state, and checks it.
sub end {
    my ($self) = @_;
    $self->_switch(0, sub { 0 }) if $self->{is_left};
    return $self->{is_spoilt} || !$self->{seen}[0] ? () : $self->check;
}

# From before ON to the end of OFF, the guardian would run OFF.
sub _switch {
    my ($self, $state, $is_over) = @_;
    my ($process, $clock, $of)   = @$self{qw(process clock switched)};
    my ($words, $command)        = @$of{ $state ? qw(on command) : qw(off off_command) };
    my $began_s = $clock->monotonic_s;
    $self->{state} = undef;
    $process->will_need_last($self->{is_left} = 1) if $state;
    my $server = UnixBench::Process::Server->start(
        process => $process,
        clock   => $clock,
        command => sub { $words },
        output  => $self->{output},
    );
    my $until_s = $began_s + PATIENCE_S;
    $process->sleep_until($until_s) while !defined $server->status && !$is_over->() && $clock->monotonic_s < $until_s;
    my $status = $server->status;
    $server->stop;
    return if !defined $status && $is_over->();
    my $why_not = UnixBench::Process::Server::complaint($status, $self->{output}, qr/\A/);
    die UnixBench::Base::Halt->new(line => 'option --toggle: ' . clean($command) . " failed: $why_not\n")
        if !defined $status || $status;
    $self->{took_s}[$state] = $clock->monotonic_s - $began_s;
    $process->will_need_last($self->{is_left} = 0) if !$state && $self->{is_left};
    $self->{state} = $state;
    return;
}

# Returns the head of a result with the facts of this moment, and with the settings of the kernel.
sub _look {
    my ($self)  = @_;
    my $began_s = $self->{clock}->monotonic_s;
    my $head    = $self->{look}->();
    my $facts   = $head->{facts} || {};
    my %kernel  = (%{ $facts->{kernel} || {} }, settings => $self->{settings}->());
    $self->{looked_at_s} = $self->{clock}->monotonic_s;
    $self->{look_s}      = $self->{looked_at_s} - $began_s;
    return { %$head, facts => { %$facts, kernel => \%kernel } };
}

# Looks at the first state. Throws a UnixBench::Base::Halt if it is not what it was.
sub check {
    my ($self) = @_;
    my @changes =
        map { clean(UnixBench::Host::FactList::change_in_words($_)) }
        UnixBench::Host::FactList::changes($self->{seen}[0], $self->_look)
        or return;
    my $words  = join '; ', splice(@changes, 0, NAMED_MOST), @changes ? 'and more' : ();
    my $remedy = $REMEDY{ $self->{switched} ? 'toggle' : 'under' };
    $self->{is_spoilt} = 1;
    die UnixBench::Base::Halt->new(
        line   => "the states can't be compared, because A has changed: $words; $remedy\n",
        spoils => $words
    );
}

1;
