package budget

// model is a row of the table. Among the prefixes that match a name the longest wins.
type model struct {
	prefix   string
	encoding string
	window   int
	input    int // 0: the window
	image    ImageCost
}

// models has OpenAI's chat models with the limits that OpenAI states, and where those leave
// something open, that its API enforces. A family's next version is not here until it is
// known: a guessed window fails in the middle of a conversation, an unknown name at the
// start.
//
// The window of gpt-5 to gpt-5.3 is 400,000, but a request may have only 272,000 of it
// ("Input tokens exceed the configured limit of 272000 tokens").
var models = []model{
	{"gpt-5.5", O200K, 1_050_000, 922_000, patches(1.2, 2500)},
	{"gpt-5.4", O200K, 1_050_000, 922_000, patches(1.2, 2500)},
	{"gpt-5.4-mini", O200K, 400_000, 272_000, patches(1.62, 1536)},
	{"gpt-5.4-nano", O200K, 400_000, 272_000, patches(2.46, 1536)},
	{"gpt-5.3-codex", O200K, 400_000, 272_000, patches(1.2, 1536)},
	{"gpt-5.2", O200K, 400_000, 272_000, patches(1.2, 1536)},
	{"gpt-5.2-chat", O200K, 128_000, 0, patches(1.2, 1536)},
	{"gpt-5.1", O200K, 400_000, 272_000, tiles(70, 140)},
	{"gpt-5.1-chat", O200K, 128_000, 0, tiles(70, 140)},
	{"gpt-5", O200K, 400_000, 272_000, tiles(70, 140)},
	{"gpt-5-chat", O200K, 128_000, 0, tiles(70, 140)},
	{"gpt-5-mini", O200K, 400_000, 272_000, patches(1.62, 1536)},
	{"gpt-5-nano", O200K, 400_000, 272_000, patches(2.46, 1536)},
	{"gpt-5-pro", O200K, 400_000, 128_000, tiles(70, 140)},

	{"o1", O200K, 200_000, 0, tiles(75, 150)},
	{"o1-mini", O200K, 128_000, 0, tiles(75, 150)},
	{"o1-preview", O200K, 128_000, 0, tiles(75, 150)},
	{"o3", O200K, 200_000, 0, tiles(75, 150)},
	{"o4-mini", O200K, 200_000, 0, patches(1.72, 1536)},
	{"codex-mini", O200K, 200_000, 0, patches(1.72, 1536)},

	{"gpt-4.5", O200K, 128_000, 0, tiles(85, 170)},
	{"gpt-4.1", O200K, 1_047_576, 0, tiles(85, 170)},
	{"gpt-4.1-mini", O200K, 1_047_576, 0, patches(1.62, 1536)},
	{"gpt-4.1-nano", O200K, 1_047_576, 0, patches(2.46, 1536)},
	{"gpt-4o", O200K, 128_000, 0, tiles(85, 170)},
	{"gpt-4o-mini", O200K, 128_000, 0, tiles(2833, 5667)},
	{"chatgpt-4o", O200K, 128_000, 0, tiles(85, 170)},
	{"gpt-oss", O200K, 131_072, 0, tiles(85, 170)},

	{"gpt-4", CL100K, 8_192, 0, tiles(85, 170)},
	{"gpt-4-32k", CL100K, 32_768, 0, tiles(85, 170)},
	{"gpt-4-turbo", CL100K, 128_000, 0, tiles(85, 170)},
	{"gpt-4-0125", CL100K, 128_000, 0, tiles(85, 170)},
	{"gpt-4-1106", CL100K, 128_000, 0, tiles(85, 170)},
	{"gpt-4-vision", CL100K, 128_000, 0, tiles(85, 170)},
	{"gpt-3.5-turbo", CL100K, 16_385, 0, tiles(85, 170)},
	{"gpt-3.5-turbo-0301", CL100K, 4_096, 0, tiles(85, 170)},
	{"gpt-3.5-turbo-0613", CL100K, 4_096, 0, tiles(85, 170)},
	{"gpt-3.5-turbo-instruct", CL100K, 4_096, 0, tiles(85, 170)},
	{"gpt-35-turbo", CL100K, 16_385, 0, tiles(85, 170)}, // Azure
}

// tiles is how most models price images: a constant and so much for every tile of 512
// pixels, after scaling down to 2,048 a side and then to 768 on the shorter one.
func tiles(base int, tile float64) ImageCost {
	return ImageCost{Base: base, Low: base, Fit: 2048, FitShort: 768, Tile: 512, TileTokens: tile, Assume: 1024}
}

// patches is how the small models and the newest ones do: so much for every square of 32
// pixels, up to a number of them. Detail makes no difference. Where what was measured is
// less than what is documented, the table has the latter.
func patches(tokens float64, most int) ImageCost {
	return ImageCost{Tile: 32, TileTokens: tokens, MaxTiles: most, Assume: 1024}
}
