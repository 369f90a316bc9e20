package UnixBench::Command::Rank;

# Lists the published indexes of other machines, with that of a result among them.

use strict;
use warnings;

use UnixBench::Base::Number qw(fixed);
use UnixBench::Base::Text   qw(clean);

use constant ABOUT => <<'END';

Indexes of one copy, as people have published them. They were measured with other compilers, versions, systems and file
systems, so the place is only a rough guide.
END

use constant NONE => <<'END';
No result in the directory of results can be ranked: none has a complete index of one copy by the unchanged procedure.
Measure one: ./Run -c 1
END

my $NOT_RANKED =
    q{can't be ranked: it has no complete index of one copy by the unchanged procedure; measure one: ./Run -c 1};

# Returns the declaration, see UnixBench::CLI::Declaration.
sub declaration {
    return {
        takes     => 'result',
        arguments => '[RESULT]',
        most      => 1,
        purpose   => 'list published indexes of other machines, with a result among them',
        about     => 'Without RESULT, the newest result that can be ranked is used.',
        options   => [],
    };
}

# Takes a UnixBench::Call::Call; finds the file of the result. Dies with one line if there is none.
sub check {
    my ($call) = @_;
    my $options = $call->options;
    $options->{words} = [map { $call->file($_) } @{ $options->{words} }];
    return;
}

# Takes the same; prints the list. Returns the outcome, "done", "failed" or "wrong usage".
sub run {
    my ($call) = @_;
    my ($path) = @{ $call->options->{words} };
    return ranked(path => $path, names => $call->names, console => $call->console, home => $call->home);
}

# Takes
#   home     the suite's directory
#   path     the file of the result, or undef for the newest one that can be ranked
#   names    UnixBench::Store::ResultNames
#   console  UnixBench::CLI::Console
# Prints the list. Returns the outcome.
sub ranked {
    my (%with) = @_;
    require UnixBench::Compare::Published;
    my @published = UnixBench::Compare::Published::results($with{home});
    die UnixBench::Compare::Published::FILE() . " is missing: unpack or install the suite again\n" if !@published;
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
    require UnixBench::Store::ResultFile;
    my $result = UnixBench::Store::ResultFile::result($path);
    my $rank   = UnixBench::Compare::Published::rank($result, @published) or return;
    require UnixBench::Report::Plain;
    require UnixBench::Report::Wording;
    my $machine = UnixBench::Report::Plain::in_plain(UnixBench::Report::Wording::machine_in_brief($result));
    my $text    = "this result: $result->{host}{name}, $machine, version $result->{version}";
    return { index => $rank->{index}, text => $text };
}

sub _text {
    my ($own, @published) = @_;
    my @lines = map { { index => $_->{index}, text => _published($_) } } @published;
    @lines = sort { $a->{index} <=> $b->{index} } @lines, $own || ();
    return join q{}, map({ _line($_, $own) } @lines), ABOUT, $own ? () : NONE;
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
