package FreshMachine;

# A machine on which almost nothing is installed. Its tree is not built, its PATH has only the named programs, and its
# Perl is perl-base.

use strict;
use warnings;

use parent 'TestRun';

use File::Copy ();
use File::Temp ();

use Place qw(content path_of touch);

my $HOME = $TestRun::HOME;
my @OWN  = qw(CC CFLAGS MAKE DISPLAY UB_BINDIR UB_GCC_OPTIONS DEBIAN_FRONTEND ASSUME_ALWAYS_YES);

# Takes named arguments, all optional:
#     programs  [names of programs that t/bin/fresh stands for]
#     things    [names of files in the directory STATE]
#     user      whether an ordinary user runs it
#     env       { NAME => value }
sub new {
    my ($class, %with) = @_;
    my $self = bless { place => File::Temp->newdir, owner => $$, env => {}, %with }, $class;
    chmod 0755, $self->place or die "chmod: $!\n";
    mkdir $self->place($_) or die "mkdir: $!\n" for qw(path state tree tree/pgms tree/src results tmp);
    symlink "$HOME/$_", $self->place('tree', $_)
        or die "symlink: $!\n"
        for grep { -e "$HOME/$_" } qw(features lib build testdir);
    File::Copy::copy("$HOME/$_", $self->place('tree', $_)) or die "$_: $!\n" for qw(Run Makefile pgms/index.base);
    touch(map { $self->place($_) } qw(tree/pgms/gfx-x11 tree/src/ubgears.c),
        map { "state/$_" } @{ $with{things} || [] });
    symlink "$HOME/t/bin/fresh", $self->place('path', $_)
        or die "symlink: $!\n"
        for 'locale', @{ $with{programs} || [] };
    symlink $^X,                              $self->place('path', 'perl') or die "symlink: $!\n";
    symlink path_of('env') // '/usr/bin/env', $self->place('path', 'env')  or die "symlink: $!\n";
    chmod 01777, map { $self->place($_) } qw(path state tree/pgms results tmp);
    return $self;
}

# Runs Run with these words; returns the hash of TestRun::waited with one more key: asked, the calls of the programs, a
# line each.
sub run {
    my ($self, @words) = @_;
    local %ENV = %ENV;
    delete @ENV{@OWN};
    my @user = $self->{user} ? ($^X, "$HOME/t/bin/as-nobody") : ();
    my $run  = $self->started_by(@user, $^X, $self->place('tree', 'Run'), @words);
    return { %{ TestRun::waited($run) }, asked => $self->_asked };
}

sub _env {
    my ($self) = @_;
    return {
        PATH         => $self->place('path'),
        PERL5LIB     => "$HOME/t/lib",
        PERL5OPT     => '-MPerlBase',
        STATE        => $self->place('state'),
        FULL_PERL    => $self->place('state', 'perl'),
        COUNT        => "$HOME/t/bin/count",
        UB_TMPDIR    => $self->place('tmp'),
        UB_RESULTDIR => $self->place('results'),
        UB_CALLED_AS => "./Run",
        %{ $self->{env} },
    };
}

sub _asked {
    my ($self) = @_;
    return [map { s{\Q$self->{place}\E/}{}r } split /\n/, content($self->place('state', 'asked'))];
}

1;
