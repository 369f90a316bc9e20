/*
 * Dhrystone 2.1 (see dhry.h), first half: COUNT is the number of Dhrystones a second (lps).  With -n LOOPS it prints
 * the final values that the paper lists, and fails if one of them is wrong.
 */
#include "ub.h"

#include "dhry.h"

static const char usage[] = "PROGRAM SECONDS | PROGRAM -n LOOPS";

static volatile unsigned long loops; /* finished Dhrystones; the measured loop only writes it */

Rec_Type *Ptr_Glob, *Next_Ptr_Glob;
int Int_Glob;
int Bool_Glob;
char Ch_1_Glob, Ch_2_Glob;
Arr_1_Dim Arr_1_Glob;
Arr_2_Dim Arr_2_Glob;

static int wrong_values;

static void expect_number(const char *name, int value, int expected)
{
    printf("%-32s %d\n", name, value);
    wrong_values += value != expected;
}

static void expect_text(const char *name, const char *value, const char *expected)
{
    printf("%-32s %s\n", name, value);
    wrong_values += strcmp(value, expected) != 0;
}

static void expect_record(const char *name, const Rec_Type *record, int enumeration, int number)
{
    printf("%s->\n", name);
    expect_number("  Discr", (int)record->Discr, 0);
    expect_number("  Enum_Comp", (int)record->variant.var_1.Enum_Comp, enumeration);
    expect_number("  Int_Comp", record->variant.var_1.Int_Comp, number);
    expect_text("  Str_Comp", record->variant.var_1.Str_Comp, "DHRYSTONE PROGRAM, SOME STRING");
}

/*
 * Like the published ones, these procedures are not static.  A static one with a single caller would be inlined,
 * however large it is.
 */
void Proc_3(Rec_Type **result)
{
    if (Ptr_Glob)
        *result = Ptr_Glob->Ptr_Comp;
    Proc_7(10, Int_Glob, &Ptr_Glob->variant.var_1.Int_Comp);
}

void Proc_1(DHRY_REGISTER Rec_Type *record)
{
    DHRY_REGISTER Rec_Type *next = record->Ptr_Comp;

    *record->Ptr_Comp = *Ptr_Glob;
    record->variant.var_1.Int_Comp = 5;
    next->variant.var_1.Int_Comp = record->variant.var_1.Int_Comp;
    next->Ptr_Comp = record->Ptr_Comp;
    Proc_3(&next->Ptr_Comp);
    if (next->Discr == Ident_1) {
        next->variant.var_1.Int_Comp = 6;
        Proc_6(record->variant.var_1.Enum_Comp, &next->variant.var_1.Enum_Comp);
        next->Ptr_Comp = Ptr_Glob->Ptr_Comp;
        Proc_7(next->variant.var_1.Int_Comp, 10, &next->variant.var_1.Int_Comp);
    } else {
        *record = *record->Ptr_Comp;
    }
}

/* As published, state has no first value: Ch_1_Glob is always 'A' here, and compilers need not test what follows. */
void Proc_2(int *number)
{
    int value = *number + 10;
    Enumeration state;

    do
        if (Ch_1_Glob == 'A') {
            value -= 1;
            *number = value - Int_Glob;
            state = Ident_1;
        }
    while (state != Ident_1); /* cppcheck-suppress uninitvar */
}

void Proc_4(void)
{
    int is_a = Ch_1_Glob == 'A';

    Bool_Glob = is_a | Bool_Glob;
    Ch_2_Glob = 'B';
}

void Proc_5(void)
{
    Ch_1_Glob = 'A';
    Bool_Glob = 0;
}

static Rec_Type *new_record(void)
{
    Rec_Type *record = malloc(sizeof *record);

    if (!record)
        ub_failed("malloc");
    return record;
}

static void set_up(void)
{
    Next_Ptr_Glob = new_record();
    Ptr_Glob = new_record();
    Ptr_Glob->Ptr_Comp = Next_Ptr_Glob;
    Ptr_Glob->Discr = Ident_1;
    Ptr_Glob->variant.var_1.Enum_Comp = Ident_3;
    Ptr_Glob->variant.var_1.Int_Comp = 40;
    strcpy(Ptr_Glob->variant.var_1.Str_Comp, "DHRYSTONE PROGRAM, SOME STRING");
    Arr_2_Glob[8][7] = 10;
}

/* The local variables of the loop, after its last turn. */
struct locals {
    int Int_1, Int_2, Int_3;
    Enumeration Enum;
    Str_30 Str_1, Str_2;
};

/*
 * Counts up from that number to 0, with one Dhrystone for each turn.  From 0 it takes all values of the counter.  The
 * end costs no instruction, because the addition itself shows whether its result is 0.  Stores the local variables
 * unless left is NULL.
 */
