# To record the outputs again: UB_RECORD=1 prove -Ilib -r t/report

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
use Rendered qw(rendered);
use Verdicts qw(verdicts);

my $prove = path_of('prove');

# What an output is to a reader that is not ours.
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

# What prove says of a program that prints this.
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
    is_deeply([$parser->parse_errors], [], "$name: nothing that TAP::Parser refuses");
    is($parser->tests_planned // 0, @cases, "$name: planned");
    is(@points,                     @cases, "$name: a point for each case");
    my @failed = numbers(qr/FAIL|INCONCLUSIVE/, @cases);
    is_deeply([$parser->failed],  \@failed,                    "$name: failed, or not decided");
    is_deeply([$parser->skipped], [numbers(qr/SKIP/, @cases)], "$name: skipped");
    is_deeply([$parser->todo],    [],                          "$name: nothing is excused");
    unlike($tap, qr/[\x00-\x09\x0b-\x1f\x7f]/,                          "$name: no control characters");
    unlike($tap, qr/^(?!#|(?:not )?ok \d|1[.][.]\d+|TAP version 13$)/m, "$name: lines of the protocol only");
SKIP: {
        skip_without(tool => 'prove', 2) if !$prove;
        my ($status, $said) = proved($tap);
        is($status != 0, @failed > 0, "$name: prove's status");
        my ($failed) = $said =~ /Failed tests?:\s+([-\d, ]+)/;
        is(ranges($failed // q{}), "@failed", "$name: and the points that it names");
    }
}

# 2-4, 7 as 2 3 4 7.
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
    is($skipped->explanation, 'no display # 1', 'why it was skipped');
    is($skipped->description, '- a, 1 copy',    'what was skipped');
    like($tap, qr/^not ok 2 - a, 1 copy\n# INCONCLUSIVE interrupted\n\z/m, 'what could not be decided is not ok');
};

subtest 'a title is no directive' => sub {
    for my $title ('a # SKIP b', "a \\# \x54ODO b", "a \\\\# \x54ODO b", '# SKIP', 'a\\', '1..0 # SKIP') {
        for my $verdict (qw(PASS FAIL)) {
            my %case = (kind => 'test', copies => 1, title => $title, verdict => $verdict, reason => 'x');
            my ($parser, $point) = parsed(rendered(tap => result([]), \%case));
            is($point->directive, q{}, "$verdict $title");
            is_deeply([$parser->failed], $verdict eq 'FAIL' ? [1] : [], 'and the verdict is its own');
        }
    }
};

subtest 'notes' => sub {
    my %case = (kind => 'test', copies => 1, title => 'a', verdict => 'PASS');
    my $tap  = rendered(tap => result([], notes => ['Quick run: estimate', "two\nlines"]), \%case);
    like($tap, qr/^1[.][.]1\n# Quick run: estimate\n# two\\nlines\nok 1 /m, 'are comments');
    my ($parser, @points) = parsed($tap);
    is_deeply([scalar @points, $parser->parse_errors], [1], 'and nothing else');
};

subtest 'nothing measured' => sub {
    my ($parser) = parsed(rendered(tap => result([])));
    is($parser->skip_all, 'nothing was measured', 'is said, and is no failure');
    ok(!$parser->has_problems, 'no failure');
};

no_golden_left_over();
done_testing();
