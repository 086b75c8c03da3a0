package schema_test

import (
	"errors"
	"slices"
	"strings"

	"tfr-build/message"
	"tfr-build/schema"
	"tfr-build/schema/tfpb"
)

// The oracle is a slow and simple implementation: the standard library converts each value, and
// protobuf builds and serializes the message.

// A fault is the code of a RowError.
type fault string

func (f fault) Error() string { return string(f) }

var errAbsent = errors.New("the feature is missing")

// A row is the values of columns.
type row map[schema.Column]schema.Value

// value returns the value of a column of f.
func (r row) value(f schema.Feature, i int) schema.Value {
	return r[columnOf(f, f.Columns[i])]
}

func columnOf(f schema.Feature, name string) schema.Column {
	if f.Encoding == schema.JSON {
		return schema.JSONColumn(name, f.NullValues)
	}
	return schema.Column{Name: name}
}

func oracle(r schema.Record, columns []schema.Column, vals []schema.Value) ([]byte, error) {
	values := row{}
	for i, c := range columns {
		values[c] = vals[i]
	}
	features, err := oracleFeatures(r, values)
	if err != nil {
		return nil, err
	}
	switch r.Message {
	case schema.OFRecordMessage:
		return marshal(newOFRecord(features))
	case schema.SequenceMessage:
		lists, err := oracleLists(r, values)
		if err != nil {
			return nil, err
		}
		return marshal(&tfpb.SequenceExample{Context: newFeatures(features), FeatureLists: lists})
	}
	return marshal(&tfpb.Example{Features: newFeatures(features)})
}

func sorted(features []schema.Feature) []schema.Feature {
	return slices.SortedFunc(slices.Values(features),
		func(a, b schema.Feature) int { return strings.Compare(a.Keys()[0], b.Keys()[0]) })
}

// oracleFeatures returns all entries of the features, except the lists of sequences.
func oracleFeatures(r schema.Record, values row) (map[string]stored, error) {
	all := map[string]stored{}
	for _, f := range sorted(r.Features) {
		if f.IsRagged() {
			if err := oracleRagged(r.Message, f, values.value(f, 0), all); err != nil {
				return nil, err
			}
			continue
		}
		list, err := oracleList(exactIn(r.Message, f), values)
		if err == errAbsent {
			continue
		}
		if err != nil {
			return nil, err
		}
		all[f.Key] = store(r.Message, f, list)
	}
	return all, nil
}

func oracleRagged(m schema.Message, f schema.Feature, v schema.Value, all map[string]stored) error {
	keys := f.Keys()
	values := []any{}
	lengths := make([][]any, len(keys)-1)
	if oracleMissing(f, v) {
		switch f.OnMissing {
		case schema.MissingOmit:
			return nil
		case schema.MissingError, schema.MissingDefault:
			return fault("MISSING")
		}
	} else if err := oracleLevels(exactIn(m, f), v, f.Shape, 0, &values, lengths); err != nil {
		return err
	}
	all[keys[0]] = store(m, f, values)
	for i, l := range lengths {
		all[keys[i+1]] = stored{message.Int64List, l}
	}
	return nil
}

func oracleLevels(f schema.Feature, v schema.Value, shape []int, depth int, values *[]any, lengths [][]any) error {
	innermost := len(shape) == 1 || shape[1] > 0
	switch {
	case v.Kind == schema.Array && innermost:
		inner := 1
		for _, n := range shape[1:] {
			inner *= n
		}
		if v = expand(f, v); len(v.List)%inner != 0 || shape[0] > 0 && len(v.List) != shape[0]*inner {
			return fault("SHAPE")
		}
		if depth > 0 && shape[0] < 0 {
			lengths[depth-1] = append(lengths[depth-1], int64(len(v.List)/inner))
		}
		shape = []int{-1}
	case v.Kind != schema.List:
		return fault("RAGGED_DEPTH")
	case shape[0] > 0 && len(v.List) != shape[0]:
		return fault("SHAPE")
	case depth > 0 && shape[0] < 0:
		lengths[depth-1] = append(lengths[depth-1], int64(len(v.List)))
	}
	for _, e := range v.List {
		switch {
		case len(shape) > 1 && oracleMissing(f, e) && shape[1] < 0 && f.OnMissing == schema.MissingEmptyList:
			lengths[depth] = append(lengths[depth], int64(0))
			continue
		case len(shape) > 1 && oracleMissing(f, e):
			return fault("MISSING")
		case len(shape) > 1:
			if err := oracleLevels(f, e, shape[1:], depth+1, values, lengths); err != nil {
				return err
			}
			continue
		case e.Kind == schema.List:
			return fault("RAGGED_DEPTH")
		}
		x, err := oracleElement(f, e)
		if err != nil {
			return err
		}
		*values = append(*values, x)
	}
	return nil
}

