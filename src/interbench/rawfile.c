/* CSV; start and end of a dropped frame are empty. */
#include "rawfile.h"

#include <inttypes.h>

static const char *const classes[] = {
    [FRAME_ON_TIME] = "on time",
    [FRAME_LATE] = "late",
    [FRAME_DROPPED] = "dropped",
};

void raw_file_begin(struct raw_file *raw, FILE *out)
{
    *raw = (struct raw_file){.out = out, .repeat = 1};
    fputs("repeat,load,task,stream,frame,class,release_ns,start_ns,end_ns\n", out);
}

static void add_frame(const struct raw_file *raw, const struct load *load, const struct stream *stream,
                      const struct frame *frame)
{
    fprintf(raw->out, "%d,%s,%s,%d,%" PRId64 ",%s,%" PRId64 ",", raw->repeat, load->name, stream->task->name,
            stream->number + 1, frame->number, classes[frame->class], frame->release_ns);
    if (frame->class == FRAME_DROPPED)
        fputs(",\n", raw->out);
    else
        fprintf(raw->out, "%" PRId64 ",%" PRId64 "\n", frame->start_ns, frame->end_ns);
}

void raw_file_add(struct raw_file *raw, const struct load *load, const struct play *play)
{
    for (int i = 0; i < play->stream_count; i++)
        for (int64_t k = 0; k < play->streams[i].list->count; k++)
            add_frame(raw, load, &play->streams[i], &play->streams[i].list->frames[k]);
}
