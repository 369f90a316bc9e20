use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Needs qw(skip_without);
use PseudoTerminal;
use Screen;
use UnixBench::Process::Writer;
use UnixBench::Progress::Terminal qw(dim painter red usual);

# A terminal that writes to a text. Its method take returns what was written since the last call.
{

    package Written;

    sub new {
        my ($class, $columns, %env) = @_;
        open my $out, '>', \my $text or die "open: $!\n";
        my $self  = bless { text => \$text, columns => $columns, known => 0 }, $class;
        my $width = sub { $self->{columns} };
        $self->{terminal} = UnixBench::Progress::Terminal->new(out => $out, env => \%env, columns => $width);
        return $self;
    }

    sub take {
        my ($self) = @_;
        my $taken  = substr ${ $self->{text} } // q{}, $self->{known};
        $self->{known} += length $taken;
        return $taken;
    }
}

my @LONG = [usual('x' x 60), dim('end')];

subtest 'lines are drawn by these bytes' => sub {
    my $written  = Written->new(80);
    my $terminal = $written->{terminal};
    $terminal->clear;
    is($written->take, q{}, 'there is nothing to clear');
    $terminal->draw([usual('one'), dim('two')]);
    is($written->take, "\r\e[Jone  \e[2mtwo\e[m\r", 'the cursor returns to the start of a drawn line');
    $terminal->draw([red('three')]);
    is($written->take, "\r\e[J\e[31mthree\e[m\r", 'another drawn line replaces the first');
    $terminal->write_line([usual('done')]);
    is($written->take, "\r\e[Jdone\n", 'a finished line stays');
    $terminal->write_line([usual('more')]);
    is($written->take, "more\n", 'another finished line is below the first');
    $terminal->draw([usual('four')]);
    $terminal->clear;
    $terminal->clear;
    is($written->take, "\r\e[Jfour\r\r\e[J", 'a drawn line is cleared once');
};

