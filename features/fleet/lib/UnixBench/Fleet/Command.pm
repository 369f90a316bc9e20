package UnixBench::Fleet::Command;

# Reports a fleet of any size: hosts that were measured, and hosts that were not.

use strict;
use warnings;

use UnixBench::Call::Output      ();
use UnixBench::Fleet::File       ();
use UnixBench::Fleet::Hosts      ();
use UnixBench::Fleet::Report     ();
use UnixBench::Fleet::Results    ();
use UnixBench::Fleet::Standing   ();
use UnixBench::Report::Formats   ();
use UnixBench::Store::ResultFile ();

# Takes a UnixBench::Call; reads the list, or finds the files of the results. Returns { tries } or { files }, see
# list(). Dies with one line if that fails.
sub prepare {
    my ($call) = @_;
    my $options = $call->options;
    my ($list, @others) = @{ $options->{words} };
    my $is_list  = !@others && $list =~ /[.]csv\z/ && !-d $list;
    my @tries    = $is_list ? UnixBench::Fleet::File::tries($list)     : ();
    my @files    = $is_list ? ($list, map { $_->{file} // () } @tries) : $call->files($list, @others);
    my @exports  = grep { /\Aexport/ } map { $_->[0] } @{ $options->{outputs} };
    my ($of_one) = grep { !UnixBench::Report::Formats::has(is_of_results => $_) } @exports;
    die "option --$of_one writes one result, not a fleet\n" if defined $of_one;
    UnixBench::Call::Output::check($options, [@files, $call->judged_by]);
    return $is_list ? { tries => \@tries } : { files => \@files };
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
        outcome => sub { _outcome(@{ $_[0]{hosts} }) },
    );
}

sub _outcome {
    my (@hosts) = @_;
    my %is      = map { ($_->{verdict} // q{}) => 1 } @hosts;
    return 'failed' if grep { $_->{outcome} ne 'measured' } @hosts;
    return $is{FAIL} ? 'not met' : $is{INCONCLUSIVE} ? 'inconclusive' : 'done';
}

# Takes
#   options         the options
#   tries           [the tries of a list], see UnixBench::Fleet::File; or, without it,
#   files           [paths of results]
#   of_directories  { path => 1 } for those of them that were found in a directory
#   not_results     [[path, line that refuses it], ...] for the other files of directories
#   baseline        the parsed index.base
# Returns the list, see UnixBench::Fleet::Wording. Dies with one line if a result that the user has named can't be read.
sub list {
    my (%with)  = @_;
    my $options = $with{options};
    my $results = UnixBench::Fleet::Results->new(
        requirements => $options->{requirements} || [],
        baseline     => $with{baseline},
        map { $_ => $options->{$_} } qw(copies cpus),
    );
    my ($tries, @twice) =
        $with{tries}
        ? [map { $results->of_try($_) } @{ $with{tries} }]
        : $results->of_files($with{of_directories}, @{ $with{files} });
    my @hosts    = UnixBench::Fleet::Hosts::of(@$tries);
    my @measured = grep { $_->{outcome} eq 'measured' } @hosts;
    my $standing = UnixBench::Fleet::Standing::of(@measured);
    return {
        %$standing,
        hosts    => \@hosts,
        left_out => [UnixBench::Store::ResultFile::left_out(@twice, @{ $with{not_results} || [] }, $results->left_out)],
        results  => sub { return map { $results->whole($_) } grep { $_->{summary} } @hosts },
    };
}

1;
