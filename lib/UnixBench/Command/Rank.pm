package UnixBench::Command::Rank;

# Lists the published indexes of other machines, with that of a result among them.

use strict;
use warnings;

use UnixBench::Base::Format       qw(clean fixed);
use UnixBench::Compare::Published ();
use UnixBench::Report::Wording    qw(machine_in_brief);
use UnixBench::Store::ResultFile  ();

use constant ABOUT => <<'END';

Indexes of one copy, as people have published them. They were measured with other compilers, versions, systems and file
systems, so the place is only a rough guide.
END

my $NOT_RANKED =
    q{can't be ranked: it has no complete index of one copy by the unchanged procedure; measure one: ./Run -c 1};

# Takes
#   home     the suite's directory
#   path     the file of the result, or undef for the newest one that can be ranked
#   names    UnixBench::Store::ResultNames
#   console  UnixBench::CLI::Console
# Prints the list. Returns "done", "failed" or "wrong usage".
sub run {
    my (%with) = @_;
    my @published = UnixBench::Compare::Published::results($with{home});
    die UnixBench::Compare::Published::FILE . " is missing: unpack or install the suite again\n" if !@published;
    my $own = defined $with{path} ? eval { _ranked($with{path}, @published) } : _newest($with{names}, @published);
    return $with{console}->inform(_text($own, @published)) ? 'done' : 'failed' if $own || !defined $with{path};
    $with{console}->refuse($@ || clean($with{path}) . " $NOT_RANKED");
    return 'wrong usage';
}

# Returns the newest result that can be ranked, or undef.
sub _newest {
    my ($names, @published) = @_;
    for my $path ($names->newest_first) {
        my $own = eval { _ranked($path, @published) };
        return $own if $own;
    }
    return;
}

# Returns the line about a result, { index, text }, or undef if it can't be ranked.
sub _ranked {
    my ($path, @published) = @_;
    my $result = UnixBench::Store::ResultFile::result($path);
    my $rank   = UnixBench::Compare::Published::rank($result, @published) or return;
    my $text   = "this result: $result->{host}{name}, " . machine_in_brief($result) . ", version $result->{version}";
    return { index => $rank->{index}, text => $text };
}

sub _text {
    my ($own, @published) = @_;
    my @lines = map { { index => $_->{index}, text => _published($_) } } @published;
    @lines = sort { $a->{index} <=> $b->{index} } @lines, $own || ();
    return join q{}, map({ _line($_, $own) } @lines), ABOUT;
}

sub _line {
    my ($line, $own) = @_;
    my $mark = $own && $line == $own ? q{>} : q{ };
    return sprintf "%s %8s  %s\n", $mark, fixed($line->{index}), clean($line->{text});
}

sub _published {
    my ($published) = @_;
    my $name        = UnixBench::Compare::Published::name_of($published);
    my $times       = $published->{results} > 1 ? ", mean of $published->{results}" : q{};
    return "$name (version $published->{version}, $published->{year}, $published->{source}$times)";
}

1;
