use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib);
use Needs                          qw(skip_without);
use Tree                           ();

# Each commit since the last release has a short subject, and a body that says why. RELEASING.md has this rule, so
# commits before that document are left out, as are merges.
use constant SUBJECT_MOST => 72;

subtest 'what is wrong with a message' => sub {
    is_deeply([complaints('x' x 72, "Why.\n")], [],                                 'nothing');
    is_deeply([complaints('x' x 73, "Why.\n")], ['its subject has 73 characters'],  'a long subject');
    is_deeply([complaints('x',      "\n")],     ['it has no body, which says why'], 'no body');
};

subtest 'the commits since the last release' => sub {
    skip_without(machine => 'a clone of the sources by Git') if !-e '.git';

    # A shallow clone has only some commits. Git says nothing to a user who is not the owner.
    skip_without(machine => 'a clone by Git with its whole history')
        if qx(git rev-parse --is-shallow-repository 2>/dev/null) ne "false\n";
    my ($release) = qx(git describe --tags --abbrev=0 2>/dev/null)          =~ /(.+)/;
    my ($rule)    = qx(git log --diff-filter=A --format=%H -- RELEASING.md) =~ /(\w+)\n\z/;
    my @since     = grep { defined } $release, $rule;
    skip_without(machine => 'a clone by Git with a release') if !@since;
    my $format  = '--format=tformat:%h%n%s%n%b%x00';
    my @commits = split /\0\n/, qx(git log --no-merges '$format' HEAD @{[map { "'^$_'" } @since]});

    for my $commit (@commits) {
        my ($hash, $subject, $body) = split /\n/, $commit, 3;
        is(join(', ', complaints($subject, $body)), q{}, "$hash $subject");
    }
    pass('there may be none');
};

done_testing;

# Takes the subject and the body of a commit; returns what is wrong with them, texts.
sub complaints {
    my ($subject, $body) = @_;
    utf8::decode($subject);
    my $length = length $subject;
    return (
        $length > SUBJECT_MOST ? "its subject has $length characters" : (),
        $body !~ /\S/          ? 'it has no body, which says why'     : (),
    );
}
