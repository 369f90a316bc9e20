package UnixBench::Call;

# One call of Run: its options, its settings, its console, and the files that its words name. Without a word it is the
# newest result, the two newest that can be compared, or the only interrupted run. Commands take it.

use strict;
use warnings;

use File::Basename qw(basename);
use File::Spec     ();

use UnixBench::Base::Halt       ();
use UnixBench::Base::Arguments  qw(named);
use UnixBench::Base::Text       qw(clean listed);
use UnixBench::CLI::Console     ();
use UnixBench::Plan::Baseline   ();
use UnixBench::Process::Command ();
use UnixBench::Setup::Software  ();

use constant LOOKED_AT => 20;    # results, to find two of them, and names in a line

# Takes home => the suite's directory, words => [the words of the command line], options (see UnixBench::Command),
# settings (see UnixBench::CLI::Environment), and console => UnixBench::CLI::Console.
sub new {
    my ($class, @given) = @_;
    my $self    = bless named(\@given, qw(home words options settings console)), $class;
    my $console = $self->{console};
    UnixBench::Process::Command::on_given_up(sub { $console->complain($_[0]) });
    return $self;
}

sub home     { my ($self) = @_; return $self->{home} }
sub words    { my ($self) = @_; return @{ $self->{words} } }
sub options  { my ($self) = @_; return $self->{options} }
sub settings { my ($self) = @_; return $self->{settings} }
sub console  { my ($self) = @_; return $self->{console} }

# Returns the names of the results in the directory of results.
sub names {
    my ($self) = @_;
    require UnixBench::Store::ResultNames;
    return $self->{names} ||= UnixBench::Store::ResultNames->new(directory => $self->{settings}{resultdir});
}

# Takes a word that names a result; returns the path of its file, and tells the user which files of its directory are
# left out. Dies with one line if there is none.
sub file {
    my ($self, $word) = @_;
    my $file = $self->names->file($word);
    $self->complain_of(@{ $file->{others} });
    return $self->_path_of($file);
}

