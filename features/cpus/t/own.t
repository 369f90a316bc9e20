use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../lib ../../../lib ../../../t/lib);
use Fixture                        qw(measured result run);
use Place                          qw(place write_file);
use Rendered                       qw(rendered);
use UnixBench::Base::JSON          ();
use UnixBench::Cpus::Own           ();
use UnixBench::Report::EndBlock    qw(block_lines);
use UnixBench::Report::View        ();
use UnixBench::Store::EarlierRuns  ();
use UnixBench::Store::ResultNames  ();

# Where the two processes of context1 were in a run: in the only measured place that can have its rate.

my $DIRECTORY = place();
my %RESULT    = %{ result([run(1, measured('context1', 1, 1e6))]) };
my ($RATE, $HOST, $MODEL) = ($RESULT{runs}[0]{tests}[0]{score}, $RESULT{host}{name}, $RESULT{host}{cpus}[0]{model});

# Takes names of places, each with its rate in that of the run and a part of it, half of its interval. Measures them.
sub places {
    my (@of) = @_;
    my @places;
    while (my ($name, $rate, $half) = splice @of, 0, 3) {
        my %rate;
        @rate{qw(low value high)} = map { $RATE * $rate * $_ } 1 / (1 + $half), 1, 1 + $half;
        push @places, { name => $name, rate => \%rate, index => $rate };
    }
    return \@places;
}

# Takes a host, a day and places; writes their file. Returns the key place at the end of a run.
sub found {
    my ($host, $day, @places) = @_;
    my %measured = (host => $host, model => $MODEL, cpus => { places => places(@places) });
    write_file("$DIRECTORY/$host-2026-12-$day-cpus.json", UnixBench::Base::JSON::encode(\%measured));
    UnixBench::Store::EarlierRuns::of("$DIRECTORY", sub { }, my $result = {%RESULT});
    return $result->{place};
}

is(found($HOST, '01', A => 1.4, 0.1, B => 8,   0.1), undef, 'no place has the rate');
is(found($HOST, '02', A => 1.1, 0.1, B => 1.6, 0.1), undef, 'places are near each other');
is(found($HOST, '03', A => 1.1, 0.1, B => 3,   1),   undef, 'a place may be nearer');
is(found($HOST, '04', A => 1.1, 0.1, B => 8,   0.1), 'A',   'one place has the rate');
is(found('other', '05', B => 1, 0.1), 'A', 'another machine does not count');

my @warnings;
local $SIG{__WARN__} = sub { push @warnings, @_ };
my $places = UnixBench::Base::JSON::encode(places(B => 1, 0.1));
my $number = 6;
for my $text (
    '[]',
    '{',
    '{"cpus":[]}',
    qq({"host":null,"model":"$MODEL","cpus":{"places":$places}}),
    qq({"host":"$HOST","model":"$MODEL","cpus":{"places":{}}}),
    qq({"host":"$HOST","model":"$MODEL","cpus":{"places":[{"name":"B","rate":{"low":"x","value":1,"high":2}}]}}),
    )
{
    write_file("$DIRECTORY/$HOST-2026-12-1" . $number++ . '-cpus.json', $text);
    is(found($HOST, '04', A => 1.1, 0.1, B => 8, 0.1), 'A', "a file that says nothing is passed over: $text");
}
is("@warnings", q{}, 'Perl has no warning');

write_file("$DIRECTORY/new.json", rendered(json => \%RESULT));
my @newest = (UnixBench::Store::ResultNames->new(directory => "$DIRECTORY"), $HOST, $MODEL);
my $own    = UnixBench::Cpus::Own::newest(@newest, places(A => 1.1, 0.1, B => 8, 0.1));
is_deeply([@$own{qw(result place other)}], [qw(new A B)], 'the newest result, its place, and the fastest one');

my %placed = (%RESULT, place => 'two cores');
my $says   = qr/Switching\W+one copy of context1 ran on two cores \(.\/Run cpus\)/;
like(join("\n", block_lines(UnixBench::Report::View->new(result => \%placed), 72)), qr/^$says$/m, 'the block says so');
like(rendered(html => \%placed),                                                    qr/>$says</,  'the page, too');
is(rendered(text => \%placed), rendered(text => \%RESULT), 'the classic report does not change');
unlike(rendered(html => \%RESULT), qr/context1 ran/, 'an unknown place is not named');

done_testing;
