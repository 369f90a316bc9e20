/* Text in JSON, whatever bytes it has. */
#include "json_text.h"

#include <string.h>

/* How many bytes the UTF-8 character has that begins there, or 0 where none does (RFC 3629, section 4). */
static int character_length(const unsigned char *text)
{
    int i, length;

    if (text[0] < 0x80)
        return 1;
    if (text[0] < 0xc2 || text[0] > 0xf4)
        return 0;
    length = text[0] < 0xe0 ? 2 : text[0] < 0xf0 ? 3 : 4;
    for (i = 1; i < length; i++)
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    if ((text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xed && text[1] > 0x9f) ||
        (text[0] == 0xf0 && text[1] < 0x90) || (text[0] == 0xf4 && text[1] > 0x8f))
        return 0;
    return length;
}

static void print_ascii(int character, FILE *out)
{
    if (character == '"' || character == '\\')
        fprintf(out, "\\%c", character);
    else if (character < 0x20 || character == 0x7f)
        fprintf(out, "\\u%04x", character);
    else
        putc(character, out);
}

void json_print_text(const char *text, FILE *out)
{
    const unsigned char *at = (const unsigned char *)text;
    int length;

    if (!text) {
        fputs("null", out);
        return;
    }
    putc('"', out);
    for (; *at; at += length ? length : 1) {
        length = character_length(at);
        if (length == 0)
            fprintf(out, "\\\\x%02x", *at);
        else if (length == 1)
            print_ascii(*at, out);
        else
            fwrite(at, 1, (size_t)length, out);
    }
    putc('"', out);
}
