import { assert, property, string, array } from 'fast-check'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { csvValue } from '@openfountain/core/published'
import { joinList, neutraliseCell, restoreCell, splitList } from '../../src/index.ts'

test.each([
  ['=1+1', "'=1+1"],
  ["'=1+1", "''=1+1"],
  ["''@x", "'''@x"],
  ['-5', "'-5"],
  ['+49 30', "'+49 30"],
  ['\ttab', "'\ttab"],
  ['＝1', "'＝1"],
  ["'s-Hertogenbosch", "'s-Hertogenbosch"],
  ['A=1', 'A=1'],
  ['', ''],
  ["'", "'"],
])('%j is written to a cell as %j', (text, cell) => {
  expect(neutraliseCell(text)).toBe(cell)
  expect(restoreCell(cell)).toBe(text)
})

test('every text comes back from its cell', () => {
  assert(property(string({ unit: 'grapheme' }), (text) => restoreCell(neutraliseCell(text)) === text))
  const likely = array(string({ unit: 'grapheme', maxLength: 1 })).map((parts) => `'${parts.join("='")}`)
  assert(property(likely, (text) => restoreCell(neutraliseCell(text)) === text))
})

test('every list of texts that are not empty comes back from its cell', () => {
  const items = array(string({ unit: 'grapheme', minLength: 1 }))
  assert(
    property(items, (list) => {
      expect(splitList(joinList(list))).toEqual(list)
    }),
  )
  const hard = ['a;b', String.raw`c\d`, ';', '\\']
  expect(splitList(joinList(hard))).toEqual(hard)
})

test('a reader of CSV gets back the cell, whatever is in it', () => {
  assert(
    property(string({ unit: 'binary' }), (text) => {
      const [row] = parse(`a,${csvValue(text)},b\r\n`, { relax_quotes: false }) as string[][]
      expect(restoreCell(row?.[1] ?? '')).toBe(text)
    }),
  )
})
