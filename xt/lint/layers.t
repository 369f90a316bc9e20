use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Tree qw(text);

# Modules use only modules of the rows below their own in DESIGN's table; only Child starts processes; only Console
# prints errors.

my %layer = layers();
my %text  = map { module($_) => code($_) } split /\n/, qx(find lib -name '*.pm');

is_deeply([sort keys %layer], [sort keys %text], 'the table names exactly the modules that there are');

for my $module (sort keys %text) {
    my @above = grep { $layer{$_} <= $layer{$module} } used_by($module);
    is("@above", '', "$module uses only what is below it");
    next if $module eq 'Child';
    is(join(' ', starts_in($module)), '', "$module starts no process");
    unlike($text{$module}, qr/print[ {]+STDERR|\bwarn\b\s*[("'\$]/, "$module prints no errors") if $module ne 'Console';
}

done_testing;

# The number of the row of each module, from the top.
sub layers {
    my ($table) = text('DESIGN.md') =~ /^## Layers\n(.*?)^\* /ms or die "DESIGN.md has no layers\n";
    my ($row, %row_of) = (0);
    for my $cells (map { [split /\s*[|]\s*/] } grep { /^[|] [^-]/ } split /\n/, $table) {
        $row++;
        $row_of{$_} = $row for grep { $_ ne 'modules' } split /, /, $cells->[2];
    }
    return %row_of;
}

sub used_by {
    my ($module) = @_;
    my %used = map { $_ => 1 } $text{$module} =~ /^\s*(?:use|require)(?: parent)? '?UnixBench::([\w:]+)/mg;
    return sort keys %used;
}

sub module {
    my ($path) = @_;
    $path =~ s{^lib/UnixBench/|[.]pm$}{}g;
    return $path =~ s{/}{::}gr;
}

# Words that start a process.
sub starts_in {
    my ($module) = @_;
    return $text{$module} =~ /(\bfork\b|\bsystem\(|\bsystem\s+["'\$\@{]|\bqx\b|\bexec\s*[{(]|'-[|]'|'[|]-')/g;
}

# A file without its comments.
sub code { my ($path) = @_; return text($path) =~ s/^\s*#.*$//mgr }
