/* Compile: what building a large program does. */
#include "load_parts.h"

enum part { BURN, WRITE, READ, SPAWN };

void load_set_up_compile(const struct load_setting *setting, struct load_board *board)
{
    load_set_up_write(setting, board);
    load_set_up_read(setting, board);
}

void load_start_compile(const struct load_setting *setting, struct load_board *board, int part)
{
    load_start_burn(setting, board, part + BURN);
    load_start_write(setting, board, part + WRITE);
    load_start_read(setting, board, part + READ);
    load_start_spawn(setting, board, part + SPAWN);
}
