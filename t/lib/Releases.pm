package Releases;

# Results of releases, which are kept for ever, and all ways in which they are read.

use strict;
use warnings;

use Exporter 'import';

use Fixture                       qw(rendered);
use UnixBench::Base::Files        ();
use UnixBench::Base::JSON         ();
use UnixBench::Command::Compare   ();
use UnixBench::Compare::Published ();
use UnixBench::Summary::Outline   ();
use UnixBench::Store::ResultFile  ();

our @EXPORT_OK = qw(data_of failures files);

# Takes the directory of the tests; returns the paths of all results, perhaps only those whose names match a pattern.
sub files {
    my ($tests, $pattern) = @_;
    return grep { $_ =~ ($pattern // qr/./) } sort glob "$tests/data/results/*/*.json";
}

# Takes the path of a result; returns the data in it as they are in the file.
sub data_of {
    my ($path) = @_;
    return UnixBench::Base::JSON::decode(UnixBench::Base::Files::content($path) // die "$path: $!\n");
}

# Takes runs; returns their scores and indexes in a text.
sub _numbers {
    my ($runs)  = @_;
    my @scores  = map { "$_->{name} " . ($_->{score}     // $_->{status}) } map { @{ $_->{tests} } } @$runs;
    my @indexes = map { "$_->{category} " . ($_->{index} // 'none') } map       { @{ $_->{indexes} } } @$runs;
    return join ', ', @scores, @indexes;
}

# Takes the path of a result; reads it in all ways. Returns what fails, each in a line: that it can't be read or
# compared, that a report can't be made, or that scores and indexes are not those in the file.
sub failures {
    my ($path) = @_;
    my $measured = _numbers(data_of($path)->{runs});
    my @failures;
    my $try = sub {
        my ($what, $do) = @_;
        my $is_done = eval {
            local $SIG{__WARN__} = sub { die "a warning: @_" };
            my $numbers = $do->();
            die "$numbers instead of $measured\n" if defined $numbers && $numbers ne $measured;
            1;
        };
        push @failures, "$what of $path: $@" if !$is_done && $@ !~ /\Athese results can't be compared\n/;
    };
    my ($result, $summary);
    $try->(report  => sub { $result  = UnixBench::Store::ResultFile::result($path);  _numbers($result->{runs}) });
    $try->(summary => sub { $summary = UnixBench::Store::ResultFile::summary($path); _numbers($summary->{runs}) });
    return @failures if @failures;
    for my $kind (qw(text csv details html markdown json)) {
        $try->($kind => sub { rendered($kind, $result); undef });
    }
    $try->(compare => sub { UnixBench::Command::Compare::of(files => [$path, $path], force => 1); undef });
    $try->(rank    => sub { UnixBench::Compare::Published::rank($summary);                        undef });
    $try->(outline => sub { UnixBench::Store::ResultFile::outlines($path);                        undef });
    return @failures;
}

1;
