use strict;
use warnings;

use Test::More;

use UnixBench::Base::Notes;

my @notes;
UnixBench::Base::Notes::add_changes(\@notes);
is_deeply(\@notes, [], 'no change, no note');
push @notes, UnixBench::Base::Notes::VIRTUAL_DISPLAY;
UnixBench::Base::Notes::add_changes(\@notes, 'this', 'that');
is_deeply(\@notes, ['virtual display (Xvfb)', 'changed procedure: this; that'], 'one note for all changes');
push @notes, 'resumed';
UnixBench::Base::Notes::add_changes(\@notes, 'more');
is_deeply(\@notes, ['virtual display (Xvfb)', 'changed procedure: this; that; more', 'resumed'], 'also for later ones');

# A run with one test, of whose passes each copy has said something.
sub run_of {
    my @passes = map {
        { copies => [map { { data => $_ } } @$_] }
    } @_;
    return { tests => [{ passes => \@passes }] };
}

my @runs = (
    run_of([{ COUNT0         => 1 }], [{ 'replaced.aa4' => 'aa' }, { 'replaced.aa4' => 'aa' }]),
    run_of([{ 'replaced.b c' => 'd', 'not.replaced.x' => 'y' }]),
);
is_deeply([UnixBench::Base::Notes::replacements(\@runs)],     ['aa in place of aa4', 'd in place of b c'], 'each once');
is_deeply([UnixBench::Base::Notes::replacements([run_of()])], [],                                          'none');

is(UnixBench::Base::Notes::resumed(-3600, 0, 1), 'resumed Wed Dec 31 1969 23:00:00, Wed Dec 31 1969 23:00:01', 'times');

done_testing;
