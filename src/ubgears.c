/*
 * ubgears -time SECONDS: how many frames a second ("fps") OpenGL draws of three gears that turn, in a window of 300 by
 * 300 pixels.  It draws for -warmup seconds, 5 by default, and then counts.  -n FRAMES counts that many frames, by
 * default without a warm-up.  With neither it shows the gears until Escape or the close button; arrow keys turn the
 * view.
 *
 * It is an error if there is no display or no OpenGL, or if the window is hidden, resized or closed while frames are
 * counted.  The messages of libraries go to standard output.
 */
#include "gears_scene.h"
#include "gears_window.h"
#include "ub.h"

#include <GL/gl.h>

#define SIZE 300           /* pixels, both ways */
#define WARMUP_S 5         /* for drivers to compile, and memory to fill */
#define PATIENCE_S 10      /* until the window is shown */
#define PAUSE_S 0.016      /* between frames that are not counted */
#define DEGREES_OF_KEY 5.0 /* by which an arrow turns the view */

static const char usage[] = "ubgears [-time SECONDS | -n FRAMES] [-warmup SECONDS] [-display DISPLAY] [-v] [-info]";

struct options {
    double seconds, warmup_s;
    unsigned long frames;
    const char *display;
    int is_verbose, with_extensions;
};

static int is_measurement, is_shown, is_closed;
static unsigned long picture;

/* The libraries may be in any state, so the program ends without calling them. */
__attribute__((noreturn)) static void end_by_error(const char *why)
{
    ub_report_line("ERROR|ubgears: %s\n", why);
    _exit(1);
}

/* Ends the program during a measurement, because the event changes the measured work. */
static void fail_if_measured(const char *what)
{
    if (is_measurement)
        end_by_error(what);
}

static void look_at_events(void)
{
    for (;;)
        switch (window_next_event()) {
        case WINDOW_QUIET: return;
        case WINDOW_SHOWN: is_shown = 1; break;
        case WINDOW_HIDDEN: fail_if_measured("the window was hidden"); break;
        case WINDOW_RESIZED:
            fail_if_measured("the window was resized");
            scene_fit(window_width(), window_height());
            break;
        case WINDOW_CLOSED:
            fail_if_measured("the user closed the window");
            is_closed = 1;
            break;
        case WINDOW_KEY_LEFT: scene_turn(0, -DEGREES_OF_KEY); break;
        case WINDOW_KEY_RIGHT: scene_turn(0, DEGREES_OF_KEY); break;
        case WINDOW_KEY_UP: scene_turn(-DEGREES_OF_KEY, 0); break;
        case WINDOW_KEY_DOWN: scene_turn(DEGREES_OF_KEY, 0); break;
        }
}

static void pause_s(double seconds)
{
    struct timespec time = {0, (long)(seconds * 1e9)};

    nanosleep(&time, NULL);
}

static void wait_until_shown(void)
{
    uint64_t start_ns = ub_now_ns();

    for (look_at_events(); !is_shown && !is_closed; look_at_events()) {
        if (ub_elapsed_s(start_ns) > PATIENCE_S)
            end_by_error("the window does not become visible");
        pause_s(PAUSE_S);
    }
}

static void draw_frame(void)
{
    scene_draw(picture++);
    window_show_frame();
    look_at_events();
}

/* Shows the gears until the user closes the window. */
static void show(void)
{
    while (!is_closed) {
        draw_frame();
        pause_s(PAUSE_S);
    }
    window_close();
}

/* Waits until everything has been drawn; returns that moment in nanoseconds. */
static uint64_t when_drawn_ns(void)
{
    glFinish();
    return ub_now_ns();
}

/* Draws that many frames, or, if it is 0, for that many seconds; returns the seconds that it took. */
static double draw(double seconds, unsigned long frames)
{
    uint64_t start_ns = when_drawn_ns();
    unsigned long end = picture + frames;

    while (frames ? picture != end : ub_elapsed_s(start_ns) < seconds)
        draw_frame();
    return (double)(int64_t)(when_drawn_ns() - start_ns) / (double)UB_NS_PER_S;
}

