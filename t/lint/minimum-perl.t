use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib", "$FindBin::Bin/../lib";
use Needs qw(skip_without);
use Passed;
use Tree qw(perl_part text);

# Run and its modules need Perl 5.14 and what came with it, no more.
use constant { MINIMUM => '5.014', MINIMUM_IN_FULL => '5.014000' };

skip_without(tool => 'Perl::MinimumVersion') if !eval { require Perl::MinimumVersion };
skip_without(tool => 'Module::CoreList') if !eval     { require Module::CoreList };

# What List::Util and Scalar::Util had in 5.14; the rest came later, one by one.
my %IS_THERE = map { $_ => 1 } (
    (map { "List::Util::$_" } qw(first max maxstr min minstr reduce shuffle sum)),
    (
        map { "Scalar::Util::$_" }
            qw(blessed dualvar isvstring isweak looks_like_number openhandle readonly refaddr reftype tainted weaken)
    ),
);

# What Perl::MinimumVersion does not know of.
my %LATER = (
    'dereference behind an arrow, 5.20' => qr/->\s*(?:[\$\@%&]\*|\$\#\*|[\@%][\[{])/,
    'slice with keys, 5.20'             => qr/(?<![\w\$\@%&])%\w+\s*[\[{]/,
    'signature, 5.20'                   => qr/\bsub\b\s*\w*\s*[(][^)]*[\$\@%]\w/,
    'indented here-document, 5.26'      => qr/<<~/,
);

# What Debian's smallest Perl has, and what set-up looks for beyond that.
my ($base)     = text('t/lib/PerlBase.pm') =~ /^my %HAS = .*?qw[(](.*?)[)];/ms;
my %is_in_base = map { s{/}{::}gr =~ s/[.]pm\z//r => 1 } split ' ', $base;
my %is_sought  = map { $_ => 1 } text('lib/UnixBench/Setup/Missing.pm') =~ /\[module\s*=> '([\w:]+)'\]/g;

my @settings = ($Perl::MinimumVersion::VERSION, $Module::CoreList::VERSION, $base, sort keys %is_sought);
my $passed   = Passed->new('minimum-perl', text('t/lint/minimum-perl.t'), @settings);
for my $path ('Run', 'pgms/gfx-x11', sort split /\n/, qx(find lib -name '*.pm')) {
    my $text = perl_part($path);
    my @said = $passed->has($text) ? () : complaints($path, $text);
    is(join("\n", @said), q{}, "$path: Perl ${\MINIMUM} and what came with it") or next;
    $passed->add($text);
}
$passed->keep;

done_testing;

# Takes a path and its text; returns a line for each kind of thing that came later.
sub complaints {
    my ($path, $text) = @_;
    my $code     = PPI::Document->new(\$text) or die "$path: " . PPI::Document->errstr . "\n";
    my @tokens   = $code->tokens;
    my @includes = @{ $code->find('PPI::Statement::Include') || [] };
    my @modules  = modules(@includes);
    my %later    = (
        'syntax'                          => [later_syntax(@tokens)],
        'modules that are not in Perl'    => [grep { !is_core($_) } @modules],
        'functions'                       => [later_functions(\@tokens, \@includes)],
        'modules that set-up misses'      => [grep { is_missed($_) } @modules],
        "what Perl::MinimumVersion finds" => [later_version($code)],
    );
    return map { "$_: @{ $later{$_} }" } grep { @{ $later{$_} } } sort keys %later;
}

# Whether a module is neither in Debian's smallest Perl nor looked for by set-up.
sub is_missed {
    my ($module) = @_;
    return !$is_in_base{$module} && !$is_sought{$module} && $module !~ /\A[\d.]+\z/;
}

sub later_syntax {
    my (@tokens) = @_;
    my $bare     = join q{}, map { is_text($_) ? () : $_->content } @tokens;
    return grep { $bare =~ $LATER{$_} } sort keys %LATER;
}

# Whether a token is no code.
sub is_text {
    my ($token) = @_;
    return scalar grep { $token->isa("PPI::Token::$_") } qw(Comment Quote Regexp QuoteLike::Words QuoteLike::Regexp);
}

# Why Perl::MinimumVersion finds that a file needs more, if it does. It looks for nothing that is older.
sub later_version {
    my ($code)   = @_;
    my $needs    = Perl::MinimumVersion->new($code);
    my $explicit = $needs->minimum_explicit_version;
    return "use $explicit" if $explicit && $explicit > version->new(MINIMUM);
    my $reason = $needs->minimum_syntax_reason(MINIMUM);
    return $reason ? join q{ }, $reason->rule, $reason->version : ();
}

# The modules of others that a file uses.
sub modules {
    my (@includes) = @_;
    return grep { length && !/\AUnixBench\b/ } map { ($_->module, parents($_)) } @includes;
}

# The modules that `use parent` and `use base` load.
sub parents {
    my ($include) = @_;
    return if $include->module !~ /\A(?:parent|base)\z/;
    return map { /\A'([\w:]+)'\z/ ? $1 : () } map { $_->content } $include->arguments;
}

# Whether a module is in Perl since then, and still.
sub is_core {
    my ($module) = @_;
    my $removed = Module::CoreList->removed_from($module);
    return Module::CoreList::is_core($module, undef, MINIMUM_IN_FULL) && !defined $removed;
}

# Functions that these modules had later only, called by their full name or imported.
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
