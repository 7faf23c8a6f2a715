import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { formats, judge, licences } from '../../src/index.ts'

const page = readFileSync(fileURLToPath(new URL('../../../../docs/data.md', import.meta.url)), 'utf8')

/** The rows of the table with these columns; white space between cells does not count. */
function tableUnder(heading: string): string[][] {
  const lines = page.split('\n')
  const cells = (line = '') =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
  const start = lines.findIndex((line) => cells(line).join('|') === heading)
  expect(start).toBeGreaterThan(0)
  const rest = lines.slice(start + 2)
  return rest
    .slice(
      0,
      rest.findIndex((line) => !line.startsWith('|')),
    )
    .map(cells)
}

test('the page has the judgements of the licence table', () => {
  const outgoing = ['ODbL-1.0', 'CC-BY-4.0', 'CC-BY-SA-4.0', 'ODC-By-1.0', 'CC0-1.0', 'CC-BY-NC-4.0']
  expect(tableUnder(`source|${outgoing.join('|')}`)).toEqual(
    licences.map(({ id }) => [id, ...outgoing.map((license) => judge(id, license).verdict)]),
  )
})

test('every format has a name, a file and a media type of its own', () => {
  for (const member of ['name', 'file'] as const) {
    expect(new Set(formats.map((format) => format[member])).size).toBe(formats.length)
  }
  for (const { mediaType } of formats) expect(mediaType).toMatch(/^[a-z]+\/[a-z0-9.+-]+(; charset=utf-8)?$/u)
})
