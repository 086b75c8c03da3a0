package config

import (
	"cmp"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"tfr-build/internal/nearest"
	"tfr-build/internal/plural"
	"tfr-build/pixels/convert"
	"tfr-build/sources"
)

// A wrongKey is a key that people write from habit, with its hint. The value of the key
// replaces VALUE in the hint; FILE stays as it is.
type wrongKey struct {
	in   reflect.Type // type of the mapping that has it
	keys string       // separated by spaces
	help string
}

func wrongIn[T any](keys, help string) wrongKey { return wrongKey{reflect.TypeFor[T](), keys, help} }

func wrongInKind(name, keys, help string) wrongKey {
	return wrongKey{reflect.TypeOf(kindOf(name).New()).Elem(), keys, help}
}

const (
	needsPreparing = "not supported; prepare the values before tfr-build reads them"
	readerBatches  = "not supported; the program that reads the dataset does this"
	loadsFiles     = `load: {NAME: {path: "{COLUMN}", dir: DIR}}`
)

// wrongKeys are checked before synonyms and similar names.
var wrongKeys = []wrongKey{
	wrongIn[document]("shuffle shuffled sort sorted", "order: shuffled, or order: source to keep the order of the input"),
	wrongIn[document]("num num_shards n_shards nshards shard_count shards_count files_count num_files", "shards: VALUE"),
	wrongIn[document]("shard_size max_shard_size", "shards: {size: VALUE}"),
	wrongIn[document]("hosts num_hosts", "shards: {hosts: VALUE}"),
	wrongIn[document]("transform transforms augment augmentation preprocess preprocessing preprocessors resize image_size", "source: {images: {dir: DIR, convert: {resize: {short: 256}}}}"),
	wrongIn[document]("train val valid validation test test_size train_size val_size test_split val_split train_split validation_split train_test_split splits partitions", "split: {train: 80%, test: 20%}"),
	wrongIn[document]("folds fold kfold k_fold k_folds n_folds num_folds n_splits cv cross_validation", "split: {folds: VALUE}"),
	wrongIn[document]("stratify stratified stratify_by", "split: {fractions: {train: 80%, test: 20%}, stratify: VALUE}"),
	wrongIn[document]("file files path paths filename glob pattern uri url dir directory folder_path", "source: {csv: VALUE}"),
	wrongIn[document]("max_rows num_rows nrows rows head take", "limit: {train: VALUE}"),
	wrongIn[document]("batch batch_size epochs num_epochs prefetch interleave cache", readerBatches),
	wrongIn[document]("window windows windowed stride", "group: {by: [COLUMN], windows: {length: 100, stride: 50}}"),
	wrongIn[document]("workers num_workers jobs parallel num_parallel_calls", "tfr-build build --workers VALUE CONFIG.yaml"),
	wrongIn[document]("overwrite force replace", "tfr-build build --overwrite CONFIG.yaml"),
	wrongIn[document]("label labels target", "features: {label: {from: VALUE, classes: auto}}"),
	wrongIn[document]("group_by groupby", "group: {by: [VALUE]} puts equal values into one record; split: {fractions: …, by: VALUE} keeps them in one split"),
	wrongIn[document]("drop exclude ignore skip columns_to_drop", "leave it out of features: only the listed features are written"),

	wrongIn[Shards]("train val valid validation dev test", "count: {train: 16, validation: 2}"),

	wrongIn[Source]("path paths file files filename filenames glob pattern uri url location", "name the type of the source, as in csv: VALUE"),
	wrongIn[Source]("dir directory root_dir image_dir", "name the type of the source, as in images: {dir: VALUE}"),
	wrongIn[Source]("tsv", "csv: {files: VALUE, delimiter: tab}"),
	wrongIn[Source]("excel xls xlsx sql sqlite postgres bigquery avro orc hdf5 h5 mat feather arrow pickle", "not supported; convert the data to CSV or Parquet"),
	wrongIn[Source]("audio video wav mp3 mp4", "folder: {dir: DIR, extensions: [wav]} stores the bytes of files"),
	wrongIn[Source]("huggingface hf tfds torchvision kaggle", "not supported; download the files first"),
	wrongIn[Source]("weight weights ratio repeat", needsPreparing),

	wrongInKind("csv", "dtype dtypes types schema", "give the types in features, as in features: {age: int64}"),
	wrongInKind("csv", "compression gzip", "remove it: compressed files are recognized by their content"),
	wrongInKind("csv", "usecols use_columns select", "list the columns in features; others are not read"),
	wrongInKind("csv", "parse_dates dates date_format", `features: {day: {date: "%Y-%m-%d"}}`),
	wrongInKind("images", "resize size image_size target_size", "convert: {resize: {short: 256}}"),
	wrongInKind("images", "transform transforms augment augmentation preprocess", "convert: {resize: {short: 256}, crop: {width: 224, height: 224}}"),
	wrongInKind("images", "crop", "convert: {crop: {width: 224, height: 224}}"),
	wrongInKind("images", "class classes label labels label_mode class_mode class_names", "features: {label: {from: class, classes: auto}}"),
	wrongInKind("images", "recursive recurse", "remove it: subdirectories are always read"),
	wrongInKind("folder", "recursive recurse", "remove it: subdirectories are always read"),
	wrongInKind("xml", "recursive recurse", "remove it: subdirectories are always read"),
	wrongInKind("xml", "encoding charset", "remove it: documents declare their encoding"),

	wrongInKind("csv", "images image image_dir images_dir image_root", loadsFiles+" reads a file for each row"),
	wrongInKind("jsonl", "images image image_dir images_dir image_root", loadsFiles+" reads a file for each row"),
	wrongInKind("parquet", "images image_dir images_dir image_root", loadsFiles+" reads a file for each row"),

	wrongIn[RowLimit]("by column key each group group_by label class", "per: VALUE"),
	wrongIn[RowLimit]("most max count limit n size", "rows: VALUE"),

	wrongIn[Group]("columns column keys field fields names id ids", "by: VALUE"),
	wrongIn[Group]("sort_by order_by orderby sort_values sorted time timestamp", "sort: VALUE"),
	wrongIn[Group]("window length size window_size", "windows: {length: VALUE}"),
	wrongIn[Group]("stride step shift", "windows: {length: 100, stride: VALUE}"),
	wrongIn[Group]("last pad padding drop_remainder", "windows: {length: 100, last: pad}"),
	wrongIn[Sort]("by name key keys columns field", "column: VALUE"),
	wrongIn[Sort]("ascending descending reverse desc direction order", "remove it: rows are sorted in ascending order"),
	wrongIn[Windows]("size window_size window width len rows n", "length: VALUE"),
	wrongIn[Windows]("step steps shift hop slide", "stride: VALUE"),
	wrongIn[Windows]("overlap", "stride: 50 has windows of length 100 overlap by 50 rows"),
	wrongIn[Windows]("pad padding", "last: pad"),
	wrongIn[Windows]("partial remainder drop_remainder drop_last keep_last", "last: keep, or last: drop"),

	wrongIn[Split]("from source", "column: VALUE takes the splits from a column"),
	wrongIn[Split]("train test val valid validation dev", "fractions: {train: 80%, test: 20%}, or without other keys split: {train: 80%, test: 20%}"),
	wrongIn[Split]("stratified stratify_by stratum strata", "stratify: VALUE"),
	wrongIn[Split]("k kfold k_fold k_folds fold n_folds num_folds n_splits cv", "folds: VALUE"),
	wrongIn[Split]("shuffle seed random random_state", "remove it: rows are assigned by the hash of their address, or of the column in by"),

	wrongIn[sources.Join]("how type", "remove it: each row is kept, with missing values where nothing matches"),
	wrongIn[sources.Join]("left_on right_on ours theirs left right", "on: {OURS: THEIRS}"),
	wrongIn[sources.Join]("path paths file files filename table", "name the type of the table, as in csv: VALUE"),

	wrongIn[convert.Spec]("size image_size width height target_size", "resize: {width: 224, height: 224}"),
	wrongIn[convert.Spec]("normalize mean std scale rescale flip augment dtype", readerBatches),
	wrongIn[convert.Spec]("rotate exif auto_orient transpose", "orientation: apply"),
	wrongIn[convert.Spec]("grayscale greyscale gray", "color: gray"),
	wrongIn[convert.Resize]("size", "short: VALUE"),

	wrongIn[Feature]("default default_value fill fillna fill_value fill_na", "missing: {default: VALUE}"),
	wrongIn[Feature]("optional nullable allow_null allow_missing can_be_missing", "missing: omit"),
	wrongIn[Feature]("required not_null", "remove it: a missing value is an error unless missing says otherwise"),
	wrongIn[Feature]("padding pad_value", "shape: [8], pad: 0"),
	wrongIn[Feature]("pad_to max_length maxlen max_len", "shape: [VALUE], pad: 0, truncate: true"),
	wrongIn[Feature]("multihot one_hot onehot", "multi_hot: true, next to classes"),
	wrongIn[Feature]("tokenize tokenizer lowercase normalize scale mean std transform transforms preprocess", needsPreparing),
	wrongIn[Feature]("window group batch stride", readerBatches),
	wrongIn[Feature]("length size len count num_values", "shape: [VALUE], or shape: [-1] for any number"),
	wrongIn[Feature]("list is_list repeated variable_length sequence", "shape: [-1]"),
	wrongIn[Feature]("resize convert width height channels", "convert is a key of images and load"),
	wrongIn[Feature]("strptime date_format datetime_format time_format format", `date: "%Y-%m-%d"`),
	wrongIn[Feature]("name key feature", "the key of the mapping is the name, as in features: {VALUE: int64}"),
	wrongIn[Feature]("path file files filename", loadsFiles+" reads a file for each row"),
	wrongIn[Feature]("expr expression compute formula", "derive: {NAME: {expr: …}} makes a column"),
	wrongIn[Feature]("description doc comment help", "write a comment: # VALUE"),
	wrongIn[Feature]("rename alias", "NAME: {from: COLUMN} names the feature and its column"),
	wrongIn[Feature]("ignore skip drop exclude", "leave it out of features: only the listed features are written"),

	wrongIn[Missing]("omit drop skip ignore", "missing: omit"),
	wrongIn[Missing]("error fail raise", "missing: error"),
	wrongIn[Missing]("empty_list empty", "missing: empty_list"),
	wrongIn[Missing]("mean median mode interpolate ffill bfill strategy", needsPreparing),

	// Names that the language keeps for later.
	wrongIn[Feature]("box", "from: [ymin, xmin, ymax, xmax]"),
}

