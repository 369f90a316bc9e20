use strict;
use warnings;

use File::Path ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Needs qw(skip_without);
use Place qw(names_in place);
use UnixBench::Base::Files;
use UnixBench::Store::JournalFile;
use UnixBench::Store::OutputLock;

# A lock in a directory below a place, with a line in both of its files.
sub begun {
    my ($place) = @_;
    UnixBench::Base::Files::make_directory("$place/results");
    my $lock = UnixBench::Store::OutputLock->reserve(
        directory => "$place/results",
        host      => 'box',
        time_s    => 0,
        name      => 'mine'
    );
    $lock->append($_ => "$_\n") for qw(log journal);
    return $lock;
}

# What is in both files after another line was written to each.
sub written_on {
    my ($lock) = @_;
    $lock->append($_ => "more\n") for qw(log journal);
    return [map { UnixBench::Base::Files::content($_) } map { $lock->base . $_ } qw(.log .journal)];
}

my @WHOLE = ("log\nmore\n", "journal\nmore\n");

subtest 'nothing happened' => sub {
    my $place = place();
    my $lock  = begun($place);
    is($lock->renew, undef, 'nothing is done');
    is_deeply(written_on($lock), \@WHOLE, 'and all is there');
};

my %removed = (
    'the directory' => sub { File::Path::remove_tree("$_[0]/results") },
    'both files'    => sub { unlink glob "$_[0]/results/*" },
    'the journal'   => sub { unlink "$_[0]/results/mine.journal" },
);
for my $what (sort keys %removed) {
    subtest "$what removed" => sub {
        my $place = place();
        my $lock  = begun($place);
        $removed{$what}->($place);
        ok(!$lock->is_kept, 'is noticed');
        is($lock->renew,
            "the files of $place/results/mine were removed during the run: the reports are in $place/results/mine\n",
            'and said');
        ok($lock->is_kept, 'it is there again');
        is_deeply(written_on($lock), \@WHOLE, 'with all that was written');
        is((stat $lock->base . '.journal')[2] & 0777, 0600,  'the journal is private');
        is($lock->renew,                              undef, 'that was it');
        is_deeply(names_in("$place/results"), [qw(mine.journal mine.log)], 'and nothing else is there');
    };
}

subtest 'the log removed, or replaced' => sub {
    for my $is_replaced (0, 1) {
        my $place = place();
        my $lock  = begun($place);
        unlink "$place/results/mine.log";
        UnixBench::Base::Files::write_whole("$place/results/mine.log", 'x') if $is_replaced;
        like($lock->renew, qr/mine[.]log was removed or renamed/, 'is said');
        is_deeply(written_on($lock), \@WHOLE, 'with all that was written');
    }
};

subtest 'the name is taken' => sub {
    my $place = place();
    my $lock  = begun($place);
    File::Path::remove_tree("$place/results");
    my $other = begun($place);
    like($lock->renew, qr{are in \Q$place\E/results/mine-2\n\z}, 'so it gets another');
    is_deeply(written_on($lock),  \@WHOLE, 'with all that was written');
    is_deeply(written_on($other), \@WHOLE, 'and the other is left as it is');
};

subtest 'the directory is moved' => sub {
    skip_without(machine => 'links to open files in /proc') if !-l '/proc/self/fd/0';
    my $place = place();
    my $lock  = begun($place);
    rename "$place/results", "$place/elsewhere" or die "rename: $!\n";
    is($lock->renew,
        "the files of $place/results/mine were moved during the run: the reports are in $place/elsewhere/mine\n",
        'is said');
    is_deeply(written_on($lock),            \@WHOLE,                     'all is there');
    is_deeply(names_in("$place/elsewhere"), [qw(mine.journal mine.log)], 'once');
    ok(!-e "$place/results", 'and nowhere else');
};

subtest 'where it cannot be made' => sub {
    my $place = place();
    my $lock  = begun($place);
    File::Path::remove_tree("$place/results");
    UnixBench::Base::Files::write_whole("$place/results", 'a file');
    is(eval { $lock->renew; 1 }, undef, 'it fails');
    like($@, qr{\Acan't make directory \Q$place\E/results: [^\n]+\n\z}, 'says so');
    ok(!$lock->is_kept, 'and it is known that nothing is kept');
};

done_testing();
