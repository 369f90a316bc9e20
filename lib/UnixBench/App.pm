package UnixBench::App;

# The application: reads the command line, calls the command that it asks for, and turns the outcome into the exit
# status.

use strict;
use warnings;

use File::Spec ();

use UnixBench::Base::Arguments  qw(named);
use UnixBench::Base::Files      ();
use UnixBench::Base::Halt       ();
use UnixBench::CLI::Console     ();
use UnixBench::CLI::Environment ();
use UnixBench::CLI::Options     ();
use UnixBench::CLI::Usage       ();
use UnixBench::Command::Output  ();
use UnixBench::Plan::Baseline   ();
use UnixBench::Plan::UserLoad   ();
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
    if (!eval { $self->_understand(@words); 1 }) {
        return $self->_failed(UnixBench::Base::Halt::in_words($@)) if UnixBench::Base::Halt::is_thrown($@);
        $console->refuse($@);
        return $STATUS{'wrong usage'};
    }
    my $outcome = eval { $self->_act(@words) };
    return defined $outcome ? $STATUS{$outcome} : $self->_failed(UnixBench::Base::Halt::in_words($@));
}

sub _failed {
    my ($self, $error) = @_;
    $self->{console}->complain($error);
    return $STATUS{failed};
}

# Parses the command line and checks it completely, before anything is built or run. Dies if it is wrong.
sub _understand {
    my ($self, @words) = @_;
    my $options = $self->{options} = UnixBench::CLI::Options::parse(@words);
    $self->{settings} = UnixBench::CLI::Environment::read_from(\%ENV, $self->{home});
    UnixBench::Plan::UserLoad::check_script($options->{script}) if defined $options->{script};
    my $is_read =
        $options->{files} || @{ $options->{requirements} } || grep { defined $options->{$_} } qw(report resume);
    $self->_find_results if $is_read && _has_all_of_perl();
    UnixBench::Command::Output::check($options);
    $self->_understand_all if ($is_read || $options->{quick}) && _has_all_of_perl();
    return;
}

# Replaces the words that name results, or an unfinished run, by the paths of their files.
sub _find_results {
    my ($self)  = @_;
    my $options = $self->{options};
    my $names   = $self->_names;
    my $file_of = sub { $self->_path_of($names->file($_[0])) };
    $options->{files} = [map { $file_of->($_) } @{ $options->{files} }] if $options->{rank};
    $self->_find_sides($names) if $options->{compare};
    $self->_find_hosts($names) if $options->{fleet};
    $options->{report} = $file_of->($options->{report}) if defined $options->{report};
    $options->{resume} = $names->unfinished($options->{resume}) if defined $options->{resume};
    $_->{file}         = File::Spec->rel2abs($file_of->($_->{file}))
        for grep { defined $_->{file} } @{ $options->{requirements} };
    return;
}

sub _names {
    my ($self) = @_;
    require UnixBench::Store::ResultNames;
    return UnixBench::Store::ResultNames->new(directory => $self->{settings}{resultdir});
}

# Does the same for the sides of a comparison. A directory has several results.
sub _find_sides {
    my ($self, $names) = @_;
    my $options = $self->{options};
    my @words   = @{ $options->{files} };
    my @sides   = map {
        [map { $names->files($_) } splice @words, 0, $_]
    } @{ $options->{sets} || [scalar @words] };
    $options->{files} = [map { $self->_path_of($_) } map { @$_ } @sides];
    $options->{sets}  = [map { scalar @$_ } @sides] if $options->{sets};
    return;
}

# Reads the list of a fleet, or replaces the words by the paths of results.
sub _find_hosts {
    my ($self, $names) = @_;
    my $options = $self->{options};
    my ($list, @others) = @{ $options->{files} } or return;
    if (@others || $list !~ /[.]csv\z/) {
        $options->{files} = [map { $self->_path_of($_) } map { $names->files($_) } $list, @others];
        return;
    }
    require UnixBench::Store::FleetFile;
    $options->{tries} = [UnixBench::Store::FleetFile::tries($list)];
    push @{ $options->{files} }, grep { defined } map { $_->{file} } @{ $options->{tries} };
    return;
}

