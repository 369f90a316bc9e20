use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/../../../$_" } qw(t/lint/lib t/lib);
use Needs qw(skip_without);
use Passed;
use Tree qw(is_program perl_files perl_part text_of);

# The syntax and the functions of all Perl files are those of Perl 5.14. Run and its modules need only modules that came
# with it.
use constant { MINIMUM => '5.014', MINIMUM_IN_FULL => '5.014000' };

skip_without(tool => 'Perl::MinimumVersion') if !eval { require Perl::MinimumVersion };
skip_without(tool => 'Module::CoreList') if !eval     { require Module::CoreList };

# Functions that List::Util and Scalar::Util had in Perl 5.14; the others came later.
my %IS_THERE = map { $_ => 1 } (
    (map { "List::Util::$_" } qw(first max maxstr min minstr reduce shuffle sum)),
    (
        map { "Scalar::Util::$_" }
            qw(blessed dualvar isvstring isweak looks_like_number openhandle readonly refaddr reftype tainted weaken)
    ),
);

# Later syntax that Perl::MinimumVersion does not know.
my %LATER = (
    'dereference behind an arrow, 5.20' => qr/->\s*(?:[\$\@%&]\*|\$\#\*|[\@%][\[{])/,
    'slice with keys, 5.20'             => qr/(?<![\w\$\@%&])%\w+\s*[\[{]/,
    'signature, 5.20'                   => qr/\bsub\b\s*\w*\s*[(][^)]*[\$\@%]\w/,
    'indented here-document, 5.26'      => qr/<<~/,
);

# The modules of Debian's smallest Perl, and those that set-up looks for in addition.
my ($base)     = text_of('t/lib/PerlBase.pm') =~ /^my %HAS = .*?qw[(](.*?)[)];/ms;
my %is_in_base = map { s{/}{::}gr =~ s/[.]pm\z//r => 1 } split ' ', $base;
my %is_sought  = map { $_ => 1 } text_of('lib/UnixBench/Setup/Software.pm') =~ /\[module\s*=> '([\w:]+)'\]/g;

my @settings = ($Perl::MinimumVersion::VERSION, $Module::CoreList::VERSION, $base, sort keys %is_sought);
my $passed   = Passed->new('minimum-perl', text_of('t/long/lint/minimum-perl.t'), @settings);
for my $path (perl_files()) {
    my $text = perl_part($path);
    my @said = $passed->has("$path\n$text") ? () : complaints($path, $text);
    is(join("\n", @said), q{}, "$path needs only Perl ${\MINIMUM}") or next;
    $passed->add("$path\n$text");
}
$passed->keep;

done_testing;

# Takes a path and its text; returns a line for each kind of code that needs a later Perl.
sub complaints {
    my ($path, $text) = @_;
    my $code     = PPI::Document->new(\$text) or die "$path: " . PPI::Document->errstr . "\n";
    my @tokens   = $code->tokens;
    my @includes = @{ $code->find('PPI::Statement::Include') || [] };
    my @modules  = is_program($path) ? modules(@includes) : ();
    my %later    = (
        'syntax'                          => [later_syntax(@tokens)],
        'modules that are not in Perl'    => [grep { !is_core($_) } @modules],
        'functions'                       => [later_functions(\@tokens, \@includes)],
        'modules that set-up misses'      => [grep { is_missed($_) } @modules],
        "what Perl::MinimumVersion finds" => [later_version($code)],
    );
    return map { "$_: @{ $later{$_} }" } grep { @{ $later{$_} } } sort keys %later;
}

# Returns whether a module is missing in Debian's smallest Perl and set-up does not look for it.
sub is_missed {
    my ($module) = @_;
    return !$is_in_base{$module} && !$is_sought{$module} && $module !~ /\A[\d.]+\z/;
}

sub later_syntax {
    my (@tokens) = @_;
    my $bare     = join q{}, map { is_text($_) ? () : $_->content } @tokens;
    return grep { $bare =~ $LATER{$_} } sort keys %LATER;
}

# Returns whether a token is a comment, a quote or a pattern.
sub is_text {
    my ($token) = @_;
    return scalar grep { $token->isa("PPI::Token::$_") } qw(Comment Quote Regexp QuoteLike::Words QuoteLike::Regexp);
}

# Returns the reason why Perl::MinimumVersion finds that a file needs a later Perl, or nothing. It stops at older
# features.
sub later_version {
    my ($code)   = @_;
    my $needs    = Perl::MinimumVersion->new($code);
    my $explicit = $needs->minimum_explicit_version;
    return "use $explicit" if $explicit && $explicit > version->new(MINIMUM);
    my $reason = $needs->minimum_syntax_reason(MINIMUM);
    return $reason ? join q{ }, $reason->rule, $reason->version : ();
}

# Takes PPI statements; returns the modules of others that they load.
sub modules {
    my (@includes) = @_;
    return grep { length && !/\AUnixBench\b/ } map { ($_->module, parents($_)) } @includes;
}

# Returns the modules that `use parent` and `use base` load.
sub parents {
    my ($include) = @_;
    return if $include->module !~ /\A(?:parent|base)\z/;
    return map { /\A'([\w:]+)'\z/ ? $1 : () } map { $_->content } $include->arguments;
}

# Returns whether a module is in Perl since 5.14, and still is.
sub is_core {
    my ($module) = @_;
    my $removed = Module::CoreList->removed_from($module);
    return Module::CoreList::is_core($module, undef, MINIMUM_IN_FULL) && !defined $removed;
}

# Returns functions of List::Util and Scalar::Util that came after 5.14, if they are imported or called by their full
# name.
sub later_functions {
    my ($tokens, $includes) = @_;
    my @words    = map { $_->content } grep { $_->isa('PPI::Token::Word') } @$tokens;
    my @imported = map { imported($_) } @$includes;
    return grep { /\A(?:List|Scalar)::Util::\w+\z/ && !$IS_THERE{$_} } @words, @imported;
}

sub imported {
    my ($include) = @_;
    my @lists     = grep { $_->isa('PPI::Token::QuoteLike::Words') } $include->arguments;
    return map { $include->module . "::$_" } map { $_->literal } @lists;
}
