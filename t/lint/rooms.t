use strict;
use warnings;

use File::Path qw(make_path);
use File::Temp ();
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib);
use Place                          qw(write_file);
use Rooms                          qw(features modules rooms strangers unloaded);
use Tree                           qw(text_of);

# A room of lib/UnixBench uses only itself and the rooms above it in DESIGN's table. A feature also uses the features
# that it declares. Only Process::Child starts processes, and only CLI::Console prints errors.

my @rooms    = rooms(text_of('DESIGN.md'));
my $modules  = modules('.');
my $features = features('.');

is_deeply(
    [sort @rooms],
    [sort grep { !$features->{$_} } keys %{ { map { s/::.*//r => 1 } keys %$modules } }],
    'DESIGN names exactly the rooms that exist'
);
is_deeply([strangers($modules, $features, @rooms)],
    [], 'no module uses a module of a higher room, or of a feature that is not declared');

subtest 'a use of a higher room is found' => sub {
    is_deeply([planted("use UnixBench::Report::HTML ();\n")],  ['Base::Planted uses Report::HTML'], 'a line with use');
    is_deeply([planted("    require UnixBench::App;\n")],      ['Base::Planted uses App'], 'a line with require');
    is_deeply([planted("use UnixBench::Rank::Command ();\n")], ['Base::Planted uses Rank::Command'], 'of a feature');
    is_deeply([planted("# see UnixBench::App\nuse UnixBench::Base::Clock;\n")],
        [], 'a comment and a use of its own room are not reported');
};

is_deeply([unloaded($modules)], [], 'each module loads the modules that it calls');

subtest 'a call of a module that is not loaded is found' => sub {
    my $call     = "sub of { return UnixBench::Base::Clock->new }\n";
    my $unloaded = sub { my ($code) = @_; return [unloaded({ %$modules, %{ planted_modules($code) } })] };
    is_deeply($unloaded->($call), ['Base::Planted calls Base::Clock'], 'a method call is found');
    is_deeply($unloaded->("use UnixBench::Base::Clock;\n$call"),
        [], 'a call is not reported if a line with use loads the module');
};

for my $module (sort keys %$modules) {
    next if $module eq 'Process::Child';
    is(join(' ', starts_in($module)), '', "$module starts no process");
    next if $module eq 'CLI::Console';
    unlike($modules->{$module}, qr/print[ {]+STDERR|\bwarn\b\s*[("'\$]/, "$module prints no errors");
}

done_testing;

# Takes code; returns the complaints about a module with that code in the lowest room.
sub planted {
    my ($code) = @_;
    return strangers(planted_modules($code), {}, @rooms);
}

# Takes code; returns the modules of a tree with a single module with that code.
sub planted_modules {
    my ($code) = @_;
    my $root = File::Temp->newdir;
    make_path("$root/lib/UnixBench/Base");
    write_file("$root/lib/UnixBench/Base/Planted.pm", "package UnixBench::Base::Planted;\n$code");
    return modules($root);
}

# Returns the words in a module that start a process.
sub starts_in {
    my ($module) = @_;
    return $modules->{$module} =~ /(\bfork\b|\bsystem\(|\bsystem\s+["'\$\@{]|\bqx\b|\bexec\s*[{(]|'-[|]'|'[|]-')/g;
}
