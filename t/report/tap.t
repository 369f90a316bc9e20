# The TAP of verdicts. To record the outputs again: UB_RECORD=1 prove -Ilib -r t/report

use strict;
use warnings;

use File::Temp ();
use FindBin;
use TAP::Parser ();
use Test::More;

use lib "$FindBin::Bin/../lib";
use Fixture  qw(result);
use Golden   qw(is_golden no_golden_left_over);
use InPath   qw(path_of);
use Needs    qw(skip_without);
use Rendered qw(rendered);
use Verdicts qw(verdicts);

my $prove = path_of('prove');

# Returns the output as TAP::Parser reads it: the parser, and the points.
sub parsed {
    my ($tap)  = @_;
    my $parser = TAP::Parser->new({ tap => $tap });
    my @points = grep { $_->is_test } map { $_ } _all($parser);
    return ($parser, @points);
}

sub _all {
    my ($parser) = @_;
    my @all;
    while (my $line = $parser->next) { push @all, $line }
    return @all;
}

# Takes an output; returns the exit status and the output of prove for a program that prints it.
sub proved {
    my ($tap) = @_;
    my $script = File::Temp->new(SUFFIX => '.t');
    binmode $script;
    print {$script} "binmode STDOUT; print <<'--';\n$tap--\n";
    close $script or die "$script: $!\n";
    my $said = qx('$prove' '$script' 2>&1);
    return ($?, $said);
}

sub numbers {
    my ($verdicts, @cases) = @_;
    return grep { $cases[$_ - 1]{verdict} =~ $verdicts } 1 .. @cases;
}

for (verdicts()) {
    my ($name, $result, @cases) = @$_;
    my $tap = rendered(tap => $result, @cases);
    is_golden("$name.tap", $tap);
    my ($parser, @points) = parsed($tap);
    is_deeply([$parser->parse_errors], [], "$name: TAP::Parser finds no error");
    is($parser->tests_planned // 0, @cases, "$name: the plan is the number of cases");
    is(@points,                     @cases, "$name: a point for each case");
    my @failed = numbers(qr/FAIL|ERROR|INCONCLUSIVE/, @cases);
    is_deeply([$parser->failed],  \@failed,                    "$name: failed and inconclusive cases are not ok");
    is_deeply([$parser->skipped], [numbers(qr/SKIP/, @cases)], "$name: skipped cases are skipped");
    is_deeply([$parser->todo],    [],                          "$name: no case is marked as todo");
    unlike($tap, qr/[\x00-\x09\x0b-\x1f\x7f]/,                          "$name: no control characters");
    unlike($tap, qr/^(?!#|(?:not )?ok \d|1[.][.]\d+|TAP version 13$)/m, "$name: lines of the protocol only");
SKIP: {
        skip_without(tool => 'prove', 2) if !$prove;
        my ($status, $said) = proved($tap);
        is($status != 0, @failed > 0, "$name: exit status of prove");
        my ($failed) = $said =~ /Failed tests?:\s+([-\d, ]+)/;
        is(ranges($failed // q{}), "@failed", "$name: prove names the failed points");
    }
}

# Takes a text such as "2-4, 7"; returns "2 3 4 7".
sub ranges {
    my ($text) = @_;
    return join q{ }, map { /(\d+)-(\d+)/ ? $1 .. $2 : /(\d+)/ } split /,/, $text;
}

subtest 'skips and diagnostics' => sub {
    my %where = (kind => 'test', copies => 1, title => 'a');
    my $tap   = rendered(
        tap => result([]),
        { %where, verdict => 'SKIP',         reason => 'no display # 1' },
        { %where, verdict => 'INCONCLUSIVE', reason => 'interrupted' }
    );
    my (undef, $skipped) = parsed($tap);
    is($skipped->explanation, 'no display # 1', 'a skipped case has its reason');
    is($skipped->description, '- a, 1 copy',    'a skipped case has its title');
    like($tap, qr/^not ok 2 - a, 1 copy\n# INCONCLUSIVE interrupted\n\z/m, 'an inconclusive case is not ok');
};

subtest 'a title is not a directive' => sub {
    for my $title ('a # SKIP b', "a \\# \x54ODO b", "a \\\\# \x54ODO b", '# SKIP', 'a\\', '1..0 # SKIP') {
        for my $verdict (qw(PASS FAIL)) {
            my %case = (kind => 'test', copies => 1, title => $title, verdict => $verdict, reason => 'x');
            my ($parser, $point) = parsed(rendered(tap => result([]), \%case));
            is($point->directive, q{}, "$verdict: no directive in the title '$title'");
            is_deeply(
                [$parser->failed],
                $verdict eq 'FAIL' ? [1] : [],
                "$verdict: the title '$title' does not change the verdict"
            );
        }
    }
};

subtest 'notes' => sub {
    my %case = (kind => 'test', copies => 1, title => 'a', verdict => 'PASS');
    my $tap  = rendered(tap => result([], notes => ['Quick run: estimate', "two\nlines"]), \%case);
    like($tap, qr/^1[.][.]1\n# Quick run: estimate\n# two\\nlines\nok 1 /m, 'notes are comments');
    my ($parser, @points) = parsed($tap);
    is_deeply([scalar @points, $parser->parse_errors], [1], 'notes are not points or errors');
};

subtest 'nothing measured' => sub {
    my ($parser) = parsed(rendered(tap => result([])));
    is($parser->skip_all, 'nothing was measured', 'an empty result skips all');
    ok(!$parser->has_problems, 'an empty result is not a failure');
};

no_golden_left_over();
done_testing();