func oracleLists(r schema.Record, values row) (*tfpb.FeatureLists, error) {
	lists := &tfpb.FeatureLists{FeatureList: map[string]*tfpb.FeatureList{}}
	length := -1
	for _, f := range sorted(r.Sequence) {
		steps, err := oracleSteps(f, values)
		if err == errAbsent {
			if f.OnMissing == schema.MissingEmptyList {
				lists.FeatureList[f.Key] = &tfpb.FeatureList{}
			}
			continue
		}
		if err != nil {
			return nil, err
		}
		if length < 0 || r.Free {
			length = len(steps)
		}
		if len(steps) != length {
			return nil, fault("SEQUENCE_LENGTHS")
		}
		list := &tfpb.FeatureList{}
		for _, values := range steps {
			list.Feature = append(list.Feature, newFeature(store(r.Message, f, values)))
		}
		lists.FeatureList[f.Key] = list
	}
	return lists, nil
}

// oracleNoSteps returns the error of a list without a value.
func oracleNoSteps(f schema.Feature) error {
	if f.OnMissing == schema.MissingOmit || f.OnMissing == schema.MissingEmptyList {
		return errAbsent
	}
	return fault("MISSING")
}

func oracleSteps(f schema.Feature, values row) ([][]any, error) {
	step := f
	step.Separator, step.Repeat, step.Columns, step.Constant, step.Encoding = "", "", []string{"step"}, nil, f.Encoding
	make1 := func(v schema.Value) ([]any, error) {
		if oracleMissing(f, v) {
			if f.OnMissing != schema.MissingDefault || slices.Contains(f.Shape, -1) {
				return nil, fault("MISSING")
			}
			return oracleAbsent(f)
		}
		return oracleList(step, row{columnOf(step, "step"): v})
	}
	var elems []schema.Value
	switch {
	case f.Repeat != "":
		v := f.Constant
		if v == nil {
			value := unwrapSingle(values.value(f, 0))
			v = &value
		}
		if oracleMissing(f, *v) && f.OnMissing != schema.MissingDefault {
			return nil, oracleNoSteps(f)
		}
		one, err := make1(*v)
		if err != nil {
			return nil, err
		}
		by := values[schema.Column{Name: f.Repeat}]
		switch {
		case by.Kind == schema.Missing:
			return nil, oracleNoSteps(f)
		case by.Kind != schema.List && by.Kind != schema.Array:
			return nil, fault("SHAPE")
		}
		return slices.Repeat([][]any{one}, len(expand(f, by).List)), nil
	case len(f.Columns) > 1:
		missing := 0
		for i := range f.Columns {
			v := unwrapSingle(values.value(f, i))
			if oracleMissing(f, v) && f.OnMissing != schema.MissingDefault {
				missing++
			}
			elems = append(elems, v)
		}
		if missing > 0 {
			for _, v := range elems {
				if oracleMissing(f, v) {
					continue
				}
				if _, err := make1(v); err != nil {
					return nil, err
				}
			}
			if missing == len(elems) {
				return nil, oracleNoSteps(f)
			}
			return nil, fault("MISSING")
		}
	default:
		v := values.value(f, 0)
		switch {
		case f.Separator != "" && (v.Kind == schema.Missing || v.Kind == schema.Text && len(v.Text) == 0):
			return nil, nil
		case oracleMissing(f, v):
			return nil, oracleNoSteps(f)
		case f.Separator != "" && v.Kind == schema.Text:
			elems = split(f, v)
		case v.Kind == schema.Array:
			size := 1
			for _, n := range f.Shape {
				size *= n
			}
			if size < 0 || f.MultiHot != nil || len(expand(f, v).List)%size != 0 {
				return nil, fault("SHAPE")
			}
			bytes := size * len(v.Text) / max(1, len(expand(f, v).List))
			for part := range slices.Chunk(v.Text, max(1, bytes)) {
				elems = append(elems, schema.Value{Kind: schema.Array, Elem: v.Elem, Text: part})
			}
		case v.Kind != schema.List:
			return nil, fault("SHAPE")
		default:
			elems = v.List
		}
	}
	steps := [][]any{}
	for _, v := range elems {
		one, err := make1(v)
		if err != nil {
			return nil, err
		}
		steps = append(steps, one)
	}
	return steps, nil
}

