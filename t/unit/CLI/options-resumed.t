use strict;
use warnings;

use Cwd ();
use Test::More;

use UnixBench::Command;

my $HERE    = Cwd::getcwd();
my $MEASURE = UnixBench::Command::declaration();
my @warnings;
local $SIG{__WARN__} = sub { push @warnings, @_ };

subtest 'lasting_words returns the words that a resumed run needs' => sub {
    my @short  = qw(-q -b -i 3 -c 4 -c 1 --timeout 9);
    my @given  = (@short, '--label', 'a=b c=d', qw(--label round=2 --no-identity --json j --html - hanoi pipe hanoi));
    my $given  = UnixBench::Command::parse(@given);
    my @words  = UnixBench::CLI::Options::lasting_words($MEASURE, $given);
    my $lasted = UnixBench::Command::parse(@words);
    my %gone   = map { $_ => 1 } qw(quiet json html);
    my %kept   = map { $_ => $given->{$_} } grep { !$gone{$_} } keys %$given;
    is_deeply($lasted, { %kept, outputs => [] }, 'the words mean the same options');
    is_deeply([UnixBench::CLI::Options::lasting_words($MEASURE, $lasted)],
        \@words, 'lasting_words of the same options returns the same words');
    my $quick = UnixBench::Command::parse(qw(--quick --precision 0.00005 --max-time 0.025m --seed 1995));
    is_deeply(UnixBench::Command::parse(UnixBench::CLI::Options::lasting_words($MEASURE, $quick)),
        $quick, 'the words of a quick run mean the same options');
    is_deeply(
        [@$quick{qw(precision max_time_s seed)}],
        [5e-7, 1.5, 1995],
        'precision is a fraction, and a time is in seconds'
    );

};

subtest 'resumed joins the options of a run with those given to --resume' => sub {
    my $lasting = UnixBench::Command::parse(qw(-i 3 --label a=b pipe));
    my $given   = UnixBench::Command::parse(qw(--resume r -q -b --html - --json j));
    my %new     = (
        quiet   => 1,
        brief   => 1,
        html    => q{-},
        outputs => [[json => "$HERE/j"], [html => q{-}]],
        json    => "$HERE/j",
    );
    is_deeply(
        UnixBench::CLI::Options::resumed($MEASURE, $given, $lasting),
        { %$lasting, %new },
        'new options change only the output'
    );
    is_deeply(UnixBench::CLI::Options::resumed($MEASURE, { copies => [] }, $lasting),
        $lasting, 'without new options all is as in the run');
};

is_deeply(\@warnings, [], 'Perl prints no warning');

done_testing();
