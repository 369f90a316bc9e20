use strict;
use warnings;

use FindBin;
use Test::More;

# Rules that need no tool: strict, no tabs, no blanks at the end, no lines over 120, no words for unfinished work,
# no paths of anybody's home.
chdir "$FindBin::Bin/../.." or die "chdir: $!\n";

my $UNFINISHED = join '|', map { join '', @$_ } ['TO', 'DO'], ['FIX', 'ME'], ['(?<!X)XX', 'X(?!X)'];
my @files      = grep { !m{^(?:t/golden|t/data|testdir)/} } tracked();

for my $path (@files) {
    my $text    = text($path);
    my @lines   = split /\n/, $text;
    my $is_perl = $path =~ /[.](?:pm|pl|t)$/ || $text =~ m{\A#!.*\bperl\b};
    my @wrong   = (
        ($is_perl && $text                       !~ /^use strict;/m             ? 'no strict'             : ()),
        ($is_perl && $text                       !~ /^use warnings;/m           ? 'no warnings'           : ()),
        ($text                                   =~ /\t/ && $path ne 'Makefile' ? 'tabs'                  : ()),
        ($text                                   =~ /[ \t]$/m                   ? 'blanks at the end'     : ()),
        ($text                                   =~ /$UNFINISHED/               ? 'unfinished work'       : ()),
        ($text                                   =~ m{/(?:root|work)/\w}        ? 'a path of one machine' : ()),
        (length $text && $text                   !~ /\n\z/                      ? 'no newline at the end' : ()),
        ((grep { length > 120 } @lines) && $path !~ /[.]md$/                    ? 'long lines'            : ()),
    );
    is("@wrong", '', $path);
}

done_testing;

# The files of the repository; without one, all but what is built or made by runs.
sub tracked {
    my @tracked = split /\n/, qx(git ls-files 2>/dev/null);
    return grep { -f } @tracked ? @tracked : split /\n/, qx(find Run *.md Makefile lib src build share t xt -type f);
}

sub text {
    my ($path) = @_;
    open my $file, '<:raw', $path or die "$path: $!\n";
    local $/ = undef;
    my $text = readline $file // '';
    close $file;
    return $text;
}
