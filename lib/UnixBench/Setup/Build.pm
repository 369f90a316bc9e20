package UnixBench::Setup::Build;

# The build of the programs in the tree's own pgms: whether it is necessary, its command, and its record.

use strict;
use warnings;

use Errno      qw(EWOULDBLOCK);
use Fcntl      qw(LOCK_EX LOCK_NB O_RDONLY);
use List::Util ();
use POSIX      ();

use UnixBench::Base::Arguments qw(named);
use UnixBench::Base::Files     ();

# The text of the grep test, which the build makes.
use constant TEXT => 'testdir/large.txt';

# A line of a compiler or linker with an error.
my $IS_ERROR = qr/\berror\b|undefined|unsupported|unrecognized|can(?:no|'|)t\b|not found|No such file/i;

# Takes dir => the tree, and cpu_kind => that of this machine, or undef, see UnixBench::Host::Machine. Optionally takes
# env => the environment, by default that of this program. Optionally takes may_write => function that takes a directory
# and returns whether this program may write into it.
sub new {
    my ($class, @given) = @_;
    return bless {
        env       => \%ENV,
        may_write => sub { POSIX::access($_[0], POSIX::W_OK()) },
        %{ named(\@given, qw(dir cpu_kind env may_write)) },
    }, $class;
}

# Takes the names of programs. Returns why they, or the text of the grep test, have to be made. Returns undef if they
# are up to date, or if nothing can be built here because there is no Makefile or pgms is read-only.
sub needs {
    my ($self, $names) = @_;
    return unless $self->can_build;
    return $self->_missing($names) || $self->_out_of_date($names) || $self->_other_flags || $self->_other_cpu;
}

# Returns whether this tree has a Makefile and sources, and whether the programs can be written.
sub can_build {
    my ($self) = @_;
    my $dir = $self->{dir};
    return $self->has_sources && $self->{may_write}->(-d "$dir/pgms" ? "$dir/pgms" : $dir);
}

# Returns whether this tree has a Makefile and sources. A package and a static release have none.
sub has_sources {
    my ($self) = @_;
    return -e "$self->{dir}/Makefile" && -d "$self->{dir}/src";
}

# Returns why the programs must not be run: they were built for another kind of CPU and can't be built again. Else
# returns undef.
sub refusal {
    my ($self) = @_;
    return if $self->can_build;
    my $reason = $self->_other_cpu or return;
    return "$reason; they can't be built again here, because $self->{dir} is read-only or has no sources";
}

# Returns the command that builds the programs, as a list of words.
sub command {
    my ($self) = @_;
    my $make = $self->{env}{MAKE} || ($^O =~ /bsd|dragonfly|solaris/ ? 'gmake' : 'make');
    return (split(' ', $make), '--no-print-directory', '-C', $self->{dir}, 'PROGDIR=pgms', 'programs');
}

# Takes what make and the compiler have printed on standard error. Returns { what can't be built => the first line with
# its error }: the name of a program, or "the programs" if nothing can.
sub failures {
    my ($self, $said) = @_;
    my %failures;
    while ($said =~ /\G(.*?)^(the programs|\S+) can't be built\n/gms) {
        my ($name, @lines) = ($2, split /\n/, $1);
        $failures{$name} = (List::Util::first { /$IS_ERROR/ } @lines) // $lines[0] // 'see the messages above';
    }
    return \%failures;
}

# Takes the names of programs; returns those that do not exist.
sub lacking {
    my ($self, $names) = @_;
    return grep { !-x "$self->{dir}/pgms/$_" } @$names;
}

# Takes a function. Waits until no other Run builds in this tree. Returns a lock that makes others wait as long as it
# exists, in this program or in a guardian. Before it waits, calls the function with a line about it. Accepts file
# systems without locks.
sub lock {    ## no critic (ProhibitBuiltinHomonyms)
    my ($self, $tell) = @_;
    sysopen my $lock, "$self->{dir}/src", O_RDONLY or return;
    return $lock if flock($lock, LOCK_EX | LOCK_NB) || $! != EWOULDBLOCK;
    $tell->("another Run is building the programs in $self->{dir}: waiting for its end\n");
    flock $lock, LOCK_EX;
    return $lock;
}

# Takes the directory of the programs, by default the tree's own, and perhaps the name of the program that measures
# execl. Returns the record of the build, { compiler, version, flags, ldflags, libc, time }, or undef if there is none.
# It has cpu if the programs are for one kind of CPU, and portable if they were built for all. As the score of execl
# depends on its file, the record also describes this file, if it is known: execl_size, execl_linking, execl_machine,
# execl_build_id and execl_cksum. A package may have removed symbols from the file since the build.
sub record {
    my ($self, $bindir, $execl) = @_;
    $bindir //= "$self->{dir}/pgms";
    $execl  //= 'execl';
    my $record = record_in(UnixBench::Base::Files::content("$bindir/build.info") // q{}, $execl) or return;
    my $bytes  = -s "$bindir/$execl";
    return $record if !defined $bytes;
    return { %$record, execl_size => join ': ', "$bytes bytes", $record->{execl_size} // () };
}

# Takes the text of such a record, and perhaps the name of the program that measures execl; returns the same, without
# the size of its file.
sub record_in {
    my ($text, $execl) = @_;
    $execl //= 'execl';
    my %record = $text =~ /^([\w.]+)=(.*)$/mg;
    return if !defined $record{compiler} || !defined $record{flags};
    my %known = map { $_ => delete $record{$_} } grep { /_/ } keys %record;
    return { %record, map { /\A\Q$execl\E_(.*)/ ? ("execl_$1" => $known{$_}) : () } keys %known };
}

sub _missing {
    my ($self, $names) = @_;
    my $text = "$self->{dir}/" . TEXT;
    return TEXT . ' is not made' if !-e $text;
    my ($name) = $self->lacking($names);
    return defined $name ? "$name is not built" : undef;
}

# Takes the names of programs. Returns why they are out of date, or undef. As for the Makefile, one source that is newer
# than the record is enough.
sub _out_of_date {
    my ($self, $names) = @_;
    return 'there is no record of the build' unless $self->record;
    my $built  = _changed("$self->{dir}/pgms/build.info");
    my $source = List::Util::first { _changed($_) > $built } $self->_sources;
    return 'the programs are older than ' . substr $source, 1 + length $self->{dir} if defined $source;
    my $name = List::Util::first { _changed("$self->{dir}/pgms/$_") < $built } @$names;
    return defined $name ? "$name is older than the record of the build" : undef;
}

# Returns how the compiler or the flags differ from those of the record, or nothing. Compares only what the user sets
# now: programs that were built with special flags before stay as they are. In a portable build, the flags have another
# order, and the record has no paths. Levels of optimisation count in UB_GCC_OPTIONS only, see the Makefile.
sub _other_flags {
    my ($self) = @_;
    my ($env, $record) = ($self->{env}, $self->record);
    my ($compiler, $chosen, @usual) = map { $_ // '' } @$env{qw(CC UB_GCC_OPTIONS CPPFLAGS CFLAGS)};
    $compiler =~ s{\A\S*/}{} if $record->{portable};
    return "the programs were built by $record->{compiler}, not $compiler"
        if length $compiler && $compiler ne $record->{compiler};
    my $others = join ' ', grep { !/\A(?:-O|--optimize(?:=|\z))/ } split ' ', "@usual";
    my $flags  = join ' ', split ' ', join ' ', $record->{portable} ? ($chosen, $others) : ($others, $chosen);
    return "the programs were built with $record->{flags}, not $flags" if length $chosen && $flags ne $record->{flags};
    return;
}

# Returns why the programs may not run on this CPU, or nothing. An unknown CPU is not another one.
sub _other_cpu {
    my ($self) = @_;
    my $record = $self->record or return;
    return if $record->{flags} !~ /=native\b/ || grep { !defined } my @kinds = ($record->{cpu}, $self->{cpu_kind});
    return if $kinds[0] eq $kinds[1];
    return "the programs were built for another CPU ($record->{cpu}; this is $self->{cpu_kind})";
}

# Returns the sources, also those of features. A program of many files has a directory of its own, with directories in
# it. The C files of tests are none.
sub _sources {
    my ($self)   = @_;
    my $dir      = $self->{dir};
    my @features = map  { "$dir/features/$_" } _names_in("$dir/features");
    my @files    = grep { m{[.][ch]\z} && !m{/t/[^/]+\z} } map { _below($_) } "$dir/src", map { "$_/src" } @features;
    return ("$dir/Makefile", "$dir/build/record.sh", (map { "$_/build.mk" } @features), @files);
}

sub _below {
    my ($directory) = @_;
    return map { -d ? _below($_) : $_ } map { "$directory/$_" } _names_in($directory);
}

sub _names_in {
    my ($directory) = @_;
    return grep { !/\A[.]/ } UnixBench::Base::Files::names_in($directory);
}

sub _changed {
    my ($path) = @_;
    return (stat $path)[9] || 0;
}

1;
