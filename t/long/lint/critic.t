use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/../../../$_" } qw(t/lint/lib t/lib);
use Needs qw(skip_without);
use Passed;
use Tree qw(is_program perl_files perl_part text_of);

# Perl::Critic finds nothing with the rules of .perlcriticrc in what runs load. In tests and scripts, it finds nothing
# that is likely to be an error.
skip_without(tool => 'Perl::Critic') if !eval { require Perl::Critic };

# Rules for modules that others load, and for methods; tests and scripts need not follow them.
my @NOT_IN_SCRIPTS = qw(RequireExplicitPackage RequireEndWithOne RequireFilenameMatchesPackage ProhibitMultiplePackages
    RequireArgUnpacking RequireBriefOpen ProhibitCommaSeparatedStatements ProhibitNoWarnings ProhibitInteractiveTest
    ProhibitBuiltinHomonyms ProhibitMixedBooleanOperators RequireLocalizedPunctuationVars);
use constant SEVERITY_IN_SCRIPTS => 4;

my %critic = (
    program => Perl::Critic->new(-profile => '.perlcriticrc'),
    script  =>
        Perl::Critic->new(-profile => '.perlcriticrc', -severity => SEVERITY_IN_SCRIPTS, -exclude => \@NOT_IN_SCRIPTS),
);
my $passed = Passed->new(critic => $Perl::Critic::VERSION, map { text_of($_) } '.perlcriticrc', 't/long/lint/critic.t');
for my $path (perl_files()) {
    my $perl   = perl_part($path);
    my $source = $perl eq text_of($path) ? $path : \$perl;
    my $critic = $critic{ is_program($path) ? 'program' : 'script' };
    my @said   = $passed->has("$path\n$perl") ? () : $critic->critique($source);
    is(join(q{}, @said), q{}, $path) or next;
    $passed->add("$path\n$perl");
}
$passed->keep;

done_testing;
