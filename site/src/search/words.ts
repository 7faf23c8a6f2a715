import { fold, runsOf } from '@openfountain/core/letters'

export function words(text: string): string[] {
  return runsOf(fold(text))
}

/** A text, and the same with ae, oe and ue in place of ä, ö and ü, as keyboards without these have it. */
export function spellings(text: string): string[] {
  return [...new Set([text, text.replaceAll(/[äöü]/giu, (letter) => `${fold(letter)}e`)])]
}

/** A folded word with a, o and u in place of ae, oe and ue: the index has ä, ö and ü under these. */
export const indexed = (word: string): string => word.replaceAll(/(?<=[aou])e/gu, '')

/** Scripts that are written without spaces: any character can begin a word. */
const spaceless =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}\p{Script=Myanmar}]/u

/** A vowel sign or another mark, which never begins a search. */
const mark = /\p{M}/u

const longestWord = 24

/** The searchable words of a text; in scripts without spaces each word's suffixes too. */
export function entryWords(text: string): Set<string> {
  const found = new Set<string>()
  for (const word of words(text)) {
    found.add(cut(word))
    if (!spaceless.test(word)) continue
    const letters = [...word]
    for (const [from, letter] of letters.entries()) {
      if (from > 0 && !mark.test(letter)) found.add(cut(letters.slice(from).join('')))
    }
  }
  return found
}

function cut(word: string): string {
  if (word.length <= longestWord) return word
  const letters = [...word]
  return letters.length > longestWord ? letters.slice(0, longestWord).join('') : word
}
