package UnixBench::Setup::Preparation;

# Prepares a machine for measuring: names or installs missing software, and builds the programs. Works with the smallest
# Perl, since it may have to install the rest of Perl.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Arguments  qw(named);
use UnixBench::Base::Text       qw(listed unique);
use UnixBench::Catalog          ();
use UnixBench::Process::Command ();
use UnixBench::Setup::Build     ();
use UnixBench::Setup::Software  ();

# The environment variable that is set if Run was started again after an installation.
use constant MARK => 'UB_SETUP_DONE';

# The lists of fonts of X servers on different systems, and a pattern for the fonts that the tests of text use.
my @FONTS = map { "$_/misc/fonts.dir" } qw(/usr/share/fonts/X11 /usr/share/X11/fonts /usr/share/fonts
    /usr/share/fonts/xorg /usr/local/share/fonts /opt/X11/share/fonts /opt/homebrew/share/fonts/X11);
my $IS_FOR_X11 = qr/-jisx0208[.]1983-/;

# Takes home, options, settings, warn => function that shows a line to the user, inform => function that prints one, and
# host => UnixBench::Host::Machine. Optionally takes answer => the standard output that was reserved for the final
# report.
sub new {
    my ($class, @given) = @_;
    my $self = bless named(\@given, qw(home options settings warn inform host answer)), $class;
    $self->{build} = UnixBench::Setup::Build->new(dir => $self->{home}, cpu_kind => $self->{host}->cpu_kind);
    return $self;
}

# Takes the words of the command line. Names missing software or, with --setup, installs it and starts Run again with
# the same words. Dies if required software is missing, or if --setup can't install it.
sub set_up {
    my ($self, @words) = @_;
    my $was_done = delete $ENV{ MARK() };
    my @missing  = $self->_missing or return;
    my $software = $self->_software;
    my @commands = $self->{options}{setup} && !$was_done ? $software->commands(@missing) : ();
    return $self->_install($software, \@missing, \@commands, @words) if @commands;
    my $message = ($was_done ? $software->failure(@missing) : $software->message(@missing)) . "\n";
    die $message if grep { $_->{required} } @missing;
    $self->{warn}->($message);
    return;
}

# Builds the programs if necessary. Optionally takes names of programs that are needed besides those of the tests.
# Prints one line about it, what the compiler says about a program that is needed, and a line about each that can't be
# built. Dies if none of the tests has its program, or one of the others is missing. With -v, make prints its commands
# instead of the first line; with -q that is missing.
sub build {
    my ($self, @others) = @_;
    return if !$self->{settings}{own_bindir};
    my $refusal = $self->{build}->refusal;
    die "$refusal\n" if defined $refusal;
    return if !defined $self->_why_build(@others);
    my $lock = $self->{build}->lock($self->{warn});
    return if !defined $self->_why_build(@others);    # another Run may have built them meanwhile
    my ($is_verbose, $is_quiet) = @{ $self->{options} }{qw(verbose quiet)};
    $self->{inform}->("Building the programs\n") if !$is_verbose && !$is_quiet;
    open my $file, '+>', undef or die "can't make a temporary file: $!\n";    # it has no name
    my $status = UnixBench::Process::Command::run_guarded([$self->{build}->command, $is_verbose ? () : '-s'], $file);
    UnixBench::Process::Command::die_as($status);
    seek $file, 0, 0;
    my $said = join q{}, readline $file;
    close $file;
    return $self->_tell_of_build($status, $said, @others);
}