# Takes a file that was found; returns its path, and tells the user if it is not the file that the word names. Notes the
# files that were found in a directory: the user has not named them, so they may be unusable.
sub _path_of {
    my ($self, $file) = @_;
    $self->{options}{of_directories}{ $file->{path} } = 1 if $file->{is_of_directory};
    $self->{console}->complain($file->{notice}) if defined $file->{notice};
    return $file->{path};
}

# Makes the checks that need a complete Perl.
sub _understand_all {
    my ($self) = @_;
    my $options = $self->{options};
    $self->{result} = _read($options->{report}) if defined $options->{report};
    $self->_requirements if @{ $options->{requirements} } && !$options->{fleet};
    $self->_context->check_time if $options->{quick};
    return;
}

sub _read {
    my ($path) = @_;
    require UnixBench::Store::ResultFile;
    return UnixBench::Store::ResultFile::result($path);
}

# Runs the command that the options select; returns its outcome, a key of %STATUS.
sub _act {
    my ($self, @words) = @_;
    my $options = $self->{options};
    my $text    = $self->_text;
    return $self->{console}->inform($text) ? 'done' : 'failed' if defined $text;
    return $self->_doctor if $options->{doctor};
    return $self->_rank if $options->{rank};
    $self->{console}->keep_standard_output if $options->{has_standard_output} && !$options->{dry_run};
    return $self->_compare if $options->{compare};
    return $self->_fleet if $options->{fleet};
    return $self->_report if defined $options->{report};
    return $self->_resume if defined $options->{resume};
    $self->_prepare(@words) if !$options->{dry_run} || $options->{setup};
    return $self->_show_plan if $options->{dry_run};
    return $self->_measure->run;
}

# Returns the text for options that only print a text, or undef for others.
sub _text {
    my ($self) = @_;
    my $options = $self->{options};
    return UnixBench::CLI::Usage::short_help() if $options->{usage};
    return UnixBench::CLI::Usage::help($options->{help} eq '1' ? () : $options->{help}) if $options->{help};
    return "UnixBench $UnixBench::Version::VERSION\n" if $options->{version};
    return $self->_list if $options->{list};
    return $self->_explanation if $options->{explain};
    return;
}

sub _list {
    my ($self) = @_;
    return UnixBench::CLI::Usage::list($self->{options}{iterations}, $self->_baseline, $self->{console}->columns);
}

# Returns the parsed baseline, or an empty one if it can't be read.
sub _baseline {
    my ($self) = @_;
    my $text = UnixBench::Base::Files::content("$self->{settings}{bindir}/index.base") // q{};
    return eval { UnixBench::Plan::Baseline::parse($text) } || {};
}

sub _explanation {
    my ($self) = @_;
    require UnixBench::Command::Explain;
    return UnixBench::Command::Explain::of($self->{home}, $self->{settings}{bindir}, @{ $self->{options}{tests} });
}

# Prints the findings. With --strict, the outcome is "inconclusive" if there is a problem.
sub _doctor {
    my ($self) = @_;
    require UnixBench::Command::Doctor;
    my $context = _has_all_of_perl() ? $self->_context : undef;
    my $doctor  = UnixBench::Command::Doctor->new(context => $context, preparation => $self->_preparation);
    my ($text, $has_problem) = $doctor->report;
    return 'failed' if !$self->{console}->inform($text);
    return $has_problem && $self->{options}{strict} ? 'inconclusive' : 'done';
}

sub _rank {
    my ($self) = @_;
    _need_all_of_perl();
    require UnixBench::Command::Rank;
    my ($path) = @{ $self->{options}{files} };
    return UnixBench::Command::Rank::run(
        path    => $path,
        names   => $self->_names,
        console => $self->{console},
        home    => $self->{home},
    );
}

sub _compare {
    my ($self) = @_;
    _need_all_of_perl();
    require UnixBench::Command::Compare;
    return UnixBench::Command::Compare::run(@$self{qw(options console)});
}

