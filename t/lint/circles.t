use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Calls qw(calls circles);
use Tree  qw(text_of);

# The C files of a program call each other in one direction.
my %files_of = (programs => [glob 'src/*.c']);
for my $folder (glob 'features/*/src/') {
    $files_of{$folder} = [grep { !m{/t/} } glob "$folder*.c $folder*/*.c src/base/*.c"];
}
for my $program (sort keys %files_of) {
    my %texts = map { $_ => text_of($_) } @{ $files_of{$program} };
    is(join("\n", map { "@$_" } circles(calls(\%texts))), q{}, "$program: no circle of files");
}

subtest 'a circle is found' => sub {
    my %file = (
        'a.c' => "int a(void)\n{\n    return b();\n}\n",
        'b.c' => "static int\nhelp(int x)\n{\n    return x;\n}\n\nvoid *b(const char *x,\n    int y)\n{\n    c();\n}\n",
        'c.c' => "void c(void)\n{\n    run(a);\n}\n",
        'd.c' => "/* a(), and help() */\nint main(void)\n{\n    puts(\"d\");\n    return a() + help(1);\n}\n",
    );
    my $calls = calls(\%file);
    is_deeply($calls->{'d.c'},   ['a.c'],                 'neither comments nor static functions of other files count');
    is_deeply([circles($calls)], [['a.c', 'b.c', 'c.c']], 'three files that need each other');
    is_deeply([circles({ %$calls, 'c.c' => [] })], [],    'no circle without the last step');
};

done_testing;
