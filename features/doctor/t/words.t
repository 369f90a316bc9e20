# Tests that the findings of the doctor do not depend on the words of notes and warnings, and that it knows each cause
# of the table of causes.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use DoctoredHost                   ();
use OtherWords                     qw(@OTHER_WORDS with_other_words);
use PlantedCause                   ();
use UnixBench::Doctor::Command;
use UnixBench::Doctor::Text;
use UnixBench::Noise::Disturbances;

my $HOME = "$FindBin::Bin/../../..";

# A fake look that has seen no disturbance.
package FakeLook {
    sub new  { return bless {}, shift }
    sub look { return { looked_s => 2.5, is_possible => 1, tags => [], busiest => [] } }
}

# Takes properties of a DoctoredHost; returns kinds and weights of the findings of the doctor.
sub findings {
    my (%is) = @_;
    my %env  = (UB_BINDIR => "$HOME/t/bin", %{ $is{env} || {} });
    my $host = DoctoredHost->new($HOME, %is, env => \%env);
    my %with = (context => $host->context, preparation => $host, look => FakeLook->new);
    my $seen = UnixBench::Doctor::Command->new(%with)->seen;
    return [map { join q{ }, $_->{kind}, $_->{weight} // q{-} } @{ $seen->{findings} }];
}

my @MACHINES = (
    { words => 'pipe' },
    { words => 'pipe',                     env     => { UB_TIME_FACTOR => 0.5 } },
    { words => '2d-rects ubgears',         display => 'virtual' },
    { words => '--quick pipe',             env     => { MULTI_SH_WORK_FACTOR => 2 } },
    { words => '--users 3 multiuser pipe', display => 'given' },
);

subtest 'other words change no findings of the doctor' => sub {
    my @usual = map { findings(%$_) } @MACHINES;
    for my $words (@OTHER_WORDS) {
        my @others = with_other_words(
            $words,
            sub {
                map { findings(%$_) } @MACHINES;
            }
        );
        is_deeply(\@others, \@usual, 'the findings stay the same');
    }
    my @changes = map {
        scalar grep { /\Aprocedure / }
            @$_
    } @usual;
    is_deeply(\@changes, [0, 1, 0, 1, 1], 'a changed procedure is found if there is one');
};

subtest 'a cause is only in the table of causes' => sub {
    my ($found) = UnixBench::Noise::Disturbances::found({ after => { moon => 0.8 }, before => {}, cpus => {} });
    my $text = UnixBench::Doctor::Text::render(
        {
            findings => [{ kind => $found->{cause}, worst => $found->{value}, weight => 'disturbs' }],
            look     => {
                looked_s    => 2.5,
                is_possible => 1,
                tags        => [],
                busiest     => [{ pid => 4711, name => 'burner', cpus => 1, is_by_children => 0 }]
            },
        }
    ) =~ s/\n {2,}/ /gr;
    like($text, qr/Other load: moonlight 0[.]80 moons[.]/, 'its name and value');
    like($text, qr/The tests will howl[.]/,                'its reason');
    like($text, qr/burner, process 4711/,                  'the busiest process');
};

done_testing;
