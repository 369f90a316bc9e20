# Builds the packages for Debian and RPM by their usual commands, each twice: all packages of both builds have the same
# bytes. Only the level of optimisation is lower, which saves time. lab/packages does this with the usual one in a
# minimal root, and installs them.

use strict;
use warnings;

use Cwd            ();
use Digest::SHA    ();
use File::Basename qw(basename);
use File::Path     ();
use File::Temp     ();
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/../../$_" } qw(t-all/lib t/lib lib);
use Needs                                qw(need_tools skip_without);
use SourceTree                           qw(shell);
use UnixBench::Version                   ();

my $ROOT    = Cwd::abs_path("$FindBin::Bin/../..");
my $VERSION = $UnixBench::Version::VERSION;
my $PLACE   = File::Temp->newdir;
my $NAME    = "unixbench-$VERSION";

need_tools('git');
skip_without(machine => 'a git checkout') if !-e "$ROOT/.git";

# The ways to call a command that may not change a package: umask, time zone, language, and whether it is checked.
my @WAYS = (['022', 'UTC0', 'C', 1], ['077', 'NZ-13', 'C.UTF-8', 0]);

@ENV{qw(root place name UB_GCC_OPTIONS)} = ($ROOT, "$PLACE", $NAME, '-O0');
my $FILES = 'git ls-files -co --exclude-standard -z';
shell($ROOT, qq{$FILES | tar -c --null -T - --transform "s,^,\$name/," | gzip -n > "\$place/\$name.tar.gz"});

subtest 'dpkg-buildpackage' => sub {
    need_tools(qw(dpkg-buildpackage dh fakeroot));
    my @built;
    for my $way (@WAYS) {
        my $dir = "$PLACE/deb" . 'x' x @built;
        my ($said, $status) = made($dir, $way, 'dpkg-buildpackage -us -uc -b -d');
        is($status, 0, 'a package is built') or diag $said;
        is(scalar(() = $said =~ /^ok +Run --dry-run$/mg),
            $way->[3], 'the programs are checked, unless nocheck is given');
        push @built, sums("$dir/*.deb");
    }
    ok($built[0]{"${_}_$VERSION-1"}, "there is the package $_") for qw(unixbench unixbench-graphics);
    is_deeply($built[1], $built[0], 'all packages of both builds have the same bytes');
};

subtest 'rpmbuild' => sub {
    need_tools('rpmbuild');
    my $top  = "$PLACE/rpm";
    my @same = (
        '_topdir ' . $top, '_buildhost bench',
        map { "$_ 1" }
            qw(use_source_date_epoch_as_buildtime
            source_date_epoch_from_changelog clamp_mtime_to_source_date_epoch)
    );
    my $macros = join q{ }, map { "--define '$_'" } @same;
    my @built;
    for my $way (@WAYS) {
        File::Path::remove_tree($top);
        File::Path::make_path("$top/SOURCES");
        link "$PLACE/$NAME.tar.gz", "$top/SOURCES/$NAME.tar.gz" or die "link: $!\n";
        my $check = $way->[3] ? q{} : '--nocheck';
        my ($said, $status) =
            made("$top/made", $way, "rpmbuild -bb --nodeps $check $macros packaging/rpm/unixbench.spec");
        is($status, 0, 'packages are built') or diag $said;
        is(scalar(() = $said =~ /^ok +Run --dry-run$/mg),
            $way->[3], 'the programs are checked, unless --nocheck is given');
        push @built, sums("$top/RPMS/*/*.rpm");
    }
    ok($built[0]{"$_-$VERSION-1"}, "there is the package $_") for qw(unixbench unixbench-graphics);
    is_deeply($built[1], $built[0], 'all packages of both builds have the same bytes');
};

done_testing;

# Unpacks the release in a new directory, and runs a command there. Returns its output and its exit status.
sub made {
    my ($dir, $way, $command) = @_;
    my ($umask, $zone, $language, $is_checked) = @$way;
    File::Path::make_path($dir);
    local @ENV{qw(TZ LC_ALL DEB_BUILD_OPTIONS HOME)} =
        ($zone, $language, ($is_checked ? 'parallel=2' : 'parallel=1 nocheck'), '/nonexistent');
    my $said = shell($dir, qq{umask $umask && tar -x -z -f "\$place/\$name.tar.gz" && cd "\$name" && $command});
    return ($said, $? >> 8);
}

# Takes a pattern of files; returns { name and version => checksum }.
sub sums {
    my ($pattern) = @_;
    return { map { (basename($_) =~ s/[_.][a-z0-9_]+[.](?:deb|rpm)\z//r => sum($_)) } glob $pattern };
}

sub sum { my ($path) = @_; return Digest::SHA->new(256)->addfile($path, 'b')->hexdigest }
