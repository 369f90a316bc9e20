# The table of causes is the only place that knows a cause of disturbances: a planted one is found in every output.

use strict;
use warnings;

use File::Temp ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Fixture      qw(measured rendered result run tag tagged);
use PlantedCause ();
use UnixBench::Base::Files;
use UnixBench::Noise::Causes;
use UnixBench::Noise::Disturbances;
use UnixBench::Report::EndBlock qw(block_lines warning_lines);
use UnixBench::Report::View;
use UnixBench::Warnings::Wording qw(amount cause_title merged tag_text);

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

my $view = UnixBench::Report::View->new(result => $result);

# [name of the output, its text, what it has].
my %text    = map { $_ => rendered($_, $result) } qw(details json html markdown);
my $details = $text{details} =~ s/\n {2,}/ /gr;
#<<< a table
my @OUTPUTS = (
    ['a warning',             $details,        qr/Other load: moonlight 0[.]80 moons [(]10 of 10 passes[)][.]/],
    ['the advice',            $details,        qr/Close the curtains[.]/],
    ['Markdown',              $text{markdown}, qr/Other load: moonlight 0[.]80 moons/],
    ['the page',              $text{html},     qr/moonlight.*0[.]80 moons/s],
    [
        'a pass in JSON', $text{json},
        qr/"tags":\[\{"by":null,"cause":"moon","level":"disturbed","seen":null,"value":0[.]8\}\]/
    ],
    ['a warning in JSON',     $text{json},     qr/"kind":"load"[^{}]*Other load: moonlight 0[.]80 moons /],
    ['the summary in JSON',   $text{json},     qr/\A.*"other_load":\[\{"badly":10,"by":null,"cause":"moon"/],
    ['the trust at the end of a run',   "@{[block_lines($view, 200)]}",   qr/disturbed [(]other load[)]/],
    ['the warning at the end of a run', "@{[warning_lines($view, 200)]}", qr/Other load: moonlight 0[.]80 moons/],
    ['docs/trust.md', trust(),                qr/^[|] `moon` [|] light of the moon [|] 0[.]25 moons [|] 0[.]75 moons/m],
    ['its column of other load', trust(),     qr/^[|] `moon` .* [|] other load [|]$/m],
);
#>>>
for my $output (@OUTPUTS) {
    my ($what, $text, $has) = @$output;
    like($text, $has, "$what has the cause");
}

# [cause, a value, the value with its unit]. A new cause needs no row here: the tests below see all causes.
#<<< a table
my @AMOUNTS = (
    [steal           => 0.123, '12 %'],
    [others          => 0.426, '0.43 CPUs'],
    [throttled       => 1,     '1 stop'],
    [refused         => 132,   '132 refusals'],
    [elsewhere       => 0.4,   '0.40 CPUs'],
    [another_run     => 2,     '2 other Runs'],
    [late            => 3.24,  '3.2 s'],
    [thermal         => 2,     '2 events'],
    [slow_clock      => 0.6,   '60 %'],
    [swap            => 0.4,   '0.4 pages a second'],
    [major_faults    => 112.6, '113 faults a second'],
    [run_queue       => 7,     '7'],
    [pressure_cpu    => 0.014, '1.4 %'],
    [pressure_io     => 0.014, '1.4 %'],
    [pressure_memory => 0.014, '1.4 %'],
    [affinity        => 2,     '2 CPUs'],
    [overlap         => 0.91,  '91 %'],
    [moon            => 0.8,   '0.80 moons'],
);
#>>>
is(amount($_->[0], $_->[1]),                   $_->[2],                           "$_->[0]: $_->[2]") for @AMOUNTS;
is(tag_text(tag('refused', 'disturbed', 132)), 'refused processes: 132 refusals', 'refusals in words');
my %VALUE = map { $_->[0] => $_->[1] } @AMOUNTS;

subtest 'each row of the table is complete' => sub {
    my %is_key = map { $_ => 1 } qw(
        name value note disturbed limits is_low_worst lasts load slows_by_value is_of_displays is_whole title amount
        worst what seen advice advice_if_unknown before by_load brief in_cpu_time in_cpus
    );
    for my $cause (@UnixBench::Noise::Causes::CAUSES) {
        my $name = $cause->{name};
        is(join(q{ }, grep { !$is_key{$_} } sort keys %$cause),                           q{}, "$name: no unknown key");
        is(scalar(grep { !length($cause->{$_} // q{}) } qw(name title what seen advice)), 0,   "$name: all texts");
        is(ref $cause->{$_}, 'CODE', "$name: $_ is a function") for qw(value amount);
        my @words = UnixBench::Noise::Causes::limits_in_words($cause);
        ok(@words == 2 && !(grep { !defined || /CODE|[(]/ } @words), "$name: both limits in words");
    }
    my %titles = map { cause_title($_) => 1 } UnixBench::Noise::Causes::names();
    is(scalar keys %titles, @UnixBench::Noise::Causes::CAUSES, 'each cause has a title of its own');
};

subtest 'each cause has sentences, which other programs do not take for a line of a report' => sub {
    for my $name (UnixBench::Noise::Causes::names()) {
        my $value    = $VALUE{$name} // 0.5;
        my $amount   = (UnixBench::Noise::Causes::has($name, 'worst') || sub { amount($name, @_) })->($value);
        my %warning  = (kind => $name, copies => undef, worst => $value, passes => 1, badly => 1, of => 9);
        my $is_whole = UnixBench::Noise::Causes::has($name, 'is_whole');
        my $words    = UnixBench::Warnings::Wording::of(\%warning);
        like($words->{seen}, qr/\A1 of 9 passes: \w/, "$name: the passes") if !$is_whole;
        my @texts = (values %$words, merged(\%warning));
        push @texts, values %{ UnixBench::Warnings::Wording::before(\%warning) }
            if UnixBench::Noise::Causes::has($name, 'before');
        is(scalar(grep { !/\A[A-Z0-9][^{}]*[^ {}][.]\z/ || /  |lps|MWIPS|aborting|of tests|Index Score/i } @texts),
            0, "$name: sentences");
        is(scalar(grep { /\Q$amount\E/ } @texts), $#texts < 4 ? 2 : 3, "$name: the value");
    }
};

# Steal and quotas belong to the machine: they are never other load.
is(
    join(q{ }, grep { UnixBench::Noise::Causes::has($_, 'load') } map { $_->[0] } @AMOUNTS),
    'others elsewhere another_run run_queue pressure_cpu pressure_io pressure_memory moon',
    'the causes that are other load'
);
is(join(q{ }, map { $_->{name} } grep { $_->{load} && $_->{lasts} } @UnixBench::Noise::Causes::CAUSES),
    q{}, 'no cause belongs to the machine and is other load');

done_testing;

sub trust {
    my $place = File::Temp->newdir;
    my $home  = "$FindBin::Bin/../../..";
    system "cd '$home' && '$^X' -It/lib -MPlantedCause build/reference '$place'";
    return UnixBench::Base::Files::content("$place/docs/trust.md");
}
