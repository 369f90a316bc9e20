package Analyses;

# Analyses of multi-user results, of real systems and of invented ones, and their pages for the gallery.

use strict;
use warnings;

use Exporter 'import';
use File::Basename ();

use Gallery::Hostile ();
use HostileMarkdown  qw(@WORDS);
use LoadPair         qw(fast_side load_pass load_side slow_side);
use Rendered         qw(analysis_as);
use UnixBench::Base::JSONReader;
use UnixBench::Compare::Analysis;
use UnixBench::Compare::Analysis::Meters;

our @EXPORT_OK = qw(analyses analysis_of typed_in);

my $DATA = File::Basename::dirname(__FILE__) . '/../data';

# Takes replacements for the meters of 1973 of either side (hashes, or undef); returns the two sides.
sub typed_in {
    my ($of_a, $of_b) = @_;
    open my $file, '<:raw', "$DATA/multics.json" or die "multics.json: $!\n";
    local $/ = undef;
    my $data  = UnixBench::Base::JSONReader::decode(scalar readline $file);
    my %sides = (A => { %{ $data->{A} }, %{ $of_a || {} } }, B => { %{ $data->{B} }, %{ $of_b || {} } });
    return UnixBench::Compare::Analysis::Meters::typed_in(\%sides);
}

# Takes two sides and the named arguments of UnixBench::Compare::Analysis; returns the analysis.
sub analysis_of {
    my ($first, $second, %with) = @_;
    return UnixBench::Compare::Analysis::of([$first, $second], %with);
}

# Returns one analysis of each kind, as a list of name => analysis.
sub analyses {
    my @pair = (slow_side('before.json'), fast_side('after.json'));
    my %ten  = (users => [10]);
    my $other =
        load_side('ten.json', [load_pass(users => 10, lines => 2210, good_s => 29, system_s => 11)], load => \%ten);
    return (
        multics => analysis_of(typed_in()),
        priced  => analysis_of(typed_in(), prices => [1.2,  3]),
        pair    => analysis_of(@pair,      prices => [0.85, 1.4]),
        reverse => analysis_of(reverse @pair),
        apart   => analysis_of(_apart()),
        forced  => analysis_of(load_side('twenty.json', [load_pass()]),   $other, is_forced => 1),
        bare    => analysis_of(map { load_side($_, [_bare()]) } 'a.json', 'b.json'),
        hostile => analysis_of(_hostile(),                                prices => [1, 2]),
    );
}

# Returns two sides of one pass each. In the first, one of 20 users did not finish; in the second, much time was stolen.
sub _apart {
    my %finished = ('finished.cpu_user_s' => 54, 'finished.cpu_system_s' => 20, 'finished.faults_minor' => 1_300_000);
    my $dead     = load_pass(finished => 19, lines    => 4300, meters => \%finished);
    my $stolen   = load_pass(good_s   => 70, system_s => 30,   times  => { steal => 70, idle => 5 });
    return (load_side('whole.json', [$dead], shortfall => '3 lines failed, 1 of 20 users did not finish'),
        load_side('stolen.json', [$stolen], cpu_count => 16, notes => ['A note']));
}

# Returns a pass of a system that has no meters of its machine.
sub _bare {
    my $pass = load_pass();
    delete @{ $pass->{meters} }{ grep { /\Amachine[.]/ } keys %{ $pass->{meters} } };
    return $pass;
}

# Returns two sides whose names, meters and costs are attacks.
sub _hostile {
    my @attacks = grep { !/https?:/i } Gallery::Hostile::texts(), @WORDS;
    my %costs   = map  { $_ => 3 } @attacks[0 .. 12];
    my $all     = join q{ }, @attacks;
    my ($first, $second) =
        typed_in({ name => $all, cost => \%costs }, { name => "b\e[31m\n<script>", cost => \%costs });
    $first->{meters}{$_} = [5] for @attacks;
    return ($first, $second);
}

# Returns the pages of all analyses for the gallery, each { name, html }.
sub pages {
    my %analysis = analyses();
    return map { +{ name => "analysis-$_", html => analysis_as(html => $analysis{$_}) } }
        sort keys %analysis;
}

1;