static inline __attribute__((always_inline)) void run(unsigned long from, struct locals *left)
{
    int Int_1 = 0;
    DHRY_REGISTER int Int_2 = 0;
    int Int_3 = 0;
    DHRY_REGISTER char letter;
    Enumeration Enum = Ident_1;
    Str_30 Str_1, Str_2;
    DHRY_REGISTER unsigned long turn = from;

    strcpy(Str_1, "DHRYSTONE PROGRAM, 1'ST STRING");
    do {
        Proc_5();
        Proc_4();
        Int_1 = 2;
        Int_2 = 3;
        strcpy(Str_2, "DHRYSTONE PROGRAM, 2'ND STRING");
        Enum = Ident_2;
        Bool_Glob = !Func_2(Str_1, Str_2);
        while (Int_1 < Int_2) {
            Int_3 = 5 * Int_1 - Int_2;
            Proc_7(Int_1, Int_2, &Int_3);
            Int_1 += 1;
        }
        Proc_8(Arr_1_Glob, Arr_2_Glob, Int_1, Int_3);
        Proc_1(Ptr_Glob);
        for (letter = 'A'; letter <= Ch_2_Glob; ++letter)
            if (Enum == Func_1(letter, 'C')) {
                Proc_6(Ident_1, &Enum);
                strcpy(Str_2, "DHRYSTONE PROGRAM, 3'RD STRING");
                Int_2 = (int)turn;
                Int_Glob = (int)turn;
            }
        Int_2 = Int_2 * Int_1;
        Int_1 = Int_2 / Int_3;
        Int_2 = 7 * (Int_2 - Int_3) - Int_1;
        Proc_2(&Int_1);
        loops = ++turn;
    } while (turn != 0);

    if (!left)
        return;
    left->Int_1 = Int_1;
    left->Int_2 = Int_2;
    left->Int_3 = Int_3;
    left->Enum = Enum;
    strcpy(left->Str_1, Str_1);
    strcpy(left->Str_2, Str_2);
}

/*
 * The measured loop, for fixed work and for fixed time, in a function of its own: changes elsewhere in the program do
 * not move it against the lines of the cache.  It needs none of its local variables after the last turn.
 */
static __attribute__((noinline, aligned(64))) void measured_loop(unsigned long from)
{
    run(from, NULL);
}

/* Runs the last turn of fixed work, and returns its local variables. */
static __attribute__((noinline)) struct locals last_turn(void)
{
    struct locals left;

    run(-1UL, &left);
    return left;
}

static void check(const struct locals *left, unsigned long loops_done)
{
    expect_number("Int_Glob", Int_Glob, 5);
    expect_number("Bool_Glob", Bool_Glob, 1);
    expect_number("Ch_1_Glob", Ch_1_Glob, 'A');
    expect_number("Ch_2_Glob", Ch_2_Glob, 'B');
    expect_number("Arr_1_Glob[8]", Arr_1_Glob[8], 7);
    expect_number("Arr_2_Glob[8][7]", Arr_2_Glob[8][7], (int)(unsigned)(loops_done + 10));
    expect_record("Ptr_Glob", Ptr_Glob, 2, 17);
    expect_record("Next_Ptr_Glob", Next_Ptr_Glob, 1, 18);
    expect_number("Int_1", left->Int_1, 5);
    expect_number("Int_2", left->Int_2, 13);
    expect_number("Int_3", left->Int_3, 7);
    expect_number("Enum", (int)left->Enum, 1);
    expect_text("Str_1", left->Str_1, "DHRYSTONE PROGRAM, 1'ST STRING");
    expect_text("Str_2", left->Str_2, "DHRYSTONE PROGRAM, 2'ND STRING");
    if (wrong_values > 0)
        ub_error(1, "%d of the final values are wrong", wrong_values);
}

static void finish(UB_UNUSED int signal)
{
    ub_count_timed(ub_counted(&loops), "lps");
    _exit(0);
}

int main(int argc, char **argv)
{
    struct ub_work wanted = ub_only_work(argc, argv, usage);
    unsigned long from = wanted.loops == 0 ? 0 : 1 - wanted.loops;
    struct locals left;
    uint64_t start_ns;

    set_up();
    ub_gate();
    if (wanted.loops == 0)
        ub_alarm_counting(wanted.seconds, &loops, finish);
    start_ns = ub_now_ns();
    /* There is one call only, so that compilers make no second version of the loop. */
    if (wanted.loops != 1)
        do measured_loop(from); while (wanted.loops == 0);
    left = last_turn();
    ub_time(ub_lasted_s(start_ns));
    check(&left, wanted.loops);
    ub_count(wanted.loops, 1, "lps");
    return 0;
}
