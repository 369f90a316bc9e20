package UnixBench::Command::Output;

# The files that the user has named to be written: nothing that is read, or that is kept, is lost by them.

use strict;
use warnings;

use UnixBench::Base::Files  ();
use UnixBench::Base::Format qw(shown);
use UnixBench::Base::Result qw(@SUFFIXES);
use UnixBench::CLI::Options ();

# Takes options; dies with one line when a file can't be written, or is one of those that are read.
sub check {
    my ($options) = @_;
    my @sources = (
        @{ $options->{files} || [] },
        $options->{report} // (),
        map { $_->{file} // () } @{ $options->{requirements} },
    );
    UnixBench::Base::Files::check_writable($_->[1]) for _files($options);
    _check_against('which is read', $options, @sources);
    return;
}

# Takes options and the path that all reports of the run have in common; dies with one line when a file is one of those.
sub check_reports {
    my ($options, $base) = @_;
    _check_against('a report of this run', $options, map { "$base$_" } q{}, @SUFFIXES);
    return;
}

# Takes options; returns the kind of the report that is to stand on standard output in place of the usual one, or undef.
sub of_standard_output {
    my ($options) = @_;
    return 'tap' if $options->{tap};
    my ($kind) = map { $_->[1] eq q{-} ? $_->[0] : () } UnixBench::CLI::Options::output_files($options);
    return $kind;
}

# Takes options and a function from the kind of a report to its text; writes the files that the options name. Returns
# what went wrong, each in a line.
sub write_files {
    my ($options, $text_of) = @_;
    my @problems;
    for my $file (_files($options)) {
        my ($kind, $path) = @$file;
        eval { UnixBench::Base::Files::write_to($path, $text_of->($kind)); 1 } or push @problems, $@;
    }
    return @problems;
}

sub _check_against {
    my ($what, $options, @paths) = @_;
    my %is_taken = map { UnixBench::Base::Files::identity($_) => 1 } @paths;
    for my $file (_files($options)) {
        my ($key, $path) = @$file;
        die "option --$key would overwrite " . shown($path) . ", $what\n"
            if $is_taken{ UnixBench::Base::Files::identity($path) };
    }
    return;
}

# [option, path] of each, but for standard output.
sub _files {
    my ($options) = @_;
    return grep { $_->[1] ne q{-} } UnixBench::CLI::Options::output_files($options);
}

1;
