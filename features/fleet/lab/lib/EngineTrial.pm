package EngineTrial;

# A place in which the examples of docs/fleet.md are tried: an unpacked fake release, which is /srv on all hosts. Its
# programs note when they run. On a host NAME, they fail if there is a file broken-NAME, and are slow with slow-NAME.

use strict;
use warnings;

use Cwd            qw(abs_path);
use File::Basename qw(dirname);
use File::Copy     ();
use File::Temp     ();

use FakeRelease  qw(fake_release);
use Guide        qw(block);
use NetworkHosts ();

my $ROOT = abs_path(dirname(__FILE__) . '/../../../..');

my $PROGRAM = <<'END';
name=$(uname -n) count=1000000000 root=${0%/*}/..
[ ! -e "$root/broken-$name" ] || { echo 'ERROR|it is broken' >&2; exit 1; }
[ ! -e "$root/slow-$name" ] || count=1000
note() { [ ! -e /srv/Run ] || echo "$1 $name" >> /srv/passes; }
note begin
sleep 0.02
note end
printf 'COUNT|%d|0|lps\n' "$count" >&2
END

# Takes names of hosts; starts them.
sub new {
    my ($class, @names) = @_;
    my $self = bless { place => File::Temp->newdir }, $class;
    chmod 0755, $self->path or die "chmod: $!\n";
    $self->{release} = fake_release($self->path, program => $PROGRAM);
    $self->run("tar -x --strip-components=1 -f unixbench-*.tar.xz && cp -R '$ROOT/features' '$ROOT/docs' .") == 0
        or die "the release can't be unpacked\n";
    $self->{hosts} = NetworkHosts->new({ shared => $self->path }, @names);
    return $self;
}

sub hosts { my ($self) = @_; return $self->{hosts} }

# Takes the name of a file of the place, or nothing; returns its path.
sub path { my ($self, @name) = @_; return join q{/}, "$self->{place}", @name }

# Takes the beginning of a line; returns the commands of docs/fleet.md that have such a line.
sub commands { my ($self, $beginning) = @_; return block($self->text('docs/fleet.md'), $beginning) }

# Takes a shell script; runs it in the place. Its output is added to the file "said". Returns its exit status.
sub run {
    my ($self, $script) = @_;
    return $self->begun($script)->();
}

# Takes the same; starts it. Returns a function that waits for its end, and returns its exit status.
sub begun {
    my ($self, $script) = @_;
    my $pid = fork // die "fork: $!\n";
    if (!$pid) {
        chdir $self->path or die "chdir: $!\n";
        @ENV{qw(release PARALLEL_HOME HOME)} =
            (($self->{release} // q{}) =~ s{.*/}{}r, $self->path('parallel'), $self->path);
        mkdir 'parallel';
        open STDIN,  '<',  '/dev/null' or die "stdin: $!\n";
        open STDOUT, '>>', 'said'      or die "said: $!\n";
        open STDERR, '>&', \*STDOUT    or die "stderr: $!\n";
        exec 'sh', '-c', $script or die "sh: $!\n";
    }
    return sub { waitpid $pid, 0; return $? >> 8 };
}

# Takes the name of a file and its text; writes it.
sub write {
    my ($self, $name, $text) = @_;
    open my $file, '>', $self->path($name) or die "$name: $!\n";
    print {$file} $text;
    close $file or die "$name: $!\n";
    return;
}

# Takes the name of a file; returns its text, empty if there is none.
sub text {
    my ($self, $name) = @_;
    open my $file, '<', $self->path($name) or return q{};
    local $/ = undef;
    my $text = readline $file;
    close $file;
    return $text // q{};
}

# Takes names of hosts; returns those that measured, in this order, without repetitions: "node1 node2 node1" if the runs
# of the two have mixed, or if node1 was measured in two parts.
sub order_of {
    my ($self, @names) = @_;
    my $names = join q{|}, @names;
    my @seen  = $self->text('passes') =~ /^(?:begin|end) ($names)$/mg;
    return join q{ }, map { $_ && $seen[$_] eq $seen[$_ - 1] ? () : $seen[$_] } 0 .. $#seen;
}

1;
