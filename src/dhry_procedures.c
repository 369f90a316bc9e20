/*
 * Dhrystone 2.1, second half: it is compiled separately, as published, so that no call from the first half is inlined.
 */
#include <string.h>

#include "dhry.h"

void Proc_6(Enumeration value, Enumeration *result)
{
    *result = value;
    if (!Func_3(value))
        *result = Ident_4;
    switch (value) {
    case Ident_1:
        *result = Ident_1;
        break;
    case Ident_2:
        *result = Int_Glob > 100 ? Ident_1 : Ident_4;
        break;
    case Ident_3:
        *result = Ident_2;
        break;
    case Ident_4:
        break;
    case Ident_5:
        *result = Ident_3;
        break;
    }
}

void Proc_7(int first, int second, int *result)
{
    int sum = first + 2;

    *result = second + sum;
}

void Proc_8(Arr_1_Dim array_1, Arr_2_Dim array_2, int first, int second)
{
    DHRY_REGISTER int index;
    DHRY_REGISTER int at = first + 5;

    array_1[at] = second;
    array_1[at + 1] = array_1[at];
    array_1[at + 30] = at;
    for (index = at; index <= at + 1; ++index)
        array_2[at][index] = at;
    array_2[at][at - 1] = (int)(array_2[at][at - 1] + 1U); /* counts loops; unsigned, because it may overflow */
    array_2[at + 20][at] = array_1[at];
    Int_Glob = 5;
}

Enumeration Func_1(char first, char second)
{
    char copy = first;
    char copy_of_copy = copy;

    if (copy_of_copy != second)
        return Ident_1;
    Ch_1_Glob = copy;
    return Ident_2;
}

int Func_2(Str_30 first, Str_30 second)
{
    DHRY_REGISTER int at = 2;
    char letter = 0;

    while (at <= 2)
        if (Func_1(first[at], second[at + 1]) == Ident_1) {
            letter = 'A';
            at += 1;
        }
    if (letter >= 'W' && letter < 'Z')
        at = 7;
    if (letter == 'R')
        return 1;
    if (strcmp(first, second) > 0) {
        at += 7;
        Int_Glob = at;
        return 1;
    }
    return 0;
}

int Func_3(Enumeration value)
{
    Enumeration copy = value;

    return copy == Ident_3;
}