// oracleVector returns a 0 or 1 for each class of the labels in a row.
func oracleVector(f schema.Feature, values row) ([]any, error) {
	names := f.MultiHot
	labels := f
	labels.Classes, labels.MultiHot, labels.Type = names, nil, schema.Int64
	labels.Shape, labels.Tensor, labels.Raw = []int{-1}, false, false
	if len(f.Columns) == 1 {
		v := values.value(f, 0)
		if isOne := v.Kind != schema.List && v.Kind != schema.Array &&
			(v.Kind != schema.Text || f.Separator == ""); isOne && !oracleMissing(labels, v) {
			values = row{columnOf(f, f.Columns[0]): list(v)}
		}
	}
	numbers, err := oracleList(labels, values)
	if err != nil {
		return nil, err
	}
	zero, one := any(int64(0)), any(int64(1))
	if f.Type == schema.Float {
		zero, one = float64(0), float64(1)
	}
	vector := slices.Repeat([]any{zero}, len(names.Names))
	for _, n := range numbers {
		if n := n.(int64); n >= names.First && n-names.First < int64(len(vector)) {
			vector[n-names.First] = one
		}
	}
	return vector, nil
}

func oracleList(f schema.Feature, values row) ([]any, error) {
	switch {
	case f.MultiHot != nil:
		return oracleVector(f, values)
	case f.Repeat != "":
		return oracleRepeat(f, values)
	case f.Constant != nil:
		x, err := oracleValue(f, *f.Constant)
		return []any{x}, err
	case len(f.Columns) > 1:
		return oracleColumns(f, values)
	case len(f.Shape) > 0:
		return oracleShaped(f, values.value(f, 0))
	}
	v := unwrapSingle(values.value(f, 0))
	if oracleMissing(f, v) {
		return oracleAbsent(f)
	}
	x, err := oracleValue(f, v)
	return []any{x}, err
}

func oracleAbsent(f schema.Feature) ([]any, error) {
	switch f.OnMissing {
	case schema.MissingOmit:
		return nil, errAbsent
	case schema.MissingEmptyList:
		return nil, nil
	case schema.MissingDefault:
		x, err := oracleValue(f, *f.Default)
		if err != nil {
			return nil, err
		}
		n := 1
		for _, d := range f.Shape {
			n *= d
		}
		if n > 0 {
			return slices.Repeat([]any{x}, n), nil
		}
	}
	return nil, fault("MISSING")
}

func oracleRepeat(f schema.Feature, values row) ([]any, error) {
	var v schema.Value
	switch {
	case f.Constant != nil:
		v = *f.Constant
	case !oracleMissing(f, unwrapSingle(values.value(f, 0))):
		v = unwrapSingle(values.value(f, 0))
	case f.OnMissing == schema.MissingDefault:
		v = *f.Default
	default:
		return oracleAbsent(f)
	}
	x, err := oracleValue(f, v)
	if err != nil {
		return nil, err
	}
	by := expand(f, values[schema.Column{Name: f.Repeat}])
	switch {
	case by.Kind == schema.Missing:
		return oracleAbsent(f)
	case by.Kind != schema.List:
		return nil, fault("SHAPE")
	}
	list, err := oraclePadded(f, oracleCut(f, slices.Repeat([]any{x}, len(by.List))))
	if err == nil && f.Shape[0] > 0 && f.Shape[0] != len(list) {
		return nil, fault("SHAPE")
	}
	return list, err
}

func oracleColumns(f schema.Feature, values row) ([]any, error) {
	var list []any
	missing := 0
	for i := range f.Columns {
		v := unwrapSingle(values.value(f, i))
		if oracleMissing(f, v) {
			if f.OnMissing != schema.MissingDefault {
				missing++
				continue
			}
			v = *f.Default
		}
		x, err := oracleValue(f, v)
		if err != nil {
			return nil, err
		}
		list = append(list, x)
	}
	switch missing {
	case 0:
		return list, nil
	case len(f.Columns):
		return oracleAbsent(f)
	}
	return nil, fault("MISSING")
}

