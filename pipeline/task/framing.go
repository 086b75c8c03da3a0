package task

import "tfr-build/sink"

// newLayout returns the layout of a shard; nil if the framing needs none.
func (w *Work) newLayout() sink.Layout {
	if create := w.Set.Framing.NewLayout; create != nil {
		return create(w.Set.Config.Compression)
	}
	return nil
}
