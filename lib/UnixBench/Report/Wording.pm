package UnixBench::Report::Wording;

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Format qw(clock_time counted english_date);

our @EXPORT_OK = qw(copies_sentence renderer_text score_title table_title time_sentence);

# Renderers without a graphics processor: Mesa's, Google's, Microsoft's, Apple's.
my $SOFTWARE = do {
    my @names = qw(llvmpipe softpipe swrast swr swiftshader lavapipe);
    my $names = join q{|}, @names, 'software rasterizer', 'software renderer', 'basic render', 'gdi generic';
    qr/\b(?:$names)/i;
};

# Takes a renderer's name, returns it with what its users should know of it.
sub renderer_text {
    my ($name) = @_;
    return $name =~ $SOFTWARE ? "$name, a software renderer" : $name;
}

# Takes a run and what its zone is ahead of UTC, in seconds; returns when it was.
sub time_sentence {
    my ($run, $utc_offset_s) = @_;
    my $date = english_date($run->{started}, $utc_offset_s);
    my ($start, $end) = map { clock_time($_, $utc_offset_s) } @{$run}{qw(started ended)};
    return "Benchmark Run: $date $start - $end";
}

# Takes a run, returns on how many CPUs it ran how many copies.
sub copies_sentence {
    my ($run)  = @_;
    my $cpus   = counted($run->{cpu_count}, 'CPU',           'CPUs');
    my $copies = counted($run->{copies},    'parallel copy', 'parallel copies');
    return "$cpus in system; running $copies of tests";
}

# Takes an index, returns the heading of its table.
sub table_title {
    my ($index) = @_;
    return "$index->{title} " . ($index->{complete} ? 'Index Values' : 'Partial Index');
}

# Takes an index, returns what stands before its value.
sub score_title {
    my ($index) = @_;
    return "$index->{title} Index Score" . ($index->{complete} ? '' : ' (Partial Only)');
}

1;
