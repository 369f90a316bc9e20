package UnixBench::Store::Originals;

# The programs, scripts and input files of the tests, and the files of the system that these run, as they were when the
# run began. A test is not measured if one of its files was replaced.

use strict;
use warnings;

use File::Basename qw(basename);

use UnixBench::Base::Arguments       qw(named);
use UnixBench::Base::Halt            ();
use UnixBench::Store::SystemIdentity ();

# Takes plan, settings and digests: { name => SHA-256 } as in the result, see UnixBench::Store::SystemIdentity.
# Optionally takes system, a UnixBench::Store::SystemFiles, and their digests as in the result, system_digests.
sub new {
    my ($class, @given) = @_;
    my $given = named(\@given, qw(plan settings digests system system_digests));
    my ($plan, $settings, $digests) = @$given{qw(plan settings digests)};
    my $self   = bless { %$given, files => {}, digest => {} }, $class;
    my $script = $digests->{ UnixBench::Store::SystemIdentity::SCRIPT() };
    my %of_name;
    for my $test (@{ $plan->{tests} }) {
        my @paths = UnixBench::Store::SystemIdentity::paths($test, $settings);
        $self->{files}{ $test->{name} } = \@paths;
        $of_name{ basename($_) }        = $_ for grep { -f } @paths;
        $self->{is_missing}{$_}         = 1 for grep { !-f && index($_, "$settings->{bindir}/") == 0 } @paths;
        $self->{digest}{ $test->{load}{script}{path} } = $script if $test->{load} && defined $script;
    }
    $self->{digest}{ $of_name{$_} } //= $digests->{$_} for grep { defined $digests->{$_} } keys %of_name;
    $self->{place} = { map { $_ => _place($_) } @$settings{qw(bindir testdir)} };
    return $self;
}

# Takes a test of the plan. Dies with one line if a file that it uses has changed since the run began. Dies with a
# UnixBench::Base::Halt if a whole directory was removed or replaced.
sub check {
    my ($self, $test) = @_;
    my $places = $self->{place};
    for my $directory (sort keys %$places) {
        die UnixBench::Base::Halt->new(
            line => "the directory $directory was removed or renamed while the run was under way\n")
            if !-d $directory;
    }
    for my $path (@{ $self->{files}{ $test->{name} // q{} } || [] }) {
        my $what = $self->_what_happened_to($path) // next;
        my ($moved) = grep { _place($_) ne $places->{$_} && index($path, "$_/") == 0 } sort keys %$places;
        die UnixBench::Base::Halt->new(line => "the directory $moved was replaced while the run was under way\n")
            if defined $moved;
        die $self->_shown($path) . " was $what while the run was under way\n";
    }
    return $self->{system} && $self->_check_system($test);
}

# Dies with one line if a file of the system that the test uses has changed since the run began.
sub _check_system {
    my ($self,   $test)    = @_;
    my ($system, $digests) = @$self{qw(system system_digests)};
    my $names = $system->of_test($test);
    for my $word (sort keys %$names) {
        my ($path, $was) = ($system->path_of($word), $digests->{ $names->{$word} });
        next if !defined $path && !defined $was;
        die "$word was removed while the run was under way\n" if !defined $path;
        die "$path was added while the run was under way\n" if !defined $was;
        die "$path was replaced while the run was under way\n"
            if UnixBench::Store::SystemIdentity::digest($path) ne $was;
    }
    return;
}

# Takes a path; returns "replaced", "removed" or "added", or nothing if the file is unchanged.
sub _what_happened_to {
    my ($self, $path) = @_;
    my $digest = $self->{digest};
    return defined $digest->{$path} ? 'removed' : undef if !-f $path;
    return 'added' if $self->{is_missing}{$path};
    my $now = UnixBench::Store::SystemIdentity::digest($path);
    return 'replaced' if $now ne ($digest->{$path} //= $now);
    return;
}

sub _shown {
    my ($self, $path) = @_;
    my $home = $self->{settings}{home} // return $path;
    return $path =~ s{\A\Q$home\E/}{}r;
}

sub _place {
    my ($directory) = @_;
    return join q{:}, (stat $directory)[0, 1];
}

1;
