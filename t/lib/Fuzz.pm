package Fuzz;

# Fuzzing of the parsers of the harness: feeds them damaged and random inputs, and checks their results.
#
# A target is a class with four functions. samples() returns good inputs, words() parts of such inputs, and refusal() a
# pattern for the messages. check(INPUT) returns the message if the input is refused, or undef if it is accepted. It
# dies if an accepted input gives a wrong result.

use strict;
use warnings;

use List::Util  ();
use POSIX       ();
use Time::HiRes ();

use Exporter 'import';

use Fuzz::Input ();

our @EXPORT_OK = qw(attempt shown);

use constant {
    BATCH          => 500,
    BATCH_LIMIT_S  => 600,      # CPU time, because on a busy machine elapsed time would exceed it
    GROWTH_MAX_KB  => 50_000,
    MESSAGE_MAX    => 400,
    SHOWN_MAX      => 2000,
    VIOLATIONS_MAX => 5,
};

# Control characters, and characters that move or hide others.
my $UNPRINTABLE =
    qr/[\x00-\x09\x0b-\x1f\x7f-\x9f\x{200b}-\x{200f}\x{2028}-\x{202e}\x{2060}-\x{2069}\x{feff}\x{e0000}-\x{e007f}]/;

# Each target, and its part of all inputs.
#<<< a table
my @TARGETS = (
    [Protocol => 21], [Baseline => 14], [JSON => 20], [Journal => 10], [Settings => 6], [Format        => 5],
    [Cpuinfo  => 3],  [Host     => 2],  [Noise => 2], [Result  => 1],  [ClassicReport => 5],
);
#>>>

# Takes a number of inputs; returns [name of a target, its number of inputs] for each target.
sub shares {
    my ($inputs) = @_;
    my $parts = List::Util::sum(map { $_->[1] } @TARGETS);
    return map { [$_->[0], POSIX::ceil($inputs * $_->[1] / $parts)] } @TARGETS;
}

# Takes the name of a target below Fuzz::, a seed, a number of inputs, and the CPU seconds that a batch may use. Returns
# { target, seed, inputs, accepted, refused, seconds, violations => [text, ...] }. Stops after VIOLATIONS_MAX
# violations.
sub run {
    my ($name, $seed, $inputs, $limit_s) = @_;
    my $target = "Fuzz::$name";
    my $path   = "Fuzz/$name.pm" =~ s{::}{/}gr;
    require $path;
    my %done = (
        limit_s    => $limit_s || BATCH_LIMIT_S,
        target     => $name,
        seed       => $seed,
        inputs     => 0,
        accepted   => 0,
        refused    => 0,
        violations => []
    );
    my $start = Time::HiRes::time();
    srand $seed;
    my $source = Fuzz::Input->new([$target->samples], [$target->words]);

    while ($done{inputs} < $inputs && @{ $done{violations} } < VIOLATIONS_MAX) {
        my $left = $inputs - $done{inputs};
        _batch(\%done, $target, $source, $left < BATCH ? $left : BATCH);
    }
    $done{seconds} = Time::HiRes::time() - $start;
    return \%done;
}

# Takes a function; returns (its value, undef), or (undef, the message that it died with).
sub attempt {
    my ($function) = @_;
    my $value;
    return eval { $value = $function->(); 1 } ? ($value, undef) : (undef, $@);
}

# Takes bytes; returns them on one line, as a Perl string literal.
sub shown {
    my ($text) = @_;
    $text =~ s/([^\x20-\x7e]|["\\\$\@])/_escape($1)/ge;
    return '"' . (length $text > SHOWN_MAX ? substr($text, 0, SHOWN_MAX) . '"...' : "$text\"");
}

sub _escape {
    my ($character) = @_;
    return sprintf ord $character < 256 ? '\\x%02x' : '\\x{%x}', ord $character;
}

# Runs a batch of inputs. It uses POSIX::sigaction, because Perl's own signal handlers would wait for a pattern match
# that never ends. The handler also sets "wrong", because the parser may catch the exception.
sub _batch {
    my ($done, $target, $source, $size) = @_;
    my $before_kb = _size_kb();
    my $stuck     = sub { $done->{wrong} = 'stuck'; die "stuck\n" };
    POSIX::sigaction(POSIX::SIGPROF(), POSIX::SigAction->new($stuck));
    _limit($done->{limit_s});
    for (1 .. $size) {
        _one($done, $target, $source->next);
        last if @{ $done->{violations} } >= VIOLATIONS_MAX;
    }
    _limit(0);
    my $growth_kb = _size_kb() - $before_kb;
    push @{ $done->{violations} },
        "$done->{target}, seed $done->{seed}: the batch up to input $done->{inputs} took $growth_kb KB\n"
        if $growth_kb > GROWTH_MAX_KB;
    return;
}

# Lets SIGPROF arrive after that many seconds of CPU time; 0 turns it off.
sub _limit {
    my ($cpu_s) = @_;
    return Time::HiRes::setitimer(Time::HiRes::ITIMER_PROF(), $cpu_s);
}

sub _one {
    my ($done, $target, $input) = @_;
    local $SIG{__WARN__} = sub { $done->{wrong} = "warning: $_[0]" };
    delete $done->{wrong};
    my ($message, $wrong) = attempt(sub { $target->check($input) });
    $wrong = $done->{wrong} // $wrong;
    chomp $wrong if defined $wrong;
    $wrong //= _wrong_with($message, $target->refusal) if defined $message;
    if (defined $wrong) {
        $wrong =~ s/([^\x20-\x7e])/_escape($1)/ge;
        push @{ $done->{violations} }, "$done->{target}, seed $done->{seed}: $wrong; input: @{[shown($input)]}\n";
        _limit($done->{limit_s});
    }
    $done->{inputs}++;
    $done->{ defined $message ? 'refused' : 'accepted' }++;
    return;
}

# Takes a message and the pattern of the target; returns a complaint, or nothing. A message must be short, match the
# pattern, be printable, and must not contain a line of the program or an address in memory.
sub _wrong_with {
    my ($message, $refusal) = @_;
    my $quoted = shown($message);
    return 'a message of ' . length($message) . " bytes: $quoted" if length $message > MESSAGE_MAX;
    return "a message that can't be printed: $quoted" if !utf8::decode($message) || $message =~ $UNPRINTABLE;
    return "a message from within: $quoted" if $message =~ / at \S+ line \d+[.]?\n\z|\(0x[0-9a-f]{6,}\)/;
    return "an unknown message: $quoted" if $message    !~ $refusal;
    return;
}

# Returns the size of this process in KB, or 0 if it is unknown.
sub _size_kb {
    open my $file, '<', '/proc/self/status' or return 0;
    my ($size_kb) = map { /^VmRSS:\s+(\d+)/ } <$file>;
    close $file;
    return $size_kb // 0;
}

1;
