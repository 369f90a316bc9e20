package OfFeatures;

# Helpers of features that tests of the core also use: modules in a folder of a feature's t/lib.

use strict;
use warnings;

use Cwd ();
use Exporter 'import';
use File::Basename qw(basename dirname);

use lib dirname(__FILE__) . '/../../lib';
use UnixBench::Features ();

our @EXPORT_OK = qw(helpers);

# Takes the name of a folder, such as Gallery; loads the modules that features have in their t/lib/Gallery. Returns
# their packages, such as Gallery::Histories.
sub helpers {
    my ($folder) = @_;
    my $features = Cwd::abs_path(dirname(__FILE__) . '/../../features') // return;
    return map { _loaded($folder, $_) } map { glob "$features/$_/t/lib/$folder/*.pm" } UnixBench::Features::usable();
}

sub _loaded {
    my ($folder, $path) = @_;
    my $tests  = dirname(dirname(dirname($path)));
    my $module = "$folder/" . basename($path);
    push @INC, "$tests/lib", "$tests/../lib";
    require $module;
    return "${folder}::" . basename($path, '.pm');
}

1;
