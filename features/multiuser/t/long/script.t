# The script of multiuser gives the same result in every shell, for another user, and with the utilities of busybox. Its
# PATH has only POSIX utilities, a C compiler, ar and make.

use strict;
use warnings;

use Cwd ();
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../lib ../../../../t/lib);
use MultiUser                      qw(is_clean play_script);
use Needs                          qw(is_user_possible need_built note_without);
use TestProgram                    qw(content path_of scratch write_file);

need_built('multiuser');
my $SCRIPT = Cwd::abs_path("$FindBin::Bin/../../../../testdir/multiuser.script");
my @POSIX  = qw([ awk basename cat chmod cksum cmp comm cp cut date dd diff dirname echo env expand expr false find fold
    grep head ln ls mkdir mkfifo mv nl od paste printf pwd rm rmdir sed sh sleep sort split tail tee test touch tr true
    uname unexpand uniq wc xargs);

my @lines   = grep { /\A\s*[^#\s]/ } split /^/, content($SCRIPT);
my ($part)  = content($SCRIPT) =~ /^#= extract\n(.*?)^#= whole$/ms;
my @classes = content($SCRIPT) =~ /^#= class (.*)$/mg;
cmp_ok scalar(@lines),   '>=', 220, 'the script has 220 lines at least';
cmp_ok scalar(@classes), '>=', 10,  'in ten classes at least';
ok defined $part, 'it has an extract';
is join(q{}, grep { /[^ -~\n]/ || length > 121 } @lines), '', 'each line is printable ASCII of at most 120 columns';

my ($absent) = grep { !path_of($_) } qw(cc ar make);
if ($absent) { note_without(tool => $absent); done_testing; exit }

my $place   = scratch();
my $busybox = path_of('busybox');
chmod 0755, $place;
my %tools = (system => path_with('system'), $busybox ? (busybox => path_with('busybox')) : ());

# [name of the shell, name of the utilities, words before the command].
my @plays = (['dash', 'system'], ['bash', 'system'], ['busybox', 'busybox'], ['dash', 'busybox']);
push @plays, ['dash', 'system', $^X, "$FindBin::Bin/../../../../t/bin/as-nobody"] if $> == 0 && is_user_possible();
my $first;
for my $play (@plays) {
    my ($name, $utilities, @before) = @$play;
    my $shell = path_of($name);
    my $what  = join q{ }, $name, "and the utilities of the $utilities", @before ? 'as another user' : ();
    if (!$shell || !$tools{$utilities}) { note_without(tool => $name); next }
    subtest $what => sub {
        my %env  = (PATH => $tools{$utilities}, AR => "$tools{$utilities}/ar", CC => undef, LANG => 'en_US.utf8');
        my $load = play_script({ env => \%env, before => \@before, is_open => scalar @before },
            $SCRIPT, '--users', 1, '--shell', $name eq 'busybox' ? "$tools{busybox}/sh" : $shell);
        is_deeply([@{ $load->{said} }{qw(load.finished load.incidents)}], [1, 0], 'every line ends as expected')
            or diag $load->{err};
        my $output = $load->{out} =~ s/\A== .*\n//r;
        $first //= $output;
        is($output, $first, 'the output is the same as in all other shells');
        is_clean($load, 'after the script');
    };
}
my $count = ($first // q{}) =~ tr/\n//;
cmp_ok $count, '>=', 1500, 'the script prints 1500 lines at least';
cmp_ok $count, '<=', 2500, 'and 2500 at most';

done_testing;

# Makes a directory for PATH with these utilities, and with a compiler that finds its other parts; returns it.
sub path_with {
    my ($utilities) = @_;
    my $path = "$place/$utilities";
    mkdir $path or die "$path: $!\n";
    my %is_there = map { $_ => 1 } $utilities eq 'busybox' ? split /\n/, qx($busybox --list) : ();
    for my $name (@POSIX, 'ar', 'make') {
        my $tool = $is_there{$name} && $name ne 'ar' ? $busybox : path_of($name) or next;
        symlink $tool, "$path/$name" or die "$name: $!\n";
    }
    write_file("$path/cc", "#!/bin/sh\nPATH='$ENV{PATH}' exec '" . path_of('cc') . "' \"\$@\"\n");
    chmod 0755, "$path/cc";
    return $path;
}
