/* To be compiled, never to be run: copies a file, in C that any compiler since 1989 takes. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK 4096

struct options {
	int is_text;
	int is_verbose;
	int is_appended;
	long limit; /* bytes, or -1 */
};

struct summary {
	unsigned long bytes;
	unsigned long lines;
	unsigned long words;
	unsigned long checksum;
};

static char block[BLOCK];

static void complain(const char *what, const char *name)
{
	fprintf(stderr, "cctest: %s: %s\n", name, what);
}

static void start_summary(struct summary *summary)
{
	summary->bytes = 0;
	summary->lines = 0;
	summary->words = 0;
	summary->checksum = 1;
}

static void add_block(struct summary *summary, const char *bytes, size_t size)
{
	static int is_in_word = 0;
	size_t i;

	for (i = 0; i < size; i++) {
		int byte = (unsigned char)bytes[i];

		summary->checksum *= 31;
		summary->checksum += (unsigned long)byte;
		summary->checksum &= 0xffffffffUL;
		if (byte == '\n')
			summary->lines++;
		if (isspace(byte)) {
			is_in_word = 0;
		} else if (!is_in_word) {
			is_in_word = 1;
			summary->words++;
		}
	}
	summary->bytes += (unsigned long)size;
}

static int copy_stream(FILE *from, FILE *to, struct summary *summary, long limit)
{
	size_t got;

	while ((got = fread(block, 1, sizeof block, from)) > 0) {
		if (limit >= 0 && (long)(summary->bytes + got) > limit)
			got = (size_t)(limit - (long)summary->bytes);
		if (fwrite(block, 1, got, to) != got)
			return -1;
		add_block(summary, block, got);
		if (limit >= 0 && (long)summary->bytes >= limit)
			break;
	}
	return ferror(from) ? -1 : 0;
}

static int copy_file(const char *from_name, const char *to_name, const struct options *options)
{
	struct summary summary;
	FILE *from, *to;
	int status;

	from = fopen(from_name, options->is_text ? "r" : "rb");
	if (from == NULL) {
		complain("can't be read", from_name);
		return -1;
	}
	to = fopen(to_name, options->is_appended ? "ab" : "wb");
	if (to == NULL) {
		complain("can't be written", to_name);
		fclose(from);
		return -1;
	}
	start_summary(&summary);
	status = copy_stream(from, to, &summary, options->limit);
	fclose(from);
	if (fclose(to) != 0 || status != 0) {
		complain("copied in part only", to_name);
		remove(to_name);
		return -1;
	}
	if (options->is_verbose)
		printf("%s: %lu bytes, %lu words, %lu lines, sum %08lx\n",
			   to_name, summary.bytes,
			   summary.words, summary.lines, summary.checksum);
	return 0;
}

static int take_options(struct options *options, int argc, char **argv)
{
	int i;

	options->is_text = 0;
	options->is_verbose = 0;
	options->is_appended = 0;
	options->limit = -1;
	for (i = 1; i < argc && argv[i][0] == '-'; i++) {
		switch (argv[i][1]) {
		case 't':
			options->is_text = 1;
			break;
		case 'v':
			options->is_verbose = 1;
			break;
		case 'a':
			options->is_appended = 1;
			break;
		case 'n':
			options->limit = atol(argv[i] + 2);
			break;
		default:
			complain("unknown option", argv[i]);
			return -1;
		}
	}
	return i;
}

int main(int argc, char **argv)
{
	struct options options;
	int first, status;

	first = take_options(&options, argc, argv);
	if (first < 0 || argc - first != 2) {
		fprintf(stderr, "usage: cctest [-t] [-v] [-a] [-nBYTES] from to\n");
		return EXIT_FAILURE;
	}
	if (strcmp(argv[first], argv[first + 1]) == 0) {
		complain("can't be copied to itself", argv[first]);
		return EXIT_FAILURE;
	}
	status = copy_file(argv[first], argv[first + 1], &options);
	return status == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
