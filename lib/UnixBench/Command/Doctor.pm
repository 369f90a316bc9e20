package UnixBench::Command::Doctor;

# Examines the machine for --doctor: what would prevent or disturb a run, and what it is like. Changes nothing. Works,
# with fewer findings, on the smallest Perl.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Arguments            qw(named);
use UnixBench::Catalog                    ();
use UnixBench::Command::Doctor::Obstacles ();
use UnixBench::Command::Doctor::Text      ();

my %WEIGHT = (disturbed => 'disturbs', note => 'little');

my %IS_OF_FILES = map { $_ => 1 } UnixBench::Catalog::expand('fs');

# Takes context => UnixBench::Command::RunContext, undef if only a part of Perl is installed, preparation =>
# UnixBench::Setup::Preparation and perhaps look => UnixBench::Command::Doctor::Look, by default that of this machine.
sub new {
    my ($class, @given) = @_;
    return bless named(\@given, qw(context preparation look)), $class;
}

# Looks for some seconds and returns the text, see UnixBench::Command::Doctor::Text.
sub report {
    my ($self) = @_;
    return UnixBench::Command::Doctor::Text::render($self->seen);
}

# Returns the same as data.
sub seen {
    my ($self)    = @_;
    my $context   = $self->{context};
    my $found     = $self->{preparation}->findings;
    my @obstacles = UnixBench::Command::Doctor::Obstacles::of_preparation($found);
    return { findings => [$self->_nameless(@obstacles)] } if !$context;
    my ($plan, $result) = ($context->plan, $context->result);
    push @obstacles, UnixBench::Command::Doctor::Obstacles::of_context($context, $result, $found);
    my @remarks = _remarks($plan, $result, $found);
    my $look    = $self->_look->look;
    return {
        findings  => [$self->_nameless(@obstacles), _tags($plan, $look), @remarks],
        look      => { %$look, busiest => [$self->_nameless(@{ $look->{busiest} })] },
        plan      => $plan,
        result    => $result,
        notes     => [_notes($result)],
        has_facts => !$context->options->{quiet},
    };
}

sub _look {
    my ($self) = @_;
    return $self->{look} if $self->{look};
    require UnixBench::Base::Clock;
    require UnixBench::Command::Doctor::Look;
    return UnixBench::Command::Doctor::Look->new(
        clock       => UnixBench::Base::Clock->new,
        usable_cpus => $self->{context}->cpu_count
    );
}

# Returns the notes that are not findings.
sub _notes {
    my ($result) = @_;
    require UnixBench::Report::Notes;
    return UnixBench::Report::Notes::of_kind($result->{procedure});
}

# Returns the disturbances of the look, weighed by the copies of the plan.
sub _tags {
    my ($plan, $look) = @_;
    return map {
        +{
            kind   => $_->{cause},
            worst  => $_->{value},
            weight => $_->{cause} eq 'affinity' ? _of_cpus($plan, $_->{value}) : $WEIGHT{ $_->{level} },
        }
    } @{ $look->{tags} };
}

# Returns remarks on the machine. A missing locale is already an obstacle.
sub _remarks {
    my ($plan, $result, $found) = @_;
    require UnixBench::Remarks::Remarks;
    return map { +{ %$_, weight => scalar _weight($_, $plan) } }
        grep { $_->{kind} ne 'locale' || !$found->{missing}{locale} } UnixBench::Remarks::Remarks::of($result);
}

sub _weight {
    my ($remark, $plan) = @_;
    my $kind = $remark->{kind};
    return _of_cpus($plan, $remark->{cpus}) if $kind eq 'quota';
    return 'limits'
        if $kind eq 'locale' || $kind eq 'scratch' && grep { $IS_OF_FILES{ $_->{name} } } @{ $plan->{tests} };
    return 'limits' if $kind eq 'preload' || $kind eq 'nice' || $kind eq 'class';
    return 'little' if $kind eq 'load';
    return 'known';
}

# Takes the number of CPUs that a run may use; returns the weight of that limit for its copies.
sub _of_cpus {
    my ($plan, $cpus) = @_;
    return List::Util::max(@{ $plan->{copies} }) > $cpus ? 'disturbs' : 'known';
}

# Returns findings and processes, with --no-identity without names of host, user and directories.
sub _nameless {
    my ($self, @things) = @_;
    my $redaction = $self->{context} && $self->{context}->redaction or return @things;
    my @nameless  = map { +{%$_} } @things;
    for my $thing (@nameless) {
        $_ = $redaction->text($_) for grep { defined } @$thing{qw(text name)};
    }
    return @nameless;
}

1;
