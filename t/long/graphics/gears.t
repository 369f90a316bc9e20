use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Needs          qw(skip_without tracing);
use TestProgram    qw(command count_of created finish is_built is_error path_of scratch start);
use VirtualDisplay ();
use POSIX          qw(WUNTRACED);

use constant PATIENCE_S => 600;

my $SOURCE = "$FindBin::Bin/../../lib/watch-gears.c";
my $library;

# Builds the library. Returns the need that is missing, as [kind => NAME], or undef.
sub why_not {
    return [program => 'ubgears'] if !is_built('ubgears');
    my ($compiler) = grep { path_of($_) } qw(gcc cc clang) or return [tool => 'a C compiler'];
    $library = scratch() . '/watch-gears.so';
    return [tool => 'a C compiler that can build a library']
        if system($compiler, qw(-O1 -std=c17 -Wall -Wextra -shared -fPIC -o), $library, $SOURCE, '-ldl') != 0;
    return;
}

# Takes arguments and changes of the environment; starts ubgears and returns the hash of TestProgram's start, with log.
sub start_gears {
    my ($arguments, %env) = @_;
    my $log     = scratch() . '/log';
    my $running = start(command('ubgears', @$arguments), env => { LD_PRELOAD => $library, WATCH_LOG => $log, %env });
    $running->{log} = $log;
    return $running;
}

# Runs ubgears to its end; returns the hash of TestProgram's finish.
sub gears {
    my ($arguments, %env) = @_;
    return finish(start_gears($arguments, %env));
}

# Returns each glFinish so far: [frames, seconds].
sub finishes {
    my ($running) = @_;
    open my $log, '<', $running->{log} or return;
    return map { [split] } <$log>;
}

# Waits until ubgears stops at the frame in WATCH_STOP, or ends; returns 1 if it has stopped, or 0.
sub is_stopped {
    my ($running) = @_;
    local $SIG{ALRM} = sub { kill KILL => -$running->{pid} };
    alarm PATIENCE_S;
    waitpid $running->{pid}, WUNTRACED;
    alarm 0;
    return 1 if kill 0 => $running->{pid};
    $running->{status} = $?;
    return 0;
}

# How ubgears counts frames, what it prints, and how it fails.
my $why_not = why_not();
skip_without(@$why_not) if $why_not;
my $display = VirtualDisplay->new or skip_without(@$VirtualDisplay::WHY_NOT);
$ENV{DISPLAY} = $display->name;

my @LONG = (-n => 1_000_000_000);

subtest 'what is counted' => sub {
    for my $how ([qw(-n 30)], [qw(-n 30 -warmup 2)], [qw(-time 3)], [qw(-time 3 -warmup 1)], [qw(-time 3 -warmup 0)]) {
        my $running = start_gears($how, WATCH_STEP => 20);
        my $result  = finish($running);
        my %wanted  = (-time => 0, -warmup => "@$how" =~ /-n/ ? 0 : 5, @$how);
        my ($score) = count_of($result);
        my ($time)  = $result->{err} =~ /^TIME\|(.*)/m;
        my ($start, $warm, $from, $to) = finishes($running);
        like $result->{err}, qr/\ACOUNT\|\d+\|1\|fps\nTIME\|[\d.]+\n\z/, "@$how: only COUNT and TIME are printed";
        is $score, $to->[0] - $from->[0], "@$how: the count is the number of shown frames";
        is $score, $wanted{-n},           "@$how: the count is the number in -n" if $wanted{-n};
        cmp_ok abs($time / ($to->[1] - $from->[1]) - 1), '<', 0.02, "@$how: TIME is the time of these frames";
        is int($time),                    $wanted{-time},   "@$how: TIME is the time in -time" if $wanted{-time};
        is int($warm->[1] - $start->[1]), $wanted{-warmup}, "@$how: duration of the warm-up";
        cmp_ok $warm->[0], $wanted{-warmup} ? '>' : '==', 0, "@$how: frames are shown in the warm-up";
    }
};

subtest 'information on standard output' => sub {
    my $gl   = join '', map { "$_ = .+\n" } qw(GL_RENDERER GL_VERSION GL_VENDOR X_SERVER X_SCREEN);
    my $info = "GL_EXTENSIONS = .*\\bGL_EXT_abgr\\b.*\nGLX_EXTENSIONS = .*\\bGLX_ARB_get_proc_address\\b.*\n";
    my %said = ('' => '', '-v' => $gl, '-info' => $info, '-info -v' => $gl . $info);
    for my $options (sort keys %said) {
        my $result = gears(['-n', 1, split q{ }, $options]);
        is $result->{status}, 0, "$options: exit status";
        like $result->{out}, qr/\A$said{$options}(?:The frames .*\n)?\z/, "$options: only that information";
    }
};

subtest 'no display, no OpenGL' => sub {
    my $no_glx = VirtualDisplay->new(qw(-extension GLX));
    my @cases  = (
        ['DISPLAY is not set',                    [], DISPLAY => undef],
        ['DISPLAY is not set',                    [], DISPLAY => ''],
        ["can't open display \":77777\"",         [], DISPLAY => ':77777'],
        ["can't open display \"nowhere\"",        [qw(-display nowhere)]],
        ['the display has no GLX',                [], DISPLAY            => $no_glx->name],
        ['no double-buffered colours with depth', [], WATCH_WITHOUT      => 'glXChooseVisual'],
        ["can't make an OpenGL context",          [], WATCH_WITHOUT      => 'glXCreateContext'],
        ["can't make an OpenGL context",          [], LIBGL_DRIVERS_PATH => '/nowhere'],
        ['the window does not become visible',    [], WATCH_WITHOUT      => 'XMapWindow', WATCH_STEP => 100],
    );
    for my $case (@cases) {
        my ($why, $arguments, @env) = @$case;
        my $result = gears([@LONG, @$arguments], @env);
        is_error($result, 1, $why, join ' ', @$arguments, map { $_ // 'unset' } @env);
    }
};

subtest 'events while it counts' => sub {
    my %why = (
        Escape => 'the user closed the window',
        close  => 'the user closed the window',
        hide   => 'the window was hidden',
        resize => 'the window was resized',
        error  => 'X error: BadWindow .*, request 8[.]0',
    );
    is_error(gears(\@LONG, WATCH_DO => $_), 1, $why{$_}, $_) for sort keys %why;
    my $server  = VirtualDisplay->new;
    my $running = start_gears([@LONG, '-display', $server->name], WATCH_STOP => 0);
    ok is_stopped($running), 'ubgears has stopped at a frame';
    kill KILL => $server->pid;
    kill CONT => $running->{pid};
    is_error(finish($running), 1, 'the display was lost', 'the server is killed');
};

subtest 'without arguments the gears are only shown' => sub {
    for my $end (qw(Escape close)) {
        my $result = gears([], WATCH_DO => "a,Left,resize,hide,$end");
        is $result->{status}, 0,  "$end ends the show";
        is $result->{err},    '', 'a show prints no count';
    }
};

subtest 'files' => sub {
    my $flags = created(command(qw(ubgears -n 1))) or skip_without(tracing());
    is_deeply [sort keys %$flags], [], 'no file is written, not even a cache of shaders';
};

done_testing;
