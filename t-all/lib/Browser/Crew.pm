package Browser::Crew;

# Several worker processes that share a list of tasks.

use strict;
use warnings;

use Exporter 'import';
use File::Temp ();
use JSON::PP   ();
use POSIX      ();

our @EXPORT_OK = qw(crew_of shared);

use constant { MOST => 4, PLACE => 4 };    # processes; bytes of a number

# Returns the number of CPUs of this machine, at most MOST.
sub crew_of {
    my ($count) = qx(getconf _NPROCESSORS_ONLN 2>/dev/null) =~ /^(\d+)/;
    return !$count ? 1 : $count > MOST ? MOST : $count;
}

# Takes the largest number of workers, a function that each worker calls once to get its work function, and things.
# Returns for each thing, in order, what the work function returned for it, as data, or { died => why }.
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
    return map { $done{$_} || { died => 'no process did it' } } 0 .. $#things;
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
