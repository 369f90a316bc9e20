use strict;
use warnings;

use Cwd        ();
use File::Find ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use FedShell    qw(lines_of play);
use Needs       qw(note_without skip_without);
use TestProgram qw(content entries path_of scratch write_file);

# What the users of multiuser type: what it looks like, and that it does the same in every shell and for every user,
# with the system's utilities and with busybox's. Nothing is in its PATH but POSIX utilities, a C compiler, ar and make.

my $SCRIPT = Cwd::abs_path("$FindBin::Bin/../../testdir/multiuser.script");
my @POSIX  = qw([ awk basename cat chmod cksum cmp comm cp cut date dd diff dirname echo env expand expr false find fold
    grep head ln ls mkdir mkfifo mv nl od paste printf pwd rm rmdir sed sh sleep sort split tail tee test touch tr true
    uname unexpand uniq wc xargs);

my @LINES   = lines_of($SCRIPT);
my @EXTRACT = grep { $_->{is_extract} } @LINES;
my $PLACE   = scratch();
my $most_kb = 0;

subtest 'what it looks like' => \&looks_right;

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
unlike $said{whole}, qr/not found/, 'no command is missing';
cmp_ok $output_lines, '>=', 1500, 'lines of output: enough';
cmp_ok $output_lines, '<=', 2500, 'lines of output: not too many';
cmp_ok $most_kb,      '<',  1024, 'KB in its home at most';
is_deeply [entries($PLACE)], $before, 'nothing is left beside the homes';

done_testing;

sub looks_right {
    my %count;
    $count{ $_->{class} }++ for @LINES;
    cmp_ok scalar(@LINES), '>=', 220, 'lines';
    is scalar(@EXTRACT), 40, 'lines of the extract';
    is join(' ', grep { $count{$_} < 8 } sort keys %count), '', 'no class of fewer than eight lines';
    is join(' ', map { $_->{number} } grep { length $_->{text} > 120 } @LINES), '', 'no line of more than 120 columns';
    is join(' ', map { $_->{number} } grep { $_->{text} =~ /[^ -~]/ } @LINES),  '', 'nothing but printable ASCII';
    return;
}

# Homes, what is said there, and the directories of two PATHs; others must be able to read those.
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

# A compiler that finds the rest of itself.
sub make_compiler {
    my ($path) = @_;
    write_file($path, "#!/bin/sh\nPATH='$ENV{PATH}' exec '" . path_of('cc') . "' \"\$@\"\n");
    chmod 0755, $path;
    return;
}

# Whole and extract in each shell, as who runs this and as an ordinary user.
sub all_plays {
    my @plays;
    for my $shell (['dash'], ['bash'], ['busybox', 'sh']) {
        my ($name, @words) = @$shell;
        my $path = path_of($name);
        my %how  = (shell => [$path, @words], why_not => $path ? undef : [tool => $name]);
        push @plays, a_play("$name, whole", %how);
        push @plays, a_play("$name, extract",            %how, says => 'extract', lines => \@EXTRACT);
        push @plays, a_play("$name, another's \"home\"", %how, user_of(%how));
    }
    push @plays,
        a_play(q{busybox's utilities}, tools => 'busybox', why_not => path_of('busybox') ? undef : [tool => 'busybox']);
    push @plays, a_play('sh FILE', shell => ['/bin/sh', $SCRIPT], lines => []);
    my ($first) = grep { !$_->{why_not} } @plays;
    $first->{seen} = sub { my $kb = size_kb($first->{home}); $most_kb = $kb if $kb > $most_kb };
    return @plays;
}

# Of root, that of an ordinary user; where there is none who can get here, why not.
sub user_of {
    my (%how) = @_;
    return () if $> != 0 || $how{why_not};
    my @nobody = ($^X, "$FindBin::Bin/../bin/as-nobody");
    return (why_not => [machine => 'a scratch directory that an ordinary user can get to'])
        if system(@nobody, 'test', '-x', "$PLACE/homes") != 0;
    return (shell => [@nobody, @{ $how{shell} }]);
}

# With a home of its own. A shell may prefer its own ar to that in PATH.
sub a_play {
    my ($name, %how) = @_;
    my $home = "$PLACE/homes/$name";
    mkdir $home or die "$home: $!\n";
    chmod 0777, $home;
    my $tools = "$PLACE/" . ($how{tools} || 'system');
    my $env   = { PATH => $tools, AR => "$tools/ar", CC => undef, LANG => 'en_US.utf8' };
    my %play  = (name => $name, says => 'whole', lines => \@LINES, shell => ['/bin/sh'], env => $env, home => $home);
    return { %play, output => "$PLACE/said/$name", %how };
}

sub went_well {
    my ($play) = @_;
    is join(', ', wrong($play)),                                     '', 'every line ends as it has to';
    is $play->{ended},                                               0,  'the shell came to the end';
    is difference(content($play->{output}), $said{ $play->{says} }), '', 'says what all others say';
    is join(' ', entries($play->{home})),                            '', 'leaves nothing in its home';
    is $play->{left},                                                0,  'leaves no process';
    return;
}

# The lines with another status than theirs.
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

# The first line in which a text is another than it has to be.
sub difference {
    my @lines = map  { [split /\n/] } @_;
    my ($row) = grep { ($lines[0][$_] // 'end') ne ($lines[1][$_] // 'end') } 0 .. @{ $lines[0] } + @{ $lines[1] };
    return defined $row ? join ' instead of ', map { '"' . ($_->[$row] // 'end') . '"' } @lines : q{};
}
