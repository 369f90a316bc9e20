package UnixBench::App;

# The application: parses the command line, calls the command, and turns its outcome into the exit status.

use strict;
use warnings;

use UnixBench::Base::Arguments  qw(named);
use UnixBench::Base::Halt       ();
use UnixBench::CLI::Console     ();
use UnixBench::CLI::Environment ();
use UnixBench::Call::Call       ();
use UnixBench::Command          ();
use UnixBench::Process::Command ();
use UnixBench::Version          ();

my %STATUS = (done => 0, failed => 1, 'wrong usage' => 2, 'not met' => 3, inconclusive => 4);

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
    local @SIG{qw(PIPE XFSZ)} = ('IGNORE') x 2;    # a write then fails with an error
    return $self->_failed($@) if !eval { UnixBench::CLI::Console::open_standard_handles(); 1 };
    UnixBench::Process::Command::on_given_up(sub { $console->complain($_[0]) });
    my $call = eval { $self->_understood(@words) };
    if (!$call) {
        return $self->_failed(UnixBench::Base::Halt::in_words($@)) if UnixBench::Base::Halt::is_thrown($@);
        $console->refuse($@);
        return $STATUS{'wrong usage'};
    }
    my $outcome = eval { $self->_act($call) };
    return defined $outcome ? $STATUS{$outcome} : $self->_failed(UnixBench::Base::Halt::in_words($@));
}

sub _failed {
    my ($self, $error) = @_;
    $self->{console}->complain($error);
    return $STATUS{failed};
}

# Parses the command line and checks it completely, before anything is built or run. Returns the call. Dies if it is
# wrong.
sub _understood {
    my ($self, @words) = @_;
    my $options = UnixBench::Command::parse(@words);
    my $call    = UnixBench::Call::Call->new(
        (map { $_ => $self->{$_} } qw(home console)),
        words    => \@words,
        options  => $options,
        settings => UnixBench::CLI::Environment::read_from(\%ENV, $self->{home}),
    );
    return $call if grep { $options->{$_} } qw(usage help version list);
    my $check = UnixBench::Command::package_of($options->{command})->can('check') or return $call;
    $check->($call) if $self->_is_small($options) || UnixBench::Call::Call::has_all_of_perl();
    return $call;
}

# Returns whether the command works with Debian's perl-base alone.
sub _is_small {
    my ($self, $options) = @_;
    return UnixBench::Command::declaration($options->{command})->{is_small};
}

# Runs the command; returns its outcome, a key of %STATUS.
sub _act {
    my ($self,    $call)    = @_;
    my ($options, $console) = ($call->options, $self->{console});
    my $text = _text($call);
    return $console->inform($text) ? 'done' : 'failed' if defined $text;
    $call->need_all_of_perl if !$self->_is_small($options);
    $console->keep_standard_output if $options->{has_standard_output} && !$options->{dry_run};
    return UnixBench::Command::package_of($options->{command})->can('run')->($call);
}

# Returns the text for options that only print a text, or undef without them.
sub _text {
    my ($call) = @_;
    my $options = $call->options;
    return "UnixBench $UnixBench::Version::VERSION\n" if $options->{version};
    return if !grep { $options->{$_} } qw(usage help list);
    require UnixBench::CLI::Usage;
    return UnixBench::CLI::Usage::list($options->{iterations}, $call->baseline, $call->console->columns)
        if $options->{list};
    return UnixBench::CLI::Usage::of(UnixBench::Command::declaration($options->{command}))
        if defined $options->{command};
    return UnixBench::CLI::Usage::short_help(UnixBench::Command::declaration(), UnixBench::Command::names())
        if $options->{usage};
    return UnixBench::CLI::Usage::help(UnixBench::Command::declarations());
}

1;
