# Tests of named arguments: constructors take them, and refuse those that they do not know.

use strict;
use warnings;

use Test::More;

use UnixBench::Base::Arguments qw(named);

{

    package Known;

    sub new {
        my ($class, @given) = @_;
        return bless UnixBench::Base::Arguments::named(\@given, qw(clock limit_s)), $class;
    }
}

is_deeply({ %{ Known->new(limit_s => 3) } }, { limit_s => 3 }, 'an argument that is not given has no key');
is_deeply({ %{ Known->new(clock   => undef, limit_s => 0) } }, { clock => undef, limit_s => 0 }, 'values are kept');
my $line = __LINE__ + 2;
is(
    eval { Known->new(limit_s => 3, colour => 'red') } // $@,
    "Known: there is no argument colour ($0, line $line)\n",
    'the error names the unknown argument and the place of the call'
);
like(eval { Known->new('clock') } // $@, qr/\AKnown: an argument has no value/, 'a name without a value is refused');

subtest 'every constructor refuses an argument that it does not know' => sub {
    for my $class (map { s{\Alib/|[.]pm\z}{}gr =~ s{/}{::}gr } split /\n/, qx(grep -rl '^sub new ' lib)) {
        my $is_loaded = eval "require $class; 1";    ## no critic (ProhibitStringyEval)
        ok($is_loaded, "$class loads") or diag $@;
        my $made = eval { $class->new(no_such_argument => 1) };
        like($@, qr/: there is no argument no_such_argument\b/, "$class->new refuses an unknown argument");
    }
};

done_testing;
