package UnixBench::Store::Redaction;

# The redaction for --no-identity: what stays of a result is known to be free of names. This module has the only list of
# such texts. A text that is not listed is left out. The directories of a call have names of their own instead.

use strict;
use warnings;

use UnixBench::Base::Arguments    qw(named);
use UnixBench::Base::Result       qw(ANONYMOUS);
use UnixBench::Base::ResultSchema ();
use UnixBench::Base::Time         qw(iso_date);
use UnixBench::Catalog            ();
use UnixBench::Features           ();

use constant LEFT_OUT => '...';

# A number, a version, a list of CPUs, a time or a size, but no address and no serial number; the ends of versions that
# distributions give.
my $ADDRESS = qr/[0-9]+(?:[.][0-9]+){3}(?![.]?[0-9])|[0-9]+(?::[0-9]+){3}|[0-9]{8}/;
my $NUMBER  = qr/[-+#v~]?(?!$ADDRESS)[0-9]+(?:[-.,:+~_%](?!$ADDRESS)[0-9]+)*/;
my $END     = qr/[-+.~](?:deb|ubuntu|el|fc|r|rc|u|lp|p|alpine|generic|amd64|arm64|cloud|azure|aws|gcp|rt|lts|pve)/;
my $FIGURE  = qr/$NUMBER(?:$END[0-9]*(?:[.u~+-][0-9]+)*)*(?:[kKMGT]i?B?|MHz|GHz|ms|us|ns|s|m|h|%|x|th|bit)?/;

# The words of the suite's own messages, of messages of the system, of versions and of uname.
my %IS_KNOWN = map { lc() => 1 } split q{ }, <<'END';
a an the of in on at to by as for from with without and or not no is are was were has have had it its this that than
after before during while under way until which what who all any each other another more most less least first last
only one two nothing none unknown wrong missing empty negative large too long short small same different can't could
cannot must may expected instead built without run ran running runs start started starts stop stopped end ended ends
done finished finish failed failing fails failure error errors message killed signal exit status core dumped abort
aborted interrupted interruption skipped suspended timed out limit exceeded reached removed renamed moved replaced
added changed change read write written open opened make made find found reported report reports counted count
counts clock shows show passed leave install named belongs closed refused lost wait waited waits pass passes copy
copies test tests program programs script command commands input output file files directory directories disk memory
space scratch line lines word words number numbers time times second seconds minute minutes hour hours label
timebase user users process processes cpu cpus machine display graphics tracer tracing preparation tree library
libraries system call calls filter container journal log page name names seconds; loops loop rounds round such
exists exist permission denied operation permitted argument invalid bad address resource temporarily unavailable
input/output device busy broken pipe format exec interrupted text left quota descriptor cross-device link many
illegal instruction segmentation fault floating point exception terminated hangup quit trap bus alarm term kill int
hup segv ill fpe abrt usr1 usr2 xcpu xfsz alrm sys term: free kb mb gb bytes size data bss dynamically statically
linked position-independent fixed comparable little-endian big-endian advanced micro devices x86-64 intel 80386 arm
aarch64 risc-v powerpc powerpc64 mips r3000 ibm s/390 loongarch sparc v9 alpha hppa superh bit up day days hour hours
min mins user users load average averages runlevel am pm mon tue wed thu fri sat sun jan feb mar apr may jun jul aug sep
oct nov dec utc gmt smp preempt preempt_dynamic preempt_rt rt kernel version release generic default debian ubuntu
fedora red hat enterprise suse opensuse arch gentoo alpine amazon oracle rocky almalinux alma centos raspbian linux
gnu gnu/linux freebsd netbsd openbsd darwin sunos gcc clang tcc icc llvm cc glibc libc musl bsd perl sh dash bash
ksh mksh zsh yash posh busybox toybox coreutils uutils sort grep multi-call binary based strace ltrace gdb perf
valgrind rr root powersave performance ondemand conservative schedutil userspace on off auto yes true false
always madvise never ext2 ext3 ext4 xfs btrfs zfs tmpfs overlay nfs nfs4 vfat f2fs ramfs 9p virtiofs fuse
od tee wc rm true x11perf there can safe results tmp testdir
END

# The words of the catalog: programs, their arguments and input, and other files of the suite.
my %IS_OF_SUITE = map { s{.*/}{}r => 1 } qw(index.base tst.sh execl.static clock multiuser.script cctest.c sort.src),
    qw(large.txt), map { (@{ $_->{command} }, $_->{input} // ()) } UnixBench::Catalog::tests();

# The words of the command line that name tests.
my %IS_ASKED = map { $_ => 1 } UnixBench::Catalog::aliases(),
    map { $_->{name} } UnixBench::Catalog::tests(), UnixBench::Catalog::categories();

# Commands that may stand before a program under --under, without their paths.
my %IS_COMMAND = map { $_ => 1 } split q{ }, <<'END';
nice ionice chrt taskset numactl setarch env stdbuf timeout time setpriv prlimit choom cpulimit perf stat strace
valgrind qemu-x86_64 qemu-aarch64 bwrap firejail unshare nsenter systemd-run sh -c -n -a -b -f -r -o -p -R {home}
{scratch} {tmp} --physcpubind --cpunodebind --membind --interleave --localalloc --addr-no-randomize --idle --batch
--fifo --rr --other
END

my $DIGEST = qr/[0-9a-f]{64}/;

# The names of a machine, a target, a compiler and a library, options of the compiler, and values for architectures.
my $MACHINE      = qr/(?:x86_|i[3-6]|amd|arm|aarch|ppc|s390|riscv|mips|sparc|loongarch)[0-9a-z_]{0,4}/;
my $ARCHITECTURE = qr/$MACHINE|powerpc[0-9a-z_]{0,4}/;
my $VENDOR       = qr/none|pc|unknown|apple|redhat|suse|alpine|buildroot|poky|openwrt|amazon/;
my $SYSTEM       = qr/(?:linux|gnu|musl|uclibc)(?:eabi(?:hf)?|x?32|64|sf|abi(?:n32|64))?/;
my $TARGET       = qr/$ARCHITECTURE-(?:$VENDOR-)?(?:$SYSTEM(?:-$SYSTEM)?|(?:free|net|open)bsd[0-9.]*)/;
my $COMPILER     = qr/(?:(?:$TARGET|musl)-)?(?:gcc|cc|clang|tcc)(?:-[0-9]+(?:[.][0-9]+){0,2})?/;
my $LIBRARY      = qr/(?:ld(?:64)?|lib[cm])(?:-linux|[-.]musl)?(?:-$ARCHITECTURE|-x86-64)?[.]so(?:[.][0-9]+)?/;
my $OPTION       = qr/O[0-9sgz]?|Ofast|g[0-9]?|pie|pthread|pipe|w|s|W[a-z-]+|f(?:no-)?[a-z]+(?:-[a-z]+)*
    |static(?:-pie|-libgcc)?|std=(?:c|gnu)[0-9x]{2}|m(?:x?32|64|arm|thumb)/x;
my $KIND_OF_CPU = qr/native|generic|i[3-6]86|x86-64(?:-v[0-9])?|znver[0-9]|power[0-9]+|z[0-9]+|mips[0-9r]+
    |rv(?:32|64)[acdefgimqv]+|(?:armv[4-9][a-z]{0,2}(?:[.][0-9])?(?:-[amr])?|arm[0-9]{1,4}[a-z]{0,5}(?:-s)?
    |cortex-[amrx][0-9]+[a-z]*|neoverse-[env][0-9])(?:[+](?:no)?(?:crc|crypto|fp|fp16|lse|simd))*/x;
my $KIND_OF_ABI = qr/soft(?:fp)?|hard|auto|(?:vfp|neon|fpv)(?:-?(?:v[0-9]|fp|d16|fp16|armv8|sp|vfpv[34]))*
    |aapcs(?:-linux)?|i?lp(?:32|64)[a-z]?|n?32|64|elfv[12]/x;
my $UNIT   = qr/lps|lpm|KBps|MWIPS|fps|wps|users|score/;
my $STATED = sub { LEFT_OUT };

# The notes on text reports, as far as they quote nothing.
my $NOTE = qr/\A((?:the (?:number of|part for|run ended early|newest of|last of)|results|another report)\b[^:"]*)/;

# { "TYPE.KEY" => what may stay of a text }, see UnixBench::Base::ResultSchema for types and keys:
#   1         the text: it comes from the suite, or is one of few words of the kernel or a name of hardware
#   qr/.../   a text that matches wholly
#   PLACE     what may stay there
#   words     the words of it that are known
#   function  takes the text and, of a hash, its key; returns what may stay, or undef
# Features declare those of their own types.
my %STAYS = (
    (
        map { $_ => 1 } qw(head.version head.place earlier.name index.title row.name row.title test.name),
        qw(test.title group.letter group_ratio.letter group_row.name group_row.title cpu.model cpu.flags),
        qw(cpu.features cpu_model.model bound.disturbed tag.cause),
        qw(host.graphics kernel.preemption kernel.clock_source kernel.mitigations kernel.debug processors.smt),
        qw(processors.microcode processors.governor processors.driver processors.turbo cache.type),
        qw(huge_pages.transparent process.class process.seccomp virtualization.hypervisor),
        qw(virtualization.container scratch.file_system facts.board facts.unread graphics.opengl graphics.server),
    ),
    (map { $_ => 'words' } qw(host.version host.uptime host.release host.system host.os)),
    (map { $_ => 'words' } map { "tools.$_" } qw(distribution sh sort grep libc perl)),
    (map { $_ => 'words' } qw(test.reason pass.error pass.where copy.error replacement.name replacement.by)),
    (map { $_ => 'words' } qw(interruption.problem turns.spoilt group_ratio.remarks process.tracer copy.tracer)),
    (map { $_ => sub { $_[0] =~ /\A$UNIT\z/ ? $_[0] : LEFT_OUT } } qw(test.unit pass.unit copy.unit group_row.unit)),
    (map { $_ => qr/unknown|$MACHINE/ } qw(host.machine host.platform)),
    (map { $_ => $STATED } map { "process.$_" } qw(ld_preload ld_audit ld_library_path glibc_tunables preload_file)),
    (map { $_ => $STATED } qw(kernel.command_line scratch.mount_options)),
    (map { $_ => qr/[0-9,-]+/ } qw(cgroup.cpuset process.cpus)),
    (
        map { $_ => qr/UTF-?8|utf-?8|ASCII|US-ASCII|ANSI_X3[.]4-1968|ISO-?8859-?[0-9]+/ }
            qw(language.charmap language.collate)
    ),
    (map { $_ => 1 } qw(summary.source summary_index.title)),
    (map { $_ => 'words' } qw(summary.version summary.system summary_test.reason)),
    (
        map {
            $_ => sub { UnixBench::Catalog::test($_[0]) ? $_[0] : LEFT_OUT }
        } qw(summary_test.name summary_index.tests)
    ),
    'summary_test.unit'   => 'test.unit',
    'summary.date'        => sub { ((iso_date($_[0]) // q{}) =~ /\A([-+:T0-9]+)/)[0] },
    'summary.notes'       => sub { ($_[0]                    =~ $NOTE)[0] },
    'language.lang'       => qr/(?:C|POSIX|[a-z]{2}_[A-Z]{2})(?:[.](?:UTF|utf)-?8)?/,
    'graphics.screen'     => qr/[0-9]+ x [0-9]+ pixels, [0-9]+ bits/,
    'graphics.session'    => qr/none|x11|wayland|mir|tty|unspecified/,
    'process.personality' => qr/(?:0x)?[0-9a-f]+/,
    'suite.git_revision'  => qr/[0-9a-f]{7,64}(?:-dirty)?/,
    'runner.name'         => qr/measure[.]sh/,
    'head.asked'          => sub { $IS_ASKED{ $_[0] }   ? $_[0] : undef },
    'interruption.signal' => sub { exists $SIG{ $_[0] } ? $_[0] : undef },
    'turns.commands'      => \&_command_of_user,
    'turns.off'           => \&_command_of_user,
    'group.name'          => \&_command_of_user,
    'change.fact'         => qr/[a-z]+[.][a-z_]+(?:[.][a-z0-9_]+)?/,
    'kernel.settings'     =>
        sub { $_[1] !~ /\A(?:fs|kernel|net[.]core|vm)[.]/ ? undef : $_[0] =~ /\A-?[0-9]{1,6}\z/ ? $_[0] : LEFT_OUT },
    'test.command'   => \&_command_of_test,
    'head.build'     => \&_of_build,
    'facts.programs' => sub { $IS_OF_SUITE{ $_[1] } && $_[0] =~ /\A$DIGEST\z/ ? $_[0]         : undef },
    'copy.data'      => sub { _is_of_program($_[1])                           ? _value($_[0]) : undef },
);

# Takes directories => { absolute path => its replacement }.
sub new {
    my ($class, @given) = @_;
    my $instead = named(\@given, qw(directories))->{directories};
    my $paths   = join q{|}, map { quotemeta } sort { length $b <=> length $a } grep { length > 1 } keys %$instead;
    $paths = '(?!)' if !length $paths;
    return bless { instead => $instead, paths => qr/($paths)(?![\w-])/ }, $class;
}

# Takes a text; returns the words of it that are known.
sub words {
    my ($self, $text) = @_;
    return _known_words($self->_without_paths($text));
}

# Takes a result; returns a copy of what is known to be free of names. Notes are left out: they are
# made of all else.
sub result {
    my ($self, $result) = @_;
    my $head = $self->_of_type(head => $result);
    return {
        %$head,
        host  => { %{ $head->{host} }, name => ANONYMOUS },
        runs  => [map { $self->_of_type(run => $_) } @{ $result->{runs} }],
        notes => [],
    };
}

# Takes the summary of a text report; returns the same of it. The notes of this suite are left, as far as they quote
# nothing, and the titles of tests that it knows.
sub summary {
    my ($self, $summary) = @_;
    my %facts = map { $_ => _of_fact($_, $summary->{facts}{$_}) } keys %{ $summary->{facts} };
    my $head  = $self->_of_type(head => $summary->{head});
    my $copy  = { %{ $self->_of_type(summary => $summary) }, name => ANONYMOUS, facts => \%facts };
    $copy->{head}  = { %$head, host => { %{ $head->{host} }, name => ANONYMOUS } };
    $copy->{$_}    = $summary->{$_} for qw(files program_facts);                      # a text has none
    $copy->{notes} = [grep { $_ ne LEFT_OUT } @{ $copy->{notes} }];
    for my $number (0 .. $#{ $copy->{runs} }) {
        my @tests = map { $_->{runs}[$number]{tests} } $copy, $summary;
        $tests[0][$_]{title} = $tests[1][$_]{title} for grep { defined $tests[1][$_]{category} } 0 .. $#{ $tests[0] };
    }
    return $copy;
}

# Takes a test or a pass; returns a copy of what is known to be free of names.
sub test { my ($self, $test) = @_; return $self->_of_type(test => $test) }
sub pass { my ($self, $pass) = @_; return $self->_of_type(pass => $pass) }

my %keys_of;    # name of a type => { key => what the schema says of it }

# Takes the name of a type and such data; returns a copy of what is known to be free of names. If
# the schema does not have a key, or if no feature declares its type that is here, only a number is.
sub _of_type {
    my ($self, $type, $data) = @_;
    my $keys = $keys_of{$type} ||= { map { $_->{key} => $_ } UnixBench::Base::ResultSchema::keys_of($type) };
    my %copy;
    for my $name (keys %$data) {
        my ($key, $value) = ($keys->{$name}, $data->{$name});
        next if "$type.$name" eq 'tag.by';    # processes have names
        my $is_known = $key && !UnixBench::Base::ResultSchema::is_unknown($key);
        $copy{$name} = $is_known ? $self->_of_key("$type.$name", $key->{type}, $value) : undef if $key;
        $copy{$name} = $value if !$key       && defined $value        && !ref $value    && $value =~ /\A-?[0-9.]+\z/;
        $copy{$name} = LEFT_OUT if $is_known && !defined $copy{$name} && defined $value && !$key->{is_optional};
    }
    my $fact = $type eq 'change' ? $copy{fact} : undef;
    $copy{$_} = _of_fact($fact, $data->{$_}) for grep { defined $fact && defined $data->{$_} } qw(was is);
    return \%copy;
}

sub _of_key {
    my ($self, $place, $type, $value) = @_;
    return if !defined $value;
    my ($item) = $type =~ /\A\[(.*)\]\z/;
    return [map { $self->_of_key($place, $item, $_) // LEFT_OUT } @$value] if defined $item;
    return $self->_of_hash($place, $value) if $type =~ /\A[{]/;
    return $self->_text($place, $value) if $type eq 'text';
    return ref $value ? $self->_of_type($type, $value) : $value;
}

# Takes "TYPE.KEY", and a hash with any keys, whose values are texts or lists of texts.
sub _of_hash {
    my ($self, $place, $hash) = @_;
    return if !stays($place);
    my %copy;
    for my $name (keys %$hash) {
        my @values = ref $hash->{$name} ? @{ $hash->{$name} } : $hash->{$name};
        my @kept   = map { $self->_text($place, $_, $name) // () } @values;
        $copy{$name} = ref $hash->{$name} ? \@kept : $kept[0] if @kept;
    }
    return \%copy;
}

sub _text {
    my ($self, $place, $text, $name) = @_;
    my $stays = stays($place) // return;
    return $stays->($self->_without_paths($text), $name) if ref $stays eq 'CODE';
    return $text if !ref $stays || $text =~ /\A(?:$stays)\z/;
    return;
}

sub _without_paths {
    my ($self, $text) = @_;
    return $text =~ s/$self->{paths}/$self->{instead}{$1}/gr;
}

# The same with the types of features.
my %all;

sub _of_types {
    %all = (%STAYS, %{ UnixBench::Features::merged('stays') }) if !%all;
    return \%all;
}

# Takes "TYPE.KEY"; returns what may stay of such a text, see %STAYS, or undef for nothing.
sub stays {
    my ($place) = @_;
    my $all     = _of_types();
    my $stays   = $all->{$place};
    $stays = $all->{$stays} if defined $stays && exists $all->{$stays};
    return defined $stays && $stays eq 'words' ? \&_known_words : $stays;
}

sub _of_fact {
    my ($fact, $text) = @_;
    return $text if $fact =~ /\A(?:cpu|memory|cgroup|virtualization|kernel)[.](?!command_line)/;
    return LEFT_OUT if $fact =~ /\A(?:process[.](?:ld_|variables|preload|glibc)|host[.]name|scratch[.]device)/;
    return (ref $STAYS{$fact} eq 'CODE' ? $STAYS{$fact} : \&_known_words)->($text);
}

# Takes a text; returns it with only the words that are known, and numbers. Other words are three dots.
sub _known_words {
    my ($text) = @_;
    my @words  = map { _known($_) } split /(\s+|[()";,])/, $text;
    return join(q{}, @words) =~ s/(?:[.]{3}[\s();,]*)*[.]{3}/.../gr;
}

# Takes a piece of a text; returns it, the name of a program in it, the number at its beginning, or three dots.
sub _known {
    my ($word) = @_;
    return $word if $word !~ /[^\W_]/ || $IS_KNOWN{ lc $word } || $IS_KNOWN{ lc $word =~ s/[:.?!'\]]+\z//r };
    return $word if $word =~ /\A(?:$TARGET|$COMPILER|$LIBRARY|$NUMBER(?:$END[0-9]*)*[.]{3})\z/;    # a number was cut
    my ($plain, $more) = $word =~ /\A(.*?)([:.]?)\z/s;
    return "pgms/$1$more" if $plain                =~ m{(?:\A|/)pgms/([^/]+)\z} && $IS_OF_SUITE{$1};
    return $word if $IS_OF_SUITE{$plain} || $plain =~ /\A$FIGURE\z/ || $plain =~ /\A\[?$FIGURE\]?\z/;
    return $plain                                  =~ /\A($NUMBER(?:$END[0-9]*)*)[-+._~]/ ? $1 . LEFT_OUT : LEFT_OUT;
}

sub _command_of_user {
    my ($text) = @_;
    my @words  = map { $IS_COMMAND{s{\A/(?:usr/)?s?bin/}{}r} || /\A-?$NUMBER\z/ ? $_ : LEFT_OUT } split q{ }, $text;
    return join(q{ }, @words) =~ s/[.]{3}\K(?: [.]{3})+//gr;
}

# Takes a word of the command of a test; returns it if it is a word of the catalog or a number. A path loses its
# directory.
sub _command_of_test {
    my ($word) = @_;
    my ($name) = $word =~ m{([^/]*)\z};
    return $word if $word =~ /\A(?:$NUMBER|[{]\w+[}](?:\/\w+)?|-[a-z]+)\z/ && ($word !~ /\A-../ || $IS_OF_SUITE{$word});
    return $IS_OF_SUITE{$name} ? $word eq $name ? $word : "pgms/$name" : LEFT_OUT;
}

sub _of_build {
    my ($text, $about) = @_;
    return join q{ }, map { _of_compiler($_) } split q{ }, $text if $about =~ /\A(?:ld)?flags\z/;
    return join q{ }, map { /\A-/ ? _of_compiler($_) : _known_words($_) } split q{ }, $text if $about eq 'compiler';
    return $text if $about eq 'cpu';
    return $text if $about =~ /\A(?:time|execl_build_id|execl_cksum)\z/ && $text =~ /\A[0-9a-fTZ:-]+\z/;
    return _known_words($text) if $about =~ /\A(?:version|libc|portable|execl_(?:linking|machine|size))\z/;
    return;
}

# Takes an option of the compiler; returns it if it can matter to speed, without a value that may be a name.
sub _of_compiler {
    my ($option) = @_;
    return $option if $option =~ /\A-(?:$OPTION)\z/;
    my ($name, $value) = $option =~ /\A(-m(?:arch|tune|cpu|fpu|float-abi|abi)=)(.*)\z/ or return;
    return $value =~ /\A(?:$KIND_OF_CPU|$KIND_OF_ABI)\z/ ? $option : $name . LEFT_OUT;
}

# Takes the name of a line that a program has reported; returns whether it is one of the suite's programs.
sub _is_of_program {
    my ($name)      = @_;
    my @of_features = map { /\Acopy[.]data / ? _of_types()->{$_} : () } keys %{ _of_types() };
    return scalar grep { $name =~ /\A(?:$_)\z/ } qr/COUNT|TIME|LOOPS|REFUSED|start/, @of_features;
}

sub _value {
    my ($value) = @_;
    return $value =~ /\A[-+]?[0-9]*[.]?[0-9]*(?:[eE][-+]?[0-9]+)?\z/
        || $value =~ /\A$UNIT\z/ ? $value : _known_words($value);
}

1;
