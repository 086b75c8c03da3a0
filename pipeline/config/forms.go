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
	columnName = spelling{noun: "the name ", rule: spellings["column"].rule}
	memberName = spelling{noun: "the name ", rule: expect(isLine, lineWords)}
	splitName  = spellings["split"]
)

const onePattern = "a pattern, or a list of patterns"

// forms has the form of each type whose syntax does not follow from its kind. It is data for the decoder, the encoder,
// and the generator, which have it as a field: a direct use would be an initialization cycle.
var forms = tableOf(
	row[input.Files](texts{
		one: onePattern, each: spelling{rule: patternRule(pathRule), keep: objects.Path}, unique: "pattern",
	}),
	row[input.Patterns](texts{one: onePattern, each: spelling{rule: patternRule(belowRule)}, unique: "pattern"}),
	row[From](texts{
		one: "a column, or a list of columns", each: spellings["column"],
		ranges: true,
	}),
	row[input.Extensions](choice{
		what: "any, an extension, or a list of extensions",
		shorts: []short{
			{field: "Any", word: "any"},
			{field: "List", as: extensions, schema: scalar},
			{field: "List", fits: isList, as: extensions, schema: stringListSchema},
		},
	}),

	row[input.ColumnFiles](mapping{
		what: "a mapping of columns to files", name: columnName,
		value: spelling{what: "a file", rule: arrayFileRule, keep: objects.Path, canonical: fileWithoutRoot},
	}),
	row[sources.Pairs](mapping{what: "a mapping of strings", name: columnName, emptyOK: true}),
	row[sources.On](mapping{
		what: "a column, or ours: theirs", name: joinColumn, value: joinColumn, isOne: true,
	}),
	row[sources.Loads](mapping{
		what: "a mapping of columns to files", name: columnName, key: "load[]", emptyOK: true,
	}),
	row[sources.Derives](mapping{
		what: "a mapping of columns to expressions", name: columnName, emptyOK: true,
	}),
	row[sources.MemberConversions](mapping{
		what: "a mapping of extensions to conversions, such as {jpg: {resize: {short: 256}}}",
		name: memberName, emptyOK: true,
	}),
	row[Features](mapping{
		what: "a mapping of features", name: spelling{noun: "the key ", rule: expect(isKey, "a string")},
		emptyOK: true, most: maxFeatures, check: typed(finishFeatures),
	}),
	row[Members](mapping{what: "a mapping of members to features, such as {jpg: image, json: [caption]}",
		name: memberName}),
	row[MemberFeatures](texts{one: "a feature, or a list of features", each: spelling{rule: expect(isKey, "a string")},
		unique: "feature"}),
	row[MappedValues](mapping{what: "a mapping of strings to values"}),
	row[MappedSplits](mapping{what: "a mapping of strings to splits"}),
	row[Fractions](mapping{
		what: "a mapping of splits to shares", name: splitName, value: shareSpelling,
		entry: refuseSplitKey, check: typed(checkFractions),
	}),
	row[SplitCounts](mapping{what: "a number of files for each split", name: splitName, atKey: true}),
	row[RowLimits](mapping{
		what: "a mapping of splits to the rows that they have at most", name: splitName, atKey: true,
	}),
	row[RowCounts](mapping{
		what: "a mapping of splits to the rows that they have at least", name: splitName, atKey: true, of: atLeastOne,
	}),
	row[FeatureChecks](mapping{
		what: "a mapping of features to what is expected of their values", atKey: true, entry: refuseNoChecks,
	}),

	row[sources.Many](choice{
		what: "true or false", shorts: []short{{field: "Allowed", fits: isNoMapping}},
	}),
	row[sources.Derived](choice{what: "an expression", shorts: []short{{field: "Expr"}}}),
	row[convert.Mask](choice{
		what: "a mapping", shorts: []short{{field: "Column"}}, isLong: true,
	}),
	row[Record](choice{
		what:   "example, sequence, json_example, json, {text: COLUMN} or {bytes: COLUMN}",
		shorts: []short{{field: "Form", fits: isScalar}}, isOne: true, check: typed(setRecordForm),
	}),
	row[Feature](choice{
		what: "a type, or a mapping", shorts: []short{{field: "Type"}}, write: writeFeature,
	}),
	row[ValueMap](choice{shorts: []short{{field: "Values", fits: isShortMap}}}),
	row[SplitMap](choice{shorts: []short{{field: "Values", fits: isShortMap}}}),
	row[Classes](choice{
		what: "auto, a list of names, or a file",
		shorts: []short{
			{field: "Auto", word: "auto", schema: scalar},
			{field: "Names", fits: isList},
			{field: "File", fits: isFileName},
		},
		isOne: true, refuse: refuseNumbered, check: typed(setFirst), write: writeClasses,
	}),
	row[Unknown](choice{
		what: "error, or a whole number", shorts: []short{{word: "error"}, {field: "Number", fits: isNumber}},
	}),
	row[Missing](choice{
		what:   "error, omit, empty_list or a default",
		shorts: []short{{field: "Form", fits: isMissingWord, schema: missingSchema}, {field: "Default"}},
		isLong: true, isOne: true, check: typed(setMissingForm),
	}),
	row[Split](choice{
		what:   "a split's name, or fractions, folds, or a column",
		shorts: []short{{field: "Name"}, {field: "Fractions", fits: isShares, isLast: true}},
		isLong: true, isOne: true, check: typed(checkSplitForm),
	}),
	row[Shards](choice{
		what:   "a number of files, or a mapping with hosts, count, size or rows",
		shorts: []short{{field: "Count", fits: isNumber, schema: shardCount}},
		check:  typed(setHosts), write: writeShards,
	}),
	row[Count](choice{
		what:   "a number of files, or a mapping of splits to their numbers",
		shorts: []short{{field: "Every", fits: isNumber}, {field: "Splits", fits: isMapping}},
	}),
	row[MaxErrors](choice{
		what: "a count, or a share such as 1%",
		shorts: []short{
			{field: "Count", fits: isNumber, schema: atLeastZero},
			{field: "Share", fits: isPercentage, schema: matching(shareForm)},
		},
		refuse: refuseDecimal, write: writeMaxErrors,
	}),
	row[Sort](choice{
		what: "a column, or {column: COLUMN, type: TYPE}", shorts: []short{{field: "Column"}},
	}),
	row[Statistics](choice{
		what: "true, false, or a mapping with by, top or values", shorts: []short{{field: "On", fits: isBool}},
	}),
	row[Leakage](choice{
		what:   "a whole number, or a mapping with rows, of, and keep_digests",
		shorts: []short{{field: "Rows", fits: isScalar}},
	}),
	row[RowLimit](choice{
		what:   "a number of rows, or a mapping with rows and per",
		shorts: []short{{field: "Rows", fits: isScalar, schema: atLeastOne}},
	}),

	row[Shape](choice{
		what:   "a list of lengths, as in [4] or [-1]",
		shorts: []short{{field: "Dims", fits: isList, schema: shapeSchema}},
		check:  typed(checkShape),
	}),
	row[input.RowRange](ownForm(decodeRows, encodeRows, rowsSchema)),
	row[Constant](ownForm(decodeConstant, encodeConstant, scalar)),
	row[Number](ownForm(decodeNumber, encodeNumber, numberSchema)),
)
