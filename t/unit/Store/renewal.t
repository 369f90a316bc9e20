use strict;
use warnings;

use File::Path ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Needs qw(skip_without);
use Place qw(names_in place);
use UnixBench::Base::Files;
use UnixBench::Store::OutputFiles;
use UnixBench::Store::OutputLock;

# Takes a place; returns a lock in a directory below it, with a line in each of its two files.
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

# Takes a lock; writes another line to both files and returns their content.
sub written_on {
    my ($lock) = @_;
    $lock->append($_ => "more\n") for qw(log journal);
    return [map { UnixBench::Base::Files::content($_) } map { $lock->base . $_ } qw(.log .journal)];
}

my @WHOLE = ("log\nmore\n", "journal\nmore\n");

subtest 'renew does nothing if all files are there' => sub {
    my $place = place();
    my $lock  = begun($place);
    is($lock->renew, undef, 'renew reports nothing');
    is_deeply(written_on($lock), \@WHOLE, 'both files are complete');
};

my %removed = (
    'the directory' => sub { File::Path::remove_tree("$_[0]/results") },
    'both files'    => sub { unlink glob "$_[0]/results/*" },
    'the journal'   => sub { unlink "$_[0]/results/mine.journal" },
);
for my $what (sort keys %removed) {
    subtest "renew makes the files again after $what was removed" => sub {
        my $place = place();
        my $lock  = begun($place);
        $removed{$what}->($place);
        ok(!$lock->is_kept, 'the removal is noticed');
        is(
            $lock->renew,
            "the files of $place/results/mine were removed during the run: the reports are in $place/results/mine\n",
            'renew reports it'
        );
        ok($lock->is_kept, 'the files are kept again');
        is_deeply(written_on($lock), \@WHOLE, 'both files are complete');
        is((stat $lock->base . '.journal')[2] & 0777, 0600,  'the journal is private');
        is($lock->renew,                              undef, 'the second renew reports nothing');
        is_deeply(names_in("$place/results"), [qw(mine.journal mine.log)], 'there is no other file');
    };
}

subtest 'renew makes a log again that was removed or replaced' => sub {
    for my $is_replaced (0, 1) {
        my $place = place();
        my $lock  = begun($place);
        unlink "$place/results/mine.log";
        UnixBench::Base::Files::write_whole("$place/results/mine.log", 'x') if $is_replaced;
        like($lock->renew, qr/mine[.]log was removed or renamed/, 'renew reports it');
        is_deeply(written_on($lock), \@WHOLE, 'both files are complete');
    }
};

subtest 'renew uses another name if the name is taken' => sub {
    my $place = place();
    my $lock  = begun($place);
    File::Path::remove_tree("$place/results");
    my $other = begun($place);
    like($lock->renew, qr{are in \Q$place\E/results/mine-2\n\z}, 'renew reports the name');
    is_deeply(written_on($lock),  \@WHOLE, 'both files are complete');
    is_deeply(written_on($other), \@WHOLE, 'the files of the other run are complete');
};

subtest 'renew keeps files that were moved' => sub {
    skip_without(machine => 'links to open files in /proc') if !-l '/proc/self/fd/0';
    my $place = place();
    my $lock  = begun($place);
    rename "$place/results", "$place/elsewhere" or die "rename: $!\n";
    is(
        $lock->renew,
        "the files of $place/results/mine were moved during the run: the reports are in $place/elsewhere/mine\n",
        'renew reports the new directory'
    );
    is_deeply(written_on($lock),            \@WHOLE,                     'both files are complete');
    is_deeply(names_in("$place/elsewhere"), [qw(mine.journal mine.log)], 'the files are in the new directory');
    ok(!-e "$place/results", 'the old directory is not made again');
};

subtest "renew dies if the files can't be made again" => sub {
    my $place = place();
    my $lock  = begun($place);
    File::Path::remove_tree("$place/results");
    UnixBench::Base::Files::write_whole("$place/results", 'a file');
    is(eval { $lock->renew; 1 }, undef, 'renew dies');
    like($@, qr{\Acan't make directory \Q$place\E/results: [^\n]+\n\z}, 'the error gives the reason');
    ok(!$lock->is_kept, 'the lock knows that nothing is kept');
};

done_testing();
