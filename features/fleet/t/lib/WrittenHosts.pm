package WrittenHosts;

# Results of hosts in files, and the lists that the command fleet makes of them.

use strict;
use warnings;

use Exporter 'import';

use Fixture qw(baseline host measured rendered result run steady_result);
use Place   qw(place write_file);
use UnixBench::Accept::Requirement;
use UnixBench::Features qw(loaded);
use UnixBench::Fleet::Command;
use UnixBench::Plan::Baseline;

our @EXPORT_OK = qw(host_file json list list_since PLACE);

use constant { PLACE => place(), DAY_S => 86_400 };

my $BASELINE = UnixBench::Plan::Baseline::parse(baseline());

# Takes a name, runs and facts; writes the JSON of that result and returns its path.
sub json { my ($name, @given) = @_; return _write($name, \&result, @given) }

sub _write {
    my ($name, $made, $runs, %facts) = @_;
    return write_file(PLACE . "/$name", rendered(json => $made->($runs, %facts)));
}

# Takes the name of a host, a factor for its speed, [disturbances] of its passes, and facts; writes a result whose
# passes vary by the fraction "spread", with the numbers of copies in "copies" (one copy by default), the parts of its
# host in "of_host", that many "days" later than usual, as the file "file", and of a machine that does not vary from run
# to run if is_steady is set. "change" takes a test, and returns it changed. Returns its path.
sub host_file {
    my ($name, $factor, $tags,   %with)      = @_;
    my ($file, $spread, $copies, $is_steady) = delete @with{qw(file spread copies is_steady)};
    my ($of_host, $days, $change) = delete @with{qw(of_host days change)};
    $spread //= 0.002;
    my @runs;
    for my $number (@{ $copies || [1] }) {
        my @tests = map { measured($_, $number, map { $factor * 1e6 * (1 + $spread * $_) } -2 .. 2) } qw(pipe syscall);
        $_->{tags} = $tags for map { @{ $_->{passes} } } @tests;
        push @runs, run($number, map { $change ? $change->($_) : $_ } @tests);
        $runs[-1]{$_} += ($days // 0) * DAY_S for qw(started ended);
    }
    return _write(
        $file // "$name.json", $is_steady ? \&steady_result : \&result, \@runs,
        host => host(name => $name, %{ $of_host || {} }),
        %with
    );
}

# Takes [the tries of a list, or paths of results] and requirements; returns the list of hosts, or the error.
sub list { my ($given, @requirements) = @_; return list_since($given, undef, @requirements) }

# Takes the same, with those of an earlier time or undef after the first; returns the same.
sub list_since {
    my ($now, $then, @requirements) = @_;
    my %options = (requirements => [map { UnixBench::Accept::Requirement::of_word($_) } @requirements]);
    my ($of, $earlier) = map { $_ && { (ref $_->[0] ? 'tries' : 'files') => $_ } } $now, $then;
    my %with = (options => \%options, baseline => $BASELINE, now => $of);
    @with{qw(then earlier)} = ($earlier, loaded('Since::Fleet')) if $earlier;
    return eval { UnixBench::Fleet::Command::list(%with) } // $@;
}

1;
