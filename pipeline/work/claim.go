package work

import (
	"tfr-build/internal/sumline"
	"tfr-build/pipeline/plan"
)

// A Claim is what is noted beside the output of tasks.
type Claim struct {
	Work   string   `json:"work"`   // the work folder
	Config string   `json:"config"` // the file of the config
	Job    plan.Job `json:"job"`
}

// Claim is the claim of the plan as it is stored, a line of internal/sumline.
func (p *Plan) Claim() ([]byte, error) {
	return sumline.Encode(Claim{Work: p.Work, Config: p.Config.File, Job: p.Job})
}

// ParseClaim is a claim that was stored; nil of one that is damaged.
func ParseClaim(text []byte) *Claim {
	c := new(Claim)
	if !sumline.Decode(text, c) {
		return nil
	}
	return c
}
