# The table of causes is the only place that knows a cause of disturbances: a planted one is found in every output.

use strict;
use warnings;

use File::Temp ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Fixture      qw(measured result run tag tagged);
use PlantedCause ();
use Rendered     qw(rendered);
use Verdicts     qw(judged);
use UnixBench::Base::Files;
use UnixBench::Command::Doctor::Text;
use UnixBench::Command::Doctor::Wording;
use UnixBench::Noise::Causes;
use UnixBench::Noise::Disturbances;
use UnixBench::Report::Verdict  qw(finding);
use UnixBench::Warnings::Causes qw(tag_text);

# Returns the disturbances of a pass in which the moon shone.
sub found { return UnixBench::Noise::Disturbances::found({ after => { moon => $_[0] }, before => {}, cpus => {} }) }

is_deeply([found(0.2)], [], 'a value below both limits is not a disturbance');
is_deeply([found(0.5)], [tag('moon', 'note',      0.5)], 'a value at the first limit is a note');
is_deeply([found(0.8)], [tag('moon', 'disturbed', 0.8)], 'a value at the second limit is a disturbance');
ok(UnixBench::Noise::Disturbances::is_worth_repeating(found(0.8)), 'a quick run repeats the pass');
ok(UnixBench::Noise::Disturbances::is_disturbed_by_other_load({ tags  => [found(0.8)] }), 'it is other load');
ok(!UnixBench::Noise::Disturbances::is_disturbed_by_other_load({ tags => [found(0.5)] }), 'a note excuses nothing');

my $pipe   = tagged(measured('pipe', 1, map { 1000 + $_ } 0 .. 9), { map { $_ => [found(0.8)] } 1 .. 10 });
my $result = result([run(1, $pipe)]);

# [name of the output, its text, what it has].
my $details = rendered(details => $result) =~ s/\n {2,}/ /gr;
my $doctor  = doctor()                     =~ s/\n {2,}/ /gr;
#<<< a table
my @OUTPUTS = (
    ['the table of details',  $details,                      qr/moonlight +10 of 10 +0[.]80 moons/],
    ['a warning',             $details,                      qr/the moon shone with up to 0[.]80 moons/],
    ['the reason',            $details,                      qr/The tests howled[.]/],
    ['the advice',            $details,                      qr/Close the curtains[.]/],
    ['the load at the start', $details,                      qr/the first pass shows moonlight/],
    ['Markdown',              rendered(markdown => $result), qr/the moon shone/],
    ['the page',              rendered(html     => $result), qr/moonlight.*0[.]80 moons/s],
    ['the words for a pass',  tag_text(found(0.8)),          qr/\Amoonlight: 0[.]80 moons\z/],
    ['the doctor',            $doctor,                       qr/The moon shines with 0[.]80 moons[.]/],
    ['the doctor\'s reason',  $doctor,                       qr/The tests will howl[.]/],
    ['the doctor\'s list of processes', $doctor,             qr/burner, process 4711/],
    ['docs/trust.md', trust(), qr/^[|] `moon` [|] light of the moon [|] 0[.]25 moons [|] 0[.]75 moons [|]$/m],
);
#>>>
for my $output (@OUTPUTS) {
    my ($what, $text, $has) = @$output;
    like($text, $has, "$what has the cause");
}

my ($case) = grep { $_->{kind} eq 'requirement' } judged($result, [1], 'pipe>=500' => undef);
is($case->{verdict}, 'INCONCLUSIVE', 'other load makes a failure inconclusive');
like(
    finding($case),
    qr/other load was at work: moonlight [(]up to 0[.]80 moons, 10 of 10 passes[)]/,
    'the verdict names the cause'
);

subtest 'each row of the table is complete' => sub {
    my %is_key = map { $_ => 1 } qw(
        name value note disturbed limits is_low_worst lasts load slows_by_value is_of_displays is_whole title amount
        worst what seen why advice before
    );
    for my $cause (@UnixBench::Noise::Causes::CAUSES) {
        my $name = $cause->{name};
        is(join(q{ }, grep { !$is_key{$_} } sort keys %$cause), q{}, "$name: no unknown key");
        is(scalar(grep { !length($cause->{$_} // q{}) } qw(name title what seen why advice)), 0, "$name: all texts");
        is(ref $cause->{$_}, 'CODE', "$name: $_ is a function") for qw(value amount);
        my @words = UnixBench::Noise::Causes::limits_in_words($cause);
        ok(@words == 2 && !(grep { !defined || /CODE|[(]/ } @words), "$name: both limits in words");
    }
};

# Steal and quotas belong to the machine: they are never other load.
is(
    join(q{ }, map { $_->{name} } grep { $_->{load} } @UnixBench::Noise::Causes::CAUSES),
    'others run_queue pressure_cpu pressure_io pressure_memory moon',
    'the causes that are other load'
);

done_testing;

sub doctor {
    return UnixBench::Command::Doctor::Text::render(
        {
            findings => [map { +{ kind => $_->{cause}, worst => $_->{value}, weight => 'disturbs' } } found(0.8)],
            look     => {
                looked_s    => 2.5,
                is_possible => 1,
                tags        => [],
                busiest     => [{ pid => 4711, name => 'burner', cpus => 1, is_by_children => 0 }]
            },
        }
    );
}

sub trust {
    my $place = File::Temp->newdir;
    my $home  = "$FindBin::Bin/../../..";
    system "cd '$home' && '$^X' -It/lib -MPlantedCause build/reference '$place'";
    return UnixBench::Base::Files::content("$place/trust.md");
}
