use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Place qw(names_in place touch);
use UnixBench::Files;

subtest 'directories' => sub {
    my $place = place();
    UnixBench::Files::make_directory("$place/a b/\"c\"/d\xc3\xa9");
    ok(-d "$place/a b/\"c\"/d\xc3\xa9", 'made with those above');
    is(eval { UnixBench::Files::make_directory("$place/a b"); 1 }, 1, 'may be there');
    touch("$place/file");
    is(eval { UnixBench::Files::make_directory("$place/file/x"); 1 }, undef, 'below a file');
    like($@, qr{\Acan't make directory \Q$place\E/file/x: [^\n]+\n\z}, 'says which and why');
    is(eval { UnixBench::Files::make_directory("$place/file"); 1 }, undef, 'a file in its place');
    like($@, qr/\Acan't make directory [^\n]+\n\z/, 'says so');
};

subtest 'a directory that cannot be written to' => sub {
    plan skip_all => 'everything can be written to by root, and nobody else is known' if $> == 0 && !getpwnam 'nobody';
    my $place = place();
    chmod 0555, "$place" or die "chmod: $!\n";
    local $> = getpwnam 'nobody' if $> == 0;
    is(eval { UnixBench::Files::make_directory("$place"); 1 }, undef, 'is refused');
    is($@, "can't write to directory $place: Permission denied\n",    'says so');
};

subtest 'whole files' => sub {
    my $place = place();
    my $path  = "$place/report";
    UnixBench::Files::write_whole($path, $_) for 'first', "second\n";
    is(UnixBench::Files::content($path), "second\n", 'replaced');
    is_deeply(names_in($place), ['report'], 'nothing else is left');
    mkdir "$place/folder" or die "mkdir: $!\n";
    is(eval { UnixBench::Files::write_whole("$place/folder", 'x'); 1 }, undef, 'fails on a directory');
    like($@, qr{\Acan't write \Q$place\E/folder: [^\n]+\n\z}, 'says so');
    is_deeply(names_in($place), [qw(folder report)], 'and leaves nothing');
    is(UnixBench::Files::content("$place/absent"), undef, 'no content');
    is(UnixBench::Files::content("$place/folder"), undef, 'nor of a directory');
};

done_testing();
