package config

import (
	"reflect"

	"tfr-build/internal/store/objects"
	"tfr-build/pixels/convert"
	"tfr-build/sources"
	"tfr-build/sources/input"
)

// spelled has the spelling of each type that has one wherever it occurs.
var spelled = map[reflect.Type]spelling{
	reflect.TypeFor[convert.Share]():      shareSpelling,
	reflect.TypeFor[sources.Expression](): {what: "an expression", rule: expect(isNotBlank, "an expression")},
}

var (
	columnName = spelling{noun: "the name ", rule: expect(isLine, lineWords)}
	splitName  = spellings["split"]
)

const onePattern = "a pattern, or a list of patterns"

// forms has the form of each type whose syntax does not follow from its kind. It is data for the decoder, the encoder,
// and the generator, which have it as a field: a direct use would be an initialization cycle.
var forms = formTable{
	reflect.TypeFor[input.Files](): texts{
		one: onePattern, each: spelling{rule: patternRule(pathRule), keep: objects.Path}, unique: true,
	},
	reflect.TypeFor[input.Patterns](): texts{one: onePattern, each: spelling{rule: patternRule(belowRule)}, unique: true},
	reflect.TypeFor[From](): texts{
		one: "a column, or a list of columns", each: spelling{rule: expect(isNotEmpty, "the name of a column")}, ranges: true,
	},
	reflect.TypeFor[input.Extensions](): choice{
		what: "any, an extension, or a list of extensions",
		shorts: []short{
			{field: "Any", word: "any"},
			{field: "List", fits: isValue, as: extensions, schema: scalar},
			{field: "List", fits: isList, as: extensions, schema: stringListSchema},
		},
	},

	reflect.TypeFor[input.ColumnFiles](): mapping{
		what: "a mapping of columns to files", name: columnName,
		value: spelling{what: "a file", rule: arrayFileRule, keep: objects.Path, canonical: fileWithoutRoot},
	},
	reflect.TypeFor[sources.Pairs](): mapping{what: "a mapping of strings", name: columnName, emptyOK: true},
	reflect.TypeFor[sources.On](): mapping{
		what: "a column, or ours: theirs", name: joinColumn, value: joinColumn, isOne: true,
	},
	reflect.TypeFor[sources.Loads](): mapping{
		what: "a mapping of columns to files", name: columnName, key: "load[]", emptyOK: true,
	},
	reflect.TypeFor[sources.Derives](): mapping{
		what: "a mapping of columns to expressions", name: columnName, emptyOK: true,
	},
	reflect.TypeFor[sources.MemberConversions](): mapping{
		what: "a mapping of extensions to conversions, such as {jpg: {resize: {short: 256}}}",
		name: columnName, emptyOK: true,
	},
	reflect.TypeFor[Features](): mapping{
		what: "a mapping of features", name: spelling{noun: "the key ", rule: expect(isKey, "a string")},
		emptyOK: true, most: maxFeatures, check: typed(finishFeatures),
	},
	reflect.TypeFor[MappedValues](): mapping{what: "a mapping of strings to values"},
	reflect.TypeFor[MappedSplits](): mapping{what: "a mapping of strings to splits"},
	reflect.TypeFor[Fractions](): mapping{
		what: "a mapping of splits to shares", name: splitName, value: shareSpelling,
		entry: refuseSplitKey, check: typed(checkFractions),
	},
	reflect.TypeFor[SplitCounts](): mapping{what: "a number of files for each split", name: splitName, atKey: true},
	reflect.TypeFor[RowLimits](): mapping{
		what: "a mapping of splits to the rows that they have at most", name: splitName, atKey: true,
	},
	reflect.TypeFor[RowCounts](): mapping{
		what: "a mapping of splits to the rows that they have at least", name: splitName, atKey: true, of: atLeastOne,
	},
	reflect.TypeFor[FeatureChecks](): mapping{
		what: "a mapping of features to what is expected of their values", atKey: true, entry: refuseNoChecks,
	},

	reflect.TypeFor[sources.Many](): choice{
		what: "true or false", shorts: []short{{field: "Allowed", fits: isNoMapping}},
	},
	reflect.TypeFor[sources.Derived](): choice{what: "an expression", shorts: []short{{field: "Expr", fits: isValue}}},
	reflect.TypeFor[convert.Mask](): choice{
		what: "a mapping", shorts: []short{{field: "Column", fits: isValue}}, isLong: true,
	},
	reflect.TypeFor[Record](): choice{
		what:   "example, sequence, json_example, json, {text: COLUMN} or {bytes: COLUMN}",
		shorts: []short{{field: "Form", fits: isScalar}}, check: typed(checkRecordForm),
	},
	reflect.TypeFor[Feature](): choice{
		what: "a type, or a mapping", shorts: []short{{field: "Type", fits: isValue}}, write: writeFeature,
	},
	reflect.TypeFor[ValueMap](): choice{shorts: []short{{field: "Values", fits: isShortMap}}},
	reflect.TypeFor[SplitMap](): choice{shorts: []short{{field: "Values", fits: isShortMap}}},
	reflect.TypeFor[Classes](): choice{
		what: "auto, a list of names, or a file",
		shorts: []short{
			{field: "Auto", word: "auto", schema: scalar},
			{field: "Names", fits: isList},
			{field: "File", fits: isFileName},
		},
		refuse: refuseNumbered, check: typed(checkClasses), write: writeClasses,
	},
	reflect.TypeFor[Unknown](): choice{
		what: "error, or a whole number", shorts: []short{{word: "error"}, {field: "Number", fits: isNumber}},
	},
	reflect.TypeFor[Missing](): choice{
		what:   "error, omit, empty_list or a default",
		shorts: []short{{field: "Form", fits: isMissingWord, schema: missingSchema}, {field: "Default", fits: isValue}},
		isLong: true, check: typed(checkMissing),
	},
	reflect.TypeFor[Split](): choice{
		what:   "a split's name, or fractions, folds, or a column",
		shorts: []short{{field: "Name", fits: isValue}, {field: "Fractions", fits: isShares, isLast: true}},
		isLong: true, check: typed(checkSplitForm),
	},
	reflect.TypeFor[Shards](): choice{
		what:   "a number of files, or a mapping with hosts, count, size or rows",
		shorts: []short{{field: "Count", fits: isNumber, schema: shardCount}},
		check:  typed(checkShardsForm), write: writeShards,
	},
	reflect.TypeFor[Count](): choice{
		what:   "a number of files, or a mapping of splits to their numbers",
		shorts: []short{{field: "Every", fits: isNumber}, {field: "Splits", fits: isMapping}},
	},
	reflect.TypeFor[MaxErrors](): choice{
		what: "a count, or a share such as 1%",
		shorts: []short{
			{field: "Count", fits: isNumber, schema: atLeastZero},
			{field: "Share", fits: isPercentage, schema: matching(shareForm)},
		},
		refuse: refuseDecimal,
	},
	reflect.TypeFor[Sort](): choice{
		what: "a column, or {column: COLUMN, type: TYPE}", shorts: []short{{field: "Column", fits: isValue}},
	},
	reflect.TypeFor[Statistics](): choice{
		what: "true, false, or a mapping with by, top or values", shorts: []short{{field: "On", fits: isBool}},
	},
	reflect.TypeFor[Leakage](): choice{
		what: "a whole number, or a mapping with rows and of", shorts: []short{{field: "Rows", fits: isScalar}},
	},
	reflect.TypeFor[RowLimit](): choice{
		what:   "a number of rows, or a mapping with rows and per",
		shorts: []short{{field: "Rows", fits: isScalar, schema: atLeastOne}},
	},

	reflect.TypeFor[Shape]():          ownForm(decodeShape, encodeShape, shapeSchema),
	reflect.TypeFor[input.RowRange](): ownForm(decodeRows, encodeRows, rowsSchema),
	reflect.TypeFor[Constant]():       ownForm(decodeConstant, encodeConstant, scalar),
	reflect.TypeFor[Number]():         ownForm(decodeNumber, encodeNumber, numberSchema),
}
