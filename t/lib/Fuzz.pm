package Fuzz;

# Gives the readers of the harness inputs that nobody meant, and checks what they make of them.
#
# A target is a class: samples() returns good inputs, words() parts of such inputs, refusal() a pattern for its
# messages, and check(INPUT) returns the message when the input is refused and undef when it is accepted; it dies
# when what was accepted is wrong.

use strict;
use warnings;

use POSIX       ();
use Time::HiRes ();

use Exporter 'import';

use Fuzz::Input ();

our @EXPORT_OK = qw(attempt shown);

use constant {
    BATCH          => 500,
    BATCH_LIMIT_S  => 600,      # of CPU time, so that a busy machine makes nothing stuck
    GROWTH_MAX_KB  => 50_000,
    MESSAGE_MAX    => 400,
    SHOWN_MAX      => 2000,
    VIOLATIONS_MAX => 5,
};

# Controls, and what moves or hides other characters.
my $UNPRINTABLE =
    qr/[\x00-\x09\x0b-\x1f\x7f-\x9f\x{200b}-\x{200f}\x{2028}-\x{202e}\x{2060}-\x{2069}\x{feff}\x{e0000}-\x{e007f}]/;

# Each target, and its part of all inputs.
#<<< a table
my @TARGETS = (
    [Protocol => 0.21], [Baseline => 0.14], [JSON   => 0.20], [Journal => 0.10], [Options => 0.11],
    [Settings => 0.06], [Format   => 0.05], [Cpuinfo => 0.03], [Host    => 0.02], [Noise => 0.02],
    [Result   => 0.01], [ClassicReport => 0.04], [TypedIn => 0.01],
);
#>>>

# Takes a number of inputs; returns [name of a target, how many of them it gets], for each target.
sub shares {
    my ($inputs) = @_;
    return map { [$_->[0], POSIX::ceil($inputs * $_->[1])] } @TARGETS;
}

# Takes the name of a target below Fuzz::, a seed, a number of inputs, and the CPU seconds that a batch may take.
# Returns { target, seed, inputs, accepted, refused, seconds, violations => [text, ...] }. Stops after a few violations.
sub run {
    my ($name, $seed, $inputs, $limit_s) = @_;
    my $target = "Fuzz::$name";
    eval "require $target; 1" or die $@;
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

# Takes bytes; returns them on one line, as a literal of Perl.
sub shown {
    my ($text) = @_;
    $text =~ s/([^\x20-\x7e]|["\\\$\@])/_escape($1)/ge;
    return '"' . (length $text > SHOWN_MAX ? substr($text, 0, SHOWN_MAX) . '"...' : "$text\"");
}

sub _escape {
    my ($character) = @_;
    return sprintf ord $character < 256 ? '\\x%02x' : '\\x{%x}', ord $character;
}

# Perl's own signals would wait for the end of a pattern that never ends. What is wrong is noted, too, because a reader
# may catch what it dies with.
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

# Lets SIGPROF come after that many seconds of CPU time; 0 for never.
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

# What a message should not be: long, another one than documented, without an end, with a place in the program or in
# memory, or with what a terminal may take for a command.
sub _wrong_with {
    my ($message, $refusal) = @_;
    my $quoted = shown($message);
    return 'a message of ' . length($message) . " bytes: $quoted" if length $message > MESSAGE_MAX;
    return "a message that can't be printed: $quoted" if !utf8::decode($message) || $message =~ $UNPRINTABLE;
    return "a message from within: $quoted" if $message =~ / at \S+ line \d+[.]?\n\z|\(0x[0-9a-f]{6,}\)/;
    return "an unknown message: $quoted" if $message    !~ $refusal;
    return;
}

# The size of this process; 0 where it is not known.
sub _size_kb {
    open my $file, '<', '/proc/self/status' or return 0;
    my ($size_kb) = map { /^VmRSS:\s+(\d+)/ } <$file>;
    close $file;
    return $size_kb // 0;
}

1;
