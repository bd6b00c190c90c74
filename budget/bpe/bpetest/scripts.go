package bpetest

import (
	"strings"
	"unicode"
)

// What is not English, and what nobody writes.

// han returns a character, the common ones more often.
func (w *writer) han() string {
	if w.chance(70) {
		return w.often(hanCommon)
	}
	return string(rune(0x4e00 + w.n(0x9fa5-0x4e00)))
}

func (w *writer) hanRun() {
	for range 4 + w.n(60) {
		w.put(w.han())
	}
	if w.chance(50) {
		w.put(w.pick("，", "。", "、", "；"))
	}
}

func (w *writer) hanMarkdown() {
	switch w.n(4) {
	case 0:
		w.put("\n## ", w.number(), ". ", w.han(), w.han(), w.han(), w.han(), "\n\n")
	case 1:
		w.put("- `", w.name(), "`：")
		w.hanSentence()
		w.put("\n")
	case 2:
		w.hanSentence()
		w.hanSentence()
		w.put("\n\n")
	case 3:
		w.put("```go\nfmt.Println(\"", w.han(), w.han(), "\", ", w.name(), ")\n```\n")
	}
}

func (w *writer) hanSentence() {
	for range 1 + w.n(4) {
		for range 2 + w.n(12) {
			w.put(w.han())
		}
		if w.chance(20) {
			w.put(" ", w.word(), " ")
		}
		w.put(w.pick("，", "、", "（", "）", "，"))
	}
	w.put("。")
}

func (w *writer) foreign() {
	list := foreignWords[w.n(len(foreignWords))]
	for range 6 + w.n(20) {
		word := w.often(list)
		if w.chance(15) {
			word = strings.ToUpper(word)
		}
		w.put(word, " ")
		if w.chance(8) {
			w.put(w.pick(", ", ". ", " – ", "! ", "… "), w.number(), " ")
		}
	}
	w.put("\n")
}

func (w *writer) emoji() {
	for range 1 + w.n(6) {
		w.put(w.pick("🙂", "😂", "👍", "🏽", "👩\u200d👩\u200d👧", "❤\ufe0f", "🇩🇪", "🚀", "✅", "🎉", "🧑🏿\u200d💻", string(rune(0x1f300+w.n(0x400)))))
	}
	w.put(w.pick(" ", "", "\n", w.word()))
}

func (w *writer) contractions() {
	w.put(w.pick("don", "I", "WE", "it", "ſ", "é", "的", "1", " ", "\u0301", "A"), w.pick("'", "'", "’", "''"),
		w.pick("s", "t", "re", "ve", "m", "ll", "d", "S", "T", "RE", "Ve", "M", "lL", "D", "ſ", "l", "r", "v", "K", "se"),
		w.pick("", " ", "x", "X", "\n", "'", "é", "的"))
}

func (w *writer) spaces() {
	for range 1 + w.n(9) {
		w.put(w.pick(" ", " ", "  ", "\n", "\r\n", "\t", "\u00a0", "\u3000", "\u2028", "\u0085", "\v", "\f"))
	}
	w.put(w.pick("x", "X", "1", "!", "/", "é", "的", "\u0301", "don't", "//", "\u200b", "<|endoftext|>"))
}

func (w *writer) mixed() {
	w.put(w.pick("a", "B", "ab", "Ab", "ABC", "aB", "ß", "É", "ǅ", "ʰ", "的", "\u0301", "1", "٣", "Ⅷ", "½", "²", "_", "-", "/", "\r", "\n", " ", "\t", "\u00a0", "'s", "'", "🙂", "\u200d", "\x00", "<", w.word()))
}

func (w *writer) anyCharacter() {
	r := rune(w.n(0x3000))
	switch w.n(4) {
	case 0:
		r = rune(w.n(0x10000))
	case 1:
		r = rune(w.n(0x20000))
	}
	if unicode.Is(unicode.Cs, r) {
		return
	}
	w.WriteRune(r)
}

func (w *writer) run(of string) { w.put(strings.Repeat(of, 64)) }

var hanCommon = strings.Split("的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运", "")

var foreignWords = [][]string{
	strings.Fields("и в не на я быть он с что а по это она этот к но они мы весь который из у от так же вы за мочь один человек сказать такой только себя другой какой когда уже для вот год время рука система сообщение превосходительство"),
	strings.Fields("der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er hat daß sie nach wird bei einer um am sind noch wie einem über Straße Größe Donaudampfschifffahrtsgesellschaft Übertragungsgeschwindigkeit"),
	strings.Fields("de la le et les des en un du une que est pour qui dans par plus ne sur se pas au être avec été où déjà après très l'été c'est aujourd'hui français élève œuvre"),
	strings.Fields("في من على إلى أن هذا التي كان عن مع هو ما لا كل بعد ذلك بين قد أو حيث لم يكن اللغة العربية الرسالة مُحَمَّد"),
	strings.Fields("के में है की और को से का यह पर कि एक हैं भी नहीं तो ही था लिए किया हिन्दी भाषा संदेश विश्वविद्यालय"),
	strings.Fields("の に は を た が で て と し れ さ ある いる も する から な こと として ます トークン メッセージ コンピュータ 東京都 予算 管理 ありがとうございます"),
	strings.Fields("이 그 저 것 수 등 들 및 에서 으로 하다 있다 되다 없다 않다 같다 사람 우리 시간 메시지 토큰 안녕하세요 감사합니다"),
	strings.Fields("και το να του η της με που την από για είναι στο ο οι δεν τα ένα στην Ελλάδα γλώσσα"),
	strings.Fields("ที่ และ ใน เป็น การ ของ ได้ ให้ มี ไม่ จะ ว่า ความ นี้ ภาษาไทย สวัสดีครับ"),
	strings.Fields("של את על לא זה הוא אני עם כי גם אם יש היה כל בית שלום עברית"),
}