func oracleShaped(f schema.Feature, v schema.Value) ([]any, error) {
	if f.Separator != "" && (v.Kind == schema.Missing || v.Kind == schema.Text && len(v.Text) == 0) {
		switch {
		case f.Shape[0] < 0:
			return nil, nil
		case f.Pad != nil:
			return oraclePadded(f, nil)
		}
		return oracleAbsent(f)
	}
	if oracleMissing(f, v) {
		return oracleAbsent(f)
	}
	elems := v.List
	switch {
	case v.Kind == schema.Text && f.Separator != "":
		elems = split(f, v)
	case v.Kind == schema.Array:
		if elems = oracleCut(f, expand(f, v).List); !oracleFits(f, len(elems)) &&
			(f.Pad == nil || len(elems) > f.Shape[0]) {
			return nil, fault("SHAPE")
		}
	case v.Kind == schema.List:
		if len(f.Shape) > 1 {
			first := slices.IndexFunc(elems, func(e schema.Value) bool { return e.Kind != schema.Missing })
			if first < 0 || elems[first].Kind == schema.List || elems[first].Kind == schema.Array {
				return oracleNested(f, v, f.Shape)
			}
		}
	default:
		if slices.ContainsFunc(f.Shape, func(d int) bool { return d != 1 }) {
			return nil, fault("SHAPE")
		}
		elems = []schema.Value{v}
	}
	var list []any
	for _, e := range oracleCut(f, elems) {
		x, err := oracleElement(f, e)
		if err != nil {
			return nil, err
		}
		list = append(list, x)
	}
	list, err := oraclePadded(f, list)
	if err != nil {
		return nil, err
	}
	if !oracleFits(f, len(list)) {
		return nil, fault("SHAPE")
	}
	return list, nil
}

// oracleCut returns the values of a list that truncate keeps.
func oracleCut[T any](f schema.Feature, list []T) []T {
	if f.Truncate && len(list) > f.Shape[0] {
		return list[:f.Shape[0]]
	}
	return list
}

// oraclePadded returns a list with the values that pad adds.
func oraclePadded(f schema.Feature, list []any) ([]any, error) {
	if f.Pad == nil || len(list) >= f.Shape[0] {
		return list, nil
	}
	x, err := oracleValue(f, *f.Pad)
	return append(list, slices.Repeat([]any{x}, f.Shape[0]-len(list))...), err
}

// oracleFits reports whether this number of values fits the shape of f.
func oracleFits(f schema.Feature, count int) bool {
	n := 1
	for _, d := range f.Shape {
		n *= d
	}
	return n > 0 && count == n || n < 0 && count%-n == 0
}

func split(f schema.Feature, v schema.Value) (elems []schema.Value) {
	for _, s := range strings.Split(string(v.Text), f.Separator) {
		e := schema.Value{Kind: schema.Text, Text: []byte(s)}
		if s == "" {
			e = schema.Value{}
		}
		elems = append(elems, e)
	}
	return elems
}

func oracleNested(f schema.Feature, v schema.Value, shape []int) ([]any, error) {
	if len(shape) == 0 {
		x, err := oracleElement(f, v)
		return []any{x}, err
	}
	if oracleMissing(f, v) {
		x, err := oracleElement(f, v)
		n := 1
		for _, d := range shape {
			n *= d
		}
		return slices.Repeat([]any{x}, n), err
	}
	if n := oracleSize(shape); v.Kind == schema.Array && len(shape) < len(f.Shape) && len(expand(f, v).List) == n {
		var list []any
		for _, e := range expand(f, v).List {
			x, err := oracleValue(f, e)
			if err != nil {
				return nil, err
			}
			list = append(list, x)
		}
		return list, nil
	}
	if v.Kind != schema.List || shape[0] >= 0 && len(v.List) != shape[0] {
		return nil, fault("SHAPE")
	}
	var list []any
	for _, e := range v.List {
		inner, err := oracleNested(f, e, shape[1:])
		if err != nil {
			return nil, err
		}
		list = append(list, inner...)
	}
	return list, nil
}

func oracleSize(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}

func oracleElement(f schema.Feature, v schema.Value) (any, error) {
	if oracleMissing(f, v) {
		if f.OnMissing != schema.MissingDefault {
			return nil, fault("MISSING")
		}
		v = *f.Default
	}
	return oracleValue(f, v)
}

func oracleMissing(f schema.Feature, v schema.Value) bool {
	text := string(v.Text)
	switch v.Kind {
	case schema.Missing:
		return true
	case schema.Text:
		isText := f.Type == schema.BytesType || f.Type == schema.StringType
		isMapped := f.Map != nil && slices.Contains(f.Map.Strings, "")
		return text == "" && !isText && !isMapped || slices.Contains(f.NullValues, text)
	case schema.String:
		return slices.Contains(f.NullValues, text)
	}
	return false
}
