package UnixBench::App;

# The application: reads the command line, prepares, measures, prints, decides the exit status. The only
# place that prints errors.

use strict;
use warnings;

use UnixBench::Catalog  ();
use UnixBench::Options  ();
use UnixBench::Settings ();
use UnixBench::Usage    ();
use UnixBench::Version  ();

use constant { DONE => 0, FAILED => 1, WRONG_USAGE => 2 };

# Takes home, the suite's directory.
sub new {
    my ($class, %with) = @_;
    return bless {%with}, $class;
}

# Does what the words of the command line say and returns the exit status.
sub run {
    my ($self, @words) = @_;
    local $SIG{PIPE} = 'IGNORE';    # whoever closes our output early gets the reports all the same
    my $status = eval {
        @$self{qw(options settings)} =
            (UnixBench::Options::parse(@words), UnixBench::Settings::read_from(\%ENV, $self->{home}));
        1;
    };
    return _complain(WRONG_USAGE, $@) if !$status;
    $status = eval { $self->_answer_or_measure(@words) };
    return defined $status ? $status : _complain(FAILED, $@);
}

sub _answer_or_measure {
    my ($self, @words) = @_;
    my $options = $self->{options};
    return _say(UnixBench::Usage::help())                                                 if $options->{help};
    return _say("UnixBench $UnixBench::Version::VERSION\n")                               if $options->{version};
    return _say(UnixBench::Usage::list(@$options{iterations}))                            if $options->{list};
    require UnixBench::Preparation;
    my $preparation = UnixBench::Preparation->new(%$self);
    $preparation->set_up(@words);
    return $preparation->plan_in_words if $options->{dry_run};
    return;
}

1;
