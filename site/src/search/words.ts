/** Letters that do not come apart into a plain letter and a mark. */
const plain: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
}

/** Text as search compares it: lower case, without accents, compatibility forms made plain. */
export function fold(text: string): string {
  // Most names have nothing to fold, and an index folds millions of them.
  if (/^[ -~]*$/u.test(text)) return text.toLowerCase()
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll(/[ßæœøłđðþı]/gu, (letter) => plain[letter] ?? letter)
}

/** The words of a text, folded, in their order. */
export function words(text: string): string[] {
  return fold(text).match(/[\p{L}\p{N}]+/gu) ?? []
}

/** Scripts that are written without spaces: any character can begin a word. */
const spaceless =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}]/u

const longestWord = 24

/** The beginnings under which a text is found: its words, and in scripts without spaces each word's endings too. */
export function entryWords(text: string): Set<string> {
  const found = new Set<string>()
  for (const word of words(text)) {
    found.add(cut(word))
    if (!spaceless.test(word)) continue
    const letters = [...word]
    for (let from = 1; from < letters.length; from += 1) found.add(cut(letters.slice(from).join('')))
  }
  return found
}

function cut(word: string): string {
  if (word.length <= longestWord) return word
  const letters = [...word]
  return letters.length > longestWord ? letters.slice(0, longestWord).join('') : word
}
