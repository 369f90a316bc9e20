package UnixBench::App;

# The application: parses the command line, calls the command, and turns its outcome into the exit status.

use strict;
use warnings;

use UnixBench::Base::Arguments  qw(named);
use UnixBench::Base::Halt       ();
use UnixBench::CLI::Console     ();
use UnixBench::Command          ();
use UnixBench::CLI::Declaration ();
use UnixBench::Features         ();

my %STATUS = (done => 0, failed => 1, 'test failed' => 1, 'wrong usage' => 2, 'not met' => 3, inconclusive => 4);

# Takes home => the suite's directory, and perhaps command => the word by which the user has called this program.
sub new {
    my ($class, @given) = @_;
    my $given   = named(\@given, qw(home command));
    my $console = UnixBench::CLI::Console->new(command => delete $given->{command});
    return bless { %$given, console => $console }, $class;
}

# Takes the words of the command line; returns the exit status. If a signal interrupted it, the program dies of that
# signal.
sub run {
    my ($self, @words) = @_;
    my $console = $self->{console};
    $self->{statuses} = _statuses(@words);
    local @SIG{qw(PIPE XFSZ)} = ('IGNORE') x 2;    # a write then fails with an error
    return $self->_failed($@) if !eval { UnixBench::CLI::Console::open_standard_handles(); 1 };
    $console->complain($_) for UnixBench::Features::broken();
    my $act = eval { $self->_understood(@words) };
    if (!$act) {
        return $self->_failed(UnixBench::Base::Halt::in_words($@)) if UnixBench::Base::Halt::is_thrown($@);
        $console->refuse($@);
        return $self->_status('wrong usage');
    }
    my $outcome = eval { $act->() };
    return defined $outcome ? $self->_status($outcome) : $self->_failed(UnixBench::Base::Halt::in_words($@));
}

# Takes the words of the command line; returns { outcome => exit status }. A bisection has its own, also if its option
# is misspelt, or if the words are wrong.
sub _statuses {
    my (@words) = @_;
    return \%STATUS if !grep { /\A--bis/ } @words;
    my ($own) = map { $_->{statuses} || () } UnixBench::CLI::Declaration::options_of(UnixBench::Command::declaration());
    return \%STATUS if !$own;
    my %statuses;
    for my $row (@$own) {
        my ($status, undef, @outcomes) = @$row;
        @statuses{@outcomes} = ($status) x @outcomes;
    }
    return \%statuses;
}

# Returns the exit status of a death that no code expects, or undef for Perl's own.
sub status_of_death { my ($self) = @_; return $self->{statuses}{other} }

sub _failed {
    my ($self, $error) = @_;
    $self->{console}->complain($error);
    return $self->_status('failed');
}

sub _status {
    my ($self, $outcome) = @_;
    my $statuses = $self->{statuses};
    return $statuses->{$outcome} // $statuses->{other};
}

# Parses the command line and checks it completely, before anything is built or run. Returns the function that does what
# it asks for, and returns the outcome, a key of %STATUS. Dies if the command line is wrong.
sub _understood {
    my ($self, @words) = @_;
    my $options = UnixBench::Command::parse(@words);
    return sub { $self->_inform(_help($options)) }
        if $options->{usage} || $options->{help};
    return sub { $self->_inform(UnixBench::Command::version()) }
        if $options->{version};
    my $call = $self->_call($options, @words);
    if ($options->{list}) {
        require UnixBench::CLI::Usage;
        my @how = ($options->{iterations}, $call->baseline, $call->console->columns);
        return sub { $self->_inform(UnixBench::CLI::Usage::list(@how)) };
    }
    my $declaration = UnixBench::Command::declaration($options->{command});
    $call->need_all_of_perl if !$declaration->{is_small};
    my $package  = UnixBench::Features::loaded($declaration->{module});
    my $prepare  = $package->can('prepare');
    my $prepared = $prepare ? $prepare->($call) : undef;
    return sub {
        my $is_answer = grep { $_->[1] eq q{-} } @{ $options->{outputs} };
        $self->{console}->keep_standard_output if $is_answer && !$options->{dry_run};
        return $package->can('run')->($call, $prepared);
    };
}

# Returns the call of a command. Texts about the program need none of the modules that this loads.
sub _call {
    my ($self, $options, @words) = @_;
    require UnixBench::CLI::Environment;
    require UnixBench::Call;
    return UnixBench::Call->new(
        (map { $_ => $self->{$_} } qw(home console)),
        words    => \@words,
        options  => $options,
        settings => UnixBench::CLI::Environment::read_from(\%ENV, $self->{home}),
    );
}

sub _inform {
    my ($self, $text) = @_;
    return $self->{console}->inform($text) ? 'done' : 'failed';
}

sub _help {
    my ($options) = @_;
    require UnixBench::CLI::Usage;
    my $command = $options->{command};
    return UnixBench::CLI::Usage::of(UnixBench::Command::declaration($command)) if defined $command;
    my @declarations = UnixBench::Command::declarations();
    return $options->{usage}
        ? UnixBench::CLI::Usage::short_help(@declarations)
        : UnixBench::CLI::Usage::help(@declarations);
}

1;