// synonyms are keys that people write in place of others. The key that was meant is the first one
// of meant that the mapping can have.
var synonyms = []struct{ keys, meant string }{
	{"path paths file filename filenames glob pattern patterns input inputs uri url src data", "files dir source"},
	{"dir directory folder root_dir", "dir files output"},
	{"sep field_delimiter delim seperator separator", "delimiter separator"},
	{"delimiter", "separator"},
	{"column columns col source field fields src input", "from column features"},
	{"dtype data_type datatype tf_type kind", "type"},
	{"na na_values nulls null null_value nan_values", "null_values missing"},
	{"num num_shards number n files_count", "count"},
	{"shard_size bytes max_size target_size", "size"},
	{"machines workers nodes readers", "hosts"},
	{"template pattern name prefix", "filename"},
	{"dataset", "source name"},
	{"outputs out output_dir output_path dest destination target", "output"},
	{"filter filters condition query", "where"},
	{"schema", "features"},
	{"random_seed random_state", "seed"},
	{"subsample sample_rate fraction", "sample"},
	{"deduplicate deduplication drop_duplicates unique distinct", "dedupe"},
	{"subset on", "by"},
	{"keep", "prefer"},
	{"errors bad_rows on_bad_row on_bad_rows ignore_errors", "on_error"},
	{"stats", "statistics"},
	{"codec", "compression encoding"},
	{"charset", "encoding"},
	{"names col_names column_names fieldnames", "columns"},
	{"has_header", "header"},
	{"quote quotechar quoting quote_char", "quotes"},
	{"skiprows skip_rows skip", "skip_lines"},
	{"strip", "trim"},
	{"ext exts suffix suffixes", "extensions prefix"},
	{"array items records", "rows"},
	{"ratio ratios percentages weights shares split fraction", "fractions"},
	{"group group_by groupby key by", "by on"},
	{"using id", "on"},
	{"mapping lookup map_values", "map"},
	{"multiple one_to_many", "many"},
	{"categories categorical vocab vocabulary class_names labels label class", "classes names"},
	{"values list", "names"},
	{"start offset", "first"},
	{"default other oov else", "unknown"},
	{"ids indices", "numbers"},
	{"const constant", "value"},
	{"default value fill", "default"},
	{"dim dims", "shape"},
	{"timezone tz", "zone"},
	{"decode", "encoding"},
	{"mode colors colorspace", "color fit"},
	{"fmt", "format"},
	{"method", "fit"},
	{"interpolation resample", "filter"},
	{"upscale enlarge", "up"},
	{"minimum ge gte low lower min_value", "min"},
	{"maximum le lte high upper max_value", "max"},
	{"unique cardinality", "distinct"},
	{"allowed in enum", "values"},
	{"author", "creator"},
	{"date published", "date_published"},
	{"tags", "keywords"},
	{"homepage link", "url"},
	{"topk top_k k", "top"},
	{"expression formula code", "expr"},
	{"min_rows", "rows"},
	{"ndjson json_lines jsonlines", "jsonl"},
	{"pq", "parquet"},
	{"photos pictures image_folder imagefolder imagenet", "images"},
	{"npy npz numpy array idx mnist", "arrays"},
	{"webdataset wds", "tar"},
	{"txt lines", "text"},
	{"directory folders blob blobs", "folder"},
	{"coco", "json"},
	{"voc pascal_voc pascalvoc", "xml"},
}

