use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib);
use Tree qw(features modules);

# A number stays a number until a renderer prints it. So topics, comparisons, and reports of features have cells, and
# no formats of numbers.

my $FEATURES = join q{|}, sort keys %{ features('.') };
my $WITHOUT  = qr/\A(?:Compare::|Report::(?:Topic|Comparison|Reference|Groups|View|Block|Wording|EndBlock))/;
my $OF_THEM  = qr/\A(?:$FEATURES)::(?:Report|Wording|EndBlock)\z/;

my $modules = modules('.');
my @checked = grep { /$WITHOUT|$OF_THEM/ } sort keys %$modules;
cmp_ok scalar @checked, '>', 10, 'there are modules to check';
is_deeply [formats_in($modules->{$_})], [], "$_ formats no number" for @checked;

subtest 'a format of a number is found' => sub {
    is_deeply [formats_in(q{return sprintf '%.1f', $x;})],   [q{sprintf '%.1f}],            'sprintf';
    is_deeply [formats_in(q{printf {$out} "%s: %3d", $x;})], [q{printf {$out} "%s: %3d}],   'printf';
    is_deeply [formats_in("sprintf q{%+.2e %%}, 1")],        ['sprintf q{%+.2e'],           'another kind of quotes';
    is_deeply [formats_in('UnixBench::Base::Text::percent(0.5)')], ['Base::Text::percent'], 'a call by its whole name';
    is_deeply [formats_in('use UnixBench::Base::Text qw(clean percent);')], ['Base::Text qw(clean percent'], 'a sub';
    is_deeply [formats_in(q{sprintf '%s: %-*s', 'a', 3, 'b'})], [], 'a format of texts alone is not reported';
};

# Takes the code of a module; returns what formats numbers in it.
sub formats_in {
    my ($code)     = @_;
    my $conversion = qr/%[-+ #0-9.*]*[diufFeEgGxXo]/;
    my $formats = qr/\b(?:DECIMAL|NATURAL|fixed|full_precision|grouped|percent|plus_minus|short_number|significant)\b/;
    return $code =~ /(\bs?printf\b[^;\n]*?$conversion|\bBase::Text(?:\s[^;]*|::)$formats)/g;
}

done_testing();
