# The table of tests, which pgms/measure.sh reads, is one of the files that are made from the program.
reference: measure-table

measure-table:
	features/target/build/measure-table > pgms/measure.table

.PHONY: measure-table