/* Draws the frames and reports their number.  The window is closed first: if that fails, nothing is reported. */
static void measure(const struct options *options)
{
    unsigned long uncounted;
    double elapsed_s;

    draw(options->warmup_s, 0);
    uncounted = picture;
    ub_use_begins();
    elapsed_s = draw(options->seconds, options->frames);
    ub_use_ends();
    window_close();
    ub_count(picture - uncounted, 1, "fps");
    ub_time(elapsed_s);
}

static void print_rate_limit(void)
{
    switch (window_set_free()) {
    case WINDOW_FREE: break;
    case WINDOW_LIMITED: puts("The frames are limited to the screen's refresh rate."); break;
    case WINDOW_UNKNOWN: puts("The frames may be limited to the screen's refresh rate."); break;
    }
}

static void print_string(const char *name, GLenum which)
{
    const char *string = (const char *)glGetString(which);

    printf("%s = %s\n", name, string ? string : "unknown");
}

static void print_renderer(const struct options *options)
{
    if (options->is_verbose) {
        print_string("GL_RENDERER", GL_RENDERER);
        print_string("GL_VERSION", GL_VERSION);
        print_string("GL_VENDOR", GL_VENDOR);
        window_print_display();
    }
    if (options->with_extensions) {
        print_string("GL_EXTENSIONS", GL_EXTENSIONS);
        printf("GLX_EXTENSIONS = %s\n", window_extensions());
    }
    if (is_measurement)
        print_rate_limit();
    fflush(stdout);
}

static int is(const char *argument, const char *name)
{
    return strcmp(argument, name) == 0;
}

/* Parses the seconds of the warm-up, which may be 0. */
static double warmup_seconds(const char *text)
{
    return is(text, "0") ? 0 : ub_seconds(text, usage);
}

static const char *value_of(char ***at)
{
    const char *name = **at;

    if (!*++*at)
        ub_error(2, "%s needs a value; usage: %s", name, usage);
    return **at;
}

/* Takes the option at that place, and moves the place to the last word of the option. */
static void take_option(struct options *options, char ***at)
{
    if (is(**at, "-time"))
        options->seconds = ub_seconds(value_of(at), usage);
    else if (is(**at, "-n"))
        options->frames = ub_whole("frames", value_of(at), 1, UB_LOOPS_MAX, usage);
    else if (is(**at, "-warmup"))
        options->warmup_s = warmup_seconds(value_of(at));
    else if (is(**at, "-display"))
        options->display = value_of(at);
    else if (is(**at, "-v"))
        options->is_verbose = 1;
    else if (is(**at, "-info"))
        options->with_extensions = 1;
    else
        ub_error(2, "unexpected argument \"%.40s\"; usage: %s", **at, usage);
}

static struct options take_options(char **argv)
{
    struct options options = {0, -1, 0, NULL, 0, 0};

    while (*++argv)
        take_option(&options, &argv);
    if (options.seconds > 0 && options.frames > 0)
        ub_error(2, "-time and -n contradict each other; leave out one of them; usage: %s", usage);
    if (options.warmup_s < 0)
        options.warmup_s = options.frames > 0 ? 0 : WARMUP_S;
    return options;
}

/*
 * Switches off the caches of compiled shaders, which drivers would keep in the user's home.  The variables are those of
 * Mesa, of Mesa before 2022, and of NVIDIA's driver.
 */
static void keep_no_cache(void)
{
    setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
    setenv("MESA_GLSL_CACHE_DISABLE", "true", 1);
    setenv("__GL_SHADER_DISK_CACHE", "0", 1);
}

int main(UB_UNUSED int argc, char **argv)
{
    struct options options;

    ub_redirect_libraries();
    options = take_options(argv);
    is_measurement = options.seconds > 0 || options.frames > 0;
    keep_no_cache();
    window_open(options.display, SIZE, is_measurement, end_by_error);
    scene_prepare();
    scene_fit(SIZE, SIZE);
    print_renderer(&options);
    wait_until_shown();
    ub_gate();
    if (is_measurement)
        measure(&options);
    else
        show();
    return 0;
}
