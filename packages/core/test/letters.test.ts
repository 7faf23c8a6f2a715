import { expect, test } from 'vitest'
import { text } from '../src/schemas/text.ts'
import { fold, wordsOf } from '../src/search/letters.ts'

const far = '水'
const characters = Array.from({ length: 0x370 }, (_, unit) => String.fromCharCode(unit))

test('the shortcut for texts of Latin letters folds them as it does with other letters beside them', () => {
  for (const each of characters) {
    const given = `${each}A${each} \u00a0 Straße${each}`
    expect(fold(given), JSON.stringify(each)).toBe(fold(`${given}${far}`).slice(0, -1).trim())
  }
  expect(fold('  ÅNGSTRÖM\u00a0\u00a0Łódź  İı Œuvre ¨ ')).toBe('angstrom lodz ii oeuvre')
})

test('the shortcut for texts of Latin letters normalises, refuses and counts them as with other letters beside them', () => {
  const schema = text({ max: 5, trim: true })
  for (const each of characters) {
    const alone = schema.safeParse(`a${each}b`)
    const beside = schema.safeParse(`a${each}b${far}`)
    expect(alone.success, JSON.stringify(each)).toBe(beside.success)
    expect(alone.data, JSON.stringify(each)).toBe(beside.data?.slice(0, -1))
  }
  expect(schema.safeParse('\u0085').success).toBe(false)
  expect(schema.safeParse(' ÄÖÜß\u00a0').data).toBe('ÄÖÜß')
  expect(schema.safeParse('ÄÖÜßéé').success).toBe(false)
})

const schema = text({ min: 1, max: 9, trim: true, isName: true })

const several = ['\u115f \u1160', '\u034f\ufe0f', '\u200e\u2003\u200f']
test.each([...'\u200b\u3164\u00ad\u2060\uffa0\u{e0041}\u2800\u{13430}', ...several])(
  'a name that shows nothing is refused: %j',
  (name) => {
    expect(schema.safeParse(name).error?.issues).toMatchObject([{ message: expect.stringMatching(/seen/u) }])
  },
)

test.each(['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069'])(
  'a name that turns what stands around it is refused: %j',
  (mark) => {
    expect(schema.safeParse(`a${mark}b`).error?.issues).toMatchObject([
      { message: expect.stringMatching(/direction/u) },
    ])
  },
)

test.each(['می\u200cخو', '\u200fאדה', '👩\u200d👧', '⛲\ufe0f', 'Wa\u00adter', '.', '\u0301'])(
  'a name has joiners and marks of direction beside letters: %j',
  (name) => {
    expect(schema.safeParse(name).success).toBe(true)
  },
)

test.each([
  ['Løkke', 'lokke'],
  ['ΣΊΣΥΦΟΣ Σίσυφος', 'σισυφοσ σισυφοσ'],
  ['Ёлка й', 'елка и'],
  ['Hà Nội Đường', 'ha noi duong'],
  ['İstanbul Iğdır ılıca', 'istanbul igdir ilica'],
  ['कुआँ हिन्दी पानी', 'कुआँ हिन्दी पानी'],
  ['கிணறு', 'கிணறு'],
  ['น้ำดื่ม', 'น้ำดื่ม'.normalize('NFKD')],
  ['كِتَابٌ أحمد مـــاء', 'كتاب احمد ماء'],
  ['שָׁלוֹם', 'שלום'],
  ['がか ｶﾞｶ', 'がか ガカ'],
  ['한국 분수', '한국 분수'],
  ['ﬁlter ①', 'filter 1'],
  ['so\u00adft می\u200cخواهم ⛲\ufe0f', 'soft میخواهم ⛲'],
])('letters of every script are folded in the same way everywhere: %s is compared as %s', (given, folded) => {
  expect(fold(given)).toBe(folded)
  expect(fold(folded)).toBe(folded)
})

test('words keep the vowel signs that their script needs', () => {
  expect(wordsOf(fold('पीने का पानी, கிணறு'))).toEqual(['पीने', 'का', 'पानी', 'கிணறு'])
})