sub _tell_of_build {
    my ($self, $status, $said, @others) = @_;
    my ($build, @needed) = ($self->{build}, $self->_programs, @others);
    my $failures   = $build->failures($said);
    my %is_lacking = map  { $_ => 1 } grep { $failures->{$_} || $status } $build->lacking(\@needed);
    my @there      = grep { !$is_lacking{$_} } @needed;
    my $why        = $status ? $build->needs(\@there) : undef;
    print {*STDERR} $said if !%$failures || %is_lacking || $self->{options}{verbose};
    my ($fatal) = ((grep { $failures->{$_} } 'the programs'), grep { $is_lacking{$_} } @others, @there ? () : @needed);
    die "$fatal can't be built: " . ($failures->{$fatal} // 'see the messages above') . "\n" if defined $fatal;
    die "the programs can't be built ($why): make failed, see its messages above\n" if defined $why;

    for my $name (sort keys %$failures) {
        my @tests = UnixBench::Catalog::tests_by($name);
        $self->{warn}->("$name can't be built" . (@tests ? ', for ' . listed(@tests) : q{}) . ": $failures->{$name}\n");
    }
    return;
}

# Returns what set_up() and build() would find, without changing anything:
#   missing    { run, tests, locale }: for each use { things, text }, or undef. The things are the missing ones, see
#              UnixBench::Setup::Software, and the text is a line about them
#   refusal    the reason why the programs must not be run, or undef
#   why_build  the reason why they have to be built, or undef
#   makes      the path of the input file that the build makes, or undef without a build
sub findings {
    my ($self) = @_;
    my ($is_own, $why_build) = ($self->{settings}{own_bindir}, $self->_why_build);
    my %missing = map { $_ => undef } qw(run tests locale);
    for my $thing ($self->_missing) {
        my $use = $thing->{required} ? 'run' : $thing->{package} eq 'locale' ? 'locale' : 'tests';
        push @{ $missing{$use}{things} }, $thing;
    }
    $_->{text} = $self->_software->message(@{ $_->{things} }) for grep { $_ } values %missing;
    return {
        missing   => \%missing,
        refusal   => $is_own ? scalar $self->{build}->refusal : undef,
        why_build => $why_build,
        makes     => defined $why_build ? "$self->{home}/" . UnixBench::Setup::Build::TEXT : undef,
    };
}

sub _software {
    my ($self) = @_;
    my ($host, $build) = @$self{qw(host build)};
    my ($make) = $build->command;
    return $self->{software} ||= UnixBench::Setup::Software->new(
        has_program => sub { $host->has_program(@_) },
        has_display => sub { defined $host->display },
        has_fonts   => sub { has_fonts($host) },
        has_header  => sub { $self->_has_header(@_) },
        has_locale  => sub { $host->language($_[0])->{charmap} =~ /\AUTF-?8\z/i },
        make        => $make,
        euid        => $>,
        has_sources => $build->has_sources,
    );
}

# Takes UnixBench::Host::Machine; returns whether the fonts of X11 that the tests of text use are installed. A display
# that the user has needs none here.
sub has_fonts {
    my ($host) = @_;
    return 1 if ($host->display // q{}) eq 'given';
    return defined List::Util::first { $host->content($_) =~ $IS_FOR_X11 } @FONTS;
}

sub _missing {
    my ($self) = @_;
    return $self->_software->missing(
        tests    => $self->{options}{tests},
        options  => $self->{options},
        unbuilt  => [map { $_->{name} } $self->_unbuilt],
        is_build => defined $self->_why_build || $self->{options}{setup} && $self->_unbuilt ? 1 : 0,
    );
}

sub _why_build {
    my ($self, @others) = @_;
    return if !$self->{settings}{own_bindir};
    return $self->{build}->needs([$self->_programs, @others]);
}

# Returns the programs that have to be built for the requested tests. Programs of graphics tests are included only if
# they can be built. Programs for another system are left out.
sub _programs {
    my ($self) = @_;
    my @tests = grep { !_is_graphics($_) && _is_for_here($_) } $self->_tests;
    my $can_build =
        !$self->_unbuilt || $self->_software->compilers && $self->_has_header(UnixBench::Setup::Software::GL_HEADER);
    push @tests, $self->_with_sources if $can_build;
    return unique(map { $_->{command}[0] } @tests);
}

# Returns the requested graphics tests whose programs do not exist, but could be built.
sub _unbuilt {
    my ($self) = @_;
    return if !$self->{settings}{own_bindir};
    return grep { !-e "$self->{home}/pgms/$_->{command}[0]" } $self->_with_sources;
}

# Returns the requested graphics tests whose programs have sources. The others are scripts.
sub _with_sources {
    my ($self) = @_;
    return grep { _is_graphics($_) && -e "$self->{home}/src/$_->{command}[0].c" } $self->_tests;
}

sub _is_graphics {
    my ($test) = @_;
    return UnixBench::Catalog::category($test->{category})->{is_graphics};
}

sub _is_for_here {
    my ($test) = @_;
    my $system = UnixBench::Catalog::category($test->{category})->{system};
    return !defined $system || lc $system eq $^O;
}

sub _tests {
    my ($self) = @_;
    return map { UnixBench::Catalog::test($_) } @{ $self->{options}{tests} };
}

sub _install {
    my ($self, $software, $missing, $commands, @words) = @_;
    my $refusal = $software->refusal(@$missing);
    die "$refusal\n" if defined $refusal;
    for my $command (@$commands) {
        my $status = UnixBench::Process::Command::run_in_foreground($command);
        UnixBench::Process::Command::die_as($status);
        die "can't install the missing software: \"@$command\" failed, see its messages above\n" if $status;
    }
    open STDOUT, '>&', $self->{answer} or die "can't restore standard output: $!\n" if $self->{answer};
    local $ENV{ MARK() } = 1;
    return UnixBench::Process::Command::become([$^X, "$self->{home}/Run", @words]);
}

# Returns whether a header exists. Asks the compiler or, if there is no compiler yet, looks in the usual directories.
sub _has_header {
    my ($self, $header) = @_;
    my @compilers = $self->_software->compilers;
    my @places    = ('/usr/include', '/usr/local/include', glob '/usr/include/*-linux-*');
    return grep { -e "$_/$header" } @places if !@compilers;
    my @question = (@{ $compilers[0] }, qw(-E -include), $header, qw(-x c /dev/null));
    return defined UnixBench::Process::Command::output_of(\@question);
}

1;
