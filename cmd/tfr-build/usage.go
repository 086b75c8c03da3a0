package main

// usage is the help of tfr-build; each command has its own beside it.
const usage = `tfr-build turns CSV, JSONL, text, folders of images, arrays and TFRecord files
into a sharded TFRecord or OFRecord dataset, as a YAML config describes it.

usage:
  tfr-build -config FILE      build the dataset; so does tfr-build FILE
  tfr-build COMMAND ...

commands:
  init        look at files and write a config
  build       build the dataset that a config describes
  check       look for faults in a config, for missing files and columns
  plan        say what would be written, in which shards, and why
  try         print the first Examples, and write nothing
  inspect     print the records of TFRecord, OFRecord and ArrayRecord files
  write       make a TFRecord or OFRecord file of JSON lines
  verify      compare datasets with their manifests
  stats       count the values of a dataset, or of files of records
  report      make the page about a dataset again
  diff        say what differs between two datasets
  index       write indexes of TFRecord files, for DALI and for random access
  locate      say in which shard, and where in it, a row of a dataset stands
  task        do a share of the tasks of a build, beside other processes
  status      say how far the tasks of a build are
  clean       give up the tasks of a build, and remove what they made
  schema      print the JSON Schema of configs
  completion  print what completes commands in a shell
  man         print the manual page
  version     print the version
  help        print the help of a command

Flags may come before and after operands; -config and --config are the same.
Results go to standard output, everything else to standard error.

exit codes:
  0    done, or up to date
  1    failed otherwise
  2    usage, config, or an input that does not fit it
  3    rows that cannot be used
  4    the output could not be written
  5    an input is missing, cannot be read or decompressed, or changed
  6    locked by another run, or being made by tasks
  7    verify found damage
  8    the output is in the way: another dataset, or foreign files
  9    the data is not as the config's checks say
  10   diff found a difference
  42   a task ended with what no retry mends
  75   a task was asked for before its time: to be tried again
  129, 130, 143    interrupted by SIGHUP, SIGINT, SIGTERM
  134              aborted (SIGABRT): out of memory, or a mistake in tfr-build
`
