package config

import (
	"reflect"

	"tfr-build/pixels/convert"
)

// A form is the syntax of a type whose syntax does not follow from its fields. A nil function means
// that the fields decide.
type form struct {
	of     reflect.Type
	decode func(d *decoder, at spot, v reflect.Value)
	encode func(e encoder, v reflect.Value) *node
	schema func(g *generator) object
}

type formTable map[reflect.Type]form

// forms has the syntax of each such type of the language. The functions of a type are next to it if
// it is declared in this package.
//
// The functions reach this table through the decoder, the encoder, or the generator. A direct use
// would be an initialization cycle.
var forms = tableOf(
	formOf(decodeFiles, encodeFiles, stringsSchema),
	formOf(decodePatterns, encodePatterns, stringsSchema),
	formOf(decodeExtensions, encodeExtensions, extensionsSchema),
	formOf(decodeColumnFiles, encodeColumnFiles, columnFilesSchema),
	formOf(decodeRows, encodeRows, rowsSchema),
	formOf(decodePairs, encodePairs, pairsSchema),
	formOf(decodeOn, encodeOn, onSchema),
	formOf(decodeMany, encodeMany, manySchema),
	formOf(decodeLoads, encodeLoads, loadsSchema),
	formOf(decodeConversions, encodeConversions, conversionsSchema),
	formOf(decodeDerives, encodeDerives, derivesSchema),
	formOf(nil, encodeBoxes, nil),
	formOf(decodeMask, nil, nil),
	formOf[convert.Masks](nil, nil, masksSchema),
	formOf(decodeExpression, encodeExpression, expressionSchema),
	formOf(decodeSplit, encodeSplit, splitSchema),
	formOf(decodeFractions, encodeFractions, fractionsSchema),
	formOf(decodeShards, encodeShards, shardsSchema),
	formOf(decodeCount, encodeCount, countSchema),
	formOf(decodeMaxErrors, encodeMaxErrors, maxErrorsSchema),
	formOf(decodeSplitMap, encodeSplitMap, splitMapSchema),
	formOf(decodeMappedSplits, encodeMappedSplits, mappedSplitsSchema),
	formOf(decodeRecord, encodeRecord, recordSchema),
	formOf(decodeFeatures, encodeFeatures, featuresSchema),
	formOf(decodeFeature, nil, nil),
	formOf(decodeFrom, encodeFrom, stringsSchema),
	formOf(decodeConstant, encodeConstant, constantSchema),
	formOf(decodeValueMap, encodeValueMap, valueMapSchema),
	formOf(decodeMappedValues, encodeMappedValues, mappedValuesSchema),
	formOf(decodeClasses, encodeClasses, classesSchema),
	formOf(decodeUnknown, encodeUnknown, unknownSchema),
	formOf(decodeShape, encodeShape, shapeSchema),
	formOf(decodeMissing, encodeMissing, missingSchema),
	formOf(decodeSort, encodeSort, sortSchema),
	formOf(decodeStatistics, encodeStatistics, statisticsSchema),
	formOf(decodeLeakage, encodeLeakage, leakageSchema),
	formOf(decodeFeatureChecks, encodeFeatureChecks, featureChecksSchema),
	formOf(decodeRowLimits, encodeRowLimits, rowLimitsSchema),
	formOf(decodeRowCounts, encodeRowCounts, rowCountsSchema),
	formOf(decodeShare, encodeShare, shareSchema),
	formOf(decodeNumber, encodeNumber, numberSchema),
)

// formOf returns the form of T.
func formOf[T any](decode func(*decoder, spot, *T), encode func(encoder, T) *node, schema func(*generator) object) form {
	row := form{of: reflect.TypeFor[T](), schema: schema}
	if decode != nil {
		row.decode = func(d *decoder, at spot, v reflect.Value) { decode(d, at, v.Addr().Interface().(*T)) }
	}
	if encode != nil {
		row.encode = func(e encoder, v reflect.Value) *node { return encode(e, v.Interface().(T)) }
	}
	return row
}

func tableOf(rows ...form) formTable {
	table := formTable{}
	for _, row := range rows {
		table[row.of] = row
	}
	return table
}
