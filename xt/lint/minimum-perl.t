use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Tree qw(perl_part text);

# Run and its modules need Perl 5.14 and what came with it, no more.
use constant { MINIMUM => '5.014', MINIMUM_IN_FULL => '5.014000' };

plan skip_all => 'Perl::MinimumVersion is not here' if !eval { require Perl::MinimumVersion };
plan skip_all => 'Module::CoreList is not here' if !eval     { require Module::CoreList };

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
my %is_sought  = map { $_ => 1 } text('lib/UnixBench/Setup.pm') =~ /\[module\s*=> '([\w:]+)'\]/g;

for my $path ('Run', 'pgms/gfx-x11', sort split /\n/, qx(find lib -name '*.pm')) {
    my $text = perl_part($path);
    my $code = PPI::Document->new(\$text) or die "$path: " . PPI::Document->errstr . "\n";
    my $need = Perl::MinimumVersion->new($code)->minimum_version;
    cmp_ok($need, '<=', version->new(MINIMUM), "$path: Perl ${\MINIMUM}")
        or diag explain [Perl::MinimumVersion->new($code)->minimum_reason];
    is(join('; ', later_syntax($code)),                  '', "$path: syntax that was there");
    is(join(' ',  grep { !is_core($_) } modules($code)), '', "$path: modules that came with it");
    is(join(' ',  later_functions($code)),               '', "$path: functions that were there");
    my @beyond = grep { !$is_in_base{$_} && !$is_sought{$_} && !/\A[\d.]+\z/ } modules($code);
    is("@beyond", '', "$path: modules that set-up looks for, or that are always there");
}

done_testing;

sub later_syntax {
    my ($code) = @_;
    my $bare = $code->clone;
    $bare->prune("PPI::Token::$_") for qw(Comment Quote Regexp QuoteLike::Words QuoteLike::Regexp);
    return grep { $bare->content =~ $LATER{$_} } sort keys %LATER;
}

# The modules of others that a file uses.
sub modules {
    my ($code) = @_;
    my $includes = $code->find('PPI::Statement::Include') || [];
    return grep { length && !/\AUnixBench\b/ } map { ($_->module, parents($_)) } @$includes;
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
    my ($code)   = @_;
    my @words    = map { $_->content } @{ $code->find('PPI::Token::Word')         || [] };
    my @imported = map { imported($_) } @{ $code->find('PPI::Statement::Include') || [] };
    return grep { /\A(?:List|Scalar)::Util::\w+\z/ && !$IS_THERE{$_} } @words, @imported;
}

sub imported {
    my ($include) = @_;
    my @lists     = grep { $_->isa('PPI::Token::QuoteLike::Words') } $include->arguments;
    return map { $include->module . "::$_" } map { $_->literal } @lists;
}
