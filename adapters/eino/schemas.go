package einokit

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/cloudwego/eino/schema"
)

// Schemas returns the definitions of tools as OpenAI gets them, one JSON text each. [WrapModel]
// counts those of its model by itself; for the other shapes, which do not see them, a program
// puts them into the context:
//
//	schemas, err := einokit.Schemas(infos...)
//	ctx = core.WithRequest(ctx, &core.Request{Schemas: schemas})
func Schemas(infos ...*schema.ToolInfo) ([]string, error) {
	out := make([]string, 0, len(infos))
	for _, info := range infos {
		if info == nil {
			continue
		}
		definition := tool{Type: "function"}
		definition.Function.Name, definition.Function.Description = info.Name, info.Desc
		if info.ParamsOneOf != nil {
			parameters, err := info.ToJSONSchema()
			if err != nil {
				return nil, fmt.Errorf("trimkit: schema of tool %q: %w", info.Name, err)
			}
			definition.Function.Parameters = parameters
		}
		text, err := json.Marshal(definition)
		if err != nil {
			return nil, fmt.Errorf("trimkit: schema of tool %q: %w", info.Name, err)
		}
		out = append(out, string(text))
	}
	return out, nil
}

type tool struct {
	Type     string `json:"type"`
	Function struct {
		Name        string `json:"name"`
		Description string `json:"description,omitempty"`
		Parameters  any    `json:"parameters,omitempty"`
	} `json:"function"`
}

// schemas remembers the last tools, which are the same for most calls of a model.
type schemas struct{ last atomic.Pointer[known] }

type known struct {
	infos []*schema.ToolInfo
	texts []string
}

func (s *schemas) of(infos []*schema.ToolInfo) ([]string, error) {
	if len(infos) == 0 {
		return nil, nil
	}
	if k := s.last.Load(); k != nil && slices.Equal(k.infos, infos) {
		return k.texts, nil
	}
	texts, err := Schemas(infos...)
	if err == nil {
		s.last.Store(&known{slices.Clone(infos), texts})
	}
	return texts, err
}