# Takes a word that names a result or, by a directory or a pattern, several; returns the absolute path of the file, the
# directory or the pattern, and those of the results. Dies with one line if there is none.
sub one_or_several {
    my ($self, $word) = @_;
    my @files = grep { $_->{is_result} // 1 } $self->names->files($word);
    my $of    = $files[0]{pattern} // (@files > 1 ? $word : undef);
    my @paths = defined $of ? ($of, map { $_->{path} } @files) : ($self->file($word)) x 2;
    return map { File::Spec->rel2abs($_) } @paths;
}

# Takes words that name results, or directories with several results; returns the paths of their files. A notice about
# many of the words is one line. Dies with one line if a word names none.
sub files {
    my ($self, @words) = @_;
    my @files = map { $self->names->files($_) } @words;
    my (%same, @order);
    for my $file (grep { defined $_->{notice} } @files) {
        my ($word, $said) = delete($file->{notice}) =~ /\A(.*?)(: .*)\z/s;
        push @order,            $said if !$same{$said};
        push @{ $same{$said} }, $word;
    }
    $self->{console}->complain(listed(@{ $same{$_} }) . $_) for @order;
    push @{ $self->{left_out} }, map { [@$_{qw(path why)}] } grep { defined $_->{why} } @files;
    return map { $self->_path_of($_) } grep { !defined $_->{why} } @files;
}

# Returns the path of the newest result. Dies with one line if there is none.
sub newest {
    my ($self) = @_;
    my ($path) = $self->names->newest_first(1)
        or die 'report needs a result: ./Run report RESULT; there is none in ' . $self->_directory . "\n";
    $self->{console}->complain('the newest result: ' . $self->_names($path) . "\n");
    return $path;
}

# Returns the paths of the newest result that can be compared with an earlier one, and of that: both are
# complete, have good or fair trust, and were measured the same. The earlier one is first. Dies with one line if there
# are no two such results.
sub two_newest {
    my ($self) = @_;
    require UnixBench::Call::NextStep;
    require UnixBench::Store::ResultFile;
    my @paths = $self->names->newest_first(LOOKED_AT);
    for my $new (@paths) {
        my $summary = eval { UnixBench::Store::ResultFile::summary($new) } or next;
        next if UnixBench::Call::NextStep::kind_of($summary) ne 'complete';
        my $old = UnixBench::Call::NextStep::earlier($self->names, $summary) // next;
        $self->{console}->complain('comparing ' . $self->_names($old, $new) . "\n");
        return ($old, $new);
    }
    my $why =
        @paths
        ? 'no two of these are complete, have good or fair trust, and were measured the same: ' . $self->_names(@paths)
        : 'there is none in ' . $self->_directory;
    die "compare needs two results: ./Run compare OLD NEW; $why\n";
}

# Returns the path that the files of the only interrupted run have in common. Dies with one line if
# there is none, or more than one.
sub interrupted {
    my ($self) = @_;
    require UnixBench::Store::OutputFiles;
    my $directory = $self->{settings}{resultdir};
    my ($only, @others) = map { "$directory/$_" } UnixBench::Store::OutputFiles::interrupted($directory);
    die 'there is no interrupted run in ' . $self->_directory . "\n" if !defined $only;
    return $only if !@others;
    die 'several runs were interrupted; name one of them: ./Run --resume NAME; they are '
        . $self->_names($only, @others) . "\n";
}

sub _directory {
    my ($self) = @_;
    return clean(basename($self->{settings}{resultdir}));
}

sub _names {
    my ($self, @paths) = @_;
    return join q{ }, map { UnixBench::CLI::Console::quoted($self->names->word($_)) } @paths;
}

# Takes [path, line that refuses this file] for each file that is left out; tells the user.
sub complain_of {
    my ($self, @refused) = @_;
    return if !@refused;
    require UnixBench::Store::ResultFile;
    $self->{console}->complain("left out: $_\n") for UnixBench::Store::ResultFile::left_out(@refused);
    return;
}

# Returns [path, line that refuses the file] for the files in directories that are not results.
sub left_out { my ($self) = @_; return @{ $self->{left_out} || [] } }

# Tells the user if it is not the file that the word names. Notes files of directories: they may be unusable.
sub _path_of {
    my ($self, $file) = @_;
    $self->{of_directories}{ $file->{path} } = 1 if $file->{is_of_directory};
    $self->{console}->complain($file->{notice}) if defined $file->{notice};
    return $file->{path};
}

# Returns the paths of results that the judge of this call reads, see UnixBench::Call::Judge.
sub judged_by {
    my ($self) = @_;
    return @{ $self->_found->{files} };
}

# Returns the options, with the paths of these results instead of the words that name them.
sub found_options {
    my ($self) = @_;
    my $found = $self->_found->{options};
    return %$found ? { %{ $self->{options} }, %$found } : $self->{options};
}

sub _found {
    my ($self) = @_;
    require UnixBench::Call::Judge;
    return $self->{found} ||= UnixBench::Call::Judge::package_for($self->{options})->found($self);
}

# Returns { path => 1 } for the files that were found in directories.
sub of_directories { my ($self) = @_; return $self->{of_directories} || {} }

# Returns the parsed baseline, or an empty one if it can't be read.
sub baseline {
    my ($self)     = @_;
    my ($baseline) = UnixBench::Plan::Baseline::of_directory($self->{settings}{bindir});
    return $baseline;
}

# Returns the preparation of this machine.
sub preparation {
    my ($self) = @_;
    my $console = $self->{console};
    require UnixBench::Setup::Preparation;
    return UnixBench::Setup::Preparation->new(
        (map { $_ => $self->{$_} } qw(home options settings)),
        host   => $self->_machine,
        warn   => sub { $console->complain($_[0]) },
        inform => sub { $console->inform($_[0]) },
        answer => $console->kept,
    );
}

# Returns the request, see UnixBench::Call::Request. It needs a complete Perl.
sub request {
    my ($self) = @_;
    need_all_of_perl();
    require UnixBench::Call::Request;
    require UnixBench::Call::ThisMachine;
    my %places = map { $_ => $self->{$_} } qw(home settings);
    return $self->{request} ||= UnixBench::Call::Request->new(
        %places,
        options => $self->found_options,
        machine => UnixBench::Call::ThisMachine->new(%places, host => $self->_machine),
    );
}

# Forgets what is known of the machine, because a preparation has changed it.
sub forget { my ($self) = @_; delete $self->{request}; return }

# Throws a UnixBench::Base::Halt if only a part of Perl is installed.
sub need_all_of_perl {
    my @missing = UnixBench::Setup::Software::perl_modules() or return;
    my $are     = @missing == 1 ? 'is' : 'are';
    die UnixBench::Base::Halt->new(
        line => "only a part of Perl is installed here (@{[join ', ', @missing]} $are missing): install all of it "
            . "(Debian and Ubuntu: apt-get install perl)\n");
}

# Returns whether all of Perl is installed.
sub has_all_of_perl { return !UnixBench::Setup::Software::perl_modules() }

# Returns this machine. All callers share one object, so that slow programs are run only once.
sub _machine {
    my ($self) = @_;
    require UnixBench::Host::Facts;
    return $self->{host} ||= UnixBench::Host::Facts->new(
        run    => \&UnixBench::Process::Command::output_of,
        ahead  => \&UnixBench::Process::Command::run_ahead,
        home   => $self->{home},
        tmpdir => $self->{settings}{tmpdir},
    );
}

1;
