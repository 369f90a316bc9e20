package UnixBench::Store::SystemFiles;

# The files of the system that the tests run: programs such as sort, the interpreters of scripts, the parts of a
# compiler, and the shared libraries of all of them.

use strict;
use warnings;

use File::Basename qw(basename);
use List::Util     ();

use UnixBench::Base::Arguments       qw(named);
use UnixBench::Base::Files           ();
use UnixBench::Store::SystemIdentity ();

# The programs that a compiler runs. It knows where they are.
my @OF_COMPILER = qw(cc1 collect2 as ld);
my $COMPILER    = qr/\A(?:\S+-)?(?:cc|gcc|clang)(?:-[\d.]+)?\z/;

# The search path of programs if there is no PATH.
use constant USUAL_PATH => '/usr/bin:/bin';

# Takes
#   plan, settings  the plan, and settings of UnixBench::CLI::Environment
#   run             function that takes a command and returns its output or undef
#   path            the PATH of the tests, or undef
sub new {
    my ($class, @given) = @_;
    my $given  = named(\@given, qw(plan settings run path));
    my @places = split /:/, $given->{path} // USUAL_PATH, -1;
    return bless { %$given, places => [map { m{\A/} ? $_ : "$given->{settings}{testdir}/$_" } @places] }, $class;
}

# Takes a test of the plan; returns { word => name } of the files that it uses. The word is a path, or the name of a
# program that is looked for in PATH. The name is the last part of the path. Different files with the same last part
# have a number in their names.
sub of_test {
    my ($self, $test) = @_;
    $self->_find if !$self->{names};
    my @words = @{ $self->{words}{ $test->{name} // q{} } || [] };
    return { map { $_ => $self->{names}{$_} } @words };
}

# Takes such a word; returns the path of the file that it means now, or undef. A path may be a link.
sub path_of {
    my ($self, $word) = @_;
    my @paths = $word =~ m{/} ? $word : map { "$_/$word" } @{ $self->{places} };
    return List::Util::first { -f && -x _ } @paths;
}

# Returns { name => SHA-256 } of the files that the tests use. Files that do not exist are left out.
sub digests {
    my ($self) = @_;
    $self->_find if !$self->{names};
    my $digests = $self->{digests};
    return { map { $_ => $digests->{$_} } grep { defined $digests->{$_} } keys %$digests };
}

# Finds the words of all tests, and gives each word a name.
sub _find {
    my ($self) = @_;
    my (%words, %programs);
    for my $test (@{ $self->{plan}{tests} }) {
        my @own   = grep { -f && -x _ } UnixBench::Store::SystemIdentity::paths($test, $self->{settings});
        my @words = $self->_with_parts(\@own, $self->_named_by($test));
        $words{ $test->{name} }    = \@words;
        $programs{ $test->{name} } = [@own, grep { defined } map { $self->path_of($_) } @words];
    }
    my $libraries = $self->_libraries(map { @$_ } values %programs);
    for my $name (keys %words) {
        my %seen;
        @{ $words{$name} } =
            grep { !$seen{$_}++ } @{ $words{$name} }, map { @{ $libraries->{$_} || [] } } @{ $programs{$name} };
    }
    $self->{words} = \%words;
    return $self->_give_names(map { @$_ } values %words);
}

# Gives words that mean the same content, and have the same last part, one name. The name of a missing file is its word.
sub _give_names {
    my ($self,  @words)   = @_;
    my ($names, $digests) = @$self{qw(names digests)} = ({}, {});
    for my $word (sort @words) {
        my $path   = $self->path_of($word);
        my $digest = defined $path ? UnixBench::Store::SystemIdentity::digest($path) : undef;
        my ($name, $number) = (defined $path ? basename($word) : $word, 1);
        $name = basename($word) . ' (' . ++$number . ')'
            while exists $digests->{$name} && ($digests->{$name} // q{}) ne ($digest // q{});
        ($names->{$word}, $digests->{$name}) = ($name, $digest);
    }
    return;
}

# Returns the programs that a test is known to run, as words.
sub _named_by {
    my ($self, $test) = @_;
    my $is_longer = ($self->{settings}{work_factor} // 1) != 1 && grep { m{/multi[.]sh\z} } @{ $test->{command} };
    my $is_made   = $test->{is_graphics} && ($self->{plan}{display} // q{}) eq 'virtual';
    return (@{ $test->{runs} || [] }, $is_longer ? qw(mktemp cat) : (), $is_made ? 'Xvfb' : ());
}

# Takes the paths of a test's own programs, and words. Returns the words, and those of the programs that they need:
# interpreters of scripts, and parts of compilers.
sub _with_parts {
    my ($self, $own, @words) = @_;
    my @parts =
        map { @{ $self->{parts}{$_} ||= [$self->_ask_compiler($_)] } } grep { basename($_) =~ $COMPILER } @words;
    my @paths = (@$own, grep { defined } map { $self->path_of($_) } @words);
    return (@words, @parts, map { _interpreters($_) } @paths);
}

sub _ask_compiler {
    my ($self, $compiler) = @_;
    return if !defined $self->path_of($compiler);
    my @answers = map { $self->{run}->([$compiler, "-print-prog-name=$_"]) // q{} } @OF_COMPILER;
    return grep { length && defined $self->path_of($_) } map { s/\n.*//sr } @answers;
}

# Takes the path of a program; returns the words that its first line names if it is a script.
sub _interpreters {
    my ($path)  = @_;
    my $file    = UnixBench::Base::Files::opened_plain($path) or return;
    my $is_read = sysread $file, my $start, 256;
    close $file;
    my ($interpreter, $argument) = ($is_read ? $start : q{}) =~ /\A#![ \t]*(\S+)(?:[ \t]+([^\s=-][^\s=]*))?/ or return;
    return ($interpreter, basename($interpreter) eq 'env' && defined $argument ? $argument : ());
}

# Takes paths of programs; returns { path => [paths of its shared libraries] }.
sub _libraries {
    my ($self, @programs) = @_;
    my %libraries = map { $_ => undef } @programs;
    for my $program (sort keys %libraries) {
        my $text = $self->{run}->(['ldd', $program]) // q{};
        $libraries{$program} = [$text =~ m{^\s+(?:\S+ => )?(/.+) \(0x[0-9a-f]+\)$}mg];
    }
    return \%libraries;
}

1;
