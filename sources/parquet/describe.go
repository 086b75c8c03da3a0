package parquet

import (
	"bytes"

	"tfr-build/sources/input"
)

// Describe describes the source type.
func Describe() *input.Description {
	return &input.Description{
		Reads: "Parquet", Noun: "Parquet file", Rows: input.Typed, ImageDepth: 2,
		Recognize: recognize, Revise: revise, ClassNames: ClassNames,
		ImageColumn: func(o input.Options) string { return o.(*Options).Image },
	}
}

func recognize(h *input.FileHead) input.Match {
	return input.Proven.If(bytes.HasPrefix(h.Bytes, []byte("PAR1")) || bytes.HasPrefix(h.Bytes, []byte("PARE")))
}

// revise names the column of images, if there is one.
func revise(r *input.Reading) *input.Revision {
	if r.Images == "" || r.Has("image") {
		return nil
	}
	return &input.Revision{Option: input.Option{Name: "image", Value: r.Images, Note: "the column of the images"},
		Reread: true}
}
