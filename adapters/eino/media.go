//lint:file-ignore SA1019 the deprecated MultiContent is in programs and their histories still

package einokit

import (
	"strings"

	"github.com/cloudwego/eino/schema"

	"github.com/trimkit/trimkit/core"
)

// mediaOfPart returns what a piece of the deprecated MultiContent shows, or nil.
//
//nolint:staticcheck // deprecated, but still sent by clients
func mediaOfPart(p *schema.ChatMessagePart) *core.Media {
	switch {
	case p.Type == schema.ChatMessagePartTypeImageURL && p.ImageURL != nil:
		return linked(p.ImageURL.URL, p.ImageURL.URI, p.ImageURL.MIMEType, string(p.ImageURL.Detail))
	case p.Type == schema.ChatMessagePartTypeAudioURL && p.AudioURL != nil:
		return linked(p.AudioURL.URL, p.AudioURL.URI, p.AudioURL.MIMEType, "")
	case p.Type == schema.ChatMessagePartTypeVideoURL && p.VideoURL != nil:
		return linked(p.VideoURL.URL, p.VideoURL.URI, p.VideoURL.MIMEType, "")
	case p.Type == schema.ChatMessagePartTypeFileURL && p.FileURL != nil:
		return linked(p.FileURL.URL, p.FileURL.URI, p.FileURL.MIMEType, "")
	default:
		return nil
	}
}

// mediaOfInput returns what a piece of UserInputMultiContent shows, or nil.
func mediaOfInput(p *schema.MessageInputPart) *core.Media {
	switch {
	case p.Type == schema.ChatMessagePartTypeImageURL && p.Image != nil:
		return media(&p.Image.MessagePartCommon, string(p.Image.Detail))
	case p.Type == schema.ChatMessagePartTypeAudioURL && p.Audio != nil:
		return media(&p.Audio.MessagePartCommon, "")
	case p.Type == schema.ChatMessagePartTypeVideoURL && p.Video != nil:
		return media(&p.Video.MessagePartCommon, "")
	case p.Type == schema.ChatMessagePartTypeFileURL && p.File != nil:
		return media(&p.File.MessagePartCommon, "")
	default:
		return nil
	}
}

// mediaOfOutput returns what a piece of AssistantGenMultiContent shows, or nil.
func mediaOfOutput(p *schema.MessageOutputPart) *core.Media {
	switch {
	case p.Type == schema.ChatMessagePartTypeImageURL && p.Image != nil:
		return media(&p.Image.MessagePartCommon, "")
	case p.Type == schema.ChatMessagePartTypeAudioURL && p.Audio != nil:
		return media(&p.Audio.MessagePartCommon, "")
	case p.Type == schema.ChatMessagePartTypeVideoURL && p.Video != nil:
		return media(&p.Video.MessagePartCommon, "")
	default:
		return nil
	}
}

// media returns what has an address or data, and nil for what has neither.
func media(c *schema.MessagePartCommon, detail string) *core.Media {
	switch {
	case c.URL != nil && *c.URL != "":
		return &core.Media{MIME: c.MIMEType, URL: *c.URL, Detail: detail}
	case c.Base64Data == nil || *c.Base64Data == "":
		return nil
	case strings.HasPrefix(*c.Base64Data, "data:"):
		return &core.Media{MIME: c.MIMEType, URL: *c.Base64Data, Detail: detail}
	default:
		return &core.Media{MIME: c.MIMEType, URL: "data:" + c.MIMEType + ";base64," + *c.Base64Data, Detail: detail}
	}
}

func linked(url, uri, mime, detail string) *core.Media {
	if url == "" {
		url = uri
	}
	if url == "" {
		return nil
	}
	return &core.Media{MIME: mime, URL: url, Detail: detail}
}
