package Tree;

# The tree that the lint tests look at; whoever uses this works in its root.

use strict;
use warnings;

use Cwd ();
use Exporter 'import';
use File::Basename ();

our @EXPORT_OK = qw(is_here is_perl perl_part text);

chdir File::Basename::dirname(Cwd::abs_path(__FILE__)) . '/../../..' or die "chdir: $!\n";

# Whether a tool can be run.
sub is_here {
    my ($tool) = @_;
    return system("$tool --version >/dev/null 2>&1") == 0;
}

# Whether a file is a module, a test or a script in Perl.
sub is_perl {
    my ($path) = @_;
    return $path =~ /[.](?:pm|t|pl)$/ || text($path) =~ m{\A#!.*\bperl\b|^#!perl$}m;
}

# The text of a file of Perl, without the shell script that it may begin as.
sub perl_part {
    my ($path) = @_;
    return text($path) =~ s/\A.*(?=^#!perl$)//msr;
}

# The text of a file.
sub text {
    my ($path) = @_;
    open my $file, '<:raw', $path or die "$path: $!\n";
    local $/ = undef;
    my $text = readline $file;
    close $file;
    return $text // '';
}

1;
