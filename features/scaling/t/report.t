# The shape of scaling: exact curves, what is not determined, and what reports have of it.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../lib ../../../t/lib);
use Fixture                        qw(measured rendered run steady_result tag tagged);
use KnownView                      ();
use UnixBench::Base::JSON;
use UnixBench::Report::Topics;
use UnixBench::Report::View;
use UnixBench::Scaling::Fit;
use UnixBench::Scaling::Topic;
use UnixBench::Store::Measured;

my @SWEEP = (1, 2, 4, 8, 12, 16, 24, 32);

# Takes a function from copies to what they do, and perhaps an error and numbers of copies; returns the shape.
sub shape {
    my ($times, $error, @copies) = @_;
    my @points =
        map { { copies => $_, value => 1000 * $times->($_), error => $error } } @copies ? @copies : @SWEEP;
    return UnixBench::Scaling::Fit::of(@points);
}

# Takes a corner and what further copies add; returns the function.
sub bent {
    my ($place, $each) = @_;
    return sub { my ($n) = @_; return $n <= $place ? $n : $place + $each * ($n - $place) };
}

# Takes a shape; returns what is known of it in words.
sub words {
    my ($of) = @_;
    return join q{ }, $of->{shape}, $of->{to} // q{-}, defined $of->{each} ? sprintf('%.3f', $of->{each}) : q{-};
}

