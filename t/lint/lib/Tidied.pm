package Tidied;

# The layout that perltidy gives to all Perl files of the tree, for the test of it and for "make tidy".

use strict;
use warnings;

use Exporter 'import';
use File::Temp ();

use Passed;
use Place qw(write_file);
use Tree  qw(perl_files perl_part text_of);

our @EXPORT_OK = qw(layouts);

# Calls a function with each path, its text, and the text that perltidy makes of it, which is empty if perltidy fails.
# Returns nothing. Texts that had the layout before are not formatted again.
sub layouts {
    my ($do)     = @_;
    my $passed   = Passed->new(tidy => $Perl::Tidy::VERSION, text_of('.perltidyrc'));
    my %text     = map  { $_ => text_of($_) } perl_files();
    my @to_check = grep { !$passed->has($text{$_}) } sort keys %text;
    my %tidy     = (%text, map { _tidied(\%text, $_, _with_option($_, @to_check)) } q{}, '--look-for-hash-bang');
    for my $path (sort keys %text) {
        $do->($path, $text{$path}, $tidy{$path});
        $passed->add($text{$path}) if $tidy{$path} eq $text{$path};
    }
    $passed->keep;
    return;
}

# Writes all files with their layout, and prints the paths of those that change. Dies if perltidy fails for a file.
sub write_layouts {
    layouts(sub {
        my ($path, $text, $tidy) = @_;
        return if $tidy eq $text;
        die "perltidy can't read $path\n" if $tidy eq q{};
        write_file($path, $tidy);
        print "$path\n";
    });
    return;
}

# Takes a path; returns the option of perltidy that the file needs, or an empty text: a script may begin in another
# language.
sub _option {
    my ($path) = @_;
    return perl_part($path) eq text_of($path) ? q{} : '--look-for-hash-bang';
}

sub _with_option {
    my ($wanted, @paths) = @_;
    return grep { _option($_) eq $wanted } @paths;
}

# Takes { path => text }, an option of perltidy and paths; returns path => text as perltidy would write it. All files go
# into one call: perltidy needs as long to read its options as to format a small file.
sub _tidied {
    my ($text, $option, @paths) = @_;
    my $place  = File::Temp->newdir;
    my @copies = map { "$place/$_" } 0 .. $#paths;
    write_file($copies[$_], $text->{ $paths[$_] }) for 0 .. $#paths;
    my $said = q{};
    Perl::Tidy::perltidy(perltidyrc => '.perltidyrc', argv => [$option || (), @copies], stderr => \$said) if @paths;
    return map { $paths[$_] => -e "$copies[$_].tdy" ? text_of("$copies[$_].tdy") : q{} } 0 .. $#paths;
}

1;