// keyHelp returns the hint for a key that a struct does not have, and the key that was probably
// meant.
func keyHelp(d *decoder, in reflect.Type, q pair, names []string) (help, meant string) {
	for _, row := range wrongKeys {
		if row.in == in && hasWord(row.keys, q.key) {
			if key, _, _ := strings.Cut(row.help, ":"); slices.Contains(names, key) { // the hint is text to paste
				meant = key
			}
			if meant == "folds" && !isFolds(q.value) {
				return "folds: 5", meant
			}
			return filledIn(row.help, q.value), meant
		}
	}
	if in == reflect.TypeFor[Source]() && slices.Contains([]string{"type", "kind", "format"}, q.key) {
		return typeAsKey(q.value), ""
	}
	for _, row := range synonyms {
		if !hasWord(row.keys, q.key) {
			continue
		}
		for _, meant := range strings.Fields(row.meant) {
			if slices.Contains(names, meant) {
				return nearest.DidYouMean(meant), meant
			}
		}
	}
	if meant = nearest.Of(q.key, names); meant != "" {
		return nearest.DidYouMean(meant), meant
	}
	return elsewhere(d, q.key), ""
}

// isFolds reports whether a node is a number of folds.
func isFolds(n *node) bool {
	folds, err := strconv.Atoi(n.text)
	return err == nil && folds >= 2 && folds <= 100
}

