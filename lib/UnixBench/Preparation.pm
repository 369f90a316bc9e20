package UnixBench::Preparation;

# Before measuring: what is missing is named or installed, programs that are missing or out of date are
# built. Works on the smallest Perl, since it may have to install the rest of Perl.

use strict;
use warnings;

use UnixBench::Build    ();
use UnixBench::Catalog  ();
use UnixBench::Host     ();
use UnixBench::Process  ();
use UnixBench::Settings ();
use UnixBench::Setup    ();

# Set for a Run that was started again after an installation.
use constant MARK => 'UB_SETUP_DONE';

# Takes home, options, settings, and warn => function that shows a line to the user.
sub new {
    my ($class, %with) = @_;
    my $self = bless {%with}, $class;
    $self->{host}  = UnixBench::Host->new(run => \&UnixBench::Process::output_of);
    $self->{build} = UnixBench::Build->new(dir => $self->{home}, cpu_kind => $self->{host}->cpu_kind);
    return $self;
}

# The tests asked for whose program is here or can be built.
sub available_tests {
    my ($self) = @_;
    return grep { $self->_is_there($_) } @{ $self->{options}{tests} };
}

# Names what is missing, or, with --setup, installs it and starts Run again with the same words.
# Dies when something is missing without which nothing can be measured.
sub set_up {
    my ($self, @words) = @_;
    my $setup = UnixBench::Setup->new(
        which      => \&_which,
        has_module => \&_has_module,
        has_header => \&_has_header,
        has_locale => \&_has_locale,
        euid       => $>,
    );
    my @missing = $setup->missing(
        tests    => [$self->available_tests],
        is_build => defined $self->_why_build,
    );
    my $was_done = delete $ENV{ MARK() };
    return if !@missing;
    return $self->_install($setup, \@missing, @words) if $self->{options}{setup} && !$was_done;
    my $message = $setup->message(@missing) . "\n";
    die $message if grep { $_->{required} } @missing;
    $self->{warn}->($message);
    return;
}

# Builds what has to be built. Dies when that fails.
sub build {
    my ($self) = @_;
    return if !$self->{settings}{own_bindir};
    my $refusal = $self->{build}->refusal;
    die "$refusal\n" if defined $refusal;
    my $why = $self->_why_build;
    return if !defined $why;
    my @quiet = $self->{options}{quiet} ? ('--silent') : ();
    my $status = UnixBench::Process::run_in_foreground([$self->{build}->command, @quiet]);
    UnixBench::Process::die_as($status);
    die "the programs can't be built ($why): make failed, see its messages above\n" if $status;
    return;
}

sub _why_build {
    my ($self) = @_;
    return if !$self->{settings}{own_bindir};
    return $self->{build}->needs([$self->_programs]);
}

# The programs that the tests asked for need and that are built from the tree's sources.
sub _programs {
    my ($self) = @_;
    my %seen;
    return grep { !$seen{$_}++ && $self->{build}->can_make($_) }
        map { UnixBench::Catalog::test($_)->{command}[0] } @{ $self->{options}{tests} };
}

sub _is_there {
    my ($self, $name) = @_;
    my $program = UnixBench::Catalog::test($name)->{command}[0];
    return -e "$self->{settings}{bindir}/$program" || $self->{build}->can_make($program);
}

sub _install {
    my ($self, $setup, $missing, @words) = @_;
    my @commands = $setup->commands(@$missing);
    die $setup->message(@$missing) . "\n" if !@commands || ($> != 0 && !_which('sudo'));
    for my $command (@commands) {
        my $status = UnixBench::Process::run_in_foreground($command);
        UnixBench::Process::die_as($status);
        die "could not install what is missing: \"@$command\" failed\n" if $status;
    }
    local $ENV{ MARK() } = 1;
    exec {$^X} $^X, "$self->{home}/Run", @words or die "can't start $^X again: $!\n";
}

sub _which {
    my ($program) = @_;
    return -x $program if $program =~ m{/};
    return scalar grep { -x "$_/$program" && !-d _ } split /:/, $ENV{PATH} // q{};
}

sub _has_module {
    my ($module) = @_;
    (my $path = "$module.pm") =~ s{::}{/}g;
    return eval { require $path; 1 };
}

sub _has_header {
    my ($header) = @_;
    my $compiler = (split ' ', $ENV{CC} // q{})[0] // 'cc';
    my @places   = ('/usr/include', '/usr/local/include', glob '/usr/include/*-linux-*');
    return 1 if grep { -e "$_/$header" } @places;
    return defined UnixBench::Process::output_of([$compiler, '-E', '-include', $header, '-x', 'c', '/dev/null']);
}

sub _has_locale {
    my ($locale) = @_;
    my $text = UnixBench::Process::output_of(['env', "LC_ALL=$locale", 'locale', 'charmap']);
    return !defined $text || $text =~ /\AUTF-8/;
}

1;
