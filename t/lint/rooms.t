use strict;
use warnings;

use File::Path qw(make_path);
use File::Temp ();
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../lib);
use Place                          qw(write_file);
use Tree                           qw(features flags_of modules rooms text_of);
use UnixBench::Features            qw(loaded);

# Takes modules, features, and the names of rooms from the lowest up; returns a line for each use of a module in a room
# above, or in a feature. A feature may use the rooms below the highest one, and the features that it declares. A fully
# qualified name is a use, like a line with use or require.
sub strangers {
    my ($modules, $features, @rooms) = @_;
    my %height = map { $rooms[$_] => $_ } 0 .. $#rooms;
    my @found;
    for my $module (sort keys %$modules) {
        my $room    = _room($module);
        my $highest = $height{$room} // ($features->{$room} ? $#rooms - 1 : next);
        my %is_used = map { $_ => 1 } $room, @{ $features->{$room} || [] };
        push @found, map { "$module uses $_" }
            grep { !$is_used{ _room($_) } && ($height{ _room($_) } // @rooms) > $highest }
            _named_in($modules->{$module});
    }
    return @found;
}

# Takes modules; returns a line for each module that calls another one without a line with use or require. Such a module
# would rely on a third one to load the other.
sub unloaded {
    my ($modules) = @_;
    my @found;
    for my $module (sort keys %$modules) {
        my $code      = $modules->{$module};
        my %is_loaded = map { $_ => 1 } $module, $code =~ /\b(?:use|require|parent) '?UnixBench::([\w:]+)/g;
        my %called    = map { $_ => 1 } map { _module_in($modules, $_) } $code =~ /\bUnixBench::(\w+(?:::\w+)*)/g;
        push @found, map { "$module calls $_" } grep { !$is_loaded{$_} } sort keys %called;
    }
    return @found;
}

# Words of the core that are names of features, too: a part of a result and a plan, a heading, a test, a fact.
my %OWN = (
    (map { $_ => 'scaling' } 'Base::Result', 'Plan', 'Report::Topic::Scores'),
    'Catalog' => 'shapes work',
    (map { $_ => 'cpus' } 'Host::Facts', 'Host::Machine'),
);

# Takes modules, and { key, command, option }, each { word of a feature => 1 }; returns a line for each such word in
# them. A word alone in quotes is one, and a key of options or of what a function returns. Views have only values of
# features at keys.
sub named {
    my ($modules, $names) = @_;
    my ($key, $command, $option) = map {
        join q{|}, '(?!)', map { quotemeta }
            keys %{ $names->{$_} }
    } qw(key command option);
    my @found;
    for my $module (sort keys %$modules) {
        my @words = (
            $modules->{$module} =~ /['"]($key)['"]/g,
            $modules->{$module} =~ /(?:[)]|\boptions)(?:\}|->)*\{($key)\}/g,
            $modules->{$module} =~ /->of_(?:run|result)[(]'?(\w+)/g,
            $modules->{$module} =~ /\b(Run (?:$command))\b/g,
            $modules->{$module} =~ /(?<![\w-])($option)(?![\w-])/g,
        );
        my %is_found = map { $_ => 1 } grep { ($OWN{$module} // q{}) !~ /\b\Q$_\E\b/ } @words;
        push @found, map { "$module names $_" } sort keys %is_found;
    }
    return @found;
}

# Takes declarations of features; returns what they name, see named().
sub names_of {
    my (@declared) = @_;
    my @commands   = map { $_->{commands} || {} } @declared;
    my @asked      = qw(plan of_results of_tests of_comparisons of_requirements);
    my @classes    = map {
        my $of = $_;
        map { $of->{$_} || {} } @asked
    } @declared;
    return {
        key     => { map { $_ => 1 } map { keys %$_ } @commands, @classes },
        command => { map { $_ => 1 } map { keys %$_ } @commands },
        option  => { map { $_ => 1 } flags_of(@declared) },
    };
}

# Takes a qualified name; returns the longest part of it that is a module, or nothing.
sub _module_in {
    my ($modules, $name) = @_;
    while (!$modules->{$name}) {
        $name =~ s/::\w+\z// or return;
    }
    return $name;
}

sub _named_in {
    my ($code) = @_;
    my %named  = map { $_ => 1 } $code =~ /\bUnixBench::((?:[A-Z]\w*::)*[A-Z]\w*)/g;
    my @named  = sort keys %named;
    return @named;
}

sub _room { my ($module) = @_; return $module =~ s/::.*//sr }

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
is_deeply([strangers($modules, $features, @rooms)], [], 'no module uses one of a higher room, or undeclared');

subtest 'a use of a higher room is found' => sub {
    is_deeply([planted("use UnixBench::Report::HTML ();\n")],  ['Base::Planted uses Report::HTML'], 'a line with use');
    is_deeply([planted("    require UnixBench::App;\n")],      ['Base::Planted uses App'], 'a line with require');
    is_deeply([planted("use UnixBench::Rank::Command ();\n")], ['Base::Planted uses Rank::Command'], 'of a feature');
    is_deeply([planted("# see UnixBench::App\nuse UnixBench::Base::Clock;\n")], [], 'comments and the own room');
};

is_deeply([unloaded($modules)], [], 'each module loads the modules that it calls');

subtest 'a call of a module that is not loaded is found' => sub {
    my $call     = "sub of { return UnixBench::Base::Clock->new }\n";
    my $unloaded = sub { my ($code) = @_; return [unloaded({ %$modules, %{ planted_modules($code) } })] };
    is_deeply($unloaded->($call), ['Base::Planted calls Base::Clock'], 'a method call is found');
    is_deeply($unloaded->("use UnixBench::Base::Clock;\n$call"), [],   'a line with use loads the module of a call');
};

# The core asks all features, so it names none of them: neither by its name nor by a key, a command or an option that
# only it declares.

my %of_core = map { $_ => $modules->{$_} } grep { !$features->{ _room($_) } } keys %$modules;
my $names   = names_of(map { loaded(ucfirst)->can('declaration')->() } UnixBench::Features::usable());
$names->{key}{ lc $_ } = 1 for keys %$features;
is_deeply([named(\%of_core, $names)], [], 'the core names no feature');

subtest 'a name of a feature in the core is found' => sub {
    my %names = (key => { rank => 1, why => 1 }, command => { rank => 1 }, option => { '--over' => 1 });
    my %code  = (
        rank       => q{my $step = first(commands => 'rank');},
        why        => q{my $value = merged('values')->{why};},
        shapes     => q{my @shapes = @{ $view->of_result('shapes') };},
        over       => q{my $figures = $view->of_run(over => $run);},
        'Run rank' => q{return "see ./Run rank $own";},
        '--over'   => q{my $advice = 'Add --over 24h.';},
    );
    is_deeply([named({ Planted => $code{$_} }, \%names)], ["Planted names $_"], $code{$_}) for sort keys %code;
    is_deeply([named({ Planted => q{$row->{why} = 'why that is'; rank(why => $_[0])} }, \%names)], [], 'a plain word');
    is_deeply([named({ Plan    => q{my $word = 'scaling'} }, { key => { scaling => 1 } })], [], 'a word of the core');
};

for my $module (sort keys %$modules) {
    next if $module eq 'Process::Child';
    is(join(' ', starts_in($module)), '', "$module starts no process");
    next if $module eq 'CLI::Console';
    unlike($modules->{$module}, qr/print[ {]+STDERR|\bwarn\b\s*[("'\$]/, "$module prints no errors");
}

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

# A number stays a number until a renderer prints it. So topics, comparisons, and reports of features have cells, and
# no formats of numbers.

my $FEATURES = join q{|}, sort keys %{ features('.') };
my $WITHOUT  = qr/\A(?:Compare::|Report::(?:Topic|Comparison|Reference|Groups|View|Block|Wording|EndBlock))/;
my $OF_THEM  = qr/\A(?:$FEATURES)::(?:Report|Wording|EndBlock)\z/;

my @checked = grep { /$WITHOUT|$OF_THEM/ } sort keys %$modules;
cmp_ok scalar @checked, '>', 10, 'there are modules to check';
is_deeply [formats_in($modules->{$_})], [], "$_ formats no number" for @checked;

subtest 'a format of a number is found' => sub {
    is_deeply [formats_in(q{return sprintf '%.1f', $x;})],   [q{sprintf '%.1f}],            'sprintf';
    is_deeply [formats_in(q{printf {$out} "%s: %3d", $x;})], [q{printf {$out} "%s: %3d}],   'printf';
    is_deeply [formats_in("sprintf q{%+.2e %%}, 1")],        ['sprintf q{%+.2e'],           'another kind of quotes';
    is_deeply [formats_in('UnixBench::Base::Text::percent(0.5)')], ['Base::Text::percent'], 'a call by its whole name';
    is_deeply [formats_in('use UnixBench::Base::Text qw(clean percent);')], ['Base::Text qw(clean percent'], 'a sub';
    is_deeply [formats_in(q{sprintf '%s: %-*s', 'a', 3, 'b'})], [], 'a format of texts alone is not reported';
};

# Takes the code of a module; returns what formats numbers in it.
sub formats_in {
    my ($code)     = @_;
    my $conversion = qr/%[-+ #0-9.*]*[diufFeEgGxXo]/;
    my $formats = qr/\b(?:DECIMAL|NATURAL|fixed|full_precision|grouped|percent|plus_minus|short_number|significant)\b/;
    return $code =~ /(\bs?printf\b[^;\n]*?$conversion|\bBase::Text(?:\s[^;]*|::)$formats)/g;
}

done_testing;
