package UnixBench::Fleet::Command;

# Reports a fleet of any size: hosts that were measured, and hosts that were not.

use strict;
use warnings;

use UnixBench::Base::Text        ();
use UnixBench::Call::Output      ();
use UnixBench::Features          ();
use UnixBench::Fleet::File       ();
use UnixBench::Fleet::Report     ();
use UnixBench::Fleet::Results    ();
use UnixBench::Fleet::Standing   ();
use UnixBench::Report::Formats   ();
use UnixBench::Store::ResultFile ();

use constant LIST => 'machines.csv';    # of the collection, in its directory of results

# A feature may say what is different from an earlier fleet: it declares an option whose value names that, and of_fleets
# => { key of the option => class }. The class has these methods; a list is that of UnixBench::Fleet::Wording:
#   added      takes a list, [hosts of the earlier one], [requirements on ratios], and the parsed index.base; returns
#              further keys of the list; is_worse is one of them
#   in_format  as UnixBench::Fleet::Report::in_format, or undef if the report is that of any list
#   headline   takes a list; returns its first line
#   data       takes a list, and perhaps the name of a host; returns the data of its JSON

# Takes a UnixBench::Call; reads the lists, or finds the files of the results. Returns { now, and perhaps then, and
# earlier (such a class) }, { tries } or { files } each, see list(). Dies with one line if that fails.
sub prepare {
    my ($call)  = @_;
    my $options = $call->options;
    my @keys    = sort keys %{ UnixBench::Features::merged('of_fleets') };
    my ($key)   = grep { defined $options->{$_} } @keys;
    my ($ratio) = grep { defined $_->{state} } @{ $options->{requirements} || [] };
    die "requirement \"$ratio->{text}\": a ratio of hosts needs an earlier fleet: add --$keys[0] EARLIER\n"
        if $ratio && @keys && !defined $key;
    my $now = _given($call, @{ $options->{words} });

    if (defined $key) {
        my $then = _given($call, $options->{$key});
        UnixBench::Call::Output::check_tables($options, map({ @{ $_->{read} } } $now, $then), $call->judged_by);
        return { now => $now, then => $then, earlier => UnixBench::Features::class(of_fleets => 'added', $key) };
    }
    my @exports  = grep { /\Aexport/ } map { $_->[0] } @{ $options->{outputs} };
    my ($of_one) = grep { !UnixBench::Report::Formats::has(is_of_results => $_) } @exports;
    die "option --$of_one writes one result, not a fleet\n" if defined $of_one;
    UnixBench::Call::Output::check($options, [@{ $now->{read} }, $call->judged_by]);
    return { now => $now };
}

# Returns { tries or files, read (all paths) }. A directory of the collection has its list, with the names of all hosts.
sub _given {
    my ($call, $list, @others) = @_;
    my $own = "$list/" . LIST;
    if (!@others && -d "$list/hosts" && -f $own) {
        $call->console->complain(UnixBench::Base::Text::clean($list) . ': the list ' . LIST . " in it is read\n");
        $list = $own;
    }
    if (!@others && $list =~ /[.]csv\z/ && !-d $list) {
        my @tries = UnixBench::Fleet::File::tries($list);
        return { tries => \@tries, read => [$list, map { $_->{file} // () } @tries] };
    }
    my @files = $call->files($list, @others);
    return { files => \@files, read => \@files };
}

# Takes a call and what prepare() returned; prints the report and writes it to the files that the options name. Returns
# the outcome: "done", "failed" if a host was not measured, "not met", "inconclusive" or "wrong usage".
sub run {
    my ($call, $prepared) = @_;
    my %of = (%$prepared, options => $call->found_options, map { $_ => $call->$_ } qw(baseline of_directories));
    $of{not_results} = [$call->left_out];
    return UnixBench::Call::Output::reported(
        $call,
        found   => sub { list(%of) },
        text    => \&UnixBench::Fleet::Report::in_format,
        outcome => \&_outcome,
    );
}

sub _outcome {
    my ($list) = @_;
    my @hosts  = @{ $list->{hosts} };
    my %is     = map { ($_->{verdict} // q{}) => 1 } @hosts;
    return 'failed' if grep { $_->{outcome} ne 'measured' } @hosts;
    return $is{FAIL} || $list->{is_worse} ? 'not met' : $is{INCONCLUSIVE} ? 'inconclusive' : 'done';
}

# Takes
#   options         the options
#   now             { tries => [tries of a list, see UnixBench::Fleet::File] } or { files => [paths of results] }
#   then, earlier   the same of an earlier fleet, and the class that says what is different (both optional)
#   of_directories  { path => 1 } for those of the files that were found in a directory
#   not_results     [[path, line that refuses it], ...] for the other files of directories
#   baseline        the parsed index.base
# Returns the list, see UnixBench::Fleet::Wording. Dies with one line if a result that the user has named can't be read.
sub list {
    my (%with)       = @_;
    my @requirements = @{ $with{options}{requirements} || [] };
    my @ratios       = grep { defined $_->{state} } @requirements;
    my $results      = _results(\%with, grep { !defined $_->{state} } @requirements);
    my ($hosts, @other_files) = _hosts($results, \%with, $with{now});
    my $list = {
        %{ UnixBench::Fleet::Standing::of(grep { $_->{outcome} eq 'measured' } @$hosts) },
        hosts     => $hosts,
        is_judged => @requirements ? 1 : 0,
        results   => sub { return map { $results->whole($_) } grep { $_->{summary} } @$hosts },
    };
    if (my $earlier = $with{earlier}) {
        my ($then, @of_then) = _hosts(_results(\%with), \%with, $with{then});
        push @other_files, @of_then;
        %$list = (%$list, earlier => $earlier, $earlier->added($list, $then, \@ratios, $with{baseline}));
    }
    push @other_files, @{ $with{not_results} || [] }, $results->left_out;
    $list->{left_out} = [UnixBench::Store::ResultFile::left_out(@other_files)];
    return $list;
}

sub _results {
    my ($with, @requirements) = @_;
    return UnixBench::Fleet::Results->new(
        requirements => \@requirements,
        baseline     => $with->{baseline},
        map { $_ => $with->{options}{$_} } qw(copies cpus),
    );
}

sub _hosts {
    my ($results, $with, $given) = @_;
    my ($tries, @others) =
        $given->{tries}
        ? [map { $results->of_try($_) } @{ $given->{tries} }]
        : $results->of_files($with->{of_directories}, @{ $given->{files} });
    return ([UnixBench::Fleet::Results::hosts_of(@$tries)], @others);
}

1;