// typeAsKey returns the hint for a source whose type is written as a value.
func typeAsKey(value *node) string {
	kind := "csv"
	if value.isScalar() {
		if name := strings.ToLower(value.text); kindIndex(name) >= 0 {
			kind = name
		}
	}
	options := "FILE"
	switch kind {
	case "images", "folder", "xml":
		options = "DIR"
	case "arrays":
		options = "{columns: {COLUMN: FILE}}"
	}
	return "name the type as a key: source: {" + kind + ": " + options + "}"
}

// elsewhere returns the hint for a key that other mappings of a config have.
func elsewhere(d *decoder, key string) string {
	owners := ownersOfKeys(d)[key]
	if len(owners) == 0 || len(owners) > 3 {
		return ""
	}
	return key + " is a key of " + plural.OneOf(owners)
}

// keyOwners has, for each key, the paths of the mappings that have it.
type keyOwners map[string][]string

func ownersOfKeys(d *decoder) keyOwners {
	owners := keyOwners{}
	owners.add(d, reflect.TypeFor[document](), "", map[reflect.Type]bool{})
	return owners
}

// add adds the keys of a struct at a path, and of the structs inside it.
func (o keyOwners) add(d *decoder, t reflect.Type, path string, seen map[reflect.Type]bool) {
	if seen[t] {
		return
	}
	seen[t] = true
	for _, f := range d.fieldsOf(t) {
		o[f.key] = append(o[f.key], cmp.Or(path, "the top level"))
	}
	for _, f := range d.fieldsOf(t) {
		if f.key == "sources" { // a list of the same keys as source
			continue
		}
		of, inside := f.of, strings.TrimPrefix(path+"."+f.key, ".")
		for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice {
			if of.Kind() == reflect.Slice && d.forms[of].decode != nil { // a mapping of names
				inside += ".NAME"
			}
			of = of.Elem()
		}
		if of.Kind() == reflect.Struct {
			o.add(d, of, inside, seen)
		}
	}
}
