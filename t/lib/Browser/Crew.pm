package Browser::Crew;

# Several processes that share the work.

use strict;
use warnings;

use Exporter 'import';
use File::Temp ();
use JSON::PP   ();
use POSIX      ();

our @EXPORT_OK = qw(crew_of shared);

use constant { MOST => 4, PLACE => 4 };    # processes; bytes of a number

# How many processes this machine has CPUs for.
sub crew_of {
    my ($count) = qx(getconf _NPROCESSORS_ONLN 2>/dev/null) =~ /^(\d+)/;
    return !$count ? 1 : $count > MOST ? MOST : $count;
}

# Takes the most processes that are to work, one that makes a function in each, and things; returns for each thing, in
# their order, what that function returns of it, as data, or { died => why }.
sub shared {
    my ($count, $make, @things) = @_;
    $count = @things if $count > @things;
    pipe my $next, my $all or die "pipe: $!\n";
    syswrite $all, pack 'N*', 0 .. $#things;
    close $all;
    my @notes = map { File::Temp->new } 1 .. $count;
    my @crew  = map { _started($_, $next, $make, @things) } @notes;
    local $SIG{INT}  = sub { kill TERM => @crew; exit 1 };
    local $SIG{TERM} = $SIG{INT};
    waitpid $_, 0 for @crew;
    my %done = map { @$_ } map { _notes($_) } @notes;
    return map { $done{$_} || { died => 'nobody has done it' } } 0 .. $#things;
}

sub _started {
    my ($notes, $next, $make, @things) = @_;
    my $pid = fork // die "fork: $!\n";
    return $pid if $pid;
    my $work = eval { $make->() };
    my $why  = $@;
    while (sysread($next, my $bytes, PLACE) == PLACE) {
        my $place = unpack 'N', $bytes;
        my $done  = $work && eval { $work->($things[$place]) } || { died => $why || $@ };
        print {$notes} JSON::PP->new->ascii->encode([$place, $done]), "\n";
    }
    undef $work;
    $notes->flush;
    POSIX::_exit(0);
}

sub _notes {
    my ($notes) = @_;
    open my $file, '<', "$notes" or die "$notes: $!\n";
    return map { JSON::PP::decode_json($_) } <$file>;
}

1;
