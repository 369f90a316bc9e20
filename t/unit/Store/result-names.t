use strict;
use warnings;

use Cwd ();
use FindBin;
use POSIX qw(mkfifo);
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Fixture qw(measured rendered result run);
use Place   qw(place text_of write_file);
use UnixBench::Store::ClassicReport;
use UnixBench::Store::ResultNames;

# Takes a factor; returns a result whose rates are multiplied by it.
sub one {
    my ($factor) = @_;
    return result([run(1, measured('pipe', 1, map { $factor * $_ } 1000, 1010, 1005))]);
}

my %PAGE   = map { $_ => rendered(html => one($_)) } 1, 2;
my %JSON   = map { $_ => rendered(json => one($_)) } 1, 2;
my %REPORT = map { $_ => rendered(text => one($_)) } 1, 2;
my $CSV    = rendered(csv => one(1));

# Takes { name => text }; returns a directory with these files.
sub directory {
    my (%text) = @_;
    my $place = place();
    write_file("$place/$_", $text{$_}) for keys %text;
    return $place;
}

# Takes a directory, a method and a word; returns the names of the files that are found, with notices, or the error, all
# without the directory.
sub found {
    my ($place, $method, $word) = @_;
    my $names = UnixBench::Store::ResultNames->new(directory => "$place");
    my @files = eval { $names->$method($word) };
    my $text  = $@ || join q{, },
        map { !ref ? $_ : defined $_->{why} ? () : $_->{path} . (defined $_->{notice} ? " [$_->{notice}]" : q{}) }
        @files;
    return $text =~ s/\Q$place\E/DIR/gr;
}

my $HERE = Cwd::getcwd();
my $all  = directory(
    'full'        => $REPORT{1},
    'full.html'   => $PAGE{1},
    'full.json'   => $JSON{1},
    'full.csv'    => $CSV,
    'full.log'    => "a log\n",
    'old'         => $REPORT{1},
    'old.json'    => $JSON{1},
    'old.html'    => "<!DOCTYPE html>\n<p>a page without data</p>\n",
    'text'        => $REPORT{2},
    'text.log'    => "a log\n",
    'mixed'       => $REPORT{2},
    'mixed.html'  => $PAGE{1},
    'notes'       => "bought milk\n",
    'notes.txt'   => "bought milk\n",
    'meters.json' => '{"a":{"x":1},"b":{"x":2}}',
    'meters'      => $REPORT{1},
    'only.log'    => "a log\n",
    'sorted.json' => qq({\n  "asked": [],\n  "format": "unixbench-result",\n  "schema": 2\n}\n),
    'sorted.html' => $PAGE{1},
    'pretty.json' => qq({\n  "asked": [],\n  "format": "unixbench-result",\n  "schema": 2\n}\n),
    'other.json'  => qq({\n  "format": "another-result"\n}\n),
    '.hidden'     => $REPORT{1},
);

