package UnixBench::Check::Command;

# The command check: reads a verdict file for a monitoring system. Prints one line, and returns an exit status, as
# plugins of Nagios do. Such a system may call it every minute for each of many hosts, so Run calls status() before it
# loads anything but the parser.

use strict;
use warnings;

use Fcntl qw(O_NONBLOCK O_RDONLY);

use UnixBench::Check::VerdictFile ();
use UnixBench::Base::Time         ();
use UnixBench::Command            ();

use constant { OK => 0, WARNING => 1, CRITICAL => 2, UNKNOWN => 3 };
use constant {
    MAX_AGE      => '7d',
    AHEAD_MOST_S => 60,            # by which the clocks of two machines may differ
    SIZE_MOST    => 16_777_216,    # bytes of a file
    PIECE        => 65_536,        # bytes that are read at once
    SHOWN_MOST   => 1000,          # bytes of a text that are printed
};

my @WORD   = qw(OK WARNING CRITICAL UNKNOWN);
my %STATUS = (pass => OK, inconclusive => WARNING, unknown => UNKNOWN, fail => CRITICAL);

# Takes the words of the command line; prints the line and returns the exit status. Wrong usage is UNKNOWN, because its
# usual status would mean CRITICAL. Returns nothing if the words ask for a text about the program, such as the help.
sub status {
    my (@words) = @_;
    my $asked = eval { UnixBench::Command::parse(@words) };
    return if $asked && !$asked->{words};
    my ($status, $text) = $asked ? eval { _answer(time, @{ $asked->{words} }, $asked->{max_age} // MAX_AGE) } : ();
    ($status, $text) = (UNKNOWN, $@) if !defined $status;
    local $SIG{PIPE} = 'IGNORE';
    my $is_printed = print {*STDOUT} "UNIXBENCH $WORD[$status]: " . join('. ', split /\n/, $text) . "\n";
    return $is_printed && close STDOUT ? $status : UNKNOWN;
}

sub _answer {
    my ($now, $path, $max_age) = @_;
    my @blocks = eval { UnixBench::Check::VerdictFile::blocks(_content($path)) };
    my $why    = $@;
    die "can't read " . _printable($path) . ": $why" if !@blocks;
    $_ = _judged($_, $now - $_->{ended}, $max_age) for @blocks;
    return @blocks == 1 ? _of_one(@blocks, $now) : _of_several(@blocks);
}

# Returns the text of a plain file. Opens nothing else, because a pipe may never have a writer.
sub _content {
    my ($path) = @_;
    die "it is not a plain file\n" if -e $path && !-f _;
    sysopen my $file, $path, O_RDONLY | O_NONBLOCK or die "$!\n";
    die "it is not a plain file\n" if !-f $file;
    my ($text, $size) = q{};
    while ($size = sysread $file, $text, PIECE, length $text) {
        die "it is too large for a verdict\n" if length $text > SIZE_MOST;
    }
    die "$!\n" if !defined $size;
    close $file;
    return $text;
}

sub _judged {
    my ($block, $age_s, $max_age) = @_;
    my $why =
          $age_s < -AHEAD_MOST_S                               ? 'the verdict is from the future: set the clocks'
        : $age_s > UnixBench::Base::Time::duration_s($max_age) ? "the verdict is older than $max_age: measure again"
        :                                                        return $block;
    return { %$block, state => 'unknown', reason => $why, cause => undef, indexes => [] };
}

# Returns the status and the text for one host. The indexes follow in the form in which Nagios plots values.
sub _of_one {
    my ($block, $now) = @_;
    my $age_s = $now - $block->{ended};
    my $ago   = $age_s < 0 ? q{} : ', ' . UnixBench::Base::Time::duration_in_words($age_s) . ' ago';
    my $plot  = join q{ }, map { "$_->[0]=$_->[1]" } @{ $block->{indexes} };
    my $text  = _printable($block->{host}) . "$ago: " . _printable($block->{reason});
    return ($STATUS{ $block->{state} }, length $plot ? "$text | $plot" : $text);
}

# Returns the status of the worst host, and a text that names the hosts of each state but "pass", by their reasons.
sub _of_several {
    my (@blocks) = @_;
    my %of_state;
    push @{ $of_state{ $_->{state} } }, $_ for @blocks;
    my ($worst, @better) = grep { $of_state{$_} } qw(fail unknown inconclusive pass);
    my $passed = @{ $of_state{pass} || [] };
    my @parts  = map { "$_: " . _by_reason(@{ $of_state{$_} }) } grep { $_ ne 'pass' } $worst, @better;
    return ($STATUS{$worst}, join '; ', "$passed of " . @blocks . ' hosts pass', @parts);
}

sub _by_reason {
    my (@blocks) = @_;
    my (@reasons, %hosts);
    for my $block (@blocks) {
        my $reason = $block->{cause} // $block->{reason};
        push @reasons,             $reason if !$hosts{$reason};
        push @{ $hosts{$reason} }, $block->{host};
    }
    return join ', ', map { _printable(join ', ', @{ $hosts{$_} }) . ' (' . _printable($_) . ')' } @reasons;
}

# Returns a text cut to SHOWN_MOST bytes, in which every character is printable. Nagios takes what follows "|" for
# values, and shows the text on a page of HTML.
sub _printable {
    my ($text) = @_;
    if ($text =~ /[^\x20-\x7e]/ || length $text > SHOWN_MOST) {
        require UnixBench::Base::Text;
        $text = UnixBench::Base::Text::cut($text, SHOWN_MOST);
    }
    return $text =~ s/[|]/\\x7c/gr =~ s/<(?=[a-z\/!?])/\\x3c/gir;
}

1;