sub _fleet {
    my ($self) = @_;
    _need_all_of_perl();
    require UnixBench::Command::Fleet;
    return UnixBench::Command::Fleet::run((map { $_ => $self->{$_} } qw(options console)),
        baseline => $self->_baseline);
}

sub _report {
    my ($self) = @_;
    _need_all_of_perl();
    require UnixBench::Command::Report;
    my %with = (context => $self->_context, console => $self->{console}, requirements => $self->_requirements);
    return UnixBench::Command::Report->new(%with)->repeat($self->{result});
}

# Resumes a run; returns the outcome. Builds nothing, because the programs must be those that were measured before.
sub _resume {
    my ($self) = @_;
    $self->_preparation->set_up;
    _need_all_of_perl();
    require UnixBench::Command::Measure;
    my %with = map { $_ => $self->{$_} } qw(home options console);
    return UnixBench::Command::Measure->resumed(%with)->run;
}

# Prints the plan; returns the outcome. Loads only the modules that this requires.
sub _show_plan {
    my ($self) = @_;
    my ($context, $console) = ($self->_context, $self->{console});
    $console->complain($_) for $context->warnings;
    my $is_compared = @{ $self->{options}{requirements} };
    my $refusal     = $is_compared ? $self->_requirements->refusal($context->result) : undef;
    return $console->inform($context->plan_in_words) ? 'done' : 'failed' if !defined $refusal;
    $console->refuse($refusal);
    return 'wrong usage';
}

# Returns the command that measures the plan.
sub _measure {
    my ($self) = @_;
    my %with = (context => $self->_context, console => $self->{console}, requirements => $self->_requirements);
    require UnixBench::Command::Measure;
    return UnixBench::Command::Measure->new(%with);
}

sub _prepare {
    my ($self, @words) = @_;
    my $preparation = $self->_preparation;
    $preparation->set_up(@words);
    $preparation->build;
    delete $self->{context};    # the preparation has changed the machine
    return;
}

sub _preparation {
    my ($self) = @_;
    require UnixBench::Setup::Preparation;
    return UnixBench::Setup::Preparation->new(
        (map { $_ => $self->{$_} } qw(home options settings)),
        host         => $self->_machine,
        warn         => sub { $self->{console}->complain($_[0]) },
        inform       => sub { $self->{console}->inform($_[0]) },
        print_errors => sub { UnixBench::CLI::Console::say_to(\*STDERR, $_[0]) },
        answer       => $self->{console}->kept,
    );
}

# Returns the requirements on the run, or on the result that is reported again.
sub _requirements {
    my ($self) = @_;
    require UnixBench::Command::Requirements;
    return $self->{requirements} ||=
        UnixBench::Command::Requirements->new(context => $self->_context, result => $self->{result});
}

# Returns the context of the run. It needs a complete Perl: the preparation has reported or installed the missing parts.
sub _context {
    my ($self) = @_;
    _need_all_of_perl();
    require UnixBench::Command::RunContext;
    return $self->{context} ||=
        UnixBench::Command::RunContext->new((map { $_ => $self->{$_} } qw(home options settings)),
        host => $self->_machine);
}

sub _need_all_of_perl {
    my @missing = _missing_of_perl() or return;
    my $are     = @missing == 1 ? 'is' : 'are';
    die "only a part of Perl is installed here (@{[join ', ', @missing]} $are missing): install all of it "
        . "(Debian and Ubuntu: apt-get install perl)\n";
}

sub _has_all_of_perl { return !_missing_of_perl() }

sub _missing_of_perl {
    require UnixBench::Setup::Missing;
    return UnixBench::Setup::Missing::perl_modules();
}

# Returns this machine. All callers share one object, so that slow programs are run only once.
sub _machine {
    my ($self) = @_;
    require UnixBench::Host::Machine;
    return $self->{host} ||= UnixBench::Host::Machine->new(run => \&UnixBench::Process::Command::output_of);
}

1;
