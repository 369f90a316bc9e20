use strict;
use warnings;

use Cwd ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Needs qw(skip_without);
use Place qw(place);
use UnixBench::Base::Files;
use UnixBench::Base::OtherUsers;

use constant OTHER => 54_321;    # the number of another user, and of another group

my $PLACE = Cwd::abs_path(my $place = place());
my $HOME  = "$PLACE/home";
UnixBench::Base::Files::make_directory("$PLACE/$_")
    for qw(home/suite own/below open/below group/below sticky/below theirs/ours);
chmod 0777,  "$PLACE/open";
chmod 0775,  "$PLACE/group";
chmod 01777, "$PLACE/sticky";

sub danger { return UnixBench::Base::OtherUsers::danger(@_) }

subtest 'a directory that all users can write to is unsafe' => sub {
    is(danger("$PLACE/$_", "$HOME/suite"), undef, "$_ is safe")
        for qw(own own/below own/below/new own/below/../.. group/below sticky/below sticky home/suite/tmp);
    for my $path (qw(open open/below open/new own/../open/below)) {
        is(danger("$PLACE/$path", "$HOME/suite"), "$PLACE/open can be written to by all users", "$path is unsafe");
    }
};

subtest 'symbolic links are followed' => sub {
    my %link = (good => "$PLACE/own", bad => "$PLACE/open/below", up => '../own/../open', round => 'round');
    symlink $link{$_}, "$PLACE/own/$_" or die "symlink: $!\n" for keys %link;
    is(danger("$PLACE/own/good/below", $HOME), undef, 'a link to a safe directory is safe');
    is(danger("$PLACE/own/$_/x",  $HOME), "$PLACE/open can be written to by all users", "a link to it") for qw(bad up);
    is(danger("$PLACE/own/round", $HOME), undef, 'a link to itself is left to other checks');
};

subtest 'a directory of another user is unsafe' => sub {
    skip_without(machine => 'root') if $> != 0;
    my $path = "$PLACE/theirs";
    chown OTHER, -1, $path or skip_without(machine => 'files of other users');
    my $said = "$path belongs to the user with the number " . OTHER;
    is(danger($_, $HOME), $said, "$_ is unsafe") for $path, "$path/ours", "$path/new";
    symlink '../own', "$PLACE/sticky/theirs" or die "symlink: $!\n";
    system('chown', '-h', OTHER, "$PLACE/sticky/theirs") == 0 or die "chown: $?\n";
    like(danger("$PLACE/sticky/theirs/x", $HOME), qr{sticky/theirs belongs to}, 'a link of another user is unsafe');
    chown OTHER, -1, "$HOME/suite";
    is(danger("$path/ours", "$HOME/suite"), undef, 'a directory of the owner of the suite is safe');
    chown 0,     -1, "$HOME/suite";
    chown OTHER, -1, $HOME;
    is(danger("$path/ours", "$HOME/suite"), undef, 'a directory of the owner of the folder above the suite is safe');
};

subtest 'a directory that another group can write to is unsafe' => sub {
    skip_without(machine => 'root') if $> != 0;
    my $path = "$PLACE/group";
    chown 0, OTHER, $path or skip_without(machine => 'files of other users');
    chmod 0775, $path;
    my $said = "$path can be written to by the group with the number " . OTHER;
    is(danger("$path/below", "$HOME/suite"), $said, 'a group that the caller is not in is not trusted');
    chown 0, OTHER, $HOME;
    is(danger("$path/below", "$HOME/suite"), $said, 'a group that only owns the suite is not trusted');
    chmod 0775, $HOME;
    is(danger("$path/below", "$HOME/suite"), undef, 'a group that can write to the suite is trusted');
    chmod 0755, $path, $HOME;
    local $) = '0 ' . OTHER;
    chmod 0775, $path;
    is(danger("$path/below", "$HOME/suite"), undef, 'a group of the caller is trusted');
};

# Whoever could replace the programs gains nothing by replacing scratch files. All modes are 0777 after chmod -R 777,
# and on the drives of Windows.
subtest 'a suite that all users can write to' => sub {
    my $suite = "$PLACE/given/suite";
    UnixBench::Base::Files::make_directory("$suite/$_") for qw(pgms tmp/below);
    my $all = sub { my ($mode, @paths) = @_; chmod $mode, @paths; return };
    is(UnixBench::Base::OtherUsers::open_tree($suite), undef, 'the usual modes');
    $all->(0777, "$suite/tmp");
    is(danger("$suite/tmp", $suite), "$suite/tmp can be written to by all users", 'tmp alone is unsafe');
    for my $below (q{}, qw(/pgms /..)) {
        my $open = $below eq '/..' ? "$PLACE/given" : "$suite$below";
        $all->(0777, $open);
        is(UnixBench::Base::OtherUsers::open_tree($suite), $open, "all users can replace programs in $open");
        is(danger("$suite/$_",       $suite), undef, "$_ is as safe as the programs") for qw(tmp tmp/below new/x);
        is(danger("$PLACE/open/new", $suite), "$PLACE/open can be written to by all users", 'other places are');
        $all->(01777, $open);
        my $added = $below eq '/pgms' ? $open : undef;
        is(UnixBench::Base::OtherUsers::open_tree($suite), $added, 'with the sticky bit, files can only be added');
        $all->(0755, $open);
    }
    UnixBench::Base::Files::write_whole("$suite/Makefile", q{});
    $all->(0666, "$suite/Makefile");
    is(UnixBench::Base::OtherUsers::open_tree($suite), "$suite/Makefile", 'a file that all users can change');
    $all->(0777, $suite);
    symlink "$PLACE/open", "$suite/away" or die "symlink: $!\n";
    like(danger("$suite/away/x", $suite), qr/can be written to by all users/, 'a link leads out of the suite');
    chown OTHER, -1, "$suite/tmp";
    is(danger("$suite/tmp", $suite), undef, 'a directory that another user has made there');
};

done_testing();
