use strict;
use warnings;

use Cwd        ();
use File::Find ();
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../../../t/lib);
use FedShell                       qw(lines_of play);
use Needs                          qw(note_without skip_without);
use TestProgram                    qw(content entries path_of scratch write_file);

# The script of multiuser: its format, and that it gives the same result in every shell, for every user, and with the
# utilities of the system and of busybox. Its PATH has only POSIX utilities, a C compiler, ar and make.

my $SCRIPT = Cwd::abs_path("$FindBin::Bin/../../../testdir/multiuser.script");
my @POSIX  = qw([ awk basename cat chmod cksum cmp comm cp cut date dd diff dirname echo env expand expr false find fold
    grep head ln ls mkdir mkfifo mv nl od paste printf pwd rm rmdir sed sh sleep sort split tail tee test touch tr true
    uname unexpand uniq wc xargs);

my @LINES   = lines_of($SCRIPT);
my @EXTRACT = grep { $_->{is_extract} } @LINES;
my $PLACE   = scratch();
my $most_kb = 0;

subtest 'the script has the promised lines, classes and characters' => \&looks_right;

my ($absent) = grep { !path_of($_) } qw(cc ar make);
if ($absent) { note_without(tool => $absent); done_testing; exit }

make_place();
my @plays  = all_plays();
my $before = [entries($PLACE)];
my %played = map { $_->{name} => $_ } play(grep { !$_->{why_not} } @plays);
my %said   = map { $_->{says} => content($_->{output}) } reverse grep { !$_->{why_not} } @plays;
for my $play (@plays) {
    subtest $play->{name} => sub {
        skip_without(@{ $play->{why_not} }) if $play->{why_not};
        went_well($played{ $play->{name} });
    };
}
my $output_lines = $said{whole} =~ tr/\n//;
unlike $said{whole}, qr/not found/, 'the shell finds all commands';
cmp_ok $output_lines, '>=', 1500, 'the script prints 1500 lines at least';
cmp_ok $output_lines, '<=', 2500, 'the script prints 2500 lines at most';
cmp_ok $most_kb,      '<',  1024, 'the files in a home take less than 1 MB';
is_deeply [entries($PLACE)], $before, 'the runs leave no file next to the homes';

done_testing;

sub looks_right {
    my %count;
    $count{ $_->{class} }++ for @LINES;
    cmp_ok scalar(@LINES), '>=', 220, 'the script has 220 lines at least';
    is scalar(@EXTRACT), 40, 'the extract has 40 lines';
    is join(' ', grep { $count{$_} < 8 } sort keys %count), '', 'each class has eight lines at least';
    is join(' ', map { $_->{number} } grep { length $_->{text} > 120 } @LINES), '', 'no line has more than 120 columns';
    is join(' ', map { $_->{number} } grep { $_->{text} =~ /[^ -~]/ } @LINES),  '', 'each line is printable ASCII';
    return;
}

# Makes the folders of homes and of output, and those of two PATHs. Other users must be able to read them.
sub make_place {
    chmod 0755, $PLACE;
    for my $name (qw(homes said system busybox)) {
        mkdir "$PLACE/$name" or die "$name: $!\n";
        chmod 0755, "$PLACE/$name";
    }
    my $busybox = path_of('busybox');
    my %has     = map { $_ => 1 } $busybox ? split /\n/, qx($busybox --list) : ();
    for my $name (@POSIX, 'ar', 'make') {
        my $path = path_of($name) or next;
        symlink $path,                                           "$PLACE/system/$name"  or die "$name: $!\n";
        symlink $has{$name} && $name ne 'ar' ? $busybox : $path, "$PLACE/busybox/$name" or die "$name: $!\n";
    }
    make_compiler("$PLACE/$_/cc") for 'system', 'busybox';
    return;
}

# Writes a wrapper of the compiler that sets PATH, so that it finds its other parts.
sub make_compiler {
    my ($path) = @_;
    write_file($path, "#!/bin/sh\nPATH='$ENV{PATH}' exec '" . path_of('cc') . "' \"\$@\"\n");
    chmod 0755, $path;
    return;
}

# Returns the runs: the whole script and the extract in each shell. A run has a shell, a part of the script, a user and
# a set of utilities. Each pair of these is in one of the runs. Not all combinations of the four are run, because the
# whole script takes 4 s of CPU time.
sub all_plays {
    my ($other, $busybox) = (another_user(), busybox_utilities());
    my @plays = (
        a_play('dash',    'whole'),
        a_play('dash',    'extract', $other, $busybox),
        a_play('bash',    'whole',   $other),
        a_play('bash',    'extract', $busybox),
        a_play('busybox', 'whole',   $busybox),
        a_play('busybox', 'extract', $other),
        a_play('sh',      'FILE'),
    );
    my ($first) = grep { !$_->{why_not} } @plays;
    $first->{seen} = sub { my $kb = size_kb($first->{home}); $most_kb = $kb if $kb > $most_kb };
    return @plays;
}

# Returns the settings of a run as another user: a home with quotes in its name and, if the test runs as root, words
# that make its shell that of an ordinary user. If that user cannot access the scratch directory, the run stays root's.
sub another_user {
    my %other = (name => q{another's "home"}, before => []);
    return \%other if $> != 0;
    my @nobody = ($^X, "$FindBin::Bin/../../../t/bin/as-nobody");
    return { %other, before => \@nobody } if system(@nobody, 'test', '-x', "$PLACE/homes") == 0;
    note_without(machine => 'a scratch directory that an ordinary user can get to');
    return { %other, name => q{root's "home"} };
}

# Returns the settings of a run with busybox's utilities, or with those of the system if there is no busybox.
sub busybox_utilities {
    return { name => q{busybox's utilities}, tools => "$PLACE/busybox" } if path_of('busybox');
    note_without(tool => 'busybox');
    return { name => q{the system's utilities} };
}

# Takes a shell, a part of the script, and further settings; returns the run, which has its own home. Its AR is set,
# because a shell may prefer its own ar to that in PATH.
sub a_play {
    my ($shell, $part, @how) = @_;
    my %how  = (tools => "$PLACE/system", before => [], map { %$_ } @how);
    my $name = join q{, }, "$shell $part", map { $_->{name} } @how;
    my $home = "$PLACE/homes/$name";
    mkdir $home or die "$home: $!\n";
    chmod 0777, $home;
    my $path  = path_of($shell);
    my @words = $part eq 'FILE' ? $SCRIPT : $shell eq 'busybox' ? 'sh' : ();
    my %lines = (whole => \@LINES, extract => \@EXTRACT, FILE => []);
    return {
        name    => $name,
        shell   => [@{ $how{before} }, $path // $shell, @words],
        why_not => $path ? undef : [tool => $shell],
        lines   => $lines{$part},
        says    => $part eq 'extract' ? 'extract' : 'whole',
        env     => { PATH => $how{tools}, AR => "$how{tools}/ar", CC => undef, LANG => 'en_US.utf8' },
        home    => $home,
        output  => "$PLACE/said/$name"
    };
}

sub went_well {
    my ($play) = @_;
    is join(', ', wrong($play)),                                     '', 'every line ends with its expected status';
    is $play->{ended},                                               0,  'the shell ends with status 0';
    is difference(content($play->{output}), $said{ $play->{says} }), '', 'the output is the same as in all other runs';
    is join(' ', entries($play->{home})),                            '', 'the script leaves no file in the home';
    is $play->{left},                                                0,  'the script leaves no process';
    return;
}

# Returns the lines that did not end with their expected status.
sub wrong {
    my ($play) = @_;
    my $status = $play->{statuses};
    my @wrong  = grep { ($status->{ $_->{number} } // 'none') ne $_->{status} } @{ $play->{lines} };
    return map { "line $_->{number}: " . ($status->{ $_->{number} } // 'none') } @wrong;
}

sub size_kb {
    my ($directory) = @_;
    my $bytes = 0;
    File::Find::find({ wanted => sub { $bytes += (lstat)[7] || 0 }, no_chdir => 1 }, $directory);
    return $bytes / 1024;
}

# Returns the first difference between two texts, or an empty text.
sub difference {
    my @lines = map  { [split /\n/] } @_;
    my ($row) = grep { ($lines[0][$_] // 'end') ne ($lines[1][$_] // 'end') } 0 .. @{ $lines[0] } + @{ $lines[1] };
    return defined $row ? join ' instead of ', map { '"' . ($_->[$row] // 'end') . '"' } @lines : q{};
}
