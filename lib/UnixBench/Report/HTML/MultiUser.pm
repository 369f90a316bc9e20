package UnixBench::Report::HTML::MultiUser;

# What a multi-user load told beside its score, as parts of a page.

use strict;
use warnings;

use UnixBench::Report::MultiUserTables  qw(starred);
use UnixBench::Report::MultiUserWording qw(multiuser_blocks);
use UnixBench::Report::Page             qw(notices paragraph quiet);
use UnixBench::Report::PageTable        qw(number row table text);
use UnixBench::Report::ResponseChart    ();
use UnixBench::Score::MultiUser         ();

# Takes the procedure and a run; returns what its load told, or nothing without a load.
sub parts {
    my ($procedure, $run) = @_;
    my $known = UnixBench::Score::MultiUser::of_run($run) or return;
    return map { _block($known, $_) } multiuser_blocks($procedure, $known);
}

sub _block {
    my ($known, $block) = @_;
    return (
        notices(grep { defined } $block->{notice}),
        paragraph(@{ $block->{sentences} }),
        ($block->{name} eq 'responses' ? UnixBench::Report::ResponseChart::of_responses(@{ $known->{responses} }) : ()),
        ($block->{table}               ? _table($block->{table})                                                  : ()),
        quiet(@{ $block->{legend} }),
    );
}

sub _table {
    my ($table) = @_;
    my @rows = map { $table->{has_texts} ? _row_of_texts(@$_) : _row(@$_) } @{ $table->{rows} };
    return table($table->{title}, starred($table), \@rows);
}

sub _row {
    my ($title, @numbers) = @_;
    return row($title, map { number($_) } @numbers);
}

sub _row_of_texts {
    my ($title, @texts) = @_;
    return row($title, map { text($_) } @texts);
}

1;