# [what copies do, the shape: its corner, and what each further copy adds].
my @SHAPES = (
    [sub { $_[0] } => 'linear - -'],
    [bent(16, 0.31) => 'corner 16 0.310'],
    [bent(12, 0)    => 'corner 12 0.000'],
    [bent(1,  0.8)  => 'corner 1 0.800'],
    [bent(1,  0)    => 'corner 1 0.000'],
    [bent(24, 0.5)  => 'corner 24 0.500'],
    [bent(20, 0.2)  => 'corner 20 0.200', 'between two measured numbers'],
    [bent(8,  -0.2) => 'falls 8 -'],
    [sub { my ($n) = @_; return $n / (1 + 0.05 * ($n - 1)) } => 'undetermined - -', 'a smooth curve has no corner'],
);
for my $case (@SHAPES) {
    my ($times, $expected, $name) = @$case;
    is(words(shape($times, 0.005)), $expected, $name // $expected);
}

subtest 'few numbers of copies' => sub {
    is(words(shape(bent(16, 0.3), 0.005, 1, 16, 32)), 'corner 16 0.300',  'three show a corner');
    is(words(shape(sub { $_[0] }, 0.005, 4, 8, 16)),  'linear - -',       'the fewest need not be one');
    is(words(shape(sub { $_[0] }, 0.005, 1, 2)),      'undetermined - -', 'two do not');
    is(words(shape(bent(288, 0.4), 0.005, 1, 4, 8, 16, 32, 64, 128, 288, 576)), 'corner 288 0.400', 'a large machine');
};

subtest 'what is not determined' => sub {
    is(shape(bent(16, 0.3))->{shape}, 'undetermined', 'an error is unknown');
    is(shape(bent(16, 0.9),  0.03)->{shape}, 'linear',       'a corner that the errors hide');
    is(shape(bent(16, 0.81), 0.03)->{shape}, 'undetermined', 'a corner that the errors hide in part');
    my @credits = (1, 2, 4, 3, 9, 5, 14, 6);
    my %of      = map { $SWEEP[$_] => $credits[$_] } 0 .. $#SWEEP;
    is(shape(sub { $of{ $_[0] } }, 0.01)->{shape}, 'undetermined', 'a curve that goes up and down');
    my $extreme = shape(sub { $_[0] < 8 ? 1e20 : 1e-20 }, 0.01)->{shape};
    is($extreme, 'undetermined', 'absurd values');
};

# What reports have of shapes.

my @RUNS = (1, 2, 4, 8, 16);

# Takes the name of a test, a number of copies, and what they do in all; returns the test. Its passes vary by 0.2 %.
sub test {
    my ($name, $copies, $times) = @_;
    return measured($name, $copies, map { $_ * $times / $copies } 10_000, 10_020, 9_980, 10_000, 10_010);
}

# What copies do: all of it, up to 8 copies, and each further one less.
my %TIMES = (
    pipe    => sub { $_[0] },
    syscall => sub { $_[0] < 8 ? $_[0] : 8 },
    spawn   => sub { my ($n) = @_; return $n / (1 + 0.05 * ($n - 1)) },
);

# Takes a function that changes a test, or undef, and numbers of copies; returns a result.
sub result_of {
    my ($change, @copies) = @_;
    $change ||= sub { $_[0] };
    my @runs;
    for my $copies (@copies) {
        push @runs, run($copies, map { $change->(test($_, $copies, $TIMES{$_}->($copies)), $copies) } sort keys %TIMES);
    }
    return steady_result(\@runs);
}

sub view { return UnixBench::Report::View->new(result => result_of(@_)) }

# Takes a view; returns { name => shape in words }.
sub words_of {
    my ($view) = @_;
    return { map { $_->{name} => $_->{words} } @{ $view->of_result('shapes') } };
}

subtest 'the shape of each test' => sub {
    my $view  = view(undef, @RUNS);
    my %words = (
        pipe    => 'linear to 16 copies',
        syscall => 'linear to 8 copies, then nothing more',
        spawn   => 'not determined',
    );
    is_deeply(words_of($view), \%words, 'in words');
    my ($spawn) = grep { $_->{name} eq 'spawn' } @{ $view->of_result('shapes') };
    is(sprintf('%.2f', $spawn->{at}[-1]{times}{value}), '9.14', 'the measured values');
    my $sentence = 'syscall gains nothing beyond 8 copies; spawn has no clear shape; pipe gains up to 16 copies.';
    is_deeply([UnixBench::Scaling::Topic::block_entries($view)], [[Scaling => $sentence]], 'the block has a sentence');
    is_deeply(view(undef, 1, 16)->of_result('shapes'),           [], 'two numbers of copies have no shape');
};

subtest 'the sentence' => sub {
    my $shape = sub {
        my ($name, $shape, %more) = @_;
        return { kind => 'test', name => $name, shape => $shape, at => [{ copies => 1 }, { copies => 8 }], %more };
    };
    my $of = sub {
        my ($entry) = UnixBench::Scaling::Topic::block_entries(KnownView->new(shapes => [@_]));
        return $entry->[1];
    };
    is($of->($shape->('A', 'linear')),                'A gains up to 8 copies.',        'one test');
    is($of->(map { $shape->($_, 'linear') } qw(A B)), 'all tests gain up to 8 copies.', 'all alike');
    is(
        $of->(
            $shape->('A', 'falls',  to => 4),
            $shape->('B', 'corner', to => 2, each => 0.01),
            $shape->('C', 'corner', to => 2, each => 0.5),
            $shape->('D', 'undetermined'),
            $shape->('F', 'corner', to => 4, each => 0),
        ),
        'A does less beyond 4 copies; '
            . 'B gains nothing beyond 2 copies, F beyond 4; D has no clear shape; C gains up to 8 copies.',
        'each in its own way'
    );
    my $corners = '1 gains nothing beyond 1 copy, 2 beyond 2, 4 beyond 4, others beyond more.';
    is($of->(map { $shape->($_, 'corner', to => $_, each => 0) } 1, 2, 4, 8, 16, 32), $corners, 'a few corners');
};

subtest 'other load' => sub {
    my $loud = sub {
        my ($test, $copies) = @_;
        return $copies == 4 ? tagged($test, { map { $_ => [tag(others => disturbed => 1)] } 1 .. 5 }) : $test;
    };
    my ($shape) = grep { $_->{name} eq 'syscall' } @{ view($loud, @RUNS)->of_result('shapes') };
    is_deeply([map { $_->{copies} } @{ $shape->{at} }], [1, 2, 8, 16], 'a run that it disturbed is left out');
    is($shape->{words}, 'linear to 8 copies, then nothing more', 'the others decide');
};

subtest 'the reports' => sub {
    my $result  = result_of(undef, @RUNS);
    my $page    = rendered(html    => $result);
    my $details = rendered(details => $result);
    like($details, qr/^System Call Overhead .* linear to 8 copies, then nothing more$/m,       'a column of the table');
    like($details, qr/^System Call Overhead gains nothing beyond 8 copies; Process Creation/m, 'a sentence');
    my ($chart) = $page =~ m{<figure class="curves">(.*?)</figure>}s;
    is(scalar(() = $chart =~ /<circle/g),             15, 'the page has a chart with a point for each value');
    is(scalar(() = $chart =~ /<line class="curve"/g), 12, 'lines between them');
    is(scalar(() = $chart =~ /<line class="ideal"/g), 1,  'and a perfect machine');
    my @ticks = $chart =~ m{class="tick"[^>]*>(\d+)<}g;
    is_deeply(\@ticks, \@RUNS, 'ticks at the measured numbers of copies');
    my @names = $chart =~ m{<text [^>]*class="label"[^>]*>([^<]+)</text>}g;
    is_deeply(\@names, [qw(pipe spawn syscall)], 'the names of the lines, the highest first');
    my ($perfect) = $chart                         =~ m{(<line class="ideal"[^>]*>)};
    my ($end)     = $perfect                       =~ /y2="([\d.]+)"/;
    my @ends      = map { /y2="([\d.]+)"/ } $chart =~ m{(<line class="curve"[^>]*>)}g;
    cmp_ok(abs($ends[3] - $end), '<', 0.5, 'a test that is linear ends where it does');
    cmp_ok($ends[11] - $end,     '>', 30,  'and another one below it');
    my $json = UnixBench::Base::JSON::decode(rendered(json => $result));
    is_deeply([map { $_->{shape} } @{ $json->{shapes} }], [qw(linear undetermined corner)], 'JSON has them');
    UnixBench::Store::Measured::strip($json);
    is($json->{shapes}, undef, 'they are computed again when the file is read');
    my @titles = map { join ' ', $_ =~ m{<h2>(Scaling|\d+ cop\w+)</h2>}g } $page,
        rendered(html => result_of(undef, 1, 16));
    my $wanted = ['Scaling 1 copy 2 copies 4 copies 8 copies 16 copies', '1 copy 16 copies Scaling'];
    is_deeply(\@titles, $wanted, 'the page of a sweep begins with its scaling');
    my $chosen = '1 copy</th>.*?8 copies</th>.*?16 copies</th>';
    like($page, qr{<caption>Index and speed-up</caption>(?:(?!2 copies|4 copies).)*?$chosen}s, 'the corner');
    my $ticket = rendered(markdown => $result);
    like($ticket, qr/^[|] Test [|] 1 copy [|] 8 copies [|] 16 copies [|]$/m, 'so does a ticket');
    like($ticket, qr/^Index      1 copy .*   8 copies .*\n +16 copies /m,    'and its block');
    unlike(rendered(text => $result),                 qr/linear|gains/,   'the classic report has none of it');
    unlike(rendered(html => result_of(undef, 1, 16)), qr/class="curves"/, 'two numbers of copies have no chart');
};

done_testing;
