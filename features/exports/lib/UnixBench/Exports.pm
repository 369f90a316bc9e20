package UnixBench::Exports;

# The feature exports: the values of results for systems that keep and plot them, and a picture of a result.

use strict;
use warnings;

# The formats, and the modules that render them.
my @FORMATS =
    (['github-action-benchmark' => 'GithubAction'], [openmetrics => 'OpenMetrics'], [lava => 'Lava'], [csv => 'CSV'],);

# The format that shows one result, and is rendered from its view.
use constant OF_ONE => 'svg';

# Returns the names of the formats that show several results.
sub names {
    return map { $_->[0] } @FORMATS;
}

# Returns the declaration, see UnixBench::Features.
sub declaration {
    my @names = names();
    return {
        formats => [
            (map { +{ kind => "export $_->[0]", renderer => "Exports::$_->[1]", is_of_results => 1 } } @FORMATS),
            { kind => 'export ' . OF_ONE, renderer => 'Exports::SVG' },
        ],
        options => [
            {
                follows   => { '*' => '--markdown' },
                flag      => '--export',
                is_usual  => 1,
                key       => 'exports',
                is_output => 1,
                value     => 'TO:FILE',
                kind      => 'export',
                choices   => [@names, OF_ONE],
                list      => 1,
                text      => 'write the values for systems that plot them, or a picture',
                more      => 'TO is '
                    . join(', ', @names)
                    . ' or, of one result, '
                    . OF_ONE
                    . '. Commands that list or compare results write a table: csv.',
            },
        ],
    };
}

1;