subtest 'a bare name is a run in the directory of results' => sub {
    my %file = (
        'full'      => 'DIR/full.html',
        'full.json' => 'DIR/full.html',
        'full.log'  => 'DIR/full.html',
        'old'       => 'DIR/old.json',
        'text'      => 'DIR/text',
        'mixed'     => 'DIR/mixed.html',
        'pretty'    => 'DIR/pretty.json',
    );
    is(found($all, files => $_), $file{$_}, "$_: its best file is read: $file{$_}") for sort keys %file;
    my $none = 'and no run of that name in DIR';
    is(found($all, files => $_), "there is no file $_, $none\n", "$_: an error names the directory")
        for 'only', 'other', 'nothing-like-it';
    is(found($all,        files => 'ful'),  "there is no file ful, $none; did you mean full?\n", 'a misspelt name');
    is(found("$all/none", files => 'full'), "there is no file full, $none\n", 'without a directory of results');
    like(found($all, files => "f\e[31m"), qr/\Athere is no file f\\x1b\[31m, /, 'control characters are escaped');
};

subtest 'a path is a file, or a better file of the same run' => sub {
    my $notice = sub { " [$_[0]: reading $_[1], which has the data of this run\n]" };
    my %file   = (
        'full.html'   => 'DIR/full.html',
        'full.json'   => 'DIR/full.json',
        'full'        => 'DIR/full.html' . $notice->('DIR/full',     'DIR/full.html'),
        'full.csv'    => 'DIR/full.html' . $notice->('DIR/full.csv', 'DIR/full.html'),
        'full.log'    => 'DIR/full.html' . $notice->('DIR/full.log', 'DIR/full.html'),
        'old'         => 'DIR/old.json' . $notice->('DIR/old',      'DIR/old.json'),
        'old.html'    => 'DIR/old.json' . $notice->('DIR/old.html', 'DIR/old.json'),
        'text'        => 'DIR/text',
        'text.log'    => 'DIR/text' . $notice->('DIR/text.log', 'DIR/text'),
        'mixed'       => 'DIR/mixed',
        'notes'       => 'DIR/notes',
        'notes.txt'   => 'DIR/notes.txt',
        'meters.json' => 'DIR/meters.json',
        'sorted.json' => 'DIR/sorted.json',
        'only.log'    => 'DIR/only.log',
    );
    is(found($all, files => "$all/$_"),   $file{$_}, "DIR/$_ is read as $file{$_}" =~ s/\n//gr) for sort keys %file;
    is(found($all, files => "$all/none"), "there is no file DIR/none\n", 'a missing file');
    chdir "$all" or die "chdir: $!\n";
    is(found(place(), files => 'text'), 'text', 'a file in the current directory needs no path');
    is(found(place(), files => 'old'),  'old.json' . $notice->('old', 'old.json'), 'nor does a better one');
    chdir $HERE or die "chdir: $!\n";
};

subtest 'the word for a file leads to it' => sub {
    my $page  = "<!DOCTYPE html>\n<pre>\n$REPORT{1}</pre>\n";
    my $place = directory('own.html' => $PAGE{1}, 'own.json' => $JSON{1}, 'post.html' => $page, 'text' => $REPORT{2});
    my $names = UnixBench::Store::ResultNames->new(directory => "$place");
    my %word  = ('own.html' => 'own', 'own.json' => 'own.json', 'post.html' => 'post', 'text' => 'text');
    is($names->word("$place/$_"), $word{$_}, "$_ has the word $word{$_}") for sort keys %word;
    is(found($place, files => "$place/$word{$_}"), "DIR/$_", "which leads to $_") for sort keys %word;
    is(found($place, files => "$place"), 'DIR/own.html, DIR/post.html, DIR/text', 'the directory has these, too');
};

subtest 'a file that is not a plain file is read as it is' => sub {
    my $place = directory('x.html' => $PAGE{1});
    mkfifo("$place/x", 0600) or die "mkfifo: $!\n";
    is(found($place, files => "$place/x"),  'DIR/x',     'a pipe is not opened, as it can be read only once');
    is(found($place, files => '/dev/null'), '/dev/null', 'a device is not opened');
};

subtest 'a directory stands for all results in it' => sub {
    is(
        found(place(), files => "$all") =~ s{\Q$all\E/}{}gr,
        'full.html, meters, mixed.html, old.json, pretty.json, sorted.html, text',
        'each run is there once, in the order of their names'
    );
    my $empty = directory('notes' => "x\n", 'only.log' => "x\n");
    my @said  = map { "DIR/$_ is not a result: neither JSON nor a report\n" } qw(notes only.log);
    is(found($empty, files => "$empty"), join(q{}, "DIR has no results\n", @said), 'one without results is refused');
    mkdir "$empty/hosts" or die "hosts: $!\n";
    write_file("$empty/hosts/$_.html", $PAGE{1}) for qw(a b);
    my $below = "DIR/hosts/a.html [DIR: reading the results one level below, in hosts\n], DIR/hosts/b.html";
    is(found($empty, files => $_), $below, "results one level below are found: $_") for "$empty", "$empty/";
    write_file("$empty/torn.html", q{});
    is(found($empty, files => "$empty"), "$below, DIR/torn.html", 'also beside a file that is torn');
    my @files = UnixBench::Store::ResultNames->new(directory => "$empty")->files("$empty");
    is_deeply([grep { defined $_->{why} } @files], [], 'other files beside them were not left out');
    my $one = directory('a.html' => $PAGE{1}, 'a' => $REPORT{1});
    is(found($one, file => "$one"), 'DIR/a.html', 'file returns the only result');
    like(found($all, file => "$all"), qr/\Athe directory DIR has 7 results; name one of them\n\z/, 'several results');
    is(found($all, file => 'full'), 'DIR/full.html', 'file returns the file of a name');
};

subtest 'a pattern stands for the results whose names it matches' => sub {
    my %file = map { ("base-$_.html" => $PAGE{1}, "base-$_.log" => "x\n") } 1, 2;
    my $place =
        directory(%file, 'base-2.json' => $JSON{1}, 'base-3' => $REPORT{1}, 'base-x' => "x\n", 'we[e]k' => $PAGE{1});
    my $both = 'DIR/base-1.html, DIR/base-2.html';
    is(found($place, files => $_), $both, $_) for 'base-[12]', 'base-[12].html', 'base-?.html', "$place/base-[12]";
    is(found($place, files => 'base-*'),  "$both, DIR/base-3", 'a text report, too');
    is(found($place, files => 'we[e]k'),  'DIR/we[e]k',        'a file of that name is meant');
    is(found($place, files => '[a-b]*9'), "there is no file [a-b]*9, and no run of that name in DIR\n", 'no match');
    like(found($place, file => 'base-*'), qr/\Athe pattern base-[*] has 3 results; name one of them\n\z/, 'one result');
    my ($of) = UnixBench::Store::ResultNames::read_all("$place/base-*", "$place/base-1.html");
    is_deeply([map { ref } @$of{ map { "$place/base-$_" } '*', '1.html' }],
        [qw(ARRAY HASH)], 'several results, and one');
};

subtest 'a directory or a file of another kind does not hide the run of that name' => sub {
    my $results = directory(map { $_ => $PAGE{1} } qw(t.html docs.html notes.html own.html report.html));
    my $here    = directory('notes' => "bought milk\n", 'report' => $REPORT{1});
    mkdir "$here/$_" or die "$_: $!\n" for qw(t docs own none);
    symlink 'nowhere', "$here/docs/link" or die "symlink: $!\n";
    write_file("$here/own/a.html", $PAGE{2});
    chdir "$here" or die "chdir: $!\n";
    my $read = sub { "DIR/$_[0].html [$_[0]: $_[1]; the run of that name is read\n]" };
    is(found($results, $_, 't'), $read->('t', 'that directory has no results'), "$_: a directory") for qw(files file);
    is(found($results, files => 'docs'),    $read->('docs', 'that directory has no results'), 'with a bad file');
    is(found($results, files => 'notes'),   $read->('notes', 'that file is not a result'),    'a file');
    is(found($results, files => 'own'),     'own/a.html',          'a directory with a result is meant');
    is(found($results, files => 'report'),  'report',              'so is a file that is a result');
    is(found($results, files => $_),        "$_ has no results\n", "and a path: $_") for qw(none ./t t/);
    is(found($results, files => './notes'), './notes',             'and the path of a file');
    open my $journal, '>', "$results/report.journal" or die "report: $!\n";
    is(found($results, unfinished => 'report'), 'DIR/report', 'a finished run hides no unfinished one');
    chdir $HERE or die "chdir: $!\n";
};

subtest 'a directory has the text reports that can be read from it one by one' => sub {
    my $one     = text_of("$FindBin::Bin/../../data/classic/1-copy");
    my ($table) = $one =~ /^(System Benchmarks Index Values.*)/ms;
    my %file    = (
        'without-version' => $one,
        'post.md'         => "# A post\n```\n$table```\n",
        'terminal.log'    => "make: done\n$one",
        'long'            => ('x' x 99 . "\n") x 2000 . $one,
        'contradictory'   => $one =~ s/1362[.]9/9999.9/r,
        'notes.txt'       => "The index score of UnixBench, with parallel copies.\n",
        'x.csv'           => "1,2\n",
    );
    my $place       = directory(%file);
    my @files       = UnixBench::Store::ResultNames->new(directory => '/nowhere')->files("$place");
    my $names       = sub { return join q{ }, map { $_->{path} =~ s{.*/}{}r } @_ };
    my $all_reports = 'contradictory long post.md terminal.log without-version';
    is($names->(grep { !defined $_->{why} } @files), $all_reports,      'all reports, and no other text');
    is($names->(grep { defined $_->{why} } @files),  'notes.txt x.csv', 'the other files are refused');
};

subtest 'temporary files are not results' => sub {
    my $place = directory('a.html' => $PAGE{1}, 'b.html.4711.new' => $PAGE{1}, 'b.4711-1.new' => $REPORT{1});
    is(found($place, files => "$place"), 'DIR/a.html', 'they are ignored');
};

subtest 'newest_first returns the files with data' => sub {
    my $place = directory(
        a        => $REPORT{1},
        'b.json' => $JSON{1},
        'c.html' => $PAGE{1},
        'd.html' => $PAGE{2},
        'e.json' => '{}',
        'c.json' => $JSON{1},
        'c.log'  => "x\n"
    );
    my %age = ('b.json' => 10, 'c.html' => 30, 'd.html' => 10, 'c.json' => 5);
    utime 1_000_000 - $age{$_}, 1_000_000 - $age{$_}, "$place/$_" or die "utime: $!\n" for keys %age;
    is(found($place, newest_first => undef), 'DIR/b.json, DIR/d.html, DIR/c.html', 'the newest first, then by name');
    is(found($place, newest_first => 2),     'DIR/b.json, DIR/d.html',             'no more than are needed');
    is(found("$place/none", newest_first => undef), q{}, 'without a directory of results, there are none');

    my $parsed = 0;
    no warnings 'redefine';
    local *UnixBench::Store::ClassicReport::summary = sub { $parsed++; return };
    my $texts = directory(report => "System Benchmarks Index Score 1\n");
    found($texts, newest_first => undef);
    is($parsed, 0, 'no text is parsed for that');
    found($texts, files => "$texts/report");
    cmp_ok($parsed, '>', 0, 'as it is if a file may be a text report');
};

subtest 'unfinished returns the path of an unfinished run' => sub {
    my $place = directory(
        'half.journal'  => 'x',
        'half.log'      => "x\n",
        'b.2.journal'   => 'x',
        'done.html'     => $PAGE{1},
        'again.journal' => 'x',
        'again'         => $REPORT{1},
        'x.log.journal' => 'x',
        'log'           => "a log\n"
    );
    my %base = (
        'half'                => 'DIR/half',
        'half.journal'        => 'DIR/half',
        'half.log'            => 'DIR/half',
        "$place/half"         => 'DIR/half',
        "$place/half.journal" => 'DIR/half',
        'b.2'                 => 'DIR/b.2',
        'again'               => 'DIR/again',
        'x.log'               => 'DIR/x.log',
    );
    is(found($place, unfinished => $_), $base{$_}, "found: $_" =~ s/\Q$place\E/DIR/r) for sort keys %base;
    is(found($place, unfinished => $_), "the run $_ is finished: there is nothing to resume\n", "finished: $_")
        for 'done', 'done.html';
    my $hint = '; unfinished runs there: again b.2 half x.log';
    is(found($place, unfinished => $_), "there is no run $_ in DIR$hint\n", "not a run: $_") for 'log', 'x';
    is(found($place, unfinished => 'nope'),          "there is no run nope in DIR$hint\n", 'an unknown name');
    is(found($place, unfinished => "$place/nope"),   "there is no run DIR/nope$hint\n",    'an unknown path');
    is(found($place, unfinished => "$place/none/x"), "there is no run DIR/none/x\n",       'an unknown directory');
    my $empty = place();
    is(found($empty, unfinished => 'nope'), "there is no run nope in DIR\n", 'no hint without unfinished runs');
    chdir "$place" or die "chdir: $!\n";
    is(found($empty, unfinished => 'half') =~ s/\Q@{[Cwd::getcwd()]}\E/HERE/r, 'HERE/half', 'the current directory');
    chdir $HERE or die "chdir: $!\n";
    symlink '/nowhere', "$place/link.journal" or die "symlink: $!\n";
    is(found($place, unfinished => 'link'), 'DIR/link', 'a link as journal is not followed');
};

done_testing;
