/*
 * Dhrystone 2.1: the types and declarations that its two halves share.  The names are the published ones.
 *
 * R. P. Weicker, CACM 27(10), 1984; version 2.1: SIGPLAN Notices 23(8), 1988.
 */
#ifndef DHRY_H
#define DHRY_H

/* -DDHRY_REGISTER=register makes those variables register variables that are such in the paper. */
#ifndef DHRY_REGISTER
#define DHRY_REGISTER
#endif

typedef enum { Ident_1, Ident_2, Ident_3, Ident_4, Ident_5 } Enumeration;
typedef char Str_30[31];
typedef int Arr_1_Dim[50];
typedef int Arr_2_Dim[50][50];

typedef struct record {
    struct record *Ptr_Comp;
    Enumeration Discr;
    union {
        struct {
            Enumeration Enum_Comp;
            int Int_Comp;
            Str_30 Str_Comp;
        } var_1;
        struct {
            Enumeration E_Comp_2;
            Str_30 Str_2_Comp;
        } var_2;
        struct {
            char Ch_1_Comp;
            char Ch_2_Comp;
        } var_3;
    } variant;
} Rec_Type;

extern int Int_Glob;
extern char Ch_1_Glob;

void Proc_6(Enumeration value, Enumeration *result);
void Proc_7(int first, int second, int *result);
void Proc_8(Arr_1_Dim array_1, Arr_2_Dim array_2, int first, int second);
Enumeration Func_1(char first, char second);
int Func_2(Str_30 first, Str_30 second);
int Func_3(Enumeration value);

#endif
