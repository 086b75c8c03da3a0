package config

import "reflect"

// A form is how the values of a type stand in the text, where that is not what
// its fields say. A nil function leaves it to them.
type form struct {
	of     reflect.Type
	decode func(d *decoder, at spot, v reflect.Value)
	encode func(e encoder, v reflect.Value) *node
	schema func(g *generator) object
}

type formTable map[reflect.Type]form

// forms are those of the language. The functions of a type stand beside it, if
// the type is declared here; one of another package has them here alone.
//
// The table reaches the functions through the decoder, the encoder and the
// generator that hold it, since they call these and would be a cycle otherwise.
var forms = tableOf(
	formOf(decodeFiles, encodeFiles, textOrTexts),
	formOf(decodePatterns, encodePatterns, textOrTexts),
	formOf(decodeExtensions, encodeExtensions, extensionsSchema),
	formOf(decodeColumnFiles, encodeColumnFiles, columnFilesSchema),
	formOf(decodeRows, encodeRows, rowsSchema),
	formOf(decodePairs, encodePairs, pairsSchema),
	formOf(decodeOn, encodeOn, onSchema),
	formOf(decodeLoads, encodeLoads, loadsSchema),
	formOf(decodeDerives, encodeDerives, derivesSchema),
	formOf(decodeNoBoxes, encodeNoBoxes, noBoxesSchema),
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
	formOf(decodeFrom, encodeFrom, textOrTexts),
	formOf(decodeConstant, encodeConstant, constantSchema),
	formOf(decodeValueMap, encodeValueMap, valueMapSchema),
	formOf(decodeMappedValues, encodeMappedValues, mappedValuesSchema),
	formOf(decodeClasses, encodeClasses, classesSchema),
	formOf(decodeUnknown, encodeUnknown, unknownSchema),
	formOf(decodeShape, encodeShape, shapeSchema),
	formOf(decodeMissing, encodeMissing, missingSchema),
	formOf(decodeStatistics, encodeStatistics, statisticsSchema),
	formOf(decodeLeakage, encodeLeakage, leakageSchema),
	formOf(decodeFeatureChecks, encodeFeatureChecks, featureChecksSchema),
	formOf(decodeRowLimits, encodeRowLimits, rowCountsSchema),
	formOf(decodeRowCounts, encodeRowCounts, rowCountsSchema),
	formOf(decodeShare, encodeShare, shareSchema),
	formOf(decodeNumber, encodeNumber, numberSchema),
)

// formOf is the row of T.
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