subtest 'lines fit into the width' => sub {
    my $written  = Written->new(11);
    my $terminal = $written->{terminal};
    my @lines    = map { [usual($_)] } '1234567890a', '1234567890', 'short';
    $terminal->draw(@lines);
    like($written->take, qr/\e\[J1234567890\r\z/, 'a drawn line leaves one column free');
    $terminal->write_line(@lines);
    like($written->take, qr/\e\[J1234567890a\n\z/, 'a finished line may take all columns');
    $written->{columns} = 10;
    $terminal->draw(@lines);
    like($written->take, qr/\e\[Jshort\r\z/, 'the width is asked for at each line');
    $written->{columns} = 3;
    $terminal->draw(@lines);
    is($written->take, "\r\e[J\r", 'no line fits');
    $terminal->write_line(@lines);
    is($written->take, "\r\e[Jshort\n", 'a finished line is not cut');
};

subtest 'NO_COLOR turns colours off unless it is empty' => sub {
    for my $case (['1', 'abc'], ['0', 'abc'], [q{}, "\e[2mabc\e[m"]) {
        my $written = Written->new(80, NO_COLOR => $case->[0]);
        $written->{terminal}->draw([dim('abc')]);
        is($written->take, "\r\e[J$case->[1]\r", "NO_COLOR is \"$case->[0]\"");
    }
};

subtest 'without a window size COLUMNS is used' => sub {
    open my $null, '<', '/dev/null' or die "/dev/null: $!\n";
    my %expected = (q{} => 80, 132 => 132, 0 => 80, '0132' => 132, -5 => 80, x => 80, 99_999 => 80);
    is(UnixBench::Process::Writer::columns($null, { COLUMNS => $_ }), $expected{$_}, "COLUMNS is \"$_\"")
        for sort keys %expected;
    is(UnixBench::Process::Writer::columns($null, {}), 80, 'without COLUMNS there are 80 columns');
};

subtest 'progress is drawn only on a terminal' => sub {
    open my $file, '>', '/dev/null' or die "/dev/null: $!\n";
    is(UnixBench::Progress::Terminal->on($file, { TERM => 'xterm' }), undef, '/dev/null is not a terminal');
};

# The fake screen that is used here and in other tests.
subtest 'the fake screen works like a terminal' => sub {
    is(Screen->new(5)->feed("abcdefg\nhi")->shown, "abcde\nfg\nhi\n", 'a line that is too long is broken');
    is(Screen->new(5)->feed("abcde\nhi")->shown,   "abcde\nhi\n",     'a line that just fits is not broken');
    is(Screen->new(5)->feed("abcde\rx")->shown,    "xbcde\n",         'CR goes back to the start of a line');
    is(Screen->new(5)->feed("abcdefg\rx")->shown,  "abcde\nxg\n",     'CR goes back to the start of the last row');
    is(Screen->new(9)->feed("abc\rx\e[K")->shown,  "x\n",             'the rest of a row is cleared');
    is(Screen->new(5)->feed("a\nb\nc\e[2A\r\e[Jx")->shown,     "x\n", 'the cursor goes up, and all below is cleared');
    is(Screen->new(9)->feed("\e[2mab\e[mc\e[31md\e[m")->shown, "{dim}ab{}c{red}d{}\n", 'styles are shown');
    is(Screen->new(9)->feed("\xe4\xb8\xad\rx")->shown,         "x\n",          'a wide character is replaced as one');
    is(Screen->new(9)->feed('abcdefgh')->resize(5)->shown,     "abcde\nfgh\n", 'a narrower screen breaks a line');
    is(Screen->new(9)->feed('abcdefgh')->resize(5)->resize(9)->shown, "abcdefgh\n", 'a wider screen joins it again');
    is(Screen->new(9, is_breaking => 0)->feed('abcdefgh')->resize(5)->shown,
        "abcde\n", 'a narrower screen may cut a line');
    is(Screen->new(9)->feed("abcdefgh\r")->resize(5)->feed("\e[Jx")->shown, "x\n", 'the cursor keeps its place');
};

for my $is_breaking (0, 1) {
    subtest 'a line is replaced at another width, and old lines are ' . ($is_breaking ? 'broken' : 'cut') => sub {
        my $written  = Written->new(80);
        my $terminal = $written->{terminal};
        my $screen   = Screen->new(80, is_breaking => $is_breaking);
        my $feed     = sub { $screen->feed($written->take) };
        $terminal->write_line([usual('stays')]);
        $terminal->draw(@LONG);
        is($feed->()->shown, 'stays' . "\n" . 'x' x 60 . "  {dim}end{}\n", 'a line is drawn');
        my $resize = sub { $screen->resize($written->{columns} = $_[0]) };
        $resize->(25);
        $terminal->draw(@LONG, [usual('short')]);
        is($feed->()->shown, "stays\nshort\n", 'narrower: nothing is left of the old line');
        $terminal->draw([usual('1234567890' x 2)]);
        $feed->();
        $resize->(7);
        $terminal->clear;
        is($feed->()->shown, "stays\n", 'the line is cleared');
        $terminal->draw([usual('six')]);
        $feed->();
        $resize->(70);
        $terminal->write_line(@LONG);
        is($feed->()->shown, 'stays' . "\n" . 'x' x 60 . "  {dim}end{}\n", 'wider: the line is printed');
    };
}

subtest 'levels of trust have colours on a terminal that has them' => sub {
    my $terminal = PseudoTerminal->new(80) or skip_without(machine => 'terminals');
    open my $out,  '+<', $terminal->{path} or die "terminal: $!\n";
    open my $null, '>',  '/dev/null'       or die "null: $!\n";
    my $paint = painter($out, { TERM => 'xterm' });
    is($paint->('good'),                                  "\e[32mgood\e[m", 'good is green');
    is($paint->('fair'),                                  "\e[33mfair\e[m", 'fair is yellow');
    is($paint->('poor'),                                  "\e[31mpoor\e[m", 'poor is red');
    is($paint->('unknown'),                               'unknown',        'a level that is neither has none');
    is(painter($out, { TERM => 'xterm', NO_COLOR => 1 }), undef,            'NO_COLOR');
    is(painter($out, { TERM => 'dumb' }),                 undef,            'a dumb terminal');
    is(painter($null, { TERM => 'xterm' }),               undef,            'a file');
};

done_testing();
